"""A host of one board that is stepped by hand."""

from __future__ import annotations

from dataclasses import replace

from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.atp.endpoint import Endpoint
from protocols.driver import Counters
from sim.firmware.lockstep import Firmware, Inputs

REST = Inputs(sensors=1 << 1 | 0xF << 6 | 1 << 31)  # centre and trays down, chain at its reference
JOURNAL = bytes(range(16))


class Line:
    """Speaks when it is told to; time passes when it says so."""

    def __init__(self, pins: Inputs = REST, **more: int) -> None:
        self.pins = pins
        self.board = Firmware(pins, **more)
        self.end = Endpoint("host", Counters())
        self.now_us = 0
        self.boot = more.get("device", 1) << 32 | more.get("boot_count", 1)

    def ask(self, *messages: Message, after_us: int = 1000) -> list[Message]:
        """Let time pass, say something, and hear what comes at once."""
        self.now_us += after_us
        for message in messages:
            self.end.send(message)
        self.board.receive(self.now_us, self.end.drain())
        self.board.step(self.now_us, self.pins)
        return self.end.feed(self.board.transmit())

    def greet(self) -> list[Message]:
        """Say hello."""
        return self.ask(m.HelloAsk(7, 1, 1, JOURNAL))

    def settle(self) -> None:
        """Say hello and acknowledge what is told of the boot."""
        told = events_in(self.greet())
        self.ask(m.AckEvents(max((event.number for event in told), default=0), self.boot))

    def status(self) -> m.Status:
        """How the board stands."""
        return next(one for one in self.ask(m.StatusAsk(1)) if isinstance(one, m.Status))

    def look(self, after_us: int = 1000, **pins: int) -> list[m.Event]:
        """The pins read so from now on; the events told at once."""
        self.pins = replace(self.pins, **pins)
        return events_in(self.ask(after_us=after_us))


def events_in(messages: list[Message]) -> list[m.Event]:
    """The events among messages."""
    return [one for one in messages if isinstance(one, m.Event)]
