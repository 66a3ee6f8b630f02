"""The board's session against a host that says anything."""

from __future__ import annotations

from protocols.atp import messages as m
from protocols.atp.board import BoardSession
from protocols.atp.dictionary import LIMITS
from protocols.atp.frame import Frame
from protocols.vocabulary import EventKind, Operation
from tests.fuzz.sessions import pieces, script, scripts
from tests.protocols.rig import FakeBoard

START = 100.0
HELLO = m.HelloAsk(1, 1, 1, bytes(range(16)))


class Board:
    """A session and the table behind it; fed script after script it is one long connection."""

    def __init__(self, *, greeted: bool) -> None:
        self.now = START
        self.app = FakeBoard()
        self.session = BoardSession(self.app, self.now)
        self.moved: set[int] = set()  # orders carried out for the journal of now
        if greeted:
            self.session.receive(Frame(1, 0, HELLO.TYPE, HELLO.to_bytes()).to_bytes(), self.now)
            self.session.outgoing(self.now)

    def feed(self, data: bytes) -> None:
        """Let a script arrive; an event is sensed with each piece."""
        session = self.session
        for seconds, wire in pieces(data):
            self.now += seconds
            session.tick(self.now)
            journal = session._results._journal
            session.receive(wire, self.now)
            if session._results._journal != journal:
                self.moved.clear()  # another record: its numbers begin anew
            session.event(EventKind.SEAT_KEY, board_us=1, side=1, value=1)
            for order in self.app.executed:
                assert order.id not in self.moved, "an order moved twice"
                self.moved.add(order.id)
                session.done(order.id)
            self.app.executed.clear()
            session.outgoing(self.now)
            due = session.due()
            assert due is None or due >= 0
            assert len(session._ring._sent_once) <= LIMITS.ring


def one(data: bytes) -> None:
    """A script against a new session; the lowest bit of its first byte says whether hello was said."""
    Board(greeted=not data or bool(data[0] & 1)).feed(data)


def seeds() -> list[bytes]:
    """What hosts say."""
    orders = [(m.Operate.TYPE, m.Operate(256 * n, Operation.DICE, 1, 1, 2).to_bytes()) for n in (1, 1, 2, 1)]
    return [*scripts(), script((HELLO.TYPE, HELLO.to_bytes()), *orders), script(*orders)]
