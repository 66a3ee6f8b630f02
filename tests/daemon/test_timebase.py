"""Table time: integer, monotonic, scaled, and never earlier than its start."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.daemon.timebase import TableClock, wall_time_ms


class Loop:
    """A loop's clock under the test's control."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def time(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("scale", "elapsed_s", "expected_us"),
    [
        pytest.param(1, 0.0, 5_000, id="starts at the last durable record"),
        pytest.param(1, 1.5, 1_505_000, id="real time"),
        pytest.param(10, 1.5, 15_005_000, id="ten times real time"),
        pytest.param(1, 0.0000014, 5_001, id="whole microseconds, rounded down"),
    ],
)
def test_table_time_follows_the_loop(scale: int, elapsed_s: float, expected_us: int) -> None:
    loop = Loop(0.0)
    clock = TableClock(loop.time, 5_000, scale)
    loop.now += elapsed_s
    assert clock.now_us() == expected_us
    assert clock.at(loop.now) == expected_us


def test_another_scale_counts_from_its_moment_and_leaves_the_past() -> None:
    loop = Loop()
    clock = TableClock(loop.time, 0)
    loop.now = 1002.0
    clock.set_scale(10)
    loop.now = 1003.0
    clock.set_scale(2)
    loop.now = 1004.0
    assert clock.now_us() == 14_000_000
    moments = [1001.0, 1002.5, 1003.5]
    assert [clock.at(moment) for moment in moments] == [1_000_000, 7_000_000, 13_000_000]
    assert clock.scale == 2


def test_what_happened_while_no_daemon_ran_counts_as_the_start() -> None:
    clock = TableClock(Loop(1000.0).time, 77_000)
    assert clock.at(990.0) == 77_000


def test_a_timer_for_table_time_is_set_by_todays_scale() -> None:
    loop = Loop()
    clock = TableClock(loop.time, 1_000_000, 10)
    assert clock.loop_time_of(21_000_000) == pytest.approx(1002.0)


def test_time_cannot_stand_still() -> None:
    with pytest.raises(ValueError, match="0 times"):
        TableClock(Loop().time).set_scale(0)


@given(st.lists(st.tuples(st.floats(-0.01, 5.0), st.integers(0, 20)), max_size=40))
def test_table_time_never_goes_back(moves: list[tuple[float, int]]) -> None:
    """Not even where the loop's clock does, or the scale changes."""
    loop = Loop()
    clock = TableClock(loop.time, 10)
    seen = [clock.now_us()]
    for elapsed, scale in moves:
        loop.now += elapsed
        if scale:
            clock.set_scale(scale)
        seen.append(clock.now_us())
    assert seen == sorted(seen)
    assert seen[0] == 10


@pytest.mark.report("B105")
@pytest.mark.parametrize("step_s", [3 * 3600, -3 * 3600, 50 * 365 * 86400], ids=["+3 h", "-3 h", "+50 years"])
def test_a_step_of_the_wall_clock_moves_no_table_time(step_s: int, mocker: object) -> None:
    loop = Loop()
    clock = TableClock(loop.time)
    before = wall_time_ms()
    mocker.patch(  # type: ignore[attr-defined]
        "tablectl.daemon.timebase.time.time_ns", return_value=(before + step_s * 1000) * 1_000_000
    )
    loop.now += 1
    assert wall_time_ms() - before == step_s * 1000
    assert clock.now_us() == 1_000_000
