"""The build model against the published means, and what lies where after a build."""

from __future__ import annotations

import statistics
from itertools import pairwise
from random import Random

import pytest

from sim.mechanism.drum import plan_build, stacks_a_side
from sim.mechanism.tiles import make_set
from sim.mechanism.timing import load_timing

BUILDS = 400


# hardware model section 6.1: mean and sd in seconds
@pytest.mark.parametrize(("tiles", "mean", "sd"), [(136, 28.3, 5.3), (144, 29.4, 5.4), (108, 24.5, 5.2)])
def test_build_times_match_the_published_ones(tiles: int, mean: float, sd: float) -> None:
    rng, heap, model = Random(f"builds {tiles}"), make_set("A")[:tiles], load_timing("cn4").build
    times = [plan_build(heap, tiles, model, rng)[-1].at for _ in range(BUILDS)]
    assert statistics.mean(times) == pytest.approx(mean, abs=3 * sd / BUILDS**0.5)
    assert statistics.stdev(times) == pytest.approx(sd, rel=0.15)


def test_136_tiles_are_ready_in_21_to_38_seconds_nine_times_in_ten() -> None:
    rng, heap, model = Random(11), make_set("A")[:136], load_timing("cn4").build
    times = sorted(plan_build(heap, 136, model, rng)[-1].at for _ in range(BUILDS))
    assert times[BUILDS // 20] == pytest.approx(21, abs=1.5)
    assert times[-BUILDS // 20] == pytest.approx(38, abs=3)


@pytest.mark.parametrize(
    ("tiles", "stacks"),
    [
        (136, (17, 17, 17, 17)),
        (144, (18, 18, 18, 18)),
        (148, (19, 18, 19, 18)),
        (108, (14, 13, 14, 13)),
        (116, (15, 14, 15, 14)),
    ],
)
def test_wall_geometry(tiles: int, stacks: tuple[int, ...]) -> None:
    assert stacks_a_side(tiles) == stacks


def test_every_tile_arrives_once_and_rows_are_full() -> None:
    heap = make_set("B")
    plan = plan_build(heap, 144, load_timing().build, Random(3))
    assert {id(arrival.tile) for arrival in plan} == {id(tile) for tile in heap}
    assert [sum(arrival.side == side for arrival in plan) for side in range(4)] == [36] * 4
    assert all(one.at < other.at for one, other in pairwise(plan))


def test_missing_tiles_leave_a_row_short() -> None:
    plan = plan_build(make_set("B")[:140], 144, load_timing().build, Random(3))
    assert len(plan) == 140


def test_a_seed_gives_one_build() -> None:
    heap = make_set("A")
    one, other = (plan_build(heap, 144, load_timing().build, Random("x")) for _ in range(2))
    assert one == other


def test_steps_stay_within_three_deviations_and_a_stop_within_its_limit() -> None:
    rng, steps = Random(2), load_timing().steps
    for step in steps.values():
        times = [step.sample(rng) for _ in range(2000)]
        assert min(times) >= step.mean - 3 * step.sd
        assert max(times) <= step.mean + 3 * step.sd < step.timeout
    assert steps["halt"].mean + 3 * steps["halt"].sd <= 0.7
