"""Every planted fault is caught, with the requirement it breaks."""

from __future__ import annotations

from collections import Counter

import pytest

from protocols.atp.requirements import requirements
from sim.faulty.planted import PLANTED, Planted
from tests.protocols.conformance.rig import examine, ids

BAUD = 115_200
UNPROVEN = {"ATP-R09"}  # requirements no planted fault breaks, each with the reason beside it


@pytest.mark.parametrize("fault", PLANTED, ids=lambda fault: fault.name)
def test_a_planted_fault_is_caught(fault: Planted) -> None:
    only = frozenset({fault.breaks})
    report = examine(1, only=only, restart=fault.restart, baud=BAUD, spoil=fault.spoil, speaks=fault.speaks)
    assert ids(report.failed) == {fault.breaks}, report.results


@pytest.mark.long
@pytest.mark.parametrize("fault", PLANTED, ids=lambda fault: fault.name)
def test_a_planted_fault_is_named_among_all_requirements(fault: Planted) -> None:
    report = examine(2, restart=fault.restart, baud=BAUD, spoil=fault.spoil, speaks=fault.speaks)
    assert fault.breaks in ids(report.failed)


def test_there_are_enough_of_them_and_each_is_named_once() -> None:
    assert len(PLANTED) >= 40
    assert [name for name, count in Counter(fault.name for fault in PLANTED).items() if count > 1] == []
    assert all(fault.about for fault in PLANTED)


def test_every_check_is_proven_by_a_fault() -> None:
    observed = {one.id for one in requirements().values() if one.observed}
    assert observed - {fault.breaks for fault in PLANTED} == UNPROVEN
