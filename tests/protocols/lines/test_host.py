"""The host's end of the line protocol against lines that are sound and make no sense."""

from __future__ import annotations

import pytest

from protocols.driver import BoardEvent, Report
from protocols.lines.host import LinesSession
from protocols.lines.line import BOX, line
from protocols.vocabulary import NO_SIDE, Operation, Order, Stage

START = 100.0


def greeted() -> LinesSession:
    """A session to which a box has said hello."""
    session = LinesSession(START, journal_id=bytes(16))
    session.outgoing(START)
    session.receive(line(BOX, "hello", 1, 1, boot=77), START)
    session.take_reports()
    return session


def told(session: LinesSession, *words: object) -> list[Report]:
    """What comes of one line."""
    session.receive(line(BOX, *words), START)
    return session.take_reports()


@pytest.mark.parametrize(
    "words",
    [("event", 1), ("event", 1, "never", "seat_key", 1, "win"), ("event", 1, 5, "seat_key", 1, "soup")],
    ids=["cut short", "no time", "no value"],
)
def test_an_event_of_nonsense_does_not_hold_up_the_next(words: tuple[object, ...]) -> None:
    session = greeted()
    assert told(session, *words) == []
    assert session.counters.unknown == 1
    (event,) = told(session, "event", 2, 9, "seat_key", 1, "win")
    assert isinstance(event, BoardEvent)
    assert event.number == 2


@pytest.mark.parametrize("number", [1 << 64, "9" * 400, "²"], ids=["65 bits", "400 digits", "no digit"])
@pytest.mark.parametrize("line_", ["clock 2 {} 0", "pong {}", "lost 1 {}", "done 256 {}"])
def test_a_number_nobody_can_mean_is_no_news(number: object, line_: str) -> None:
    session = greeted()
    session.ask_clock()
    session.operate(Order(256, Operation.DICE, side=1, count=2), START)
    session.outgoing(START)
    words = line_.format(number).encode("ascii", "replace").decode().split()
    assert told(session, *words) == []
    assert session._newest == 0


def test_what_happened_at_no_side_of_a_table_happened_all_the_same() -> None:
    (event,) = told(greeted(), "event", 1, 5, "seat_key", 9, "win")
    assert isinstance(event, BoardEvent)
    assert event.side == NO_SIDE


def test_no_order_is_further_than_done() -> None:
    session = greeted()
    session.operate(Order(256, Operation.BUILD), START)
    session.outgoing(START)
    (reply,) = told(session, "going", 256, 4000)
    assert (getattr(reply, "stage", None), getattr(reply, "percent", None)) == (Stage.PROGRESS, 100)
