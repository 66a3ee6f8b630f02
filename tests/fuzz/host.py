"""The host's session against a board that says anything, before and after its hello."""

from __future__ import annotations

from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.atp.dictionary import DICTIONARY, LIMITS
from protocols.atp.frame import Frame
from protocols.atp.host import HostSession
from protocols.driver import BoardEvent, EventsLost, Hello
from protocols.vocabulary import Operation, Order
from tests.fuzz.reports import recordable
from tests.fuzz.sessions import pieces, script, scripts

JOURNAL = bytes(range(16))
START = 100.0


class Host:
    """A session and what it has told; fed script after script it is one long connection."""

    def __init__(self, *, greeted: bool) -> None:
        self.now = START
        self.session = HostSession(self.now, journal_id=JOURNAL)
        self.newest = 0
        if greeted:
            self._greet()

    def _greet(self) -> None:
        version = DICTIONARY.version
        answers: list[Message] = [m.Hello(1, version, version, DICTIONARY.hash(version), 77, 0)]
        answers += [m.Identity(part, b"x" * 16) for part in range(1, 7)]
        answers += [m.Abilities(0xFFFF, bytes(8), 1, 1, 1)]
        self.session.outgoing(self.now)
        for answer in answers:
            self.session.receive(Frame(1, 0, answer.TYPE, answer.to_bytes()).to_bytes(), self.now)
        self.session.operate(Order(256, Operation.DICE, 1, 1, 2), self.now)
        self.session.query(512)
        self.session.ask_clock()
        self.session.ask_status()
        self.session.outgoing(self.now)
        self._told()

    def feed(self, data: bytes) -> None:
        """Let a script arrive."""
        session = self.session
        for seconds, wire in pieces(data):
            self.now += seconds
            session.tick(self.now)
            session.receive(wire, self.now)
            session.outgoing(self.now)
            due = session.due()
            assert (due is None) == session.gone
            self._told()
            assert len(session._events._order._early) <= LIMITS.ring

    def _told(self) -> None:
        for report in self.session.take_reports():
            recordable(report)
            match report:
                case BoardEvent(number=number):
                    self._follows(number, number)
                case EventsLost(first=first, last=last):
                    self._follows(first, last)
                case Hello():
                    self.newest = self.session._events.acknowledged
                case _:
                    pass

    def _follows(self, first: int, last: int) -> None:
        """Each event once and in order; those of unknown kinds are not told."""
        assert self.newest < first <= last, "an event twice, or out of order"
        self.newest = last
        self.session.acknowledge(last, self.session._events.boot)


def one(data: bytes) -> None:
    """A script against a new session; the lowest bit of its first byte says whether hello was said."""
    Host(greeted=not data or bool(data[0] & 1)).feed(data)


def seeds() -> list[bytes]:
    """What boards say."""
    version = DICTIONARY.version
    hello = m.Hello(1, version, version, DICTIONARY.hash(version), 9, 3)
    events = [(m.Event.TYPE, m.Event(n, n, 32, 1, 0, 1).to_bytes()) for n in (1, 3, 2, 9)]
    return [*scripts(), script((hello.TYPE, hello.to_bytes()), *events), script(*events)]
