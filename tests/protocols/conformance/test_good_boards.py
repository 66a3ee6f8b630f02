"""No false alarm: good boards of every kind keep everything that can be asked of them."""

from __future__ import annotations

import pytest

from protocols.atp.requirements import requirements
from protocols.conformance.suite import Report
from tests.protocols.conformance.rig import examine, ids

MOVES = {"ATP-R41", "ATP-R48", "ATP-R58", "ATP-R76"}


def assert_good(report: Report) -> None:
    assert [(one.requirement, one.evidence) for one in report.failed] == []
    assert ids(report.results) == set(requirements())


SEEDS = [1, 2, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 30))]
FEW_SEEDS = [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 20))]


@pytest.mark.parametrize("fidelity", ["count", "identity"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_good_twin_keeps_everything(seed: int, fidelity: str) -> None:
    report = examine(seed, fidelity=fidelity, restart=True)
    assert_good(report)
    assert {one.id for one in requirements().values() if one.observed} <= ids(report.passed)


@pytest.mark.parametrize("preset", ["perfect", "new"])
@pytest.mark.parametrize("tiles", [136, 144])
@pytest.mark.parametrize("seed", FEW_SEEDS)
def test_presets_that_are_good_raise_no_alarm(preset: str, tiles: int, seed: int) -> None:
    assert_good(examine(seed, preset=preset, tiles=tiles))


@pytest.mark.parametrize("speed", [10, 60])
@pytest.mark.parametrize("seed", FEW_SEEDS)
def test_a_quick_table_raises_no_alarm(speed: int, seed: int) -> None:
    assert_good(examine(seed, speed=speed))


@pytest.mark.parametrize("baud", [9600, 115200])
@pytest.mark.parametrize("seed", FEW_SEEDS)
def test_a_slow_line_raises_no_alarm(baud: int, seed: int) -> None:
    assert_good(examine(seed, baud=baud))


@pytest.mark.parametrize("baud", [9600, 115200])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_mildly_noisy_line_raises_no_alarm(baud: int, seed: int) -> None:
    assert_good(examine(seed, baud=baud, damage=1e-4))


def test_without_motion_nothing_moves() -> None:
    moved = []
    report = examine(1, motion=False, spoil=lambda table: moved.append(table.log))
    assert_good(report)
    assert moved[0].motions == []
    assert {
        one.requirement: one.evidence.key for one in report.not_applicable if one.requirement in MOVES
    } == {id: "na.no_motion" for id in MOVES}
