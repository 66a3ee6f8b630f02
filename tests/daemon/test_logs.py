"""The log: repeats are counted, and however much goes wrong it grows no faster than is written down."""

from __future__ import annotations

import io
import json
import logging
from pathlib import Path
from typing import Any

import pytest

from tablectl.daemon.logs import FIRST, LINES_A_MINUTE, MINUTE, FoldingHandler, JsonFormatter

DOCS = Path(__file__).parents[2] / "docs" / "operator.md"


class Log:
    """A log with a clock of its own."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.file = io.StringIO()
        self.handler = FoldingHandler(self.file, lambda: self.now)
        self.handler.setFormatter(JsonFormatter())

    def say(self, text: str, level: int = logging.INFO, **fields: Any) -> None:
        record = logging.makeLogRecord(
            {"msg": text, "levelno": level, "levelname": logging.getLevelName(level)}
        )
        record.fields = fields
        self.handler.handle(record)

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.file.getvalue().splitlines()]


@pytest.fixture
def log() -> Log:
    return Log()


def test_what_happens_once_is_a_line_each(log: Log) -> None:
    for state in ("lost", "backoff", "reconcile", "online"):
        log.say("event.link", state=state, n=5)
    assert [line["state"] for line in log.lines] == ["lost", "backoff", "reconcile", "online"]
    assert log.lines[0] == {"level": "info", "text": "event.link", "state": "lost", "n": 5}


@pytest.mark.report("B110")
def test_what_repeats_is_counted(log: Log) -> None:
    for n in range(500):
        log.say("event.fault", logging.WARNING, fault="optic_blocked", n=n)
    log.say("event.link", state="lost")
    assert len(log.lines) == FIRST + 1
    log.now += MINUTE
    log.say("event.link", state="online")
    counted = log.lines[FIRST + 1]
    assert (counted["text"], counted["repeated"], counted["n"]) == ("event.fault", 500 - FIRST, 499)
    assert log.lines[-1]["state"] == "online"


@pytest.mark.report("B110")
def test_the_counts_of_the_last_minute_are_written_at_the_end(log: Log) -> None:
    for _ in range(10):
        log.say("event.held", name="link table")
    log.handler.close()
    assert log.lines[-1]["repeated"] == 10 - FIRST


@pytest.mark.report("B110")
def test_no_error_writes_more_than_the_bound(log: Log) -> None:
    """Each with a text of its own, so that nothing can be folded: the rest is at least counted."""
    minutes = 10
    for number in range(minutes * 6000):
        log.say(f"error {number}", logging.ERROR)
        log.now += MINUTE / 6000
    log.handler.close()
    assert len(log.lines) <= (minutes + 1) * LINES_A_MINUTE
    counted = sum(line["repeated"] for line in log.lines if "repeated" in line)
    assert counted + sum("repeated" not in line for line in log.lines) == minutes * 6000
    assert len(log.handler._kinds) <= LINES_A_MINUTE


def test_a_trace_is_written_once_and_not_with_a_count(log: Log) -> None:
    try:
        raise ValueError("no")
    except ValueError as error:
        trouble = (ValueError, error, error.__traceback__)
    for _ in range(9):
        log.handler.handle(
            logging.makeLogRecord(
                {"msg": "it raised", "levelno": 40, "levelname": "ERROR", "exc_info": trouble}
            )
        )
    log.handler.close()
    assert ["trace" in line for line in log.lines] == [True] * FIRST + [False]


@pytest.mark.report("B110")
def test_the_bound_is_documented() -> None:
    assert f"{LINES_A_MINUTE} lines a minute" in DOCS.read_text("utf-8")
