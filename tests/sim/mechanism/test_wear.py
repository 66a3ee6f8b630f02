"""Wear: weak magnets and low voltage slow a build, dirt hides tiles, and all of it grows."""

from __future__ import annotations

import statistics
from random import Random

import pytest

from protocols.vocabulary import Fault, Operation
from sim.mechanism.body import Body
from sim.mechanism.causes import load_causes
from sim.mechanism.drum import plan_build
from sim.mechanism.places import Places
from sim.mechanism.tiles import make_set
from sim.mechanism.timing import load_timing
from sim.mechanism.wear import Wear
from tests.sim.mechanism.bench import Bench
from tests.sim.mechanism.test_machine import bench_test

BUILDS = 150


def mean_build(wear: Wear) -> tuple[float, float]:
    """Mean time of a build, and of its last eight tiles."""
    body = Body(Places(144), load_timing(), wear)
    rng, heap = Random("wear"), make_set("A")
    plans = [plan_build(heap, 144, body.pace(load_timing().build), rng) for _ in range(BUILDS)]
    return statistics.mean(p[-1].at for p in plans), statistics.mean(p[-1].at - p[-9].at for p in plans)


def test_weak_magnets_slow_the_last_tiles_most() -> None:
    whole, last = mean_build(Wear())
    weak, weak_last = mean_build(Wear(magnet=0.6))
    assert weak == pytest.approx(whole / 0.6, rel=0.35)
    assert weak_last / last > weak / whole


def test_low_voltage_slows_everything() -> None:
    assert mean_build(Wear(voltage=0.8))[0] == pytest.approx(mean_build(Wear())[0] / 0.8, rel=0.1)


@bench_test
async def test_dirt_grows_until_an_optic_is_weak_and_is_wiped_off(bench: Bench) -> None:
    machine = bench.machine
    machine.wear.begin(dirt=0.58, dirt_a_build=0.015)
    await bench.reach(1, Operation.BUILD)
    assert machine.latched == []
    await bench.reach(2, Operation.RAISE, hand=1, side=0)
    await bench.wait(60)
    assert machine.latched == [(Fault.OPTIC_WEAK, side) for side in range(4)]
    assert bench.order(3, Operation.DICE, side=0, count=2) == 0  # a warning stops nothing
    for ailment in list(machine.body.ailments):
        machine.mend(ailment)
    assert machine.wear.dirt == [0.0] * 4
    await bench.reach(4, Operation.CLEAR_FAULT)
    assert machine.latched == []


def test_a_dirty_optic_loses_count() -> None:
    body = Body(Places(144), load_timing(), Wear(dirt=[1.0, 0.5, 0.0, 0.0]))
    rng, passing = Random(2), 200_000
    missed = [sum(body.missed(side, rng) for _ in range(passing)) for side in range(3)]
    whole = load_causes().wear.miss * passing
    assert missed[0] == pytest.approx(whole, abs=4 * whole**0.5)
    assert missed[1] == pytest.approx(whole / 2, abs=4 * whole**0.5)
    assert missed[2] == 0
