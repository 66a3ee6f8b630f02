"""Hours of play and hundreds of reconnects leave no memory, task, timer, thread or descriptor behind."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress

import pytest

from sim.timebase import pause, run_virtual
from tablectl.rehearsal.room import Setting
from tests.rehearsal.soak import Holding, Soak

HOUR = 3600.0
DAY_H = 24
WARM_H = 2  # until what is bounded has mostly filled: answers, the newest events
GROWTH = 2_000_000  # bytes; hardware that runs for months has 45 MB for this
HANDS = 4  # of one session
RECONNECTS = 500
OUT_S, PLAYED_S = 0.3, 3.0
SPREAD = 12  # timers that come and go: deadlines, beats, players


@pytest.fixture
def traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


def assert_nothing_left(first: Holding, last: Holding) -> None:
    """Between two moments of play."""
    assert (last.tasks, last.threads, last.descriptors) == (first.tasks, first.threads, first.descriptors)
    assert abs(last.timers - first.timers) <= SPREAD


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.usefixtures("traced")
def test_a_day_at_a_tired_table_gathers_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    hours: list[Holding] = []

    async def main() -> Soak:
        soak = Soak(Setting(seed=5, preset="tired"))
        soak.begin()
        while soak.room.loop.time() < DAY_H * HOUR:
            await soak.session(HANDS)
            if soak.room.loop.time() >= (len(hours) + WARM_H) * HOUR:
                hours.append(soak.holding())
        await soak.room.close()
        return soak

    soak = run_virtual(main())
    growth = max(one.memory for one in hours) - hours[0].memory
    played = f"{soak.hands} hands, {soak.inputs} inputs, {soak.written / 1e6:.1f} MB of journal"
    memory = f"{hours[0].memory / 1e6:.2f} MB after {WARM_H} h, at most {growth / 1e6:.2f} MB more later"
    with capsys.disabled():
        print(f"\na day: {played}; memory {memory}")
    assert not soak.broken
    assert not soak.unhandled
    assert growth <= GROWTH
    for later in hours[1:]:
        assert_nothing_left(hours[0], later)


def test_five_hundred_reconnects_gather_nothing() -> None:
    async def main() -> None:
        soak = Soak(Setting(seed=3))
        soak.begin()
        room = soak.room
        session = room.loop.create_task(soak.session(999))
        await pause(180)  # the hand is being played
        held: list[Holding] = []
        for number in range(RECONNECTS + 1):
            room.line.unplug()
            await pause(OUT_S)
            room.line.replug()
            await pause(PLAYED_S)
            assert room.link.state == "online", f"reconnect {number}"
            if number in (20, RECONNECTS):
                soak.empty()
                held.append(soak.holding())
        assert room.link.quality()["connections"] == RECONNECTS + 2
        assert len(room.link._quality._losses) <= HOUR / (OUT_S + PLAYED_S) + 1
        assert not soak.broken
        assert not soak.unhandled
        assert_nothing_left(*held)
        session.cancel()
        with suppress(asyncio.CancelledError):
            await session
        await room.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    run_virtual(main())
