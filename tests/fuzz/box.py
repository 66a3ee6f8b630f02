"""The box's end of the line protocol against a host that says anything."""

from __future__ import annotations

from protocols.lines.box import EVENTS, RESULTS, BoxSession
from protocols.lines.line import HOST
from protocols.vocabulary import EventKind
from tests.fuzz.lines import ASKED, pieces, script
from tests.protocols.rig import FakeBoard

START = 100.0


class Box:
    """A session and the table behind it; fed script after script it is one long connection."""

    def __init__(self, *, greeted: bool) -> None:
        self.now = START
        self.app = FakeBoard()
        self.session = BoxSession(self.app, self.now)
        self.moved: set[int] = set()  # orders carried out for the journal of now
        if greeted:
            self.session._greet(tuple(ASKED[0].split()))

    def feed(self, data: bytes) -> None:
        """Let a script arrive; an event is sensed with each piece."""
        session = self.session
        for seconds, wire in pieces(data, HOST):
            self.now += seconds
            session.tick(self.now)
            journal = session._journal
            session.receive(wire, self.now)
            if session._journal != journal:
                self.moved.clear()  # another record: its numbers begin anew
            session.event(EventKind.SEAT_KEY, board_us=1, side=1, value=1)
            for order in self.app.executed:
                assert order.id not in self.moved, "an order moved twice"
                self.moved.add(order.id)
                session.done(order.id)
            self.app.executed.clear()
            session.outgoing(self.now)
            assert len(session._events) <= EVENTS
            assert len(session._results) <= RESULTS + 1
            self.moved &= set(session._results)  # a result it no longer keeps may move again


def one(data: bytes) -> None:
    """A script against a new session; the lowest bit of its first byte says whether hello was said."""
    Box(greeted=not data or bool(data[0] & 1)).feed(data)


def seeds() -> list[bytes]:
    """What hosts say."""
    together = [script(*ASKED[start : start + 5]) for start in range(0, len(ASKED), 4)]
    twice = script(ASKED[0], ASKED[1], ASKED[1], ASKED[2], ASKED[1], ASKED[2])
    return [*(script(text) for text in ASKED), *together, twice]
