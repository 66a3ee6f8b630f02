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
from sim.guest.cable import MODULES, Cable
from sim.guest.machine import Guest
from sim.mechanism.tiles import FULL
from sim.timebase import pause

PORT = "/dev/ttyUSB0"
PUSH_IN_S = 2.0


def waiting(command: Sequence[str]) -> list[str]:
    """The command, begun when the port is there."""
    return ["sh", "-c", f'until [ -e {PORT} ]; do sleep 0.1; done; exec "$@"', "sh", *command]


async def run(
    command: Sequence[str],
    plant: Plant,
    *,
    lines: Callable[[str], None],
    pull: float = 0.0,
    imports: Sequence[str] = (),
) -> int:
    """Boot all of it around a plant; the exit code of the command, and what it ``imports`` is compiled
    beforehand. Raises ``SimError``."""
    with tempfile.TemporaryDirectory(prefix="tablectl-chain-") as folder:
        image = build("cortex_m3", Path(folder))
        cable = Cable(Path(folder))
        guest = Guest(lines)
        board: Cortex | None = None
        plugging: asyncio.Task[None] | None = None
        try:
            await cable.open()
            await guest.boot(waiting(command), MODULES, cable.devices, imports)
            board = await Cortex.boot(image.elf, PinBoard(plant, profile=plant.profile), cable.host)
            plugging = asyncio.create_task(_plug(guest, cable, pull))
            return await guest.wait()
        finally:
            if plugging is not None:
                plugging.cancel()
            if board is not None:
                await board.close()
            cable.close()
            await guest.close()


async def _plug(guest: Guest, cable: Cable, pull: float) -> None:
    """Plug the adapter in as soon as the guest is up; pull it out so many seconds later, if any."""
    await guest.up.wait()
    await cable.plug()
    if pull:
        await pause(pull)
        cable.pull()


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
