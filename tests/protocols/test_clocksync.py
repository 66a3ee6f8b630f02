"""The board's clock as the host's: right within the stated uncertainty, always."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.atp.dictionary import TIMING
from protocols.clocksync import BITS, CRYSTAL, DRIFT, ClockSync, unwrap
from protocols.driver import ClockSample
from protocols.errors import ClockUnset


class Clock:
    """A board clock that started at host time ``start`` and runs ``ppm`` fast."""

    def __init__(self, start: float, ppm: float, seed: int = 1, jitter: float = 0.02) -> None:
        self.start = start
        self.rate = 1 + ppm / 1e6
        self.jitter = jitter
        self.rng = random.Random(seed)

    def at(self, host: float) -> int:
        return int((host - self.start) * self.rate * 1e6)

    def host(self, board_us: int) -> float:
        return board_us / 1e6 / self.rate + self.start

    def sample(self, now: float) -> ClockSample:
        """An exchange at ``now``: a millisecond each way and jitter on top, shared unevenly."""
        there = 0.001 + self.rng.random() ** 3 * self.jitter
        back = 0.001 + self.rng.random() ** 3 * self.jitter
        return ClockSample(now, now + there + back, self.at(now + there), 0, 1)


@settings(max_examples=60, deadline=None)
@given(
    ppm=st.floats(-100, 100),
    seed=st.integers(0, 999),
    every=st.sampled_from([0.3, 1.0, 7.0]),
    jitter=st.sampled_from([0.0, 0.002, 0.02, 0.2]),
)
def test_judged_time_is_within_the_stated_uncertainty(
    ppm: float, seed: int, every: float, jitter: float
) -> None:
    clock, sync = Clock(4000.0, ppm, seed, jitter), ClockSync()
    now = 5000.0
    for _ in range(150):
        sample = clock.sample(now)
        sync.add(sample)
        for ahead in (0.0, every / 2, every, -5.0):
            stamp = clock.at(now + ahead)
            host, uncertainty = sync.to_host(stamp)
            assert abs(host - clock.host(stamp)) <= uncertainty + 2e-6
            assert uncertainty >= 0.001
        now += every


def test_fifty_ppm_and_twenty_ms_of_jitter_come_out_as_a_few_ms() -> None:
    clock, sync = Clock(0.0, 50.0), ClockSync()
    for second in range(1, 120):
        sync.add(clock.sample(float(second)))
    host, uncertainty = sync.to_host(clock.at(119.5))
    assert abs(host - 119.5) < 0.001
    assert uncertainty < 0.003
    assert sync.drift_ppm == pytest.approx(50, abs=40)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ppm", [50, -50, 0])
def test_both_ways_delayed_at_random_by_twenty_ms_are_soon_known_to_a_millisecond(
    seed: int, ppm: float
) -> None:
    """Four exchanges a second; the delays of there and back are even odds between nothing and 20 ms."""
    clock, sync = Clock(0.0, ppm, seed), ClockSync()
    now, errors = 10.0, []
    for at in range(500):
        there, back = clock.rng.uniform(0, 0.02), clock.rng.uniform(0, 0.02)
        sync.add(ClockSample(now, now + there + back, clock.at(now + there), 0, 1))
        if at > 100:
            errors.append(abs(sync.to_host(clock.at(now + 0.2))[0] - now - 0.2))
        now += 0.25
    assert sync.restless
    assert max(errors) < 0.0015
    assert sum(errors) / len(errors) < 0.0003


def test_a_line_that_delays_evenly_is_not_restless() -> None:
    clock, sync = Clock(0.0, 50.0, jitter=0.0005), ClockSync()
    for second in range(1, 20):
        sync.add(clock.sample(float(second)))
    assert not sync.restless


def test_one_exchange_is_enough_to_begin() -> None:
    sync = ClockSync()
    assert not sync.ready
    sync.add(ClockSample(10.0, 10.004, 5_000_000, 0, 1))
    assert sync.ready
    host, uncertainty = sync.to_host(5_000_000)
    assert host == pytest.approx(10.002)
    assert uncertainty == pytest.approx(0.002)


def test_uncertainty_is_never_below_half_the_quickest_round_trip() -> None:
    sync = ClockSync()
    # one read at the very end of its exchange, one at the very beginning: together they leave 1 ms
    sync.add(ClockSample(10.000, 10.010, 10_009_000, 0, 1))
    sync.add(ClockSample(10.020, 10.030, 10_021_000, 0, 2))
    host, uncertainty = sync.to_host(10_025_000)
    assert host == pytest.approx(10.025, abs=0.0011)
    assert uncertainty == pytest.approx(0.005)


def test_uncertainty_grows_with_distance() -> None:
    sync = ClockSync()
    sync.add(ClockSample(10.0, 10.004, 5_000_000, 0, 1))
    near, far = sync.to_host(6_000_000)[1], sync.to_host(600_000_000)[1]
    assert near < far < 0.4


def test_there_and_back_is_the_same_moment() -> None:
    clock, sync = Clock(0.0, 50.0), ClockSync()
    for second in range(1, 40):
        sync.add(clock.sample(float(second)))
    board, uncertainty = sync.to_board(39.2)
    assert abs(board - clock.at(39.2)) / 1e6 <= uncertainty + 2e-6
    assert sync.to_host(board)[0] == pytest.approx(39.2, abs=2e-5)


def test_an_outlier_does_not_move_the_estimate() -> None:
    clock, sync = Clock(0.0, 10.0, jitter=0.0005), ClockSync()
    for second in range(1, 20):
        sync.add(clock.sample(float(second)))
    before = sync.to_host(clock.at(20.0))[0]
    sync.add(ClockSample(20.0, 20.9, clock.at(20.85), 0, 1))
    assert sync.to_host(clock.at(20.0))[0] == pytest.approx(before, abs=1e-4)


@pytest.mark.parametrize("started", [100.0, 60.0], ids=["clock went back", "clock jumped"])
def test_a_reboot_starts_anew(started: float) -> None:
    first, sync = Clock(80.0, 20.0), ClockSync()
    for second in range(90, 101):
        sync.add(first.sample(float(second)))
    second_boot = Clock(started, -30.0)
    sync.add(second_boot.sample(105.0))
    host, uncertainty = sync.to_host(second_boot.at(105.5))
    assert abs(host - 105.5) <= uncertainty


way = st.floats(1e-5, 0.02)  # no line is as quick as the µs of a board's clock


@given(
    st.lists(st.tuples(st.floats(0.01, 20), way, way), min_size=1, max_size=60),
    st.floats(0, 30),
)
def test_what_is_certain_is_what_all_exchanges_together_leave(
    exchanges: list[tuple[float, float, float]], ahead: float
) -> None:
    """Few corners are kept of many exchanges, and nothing is lost by it for what happens after them."""
    sync, now, bounds = ClockSync(), 100.0, []
    for pause, there, back in exchanges:
        now += pause
        sync.add(ClockSample(now, now + there + back, round((now + there) * 1e6), 0, 1))
        bounds.append((round((now + there) * 1e6) / 1e6, now, now + there + back))
        now += there + back  # one asks again once one was answered
    bounds = [bound for bound in bounds if bound[0] >= bounds[-1][0] - 120]  # older ones may be forgotten
    board = now + 0.05 + ahead
    early, late = sync._certain(board)
    assert early >= max(sent + (board - at) * sync._slow for at, sent, _ in bounds) - 1e-9
    assert late <= min(received + (board - at) * sync._fast for at, _, received in bounds) + 1e-9


def test_hours_of_exchanges_take_no_more_room_than_minutes() -> None:
    clock, sync = Clock(0.0, 50.0), ClockSync()
    for at in range(20_000):
        sync.add(clock.sample(10 + at / 4))
    corners = sum(len(stretch.early) + len(stretch.late) for stretch in sync._stretches)
    assert corners < 200
    host, uncertainty = sync.to_host(clock.at(5010.0))
    assert abs(host - 5010.0) < 0.0005
    assert uncertainty < 0.002


@pytest.mark.parametrize("ppm", [400.0, -400.0])
def test_a_clock_far_off_is_followed_though_most_are_not(ppm: float) -> None:
    clock, sync = Clock(0.0, ppm), ClockSync()
    sync.add(clock.sample(10.0))
    sync.add(clock.sample(10.03))
    assert abs(sync.drift_ppm) <= CRYSTAL * 1e6  # nothing is known of it yet
    for at in range(300):
        sync.add(clock.sample(10.1 + at / 10))
    assert sync.drift_ppm == pytest.approx(ppm, abs=40)


def test_a_counter_that_wraps_is_counted_on_from_a_sample() -> None:
    clock, sync = Clock(0.0, 50.0, jitter=0.0), ClockSync()
    turn = 1 << BITS
    wrap = clock.host(turn)
    for at in range(-20, 21):
        sample = clock.sample(wrap + at * 5 + 1)
        sync.add(ClockSample(sample.sent, sample.received, sample.board_us % turn, 0, 1))
        for away in (-4.0, 0.0):  # also what happened before the wrap and comes after it
            host, _ = sync.to_host(clock.at(sample.sent + away) % turn)
            assert abs(host - sample.sent - away) < 0.0005
    assert sync.age > 190


def test_a_counter_that_wraps_is_counted_on_from_an_event() -> None:
    clock, sync = Clock(0.0, 50.0, jitter=0.0), ClockSync()
    turn = 1 << BITS
    wrap = clock.host(turn)
    for at in range(-20, 0):
        sync.add(clock.sample(wrap + at * 5 + 4))
    stamp = clock.at(wrap + 2) - turn
    assert not sync.wrapped(stamp, wrap - 0.5)  # that would be later than now
    assert not sync.wrapped(clock.at(wrap - 60) - turn + 2**20, wrap + 2.01)
    for _ in range(2):  # asking changes nothing
        assert sync.wrapped(stamp, wrap + 2.01)
    sync.count_on()
    assert not sync.wrapped(stamp, wrap + 2.01)
    assert abs(sync.to_host(stamp)[0] - wrap - 2) < 0.0005


def test_a_boot_just_before_the_counter_would_wrap_is_another_clock() -> None:
    clock, sync = Clock(0.0, 50.0, jitter=0.0), ClockSync()
    wrap = clock.host(1 << BITS)
    for at in range(-20, 0):
        sync.add(clock.sample(wrap + at * 5))
    second = Clock(wrap - 3.0, 0.0, jitter=0.0)
    sync.add(second.sample(wrap + 1.0))
    assert abs(sync.to_host(second.at(wrap + 1.5))[0] - wrap - 1.5) < 0.0005


def test_without_a_sample_there_is_no_time() -> None:
    with pytest.raises(ClockUnset):
        ClockSync().to_host(1)
    sync = ClockSync()
    sync.add(ClockSample(1.0, 1.1, 5, 0, 1))
    sync.reset()
    with pytest.raises(ClockUnset):
        sync.to_board(1.0)


@given(st.integers(0, 2**45), st.integers(-(2**31) + 1, 2**31 - 1))
def test_a_32_bit_clock_is_unwrapped_next_to_what_is_known(near: int, away: int) -> None:
    true = max(0, near + away)
    assert unwrap(true % 2**32, near) == true


def test_the_protocol_asks_for_the_drift_the_sync_allows() -> None:
    assert pytest.approx(TIMING.clock_drift_ppm) == DRIFT * 1e6
