"""Two devices whose plugs were exchanged: refused, with both names; nothing is played on the wrong one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from sim.endpoints.pty import PtyEndpoint
from sim.keypad import Keypad
from sim.timebase import TableTimer, pause
from tablectl.console.link_report import report
from tablectl.daemon.config import Overrides, load_settings
from tablectl.daemon.core import Core
from tablectl.daemon.supervisor import one_table
from tablectl.rules.book import load_book

PATIENCE = 20.0
CONFIG = """
[[device]]
name = "east side"
driver = "lines"
port = "{east}"
{east_serial}

[[device]]
name = "west side"
driver = "lines"
port = "{west}"
{west_serial}
"""


class Boxes:
    """Two keypad boxes at two ports."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        timer = TableTimer(asyncio.get_running_loop())
        self.boxes = [Keypad(timer, Random(seed)) for seed in (1, 2)]
        self.ends = [PtyEndpoint(folder / f"end{seed}", Random(seed), paced=False) for seed in (1, 2)]
        for box, end in zip(self.boxes, self.ends, strict=True):
            box.attach(end)
        self.serials = [box.hello().serial for box in self.boxes]
        for name in ("east", "west"):
            (folder / name).symlink_to("nowhere")
        self.plug(swapped=False)

    def plug(self, *, swapped: bool) -> None:
        """Which box is at which port."""
        for name, end in zip(("east", "west"), self.ends[::-1] if swapped else self.ends, strict=True):
            path = self.folder / name
            path.unlink()
            path.symlink_to(end.link)

    def settings(self, *serials: str) -> tuple[Overrides, dict[str, str]]:
        lines = [f'serial = "{serial}"' for serial in serials] or ["", ""]
        config = self.folder / "tablectl.toml"
        ports = {"east": self.folder / "east", "west": self.folder / "west"}
        config.write_text(CONFIG.format(**ports, east_serial=lines[0], west_serial=lines[1]))
        overrides = Overrides(config=config, state_dir=self.folder / "state", socket=self.folder / "s")
        return overrides, {"HOME": str(self.folder)}

    def close(self) -> None:
        for box in self.boxes:
            box.close()


@pytest.fixture
async def boxes(tmp_path: Path) -> AsyncIterator[Boxes]:
    made = Boxes(tmp_path)
    yield made
    made.close()


async def until(core: Core, state: str) -> None:
    """Both links have come so far."""
    async with asyncio.timeout(PATIENCE):
        while {link.quality()["state"] for link in core.devices.values()} != {state}:
            await pause(0.02)


async def played(boxes: Boxes, state: str, *serials: str) -> dict[str, list[str]]:
    """Run the daemon until both links are in that state; what is said of each then."""
    async with one_table(load_settings(*boxes.settings(*serials)), load_book()) as core:
        await until(core, state)
        return {name: report(link.quality(), "en") for name, link in core.devices.items()}


@pytest.mark.process
@pytest.mark.report("B012")
@pytest.mark.parametrize("configured", [False, True], ids=["met before", "by serial"])
async def test_swapped_ports_are_refused_with_both_names(boxes: Boxes, configured: bool) -> None:
    serials = boxes.serials if configured else []
    await played(boxes, "online", *serials)
    boxes.plug(swapped=True)
    said = await played(boxes, "refused", *serials)
    for here, other, serial in zip(said, reversed(said), reversed(boxes.serials), strict=True):
        line = said[here][0]
        assert f"which is that of {here}, answers {other} (serial number {serial})" in line
    boxes.plug(swapped=False)
    await played(boxes, "online", *serials)


@pytest.mark.process
async def test_what_the_configuration_says_is_meant(boxes: Boxes) -> None:
    await played(boxes, "online")
    boxes.plug(swapped=True)
    await played(boxes, "online", *reversed(boxes.serials))


@pytest.mark.process
async def test_a_stranger_that_came_while_no_daemon_ran_is_refused_until_it_is_adopted(boxes: Boxes) -> None:
    overrides, environ = boxes.settings()
    assert overrides.config is not None
    overrides.config.write_text(
        f'[[device]]\nname = "box"\ndriver = "lines"\nport = "{boxes.folder / "east"}"\n'
    )
    settings = load_settings(overrides, environ)
    async with one_table(settings, load_book()) as core:
        await until(core, "online")
    boxes.plug(swapped=True)
    async with one_table(settings, load_book()) as core:
        await until(core, "refused")
        [link] = core.devices.values()
        assert link.quality()["word"] == "wrong_board"
        link.adopt()
        await until(core, "online")
    async with one_table(settings, load_book()) as core:
        await until(core, "online")
