"""A jump of the computer's date is in the record, once, and changes nothing else."""

from __future__ import annotations

import asyncio

import pytest

from sim.timebase import pause, run_virtual
from tablectl.daemon.wallclock import WallWatch
from tablectl.game import step as game
from tablectl.game.inputs import ClockStep
from tests.game.conftest import BOOK

HOUR = 3_600_000


def steps(jumps: dict[float, int], seconds: float) -> list[ClockStep]:
    """What is told while the wall clock jumps by ``jumps`` (loop time -> ms)."""

    async def watched() -> list[ClockStep]:
        loop = asyncio.get_running_loop()
        begun = loop.time()

        def wall_ms() -> int:
            now = loop.time() - begun
            return round(now * 1000) + sum(ms for at, ms in jumps.items() if at <= now)

        told: list[ClockStep] = []
        watch = WallWatch(loop, wall_ms, told.append)
        await pause(seconds)
        watch.close()
        return told

    return run_virtual(watched())


@pytest.mark.report("B105")
@pytest.mark.parametrize("ms", [3 * HOUR, -3 * HOUR, 50 * 365 * 24 * HOUR])
def test_each_jump_is_told_once(ms: int) -> None:
    assert steps({7.0: ms}, 60) == [ClockStep(ms)]


@pytest.mark.report("B105")
def test_there_and_back_are_two_jumps() -> None:
    assert steps({7.0: HOUR, 31.0: -HOUR}, 60) == [ClockStep(HOUR), ClockStep(-HOUR)]


def test_slow_corrections_are_no_jumps() -> None:
    assert steps({float(at): 20 for at in range(1, 50)}, 60) == []


@pytest.mark.report("B105")
def test_it_changes_nothing_but_the_record() -> None:
    state = game.new_state()
    before = game.to_json(state)
    effects = game.step(state, 2, 0, 0, ClockStep(3 * HOUR), BOOK)
    assert [effect.key for effect in effects] == ["event.clock_step"]
    changed = game.from_json(game.to_json(state))
    changed.changed, changed.change = 0, {}  # the version screens show
    assert game.to_json(changed) == before
