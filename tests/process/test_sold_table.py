"""A table as it is sold, its relay board and its keypad box in one process, the daemon in another."""

from __future__ import annotations

import asyncio

import pytest

from sim.timebase import pause
from tests.process.rig import DEADLINE_S, LOOK_S, Bench, watching

pytestmark = pytest.mark.process
CONFIG = """
[[device]]
name = "table"
driver = "panel"
port = "panel"
baud = 9600
wiring = "panel.toml"

[[device]]
name = "keypad"
driver = "lines"
port = "keys"
"""


async def test_two_boxes_are_one_table(bench: Bench) -> None:
    words = ["--endpoint", "pty:panel", "--keypad", "pty:keys", "--wiring", "panel.toml"]
    table = await bench.start("sim", "serve", *words)
    assert (await table.says("ready")).split() == ["ready", "panel", "keys"]
    bench.config.write_text(CONFIG)
    options = ["--config", bench.config, "--state-dir", bench.state, "--socket", bench.socket]
    daemon = await bench.start("run", *options)
    await daemon.says("ready")
    events = await watching(await bench.client())
    for name in ("table", "keypad"):
        async with asyncio.timeout(DEADLINE_S):
            while (await bench.cli("link", "status", "--json")).json["links"][name]["state"] != "online":
                await pause(LOOK_S)
    assert (await bench.cli("session", "start")).code == 0
    assert (await bench.cli("hand", "start")).code == 0
    ordered = await events.event("event.ordered", operation="build")
    assert ordered["data"]["hand"] == 1
    links = (await bench.cli("link", "status", "--json")).json["links"]
    assert {name: link["state"] for name, link in links.items()} == {"table": "online", "keypad": "online"}
    await table.end()
    lost = await events.event("event.link", state="lost")
    assert lost["data"]["word"] in ("closed", "cable_pulled")


async def test_a_wiring_with_a_mistake_is_told_by_its_line(bench: Bench) -> None:
    (bench.folder / "panel.toml").write_text("[keys]\nlift_a = 1\nlift_b = 1\n\n[lamps]\nready = 1\n")
    bench.config.write_text(CONFIG)
    daemon = await bench.start("run", "--config", bench.config, "--state-dir", bench.state)
    assert await daemon.ended() == 2
    assert "panel.toml, line 3" in daemon.text("err")
