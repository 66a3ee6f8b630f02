"""The panel tap's session against a bus on which anything may be said."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from pymodbus.framer.rtu import FramerRTU

from protocols.driver import BoardEvent
from protocols.panel.bus import KEPT
from protocols.panel.host import PanelSession
from protocols.panel.wiring import Board, Keys, Lamps, Wiring
from protocols.vocabulary import NO_SIDE, Operation, Order
from tests.fuzz.reports import recordable

START = 100.0
STEPS = (0.0, 0.001, 0.02, 0.06, 0.31, 2.0)  # seconds between two pieces
MOST = 64  # pieces of one script
RAW, ORDER = 0x80, 0x40  # bits of a head: bytes as they are; an order is given first
READ = 2
WIRING = Wiring(
    keys=Keys(lift_a=1, lift_b=2, dealer=3, dice=(4, 5, 6, 7)),
    lamps=Lamps(ready=1, dealer=(2, 3, 4, 5), power=8),
    board=Board(inputs=8),
)
ORDERED = (Operation.BUILD, Operation.RAISE, Operation.DICE, Operation.PAUSE, Operation.RESUME)


def sealed(body: bytes) -> bytes:
    """A frame with its checksum."""
    return body + struct.pack(">H", FramerRTU.compute_CRC(body))


def pieces(data: bytes) -> Iterator[tuple[float, int, bytes]]:
    """(seconds later, number of an order to give or -1, bytes that arrive): head, length, body, and again."""
    at = 0
    for _ in range(MOST):
        if at + 2 > len(data):
            return
        head, length = data[at], data[at + 1]
        body = data[at + 2 : at + 2 + length]
        at += 2 + length
        order = head >> 3 & 7 if head & ORDER else -1
        yield STEPS[head % len(STEPS)], order, body if head & RAW else sealed(body)


class Panel:
    """A session and what it has told; fed script after script it is one long connection."""

    def __init__(self) -> None:
        self.now = START
        self.session = PanelSession(WIRING, self.now)
        self.newest = 0
        self.orders = 0
        self.allowed = 0  # presses its orders may come to

    def feed(self, data: bytes) -> None:
        """Let a script arrive."""
        session = self.session
        for seconds, order, wire in pieces(data):
            self.now += seconds
            session.tick(self.now)
            if order >= 0:
                self._order(order)
            self._sent(session.outgoing(self.now))
            session.receive(wire, self.now)
            self._sent(session.outgoing(self.now))
            due = session.due()
            assert (due is None) == session.gone
            assert due is None or due >= self.now
            self._told()
            assert len(session._bus._buffer) <= KEPT

    def _order(self, number: int) -> None:
        self.orders += 1
        operation = ORDERED[number % len(ORDERED)]
        side = 2 if operation in (Operation.DICE, Operation.RAISE) else NO_SIDE
        self.allowed += {Operation.RAISE: 5, Operation.PAUSE: 2}.get(operation, 1)
        self.session.operate(Order(self.orders << 8, operation, hand=self.orders, side=side), self.now)

    def _sent(self, data: bytes) -> None:
        """One request at a time, and no key is pressed that no order asked for."""
        if not data:
            return
        assert sealed(data[:-2]) == data
        if data[1] != READ:
            self.allowed -= 1
            assert self.allowed >= 0, "a key was pressed that nobody ordered"

    def _told(self) -> None:
        for report in self.session.take_reports():
            recordable(report)
            if isinstance(report, BoardEvent):
                assert report.number == self.newest + 1, "an event twice, or out of order"
                self.newest = report.number


def one(data: bytes) -> None:
    """A script against a new session."""
    Panel().feed(data)


def script(*bodies: bytes, head: int = 1) -> bytes:
    """The input under which these frames arrive, their sums added."""
    return b"".join(bytes((head, len(body))) + body for body in bodies)


def seeds() -> list[bytes]:
    """What boards answer: samples that change, echoes, exceptions, presses repeated."""
    dark, ready = bytes((1, 2, 1, 0x80)), bytes((1, 2, 1, 0x81))
    pressed = bytes.fromhex("010502000002")
    refused = bytes((1, 0x85, 2))
    ordered = script(dark, head=1) + script(pressed, head=2 | ORDER)
    return [
        script(dark, dark, ready, ready, dark, dark, head=3),
        ordered + script(ready, ready, ready, head=3),
        ordered + script(refused, dark, head=3),
        script(bytes((1, 0x82, 1)), bytes((1, 0x82, 1)), head=3),
        script(bytes.fromhex("01020000000879CC"), head=RAW | 1) + script(dark, head=1),
        script(*[ready, dark] * 8, head=3),
    ]
