"""The firmware keeps every requirement of SPEC.md that can be seen from outside."""

from __future__ import annotations

import pytest

from sim.firmware.conform import UNSEEN, check


@pytest.mark.parametrize("seed", [1])
def test_every_requirement_is_kept(seed: int) -> None:
    report = check(seed=seed)
    assert [(one.requirement, one.evidence) for one in report.failed] == []
    unseen = {one.evidence.key for one in report.not_applicable}
    assert unseen <= set(UNSEEN), report.not_applicable
