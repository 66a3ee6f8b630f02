"""Four people round one table: their minds, their pace and their chance, and the clock they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from sim.pace import Pace, Range
from sim.timebase import TableTimer, Timer
from sim.view import Mind


class People:
    """Who sits at the four sides. ``timer`` is frozen while a lamp tells them to wait; ``voices`` is for a
    win called after another's, which no lamp holds back."""

    def __init__(
        self, minds: Sequence[Mind], paces: Sequence[Pace], rngs: Sequence[Random], timer: TableTimer
    ) -> None:
        self.minds = list(minds)
        self.paces = list(paces)
        self.timer = timer
        self.voices = TableTimer(timer.loop, timer.speed)
        self._rngs = list(rngs)

    def seconds(self, side: int, what: str) -> float:
        """How long ``side`` takes for a field of ``Pace`` this time."""
        bounds: Range = getattr(self.paces[side], what)
        return self.paces[side].between(self._rngs[side], bounds)

    def later(self, side: int, what: str, fn: Callable[[], None]) -> Timer:
        """Do something when ``side`` gets round to it."""
        return self.timer.call_later(self.seconds(side, what), fn)

    def chime_in(self, side: int, fn: Callable[[], None]) -> Timer:
        """Call what somebody else has just called as well."""
        return self.voices.call_later(self.seconds(side, "chime"), fn)

    def after_thinking(self, side: int, fn: Callable[[], None]) -> Timer:
        """Do something when ``side`` has thought about it."""
        return self.timer.call_later(self.paces[side].thinking(self._rngs[side]), fn)
