"""The daemon builds the driver each device is configured with: a panel and a keypad box, on ptys."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from sim.endpoints.pty import PtyEndpoint
from sim.panel.table import TappedTable
from sim.timebase import pause
from tablectl.daemon.config import Overrides, load_settings
from tablectl.daemon.supervisor import one_table
from tablectl.daemon.wiring import write_wiring
from tablectl.rehearsal.tapped import WIRING
from tablectl.rules.book import load_book
from tests.sim.rig import Nobody

pytestmark = pytest.mark.process
PATIENCE = 20.0
CONFIG = """
[[device]]
name = "table"
driver = "panel"
port = "{panel}"
baud = 9600
wiring = "panel.toml"

[[device]]
name = "keypad"
driver = "lines"
port = "{keys}"
"""


async def test_both_devices_of_a_tapped_table_come_online(tmp_path: Path) -> None:
    panel, keys = tmp_path / "panel", tmp_path / "keys"
    table = TappedTable(1, WIRING, judge=Nobody())
    table.attach(PtyEndpoint(panel, Random(1)), PtyEndpoint(keys, Random(2)))
    (tmp_path / "panel.toml").write_text(write_wiring(WIRING), encoding="utf-8")
    config = tmp_path / "tablectl.toml"
    config.write_text(CONFIG.format(panel=panel, keys=keys), encoding="utf-8")
    settings = load_settings(
        Overrides(config=config, state_dir=tmp_path / "state", socket=tmp_path / "s"), {"HOME": str(tmp_path)}
    )
    async with one_table(settings, load_book()) as core, asyncio.timeout(PATIENCE):
        while {device.link for device in core.state.devices.values()} != {"online"}:
            await pause(0.05)
        while len(core.state.devices) < 2:
            await pause(0.05)
        assert core.state.table.device == "table"
        assert "seat_keys" in core.state.devices["keypad"].capabilities
    table.close()
