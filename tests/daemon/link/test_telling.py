"""The table time of what a board tells, over the moment at which its counter begins anew."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from protocols.clocksync import BITS, ClockSync
from protocols.driver import BoardEvent, ClockSample
from protocols.vocabulary import EventKind
from tablectl.daemon.link.board import Board
from tablectl.daemon.link.telling import Teller
from tablectl.daemon.timebase import TableClock

WRAP_S = (1 << BITS) / 1e6  # of the host's clock too: both began together


class Mouth:
    """A link's mouth at a board whose 32-bit counter runs as the host's clock, asked every five seconds."""

    def __init__(self, asked_until: float) -> None:
        self.now = asked_until
        self.told: list[tuple[int, int]] = []
        loop: Any = SimpleNamespace(time=lambda: self.now)
        evidence: Any = SimpleNamespace(round_trip=lambda: 0.002)
        sync = ClockSync()
        self.teller = Teller(
            "table",
            loop=loop,
            clock=TableClock(loop.time, 0),
            emit=lambda item, at, unc: self.told.append((at, unc)),
            board=Board(None),
            sync=sync,
            evidence=evidence,
        )
        for before in range(100, -5, -5):
            at = asked_until - before - 0.1
            sample = ClockSample(at, at + 0.002, round((at + 0.001) * 1e6), 0, 1)
            sync.add(sample)
            self.teller.clock_heard(sample)
        self.start = self.now

    def hear(self, number: int, seconds: float) -> float:
        """An event that happened so long after the last question is heard at once: by how much its table time
        is wrong, s."""
        self.now = self.start + seconds
        stamp = round((self.now - 0.001) * 1e6) % (1 << BITS)
        self.teller.report(BoardEvent(number, stamp, EventKind.SEAT_KEY, 0))
        return abs(self.told[-1][0] / 1e6 - seconds + 0.001)


@pytest.mark.parametrize("before_s", [0.5, 3.0])
def test_events_over_the_wrap_of_a_counter_keep_their_time(before_s: float) -> None:
    mouth = Mouth(WRAP_S - before_s)
    for number, after in enumerate((before_s - 0.2, before_s + 0.2, before_s + 1.5, before_s + 4), 1):
        assert mouth.hear(number, after) < 0.001
    assert all(uncertainty < 10_000 for _, uncertainty in mouth.told), "it is still known well"
