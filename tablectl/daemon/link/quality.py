"""How good the line of one device is: the numbers `tablectl status` and `doctor` show.

Counters live with a connection and end with it; here they are summed over all connections of a link.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from protocols.clocksync import ClockSync
from protocols.driver import Counters

HOUR = 3600.0
SUMMED = (
    "frames_sent",
    "frames_received",
    "bytes_sent",
    "bytes_received",
    "retries",
    "crc_errors",
    "bad_bytes",
    "unknown",
    "peer_errors",
    "late",
    "events",
    "events_repeated",
    "events_lost",
    "frames_missed",
)
PERCENTILES = (50, 90, 99)


class Quality:
    """Sums over the connections of one link; times are host seconds."""

    def __init__(self) -> None:
        self.connections = 0
        self._past = dict.fromkeys(SUMMED, 0)
        self._losses: deque[float] = deque()
        self._last_loss: tuple[str, float] | None = None  # why, when

    def ended(self, counters: Counters) -> None:
        """A connection is over; keep what its line did."""
        for name in SUMMED:
            self._past[name] += getattr(counters, name)

    def lost(self, now: float, word: str) -> None:
        """A link that was online is not, and why."""
        self._losses.append(now)
        self._last_loss = (word, now)
        self.losses_last_hour(now)  # forget older ones: nobody may ever ask

    def losses_last_hour(self, now: float) -> int:
        """How often the link was lost within the hour: a bad cable shows here."""
        while self._losses and self._losses[0] < now - HOUR:
            self._losses.popleft()
        return len(self._losses)

    def report(self, counters: Counters | None, sync: ClockSync, now: float) -> dict[str, Any]:
        """Counters, round trips (µs) and the clock."""
        current = counters or Counters()
        numbers = {name: self._past[name] + getattr(current, name) for name in SUMMED}
        return {
            **numbers,
            "connections": self.connections,
            "losses_hour": self.losses_last_hour(now),
            "last_loss": self._loss_report(now),
            "round_trip_us": percentiles(current.round_trips),
            "clock": clock_report(sync),
        }

    def _loss_report(self, now: float) -> dict[str, Any]:
        """The word of the newest loss and how many seconds ago it was; empty without any."""
        if self._last_loss is None:
            return {}
        word, when = self._last_loss
        return {"word": word, "seconds_ago": round(now - when)}


def percentiles(seconds: list[float]) -> dict[str, int]:
    """The smallest and some percentiles of the newest round trips in µs; empty without any."""
    if not seconds:
        return {}
    ordered = sorted(seconds)
    top = len(ordered) - 1
    found = {f"p{p}": round(ordered[round(top * p / 100)] * 1e6) for p in PERCENTILES}
    return {"min": round(ordered[0] * 1e6), **found}


def clock_report(sync: ClockSync) -> dict[str, Any]:
    """Whether the board's clock is known, how exactly, and how fast it drifts (parts per billion, ±)."""
    if not sync.ready:
        return {"ready": False}
    _, uncertainty = sync.to_host(sync.newest_us)
    return {
        "ready": True,
        "uncertainty_us": round(uncertainty * 1e6),
        "drift_ppb": round(sync.drift_ppm * 1000),
        "drift_uncertainty_ppb": round(sync.drift_uncertainty_ppm * 1000),
    }
