"""The same commands give the same answers, events and states in firmware and twin, in like times."""

from __future__ import annotations

import pytest

from sim.firmware.differing import differences, live
from sim.firmware.sides import CompiledSide, TwinSide
from sim.firmware.traces import TRACES


@pytest.mark.parametrize("name", TRACES)
def test_firmware_and_twin_cannot_be_told_apart(name: str) -> None:
    assert differences(live(CompiledSide, TRACES[name]), live(TwinSide, TRACES[name])) == []
