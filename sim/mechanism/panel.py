"""The table's own keys: dice keys at each side, two lift keys at opposite corners.

A lift key is a toggle: it opens the centre, closes it when it is open, and so ends a pause or a loading.
While the table builds, one lift key is ignored and both together pause. A key that has stuck counts as down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocols.vocabulary import EventKind, Fault, Operation, PanelKey, Refusal, Source, StoreState, TopState
from sim.mechanism.jobs import Programme, Step, Track, own_order
from sim.mechanism.programmes import centre_closed, centre_opened
from sim.mechanism.rulings import refusal_of

if TYPE_CHECKING:
    from sim.mechanism.machine import Mechanism

LIFT_SIDES = (0, 2)
TOP_ALONE = frozenset({Track.TOP})
TOGETHER_US = 500_000  # two keys within so long count as pressed together


class Panel:
    """What a person's finger can do to a machine."""

    def __init__(self, machine: Mechanism) -> None:
        self._machine = machine
        self._last: tuple[int, int] | None = None  # (side, table µs) of the newest lift key

    @property
    def dead(self) -> bool:
        """True when no key reaches the board."""
        return not self._machine.powered or self._machine.body.has(Fault.PANEL_LINK_LOST)

    def dice(self, side: int) -> None:
        """The dice key of a side: recorded, and thrown if nothing stands against it."""
        machine = self._machine
        if self.dead:
            return
        machine.emit(EventKind.KEY_PRESSED, side, PanelKey.DICE, Source.PANEL)
        order = own_order(Operation.DICE, side=side, count=machine.dice.count)
        if refusal_of(machine, order) is Refusal.NONE:
            machine.start(order, [])

    def lift(self, side: int) -> None:
        """One of the lift keys (``LIFT_SIDES``)."""
        machine = self._machine
        if self.dead:
            return
        machine.emit(EventKind.KEY_PRESSED, side, PanelKey.LIFT, Source.PANEL)
        both = self._other_is_down(side, machine.timer.now_us())
        self._last = (side, machine.timer.now_us())
        if machine.store is StoreState.BUILDING:
            if both:
                self._order(Operation.PAUSE)
        elif any(job.loading for job in machine.jobs):
            machine.loaded()
        elif machine.centre_open and machine.store is StoreState.PAUSED and machine.resumable:
            self._order(Operation.RESUME)
        elif self._plate_is_free():
            machine.run(own_order(Operation.PAUSE), TOP_ALONE, lambda job: _toggle(machine))

    def both_lifts(self) -> None:
        """Both lift keys together."""
        for side in LIFT_SIDES:
            self.lift(side)

    def _plate_is_free(self) -> bool:
        machine = self._machine
        barred = machine.stopped or machine.alarms.bars(Operation.PAUSE) or machine.body.has(Fault.COVER_OPEN)
        return machine.job_on(Track.TOP) is None and not barred

    def _other_is_down(self, side: int, now: int) -> bool:
        machine = self._machine
        if any(one.side != side for one in machine.body.of(Fault.PANEL_KEY_STUCK)):
            return True
        return self._last is not None and self._last[0] != side and now - self._last[1] <= TOGETHER_US

    def _order(self, operation: Operation) -> None:
        order = own_order(operation)
        if refusal_of(self._machine, order) is Refusal.NONE:
            self._machine.start(order, [])


def _toggle(machine: Mechanism) -> Programme:
    """The centre goes the other way."""
    if machine.centre_open:
        yield Step("centre_down")
        centre_closed(machine)
        return 0
    yield Step("centre_up")
    machine.by_panel = True
    machine.adding = machine.top is TopState.WALLS_UP
    if not machine.adding:
        machine.top = TopState.LOADING
    centre_opened(machine, Source.PANEL)
    for watcher in machine.watchers:
        watcher.centre_opened()
    return 0
