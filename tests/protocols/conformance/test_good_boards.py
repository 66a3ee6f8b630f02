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


@pytest.mark.parametrize("fidelity", ["count", "identity"])
@pytest.mark.parametrize("seed", range(1, 6))
def test_a_good_twin_keeps_everything(seed: int, fidelity: str) -> None:
    report = examine(seed, fidelity=fidelity, restart=True)
    assert_good(report)
    assert {one.id for one in requirements().values() if one.observed} <= ids(report.passed)


@pytest.mark.parametrize("preset", ["perfect", "new"])
@pytest.mark.parametrize("tiles", [136, 144])
def test_presets_that_are_good_raise_no_alarm(preset: str, tiles: int) -> None:
    assert_good(examine(11, preset=preset, tiles=tiles))


@pytest.mark.parametrize("speed", [2, 10, 60])
def test_a_quick_table_raises_no_alarm(speed: int) -> None:
    assert_good(examine(3, speed=speed))


@pytest.mark.parametrize("baud", [9600, 115200])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_slow_line_raises_no_alarm(baud: int, seed: int) -> None:
    assert_good(examine(seed, baud=baud))


@pytest.mark.parametrize("seed", range(4))
def test_a_mildly_noisy_line_raises_no_alarm(seed: int) -> None:
    assert_good(examine(seed, baud=115200, damage=1e-4))


def test_without_motion_nothing_moves() -> None:
    moved = []
    report = examine(1, motion=False, spoil=lambda table: moved.append(table.log))
    assert_good(report)
    assert moved[0].motions == []
    assert {
        one.requirement: one.evidence.key for one in report.not_applicable if one.requirement in MOVES
    } == {id: "na.no_motion" for id in MOVES}
