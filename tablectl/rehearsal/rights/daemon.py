"""The daemon in the guest as a user without rights but its group's: it loses its cable and gets it back."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sim.endpoints.usb import Bus, UsbEndpoint
from sim.guest import udev
from sim.guest.users import NOBODY
from sim.timebase import pause
from sim.usb.device import UsbDevice
from tablectl.api.client import Client
from tablectl.deploy import texts
from tablectl.rehearsal.child import Child
from tablectl.rehearsal.rights.looks import look
from tablectl.rehearsal.scenarios.endpoints.thread import Workshop
from tablectl.rehearsal.scenarios.endpoints.twin import Twin

START_S, LINK_S, LOOK_S = 300.0, 60.0, 0.2  # on an emulated processor
CABLE = "cable_pulled"
AS_NOBODY = [
    "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", f"--groups={texts.GROUP}",
    "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search",  # Python itself may lie in root's home
]  # fmt: skip


async def cable(folder: Path, bus: Bus, port: str, device: UsbDevice) -> None:
    """The daemon, as a user with the group alone, on the rules' name: it loses the cable and comes back."""
    os.chown(folder, NOBODY, NOBODY)
    socket, config = folder / "api.sock", folder / "tablectl.toml"
    config.write_text("")
    shop = Workshop()
    made = await shop.do(lambda: Twin(1, 1))
    line = UsbEndpoint(bus, device, made.table.rng("line"))
    await shop.do(lambda: made.table.attach(line))
    udev.settle()
    words = ["run", "--port", port, "--state-dir", str(folder), "--socket", str(socket)]
    child = await Child.spawn(
        "daemon", [*words, "--config", str(config)], os.environ, folder / "daemon.log", AS_NOBODY
    )
    try:
        assert child.process.stdout is not None
        await asyncio.wait_for(child.process.stdout.readline(), START_S)
        client = await Client.open(socket, actor="rehearsal")
        look("the daemon is online as that user", await _link(client, lambda link: link["state"] == "online"))
        await shop.do(line.unplug)
        seen = await _link(client, lambda link: link["state"] != "online")
        word = seen.get("last_loss", {}).get("word")
        look("it calls a pulled cable a pulled cable", word == CABLE, seen)
        await shop.do(line.replug)
        seen = await _link(client, lambda link: link["state"] == "online" and link["connections"] == 2)
        look("it is online again once the cable is in", seen, seen)
        client.close()
    finally:
        await child.end()
        await shop.do(made.table.close)
        await shop.close()


async def _link(client: Client, fact: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The daemon's link once that is true of it; empty if it never is."""
    try:
        async with asyncio.timeout(LINK_S):
            while True:
                (link,) = (await client.query("link status"))["links"].values()
                if fact(link):
                    return dict(link)
                await pause(LOOK_S)
    except TimeoutError:
        return {}
