"""The whole cable: firmware on an emulated Cortex-M3, a USB serial adapter, the guest's kernel, /dev/ttyUSB0.

    python -m sim.guest.chain [--pull SECONDS] -- COMMAND…

runs COMMAND in the guest as soon as the adapter's port is there, for instance
``tablectl hil /dev/ttyUSB0 --yes``. ``--pull`` pulls the adapter out of the guest so long after its boot.
Nothing here knows USB: adapter and kernel are real programs.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from sim.errors import SimError
from sim.firmware.helper import Helper
from sim.firmware.plant.plant import Plant
from sim.firmware.ports.build import build
from sim.firmware.ports.bus import PinBoard
from sim.firmware.ports.cortex import Cortex
from sim.guest.machine import Guest
from sim.mechanism.tiles import FULL

PORT = "/dev/ttyUSB0"
MODULES = ("uhci_hcd", "usbserial", "ftdi_sio")
ADAPTER = "adapter"
SOCKET_S = 30.0
PUSH_IN_S = 2.0


def devices(line: Path) -> list[str]:
    """A USB controller with a serial adapter whose line is that socket."""
    return [
        "-device", "piix3-usb-uhci",
        "-chardev", f"socket,id=line,path={line},server=on,wait=off",
        "-device", f"usb-serial,chardev=line,id={ADAPTER}",
    ]  # fmt: skip


def waiting(command: Sequence[str]) -> list[str]:
    """The command, begun when the port is there."""
    return ["sh", "-c", f'until [ -e {PORT} ]; do sleep 0.1; done; exec "$@"', "sh", *command]


async def run(
    command: Sequence[str], plant: Plant, *, lines: Callable[[str], None], pull: float = 0.0
) -> int:
    """Boot all of it around a plant; the exit code of the command. Raises ``SimError``."""
    with tempfile.TemporaryDirectory(prefix="tablectl-chain-") as folder:
        image = build("cortex_m3", Path(folder))
        line = Path(folder) / "line"
        guest = Guest(lines)
        await guest.boot(waiting(command), MODULES, devices(line))
        board: Cortex | None = None
        pulling: asyncio.Task[None] | None = None
        try:
            async with asyncio.timeout(SOCKET_S):
                while not line.exists():
                    await asyncio.wait([asyncio.create_task(guest.up.wait())], timeout=0.1)
            pins = PinBoard(plant, profile=plant.profile)
            board = await Cortex.boot(image.elf, pins, f"socket,id=host,path={line},server=off")
            if pull:
                pulling = asyncio.create_task(_pull(guest, pull))
            return await guest.wait()
        finally:
            if pulling is not None:
                pulling.cancel()
            if board is not None:
                await board.close()
            await guest.close()


async def _pull(guest: Guest, seconds: float) -> None:
    await guest.up.wait()
    await asyncio.wait([asyncio.create_task(asyncio.Event().wait())], timeout=seconds)
    await guest.order("device_del", id=ADAPTER)


def table(seed: int) -> Plant:
    """A table with somebody who pushes the tiles in."""
    streams = {name: Random(f"{seed}/{name}") for name in ("drum", "dice", "times")}
    plant = Plant(FULL, **streams)
    plant.watchers.append(Helper(plant.push_in, PUSH_IN_S))
    return plant


async def _main(command: Sequence[str], pull: float) -> int:
    return await run(command, table(1), lines=lambda line: print(line, flush=True), pull=pull)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command at the end of the chain."""
    parser = argparse.ArgumentParser(prog="python -m sim.guest.chain", description=__doc__)
    parser.add_argument("--pull", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args(arguments)
    try:
        return asyncio.run(_main(options.command, options.pull))
    except SimError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
