"""Both ends of the line protocol against lines of any words, good and bad."""

from __future__ import annotations

from collections.abc import Iterator

from protocols.driver import BoardEvent, EventsLost, Hello
from protocols.lines.host import LinesSession
from protocols.lines.line import BOX, HOST, LONGEST, checksum
from protocols.vocabulary import Operation, Order
from tests.fuzz.reports import recordable

JOURNAL = bytes(range(16))
START = 100.0
STEPS = (0.0, 0.001, 0.03, 0.3, 1.0, 2.0)  # seconds between two pieces
MOST = 64  # pieces of one script
RAW = 0x80  # this bit of a head: bytes as they are, else the words of a good line


def pieces(data: bytes, mark: str) -> Iterator[tuple[float, bytes]]:
    """(seconds later, bytes that arrive): head, length, words, and again."""
    at = 0
    for _ in range(MOST):
        if at + 2 > len(data):
            return
        head, length = data[at], data[at + 1]
        words = data[at + 2 : at + 2 + length]
        at += 2 + length
        yield STEPS[head % len(STEPS)], words if head & RAW else sealed(words, mark)


def sealed(words: bytes, mark: str) -> bytes:
    """A line with its mark and sum."""
    return b"\n" + mark.encode() + words + f"*{checksum(words):04X}\n".encode()


def script(*lines: str, step: int = 1) -> bytes:
    """The input under which these lines arrive one after the other."""
    return b"".join(bytes((step, len(line))) + line.encode() for line in lines)


class Box:
    """A host's session and what it has told; fed script after script it is one long connection."""

    def __init__(self, *, greeted: bool) -> None:
        self.now = START
        self.session = LinesSession(self.now, journal_id=JOURNAL)
        self.newest = 0
        if greeted:
            self.session.outgoing(self.now)
            self._hears(sealed(b"hello 1 1 boot=77 can=seat_keys,dice", BOX))
            self.session.operate(Order(256, Operation.DICE, 1, 1, 2), self.now)
            self.session.query(512)
            self.session.ask_clock()
            self.session.ask_status()
            self.session.outgoing(self.now)

    def feed(self, data: bytes) -> None:
        """Let a script arrive."""
        for seconds, wire in pieces(data, BOX):
            self.now += seconds
            self.session.tick(self.now)
            self._hears(wire)
            self.session.outgoing(self.now)
            due = self.session.due()
            assert (due is None) == self.session.gone
            assert len(self.session._reader._rest) <= LONGEST

    def _hears(self, wire: bytes) -> None:
        self.session.receive(wire, self.now)
        for report in self.session.take_reports():
            recordable(report)
            match report:
                case BoardEvent(number=number):
                    self._follows(number, number)
                case EventsLost(first=first, last=last):
                    self._follows(first, last)
                case Hello():
                    self.newest = self.session._received
                case _:
                    pass

    def _follows(self, first: int, last: int) -> None:
        """Each event once and in order; those of unknown kinds are not told."""
        assert self.newest < first <= last, "an event twice, or out of order"
        self.newest = last
        self.session.acknowledge(last, self.session._boot)


def one(data: bytes) -> None:
    """A script against a new session; the lowest bit of its first byte says whether hello was said."""
    Box(greeted=not data or bool(data[0] & 1)).feed(data)


SAID = (
    "hello 1 1 acked=0 boot=77 us=5 vendor=acme model=k serial=1 fw=1.0 tiles=144 can=seat_keys scale=1",
    "hello 1 2-3 boot=8",
    "event 1 1034567 seat_key 2 discard",
    "event 2 1034568 meld_shown 1 chow tiles=1m,2m,3m by=panel",
    "event 9 2034567 seat_key - 7",
    "event 10 2034567 no_such_kind 1 0",
    "lost 3 8",
    "clock 2 1034567 12",
    "status 3 last=12 boot=77 us=9 top=clear store=ready stopped=0 homed=1 hand=1 tiles=144 id=256 op=6"
    " up=0,0,0,0 in=18,18,18,18 faults=head_jam/2",
    "pong 12",
    "stopped",
    "ok 256",
    "no 256 busy",
    "going 256 40",
    "done 256 54",
    "failed 256 head_jam 2",
    "unknown 512",
    "error words",
    "error hello",
)


def seeds() -> list[bytes]:
    """Each line alone, some together, and chatter between."""
    together = [script(*SAID[start : start + 6]) for start in range(0, len(SAID), 4)]
    chatter = bytes((RAW | 1, 20)) + b"KEYPAD 4x7 * <ready\r\n"[:20]
    return [
        *(script(text) for text in SAID),
        *together,
        chatter + script(SAID[2]),
        script(*SAID[2:5], step=3),
    ]


ASKED = (
    "hello 1 1 0011223344556677",
    "do 256 lamps hand=0 side=- count=1",
    "do 512 dice hand=1 side=2 count=2",
    "do 768 no_such_thing",
    "what 256",
    "status 2",
    "clock 3",
    "ack 2",
    "again 1",
    "ping",
    "stop",
)

__all__ = ["ASKED", "BOX", "HOST", "Box", "one", "pieces", "script", "sealed", "seeds"]
