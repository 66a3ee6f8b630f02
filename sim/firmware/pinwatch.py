"""What no pin may do, whatever is ordered: held against every change of the outputs, and against rest.

It knows no order and no step of the firmware, only what motors, sign and tiles bear. So it also sees what the
wire says nothing of: an output that stays on too long, or comes on too early.
"""

from __future__ import annotations

from collections.abc import Callable

from protocols.driver import Status
from sim.firmware.plant import pins
from sim.firmware.plant.plant import Plant

Out = pins.Out
CENTRE = Out.CENTRE_RAISE | Out.CENTRE_LOWER
DRUM = Out.DRUM | Out.DRUM_BACK
GATES = 0xF << pins.FIRST_GATE
RAISE, LOWER = 0xF << pins.FIRST_TRAY_RAISE, 0xF << pins.FIRST_TRAY_LOWER
TO_LOWER = pins.FIRST_TRAY_LOWER - pins.FIRST_TRAY_RAISE

Rule = Callable[[int, int, Plant], object]  # true when these outputs, after those, break it

RULES: dict[str, Rule] = {
    "a motor is driven both ways": lambda _, on, plant: (
        on & CENTRE == CENTRE or on & DRUM == DRUM or (on & RAISE) << TO_LOWER & on & LOWER
    ),
    "the centre is driven while the drum brings tiles": lambda before, on, _: (
        on & CENTRE and (before | on) & Out.DRUM  # it has had no time to run out
    ),
    "a gate is open and no drum brings tiles": lambda _, on, plant: on & GATES and not on & Out.DRUM,
    "rows fall while the drum brings tiles": lambda _, on, plant: on & Out.DROP and on & Out.DRUM,
    "the sign for loading is lit and the centre is not open": lambda _, on, plant: (
        on & Out.LOAD and (on & CENTRE or not plant.centre.up)
    ),
}


class PinWatch:
    """Looks at one plant for as long as it lives. ``found``: the rules that were broken, each once."""

    def __init__(self, plant: Plant) -> None:
        self.found: list[str] = []
        self._plant = plant
        plant.driven = self._look

    def _look(self, before: int, outputs: int) -> None:
        for name, broken in RULES.items():
            if broken(before, outputs, self._plant):
                self._note(name)

    def rest(self, status: Status) -> None:
        """The table had time enough to come to rest, and says so: nothing is on that only a job needs."""
        outputs = self._plant.outputs
        if outputs & pins.MOTORS:
            self._note("a motor is on at rest")
        if outputs & Out.LOAD:
            self._note("the sign for loading is lit at rest")
        if bool(outputs & Out.FAULT) != bool(status.faults):
            self._note("the lamp for faults is not as STATUS says")

    def _note(self, name: str) -> None:
        if name not in self.found:
            self.found.append(name)
