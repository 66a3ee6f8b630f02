"""A guest is booted: minutes, on a processor of software. Left out, and said to be, where none can be."""

from __future__ import annotations

import pytest

from sim.guest import usbchecks
from tablectl.rehearsal.rights import __main__ as command
from tablectl.rehearsal.scenarios import away
from tablectl.rehearsal.scenarios.acts import SCENARIOS
from tablectl.rehearsal.scenarios.endpoints.guest import Acm, Vendor
from tablectl.rehearsal.scenarios.runner import Verdict

pytestmark = [pytest.mark.long, pytest.mark.process, pytest.mark.timeout(900)]
BRIEF = [one for one in SCENARIOS if one.name in ("dice", "key", "unplug-at-rest")]


def left_out(lack: str) -> None:
    if lack:
        pytest.skip(f"LEFT OUT: {lack}")


def test_real_libusb_and_the_simulated_bus_end_every_call_alike() -> None:
    left_out(usbchecks.lacking())
    assert usbchecks.check()


async def test_the_rules_of_an_installation_hold_on_a_real_kernel() -> None:
    left_out(command.lacking())
    assert await command.outside()


@pytest.mark.parametrize("endpoint", [Acm(), Vendor()], ids=lambda endpoint: endpoint.name)
async def test_a_column_is_played_behind_a_kernel(endpoint: Acm) -> None:
    left_out(endpoint.missing())
    cells, rounds = await away.column(endpoint, BRIEF, 3)
    assert [(cell.scenario, cell.why) for cell in cells if cell.verdict is not Verdict.PASSED] == []
    assert [one.left for one in rounds] == [()]
