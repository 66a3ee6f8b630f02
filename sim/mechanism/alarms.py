"""The latched faults of a board: set when a sensor or a time-out says so, forgotten by documented steps."""

from __future__ import annotations

from collections.abc import Callable

from protocols.vocabulary import NO_SIDE, EventKind, Fault, Operation, Source
from sim.mechanism.body import Ailment, Body
from sim.mechanism.causes import MOTION, Cause, load_causes

Emit = Callable[[EventKind, int, int, Source], None]
Told = Callable[[Fault, int], None]


class Alarms:
    """``told`` are those who see the fault lamp."""

    def __init__(self, body: Body, emit: Emit) -> None:
        self._body = body
        self._emit = emit
        self.latched: list[tuple[Fault, int]] = []
        self.told: list[Told] = []

    def latch(self, fault: Fault, side: int = NO_SIDE) -> None:
        """A fault stands; the same again changes nothing for the host, but people are told again."""
        if fault is Fault.NONE:
            return
        if (fault, side) not in self.latched:
            self.latched.append((fault, side))
            self._emit(EventKind.FAULT_SET, side, fault, Source.SENSOR)
        for tell in self.told:
            tell(fault, side)

    def mended(self, ailment: Ailment) -> None:
        """A cause is gone. What a sensor watches all the time is forgotten by itself."""
        entry = (ailment.fault, ailment.side)
        if ailment.cause.passes and entry in self.latched and not self._body.seen(*entry):
            self._unlatch(*entry, Source.SENSOR)

    def forget_gone(self, *only: Fault, source: Source = Source.SENSOR) -> None:
        """Forget faults (all, or these) whose cause no sensor sees any more."""
        for fault, side in list(self.latched):
            if (not only or fault in only) and not self._body.seen(fault, side):
                self._unlatch(fault, side, source)

    def _unlatch(self, fault: Fault, side: int, source: Source) -> None:
        self.latched.remove((fault, side))
        self._emit(EventKind.FAULT_CLEARED, side, fault, source)

    def blocks(self, operation: Operation) -> bool:
        """True while a latched fault forbids the operation."""
        return any(operation in cause.blocks for cause, _ in self._causes())

    def bars(self, operation: Operation) -> bool:
        """The same for the ways out of a fault: only a cause that is still seen forbids them."""
        return any(
            cause.blocks == MOTION or operation in cause.blocks
            for cause, side in self._causes()
            if self._body.seen(cause.fault, side)
        )

    def _causes(self) -> list[tuple[Cause, int]]:
        causes = load_causes()
        return [(causes.of(fault), side) for fault, side in self.latched]
