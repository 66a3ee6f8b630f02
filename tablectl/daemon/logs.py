"""The daemon's log: one JSON line an event worth a line, for journald or a terminal.

The record is the journal; the log is for whoever looks after the machine. Links and holds are told once a
change, so a cable that is out for an hour is three lines; what goes on and on is counted instead of repeated,
so that no error can fill a disk (B110).
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TextIO

from tablectl.daemon.core import Core
from tablectl.daemon.timebase import steady_seconds

LOG = logging.getLogger("tablectl")
TOLD = ("event.link", "event.held", "event.released", "event.fault", "event.bug", "event.journal_failed")
WARNED = ("event.bug", "event.journal_failed", "event.fault")
FIRST = 3  # lines of one kind written in a minute; the rest of it is counted
LINES_A_MINUTE = 60  # of all kinds together, counts included
MINUTE = 60.0
OTHERS = {"msg": "other lines", "levelno": logging.WARNING, "levelname": "WARNING"}


class JsonFormatter(logging.Formatter):
    """``{"level":…,"text":…}`` and the fields of the event."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, in UTF-8 whatever the locale is (B109)."""
        line: dict[str, Any] = {"level": record.levelname.lower(), "text": record.getMessage()}
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


@dataclass(slots=True)
class _Kind:
    """One kind of line in this minute: its newest record, how many there were, how many were written."""

    record: logging.LogRecord
    seen: int = 0
    written: int = 0


class FoldingHandler(logging.StreamHandler[TextIO]):
    """Writes at most ``LINES_A_MINUTE``. Of lines that differ only in numbers the first few a minute pass;
    how many more there were (``repeated``) follows with the first line of a later minute, or at the end."""

    def __init__(self, stream: TextIO | None = None, now: Callable[[], float] = steady_seconds) -> None:
        super().__init__(stream)
        self._now = now
        self._ends = float("-inf")  # of the minute
        self._kinds: dict[object, _Kind] = {}
        self._lines = 0
        self._others = 0  # lines there was no room for, of kinds not seen before

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record or count it."""
        if self._now() >= self._ends:
            self._turn()
            self._ends = self._now() + MINUTE
        key = kind_of(record)
        if key not in self._kinds and self._lines >= LINES_A_MINUTE:
            self._others += 1
            return
        kind = self._kinds.setdefault(key, _Kind(record))
        kind.record = record
        kind.seen += 1
        if kind.written < FIRST and self._lines < LINES_A_MINUTE:
            kind.written += 1
            self._write(record)

    def close(self) -> None:
        """Write what is still only counted."""
        self.acquire()
        try:
            self._turn()
        finally:
            self.release()
        super().close()

    def _turn(self) -> None:
        """A minute is over: write its counts, the largest first, and begin the next."""
        folded = [kind for kind in self._kinds.values() if kind.seen > kind.written]
        folded.sort(key=lambda kind: kind.written - kind.seen)
        room = LINES_A_MINUTE // 2
        others = self._others + sum(kind.seen - kind.written for kind in folded[room:])
        self._kinds, self._lines, self._others = {}, 0, 0
        for kind in folded[:room]:
            self._write(_counted(kind.record, kind.seen - kind.written))
        if others:
            self._write(_counted(logging.makeLogRecord(OTHERS), others))

    def _write(self, record: logging.LogRecord) -> None:
        self._lines += 1
        super().emit(record)


def kind_of(record: logging.LogRecord) -> object:
    """What lines that repeat one another have in common: all but their numbers."""
    fields: dict[str, Any] = getattr(record, "fields", {})
    words = tuple((name, value) for name, value in sorted(fields.items()) if isinstance(value, str))
    return record.levelno, str(record.msg), words


def _counted(record: logging.LogRecord, times: int) -> logging.LogRecord:
    fields = {**getattr(record, "fields", {}), "repeated": times}
    return logging.makeLogRecord({**record.__dict__, "fields": fields, "exc_info": None})


def set_up_logs() -> None:
    """Log to standard error."""
    handler = FoldingHandler()
    if hasattr(handler.stream, "reconfigure"):
        handler.stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("transitions").setLevel(logging.ERROR)  # a line a callback says nothing to anybody


def log_events(core: Core) -> Callable[[], None]:
    """Log what the table publishes that somebody should look at; returns how to stop."""

    def tell(event: dict[str, Any]) -> None:
        if event["key"] in TOLD:
            level = logging.WARNING if event["key"] in WARNED else logging.INFO
            LOG.log(level, event["key"], extra={"fields": {**event["data"], "n": event["n"]}})

    return core.subscribe(tell, None)[2]
