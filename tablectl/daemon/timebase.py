"""Table time, and the only place of the daemon that looks at a real clock.

*Table time* is integer µs kept by the daemon. It runs with the loop's monotonic clock times the table's
scale, continues after a restart from the last durable record and ignores the wall clock, which serves
display only. Everything else of the daemon is given times; it never asks for them.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

US = 1_000_000
KEPT_SEGMENTS = 8  # a board's scale changes with its hello; a late event reaches back seconds, not hellos


def wall_time_ms() -> int:
    """The computer's idea of the date, ms since 1970. For display only: it may jump either way."""
    return time.time_ns() // 1_000_000


def steady_seconds() -> float:
    """Seconds that no step of the wall clock moves, for what has no loop."""
    return time.monotonic_ns() / 1_000_000_000


class _Segment(NamedTuple):
    """From loop time ``since`` on, table time is ``base_us`` plus the elapsed time times ``scale``."""

    since: float
    base_us: int
    scale: int

    def at(self, loop_seconds: float) -> int:
        return self.base_us + math.floor((loop_seconds - self.since) * US * self.scale)


class TableClock:
    """Converts loop time to table time.

    ``start_us`` is the table time of the last durable record (0 for a new journal); ``scale`` is table
    seconds a real second, 1 at a real table.
    """

    def __init__(self, loop_time: Callable[[], float], start_us: int = 0, scale: int = 1) -> None:
        self._loop_time = loop_time
        self._segments = deque([_Segment(loop_time(), start_us, scale)], maxlen=KEPT_SEGMENTS)
        self._latest_us = start_us

    @property
    def scale(self) -> int:
        """Table seconds that pass in a real second."""
        return self._segments[-1].scale

    def now_us(self) -> int:
        """Table time now. Never less than any it returned before."""
        self._latest_us = max(self._latest_us, self._segments[-1].at(self._loop_time()))
        return self._latest_us

    def at(self, loop_seconds: float) -> int:
        """Table time of a moment of the loop's clock, earlier or later than now.

        Nothing is older than this clock: what happened while no daemon ran counts as its start.
        """
        segment = self._segments[0]
        for later in self._segments:
            if later.since <= loop_seconds:
                segment = later
        return segment.at(max(loop_seconds, segment.since))

    def loop_time_of(self, table_us: int) -> float:
        """When, on the loop's clock, table time reaches ``table_us`` at today's scale: for ``call_at``.

        A timer may fire a clock tick early; whoever it wakes asks ``now_us`` whether the time has come.
        """
        segment = self._segments[-1]
        return segment.since + (table_us - segment.base_us) / (US * segment.scale)

    def set_scale(self, scale: int) -> None:
        """Let table time run ``scale`` times as fast from now on; the past stays as it was."""
        if scale < 1:
            raise ValueError(f"table time can run 1 or more times as fast as real time, not {scale} times")
        if scale != self.scale:
            self._segments.append(_Segment(self._loop_time(), self.now_us(), scale))
