"""A jump of the computer's date is written into the record (B105): table time does not follow it, but whoever
compares a record with a clock on the wall must know."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tablectl.game.inputs import ClockStep

EVERY_S = 5.0  # between two looks
LEAST_MS = 1000  # a smaller change is the slow correction every computer makes


class WallWatch:
    """Looks at the wall clock now and then. ``wall_ms`` reads it; ``step`` is told of each jump."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        wall_ms: Callable[[], int],
        step: Callable[[ClockStep], None],
    ) -> None:
        self._loop = loop
        self._wall_ms = wall_ms
        self._step = step
        self._ahead = self._measure()
        self._timer = loop.call_later(EVERY_S, self._look)

    def close(self) -> None:
        """Look no more."""
        self._timer.cancel()

    def _measure(self) -> int:
        """How far the wall clock is ahead of the loop's, ms."""
        return self._wall_ms() - round(self._loop.time() * 1000)

    def _look(self) -> None:
        ahead = self._measure()
        if abs(ahead - self._ahead) >= LEAST_MS:
            self._step(ClockStep(ahead - self._ahead))
            self._ahead = ahead
        self._timer = self._loop.call_later(EVERY_S, self._look)
