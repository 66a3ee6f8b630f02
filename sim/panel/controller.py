"""The maker's own controller of a table as it is sold: it knows its keys and its lamps, and nobody else.

One lift key does what the table needs next: open the centre so that a set can be pushed in, close it; then
the walls in the store come up, or the set is built where there are none. While it builds one lift key is
ignored, both together pause. The dealer's key moves the dealer's lamp on by one side.
"""

from __future__ import annotations

from collections.abc import Callable

from protocols.vocabulary import (
    NO_SIDE,
    SIDES,
    EventKind,
    Fault,
    Operation,
    PanelKey,
    Refusal,
    Source,
    StoreState,
)
from sim.mechanism.jobs import Track, own_order
from sim.mechanism.machine import Mechanism
from sim.mechanism.panel import LIFT_SIDES
from sim.mechanism.rulings import refusal_of

LIFTS = dict(zip(("lift_a", "lift_b"), LIFT_SIDES, strict=True))


class Controller:
    """What a finger, or a relay, can do; and what an eye, or an input, can see."""

    def __init__(self, machine: Mechanism) -> None:
        self._machine = machine
        self.dealer = 0
        self.presses: list[str] = []  # every key that went down
        self.on_dice: Callable[[int], None] = lambda side: None
        machine.connect(self)

    # keys

    def press(self, key: str) -> None:
        """A key goes down: ``lift_a``, ``lift_b``, ``dealer``, ``dice 0`` … ``dice 3``."""
        self.presses.append(key)
        if not self._machine.powered:
            return
        if key in LIFTS:
            self._lift(LIFTS[key])
        elif key == "dealer":
            self.dealer = (self.dealer + 1) % len(SIDES)
        else:
            self._machine.panel.dice(int(key.split()[1]))

    def _lift(self, side: int) -> None:
        machine = self._machine
        loading = any(job.loading for job in machine.jobs)
        paused = machine.centre_open and machine.store is StoreState.PAUSED
        if loading or paused or machine.store is StoreState.BUILDING or machine.job_on(Track.TOP):
            machine.panel.lift(side)
        elif machine.store is StoreState.READY:
            self._start(Operation.RAISE, self.dealer)
        else:
            self._start(Operation.BUILD, NO_SIDE)

    def _start(self, operation: Operation, side: int) -> None:
        order = own_order(operation, side=side)
        if refusal_of(self._machine, order) is Refusal.NONE:
            self._machine.start(order, [])

    # lamps

    def lit(self, lamp: str) -> bool:
        """Does a lamp burn: ``ready``, ``power``, ``dealer 0`` … ``dealer 3``, or the name of a fault?"""
        machine = self._machine
        if not machine.powered:
            return False
        what, _, side = lamp.partition(" ")
        match what:
            case "power":
                return True
            case "ready":
                return machine.store is StoreState.READY
            case "dealer":
                return self.dealer == int(side)
            case _:
                return any(fault.name.lower() == what for fault, _ in machine.latched)

    # Reporter, for the mechanism: it tells nobody

    def emit(self, kind: EventKind, side: int, value: int, source: Source) -> None:
        if kind is EventKind.KEY_PRESSED and value == PanelKey.DICE:
            self.on_dice(side)  # the contact itself closes, whoever reads it

    def progress(self, id: int, percent: int) -> None: ...

    def done(self, id: int, value: int = 0) -> None: ...

    def failed(self, id: int, fault: Fault, side: int = NO_SIDE) -> None: ...

    def stopped(self) -> None: ...
