"""Somebody at the table who puts things right: sees the fault lamp, finds the tile, opens the cover, cleans.

He knows what a person there would see. He gives no orders to the board, except that he switches it off and
on where nothing else stops a motor; keys, pauses and resumes are the referee's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

from protocols.vocabulary import Fault, Lamp
from sim.mechanism.body import Ailment
from sim.mechanism.causes import load_causes
from sim.mechanism.dice import Faces
from sim.mechanism.machine import Mechanism
from sim.timebase import TableTimer

MEND = ("hand", "cover", "power", "time")
AGAIN = 5.0  # seconds until he tries again what is out of reach, or moves
PUT_IN = 4.0  # from the open centre, or from finding it, until the tile lies in the drum
OFF = 6.0  # seconds without power, real ones
UNDER_COVER = 0.5  # of his time is spent with the cover open


class Attendant:
    """One helpful person. ``timer`` is his own: he does not stop when the table's power does."""

    def __init__(
        self, machine: Mechanism, timer: TableTimer, rng: Random, power_cycle: Callable[[float], None]
    ) -> None:
        self._machine = machine
        self._timer = timer
        self._rng = rng
        self._power_cycle = power_cycle
        self._busy_with: list[Ailment] = []
        self.helpful = True
        machine.alarms.told.append(self.told)
        machine.watchers.append(self)

    def told(self, fault: Fault, side: int) -> None:
        """The table complains of something."""
        for ailment in list(self._machine.body.of(fault, side)):
            if ailment.shown:
                self.attend(ailment)

    def attend(self, ailment: Ailment) -> None:
        """Mend it in a while, unless nobody is to."""
        cause = ailment.cause
        wanted = self.helpful if ailment.helps is None else ailment.helps >= 0
        if not wanted or cause.mended not in MEND or ailment in self._busy_with:
            return
        self._busy_with.append(ailment)
        seconds = ailment.helps
        if seconds is None:
            seconds = self._rng.lognormvariate(math.log(cause.seconds), load_causes().sigma)
        begin = self._open_cover if cause.mended == "cover" else self._mend
        before = seconds * (1 - UNDER_COVER) if cause.mended == "cover" else seconds
        self._timer.call_later(before, lambda: begin(ailment))

    def _open_cover(self, ailment: Ailment) -> None:
        machine = self._machine
        if ailment not in machine.body.ailments:
            self._mend(ailment)
            return
        if machine.moving() or not machine.powered or machine.body.has(Fault.COVER_OPEN):
            self._timer.call_later(AGAIN, lambda: self._open_cover(ailment))
            return
        cover = machine.befall("cover_open", helps=-1)
        seconds = ailment.cause.seconds * UNDER_COVER if ailment.helps is None else ailment.helps / 2

        def close() -> None:
            self._mend(ailment)
            machine.mend(cover)

        self._timer.call_later(seconds, close)

    def _mend(self, ailment: Ailment) -> None:
        machine = self._machine
        if ailment in machine.body.ailments and not machine.mend(ailment):
            begin = self._open_cover if ailment.cause.mended == "cover" else self._mend
            self._timer.call_later(AGAIN, lambda: begin(ailment))
            return
        self._busy_with.remove(ailment)
        if ailment.cause.mended == "power":
            self._power_cycle(OFF)
        elif ailment.fault is Fault.MISSING_TILES:
            self._put_in_soon()

    # what he sees of the machine

    def centre_opened(self) -> None:
        """Open for single tiles: put in what was found."""
        self._put_in_soon()

    def _put_in_soon(self) -> None:
        if self._machine.adding:
            self._timer.call_later(PUT_IN, self._put_in)

    def _put_in(self) -> None:
        machine = self._machine
        if machine.adding and machine.places.loadable(machine.places.set_being_built()):
            machine.push_in()

    def walls_up(self, dealer: int) -> None: ...

    def walls_down(self) -> None: ...

    def dice_rolling(self, side: int) -> None: ...

    def dice_shown(self, side: int, faces: Faces) -> None: ...

    def lamp(self, lamp: Lamp, side: int) -> None: ...

    def dark(self) -> None: ...

    def close(self) -> None:
        """Go home."""
        self._timer.cancel_all()
