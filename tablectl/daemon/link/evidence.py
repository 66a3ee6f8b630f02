"""What the last seconds knew about a line: power dips, damaged frames, our own standstills.

A beat twice a second samples the counters of the open connection and measures how late it comes itself:
a late beat means that this process, not the board, was asleep.
"""

from __future__ import annotations

import asyncio
from collections import deque

from protocols.driver import Counters, Driver

BEAT = 0.5  # seconds between samples: with it a stall long enough to lose a board is always seen
STALL = 1.0  # a beat later than this: the host stalled
JUST_BEFORE = 3.0  # a dip or stall this long ago still explains a loss
WINDOW = 5.0  # seconds over which damaged frames are counted
NOISY_SHARE = 0.2  # share of damaged frames above which a line is dirty…
NOISY_FRAMES = 3  # …if there were at least so many
MUMBLE = 1.0  # seconds in which…
MUMBLED = 8  # …so many bytes without one good frame are noise too: damage can eat the delimiters
UNKNOWN_TRIP = 1.0  # seconds, before any exchange was measured


class Evidence:
    """Facts about one open connection, by host time (seconds of the loop)."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.stalls = 0  # since the link was made
        self._loop = loop
        self._driver: Driver | None = None
        self._samples: deque[tuple[float, int, int, int]] = deque()  # when, bad, good, bytes
        self._beat: asyncio.TimerHandle | None = None
        self._stall = (float("-inf"), 0.0)  # when noticed, how long
        self._dip = (float("-inf"), 0)  # when, millivolts (0 = not said)

    def watch(self, made: Driver) -> None:
        """Start watching a new connection. A driver may exchange its counters when it opens."""
        self.rest()
        self._driver = made
        self._samples.clear()
        self._take(self._loop.time())

    def rest(self) -> None:
        """Stop watching; what was seen stays."""
        if self._beat is not None:
            self._beat.cancel()
            self._beat = None

    @property
    def counters(self) -> Counters:
        """What the line of the newest connection did."""
        return Counters() if self._driver is None else self._driver.counters

    def power_dip(self, when: float, millivolts: int) -> None:
        """The board said its supply went low."""
        if when > self._dip[0]:
            self._dip = (when, millivolts)

    def dip(self, now: float) -> int | None:
        """The voltage (mV, 0 = not said) of a dip just before ``now``, else None."""
        when, millivolts = self._dip
        return millivolts if now - when <= JUST_BEFORE else None

    def stalled(self, now: float) -> float:
        """For how many seconds this process stood still just before ``now``; 0 = it did not."""
        late = 0.0 if self._beat is None else now - self._beat.when()
        if late > STALL:  # the beat itself has not come round yet
            return late
        when, length = self._stall
        return length if now - when <= JUST_BEFORE else 0.0

    def noise(self, now: float) -> dict[str, int]:
        """The numbers of a dirty line in the last seconds; empty if it was clean."""
        bad, good, _ = self._since(now - WINDOW)
        _, recent, heard = self._since(now - MUMBLE)
        if bad >= NOISY_FRAMES and bad >= NOISY_SHARE * (bad + good):
            return {"bad_frames": bad, "good_frames": good}
        if recent == 0 and heard >= MUMBLED:
            return {"bad_frames": bad, "good_frames": good, "lost_bytes": heard}
        return {}

    def round_trip(self) -> float:
        """The best round trip known, in seconds; until one is known, what is assumed."""
        return min(self.counters.round_trips, default=self.counters.rto or UNKNOWN_TRIP)

    def _since(self, start: float) -> tuple[int, int, int]:
        """Bad frames, good frames and bytes from about ``start`` on."""
        counters, base = self.counters, (0.0, 0, 0, 0)
        for base in self._samples:
            if base[0] >= start:
                break
        _, bad, good, heard = base
        return counters.crc_errors - bad, counters.frames_received - good, counters.bytes_received - heard

    def _take(self, due: float) -> None:
        now = self._loop.time()
        if now - due > STALL:
            self.stalls += 1
            self._stall = (now, now - due)
        counters = self.counters
        self._samples.append((now, counters.crc_errors, counters.frames_received, counters.bytes_received))
        while self._samples[0][0] < now - WINDOW - BEAT:
            self._samples.popleft()
        self._beat = self._loop.call_at(now + BEAT, self._take, now + BEAT)
