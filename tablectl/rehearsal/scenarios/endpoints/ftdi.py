"""The firmware on an emulated Cortex-M3, a USB serial adapter, and the kernel of a guest: /dev/ttyUSB0.

Link and driver are in the guest; board, plant and cable are here, and are told over a line of their own
(``sim.guest.calls``) what is to happen to them. The table cannot hurry: the firmware's clock is the real one.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

from protocols.driver import Driver
from protocols.transports.address import TtyAddress
from protocols.transports.port import Port, port_at
from sim.errors import SimError
from sim.firmware.board import BOOT_S
from sim.firmware.helper import Helper
from sim.firmware.plant.plant import US
from sim.firmware.ports import cortex
from sim.firmware.ports.build import TARGETS, build, missing
from sim.firmware.ports.bus import PinBoard
from sim.guest import calls, kernel
from sim.guest.cable import MODULES, PID, SERIAL, VID, Cable
from sim.guest.machine import Guest
from sim.mechanism.tiles import FULL
from sim.timebase import pause
from tablectl.daemon.drivers import driver_factory
from tablectl.rehearsal.scenarios.endpoint import Lever, Trait, Truth
from tablectl.rehearsal.scenarios.endpoints import pinned
from tablectl.rehearsal.scenarios.endpoints.pinned import WatchedPlant

PUSH_IN_S = 2.0
LOOK_S = 0.005  # between two looks at the plant's clock, and at a port that is to come
SEEN_S = 10.0  # a key must have been seen by then, a port have come
PORT = str(TtyAddress(VID, PID, SERIAL))


class Bench:
    """This computer's part: a board at a plant, its cable, and the answers to the guest's calls."""

    def __init__(self, elf: Path, cable: Cable) -> None:
        self._elf = elf
        self._cable = cable
        self._plant: WatchedPlant | None = None
        self._board: cortex.Cortex | None = None
        self._later: set[asyncio.Task[None]] = set()

    async def answer(self, name: str, given: dict[str, Any]) -> object:
        """One call. Raises ``SimError``."""
        match name:
            case "open":
                await self._open(given["seed"])
            case "pull":
                await self._pull(Lever(given["lever"]), given["amount"])
            case "truth":
                return asdict(pinned.truth(self._table, self._table.outputs))
            case "close":
                await self.close()
            case _:
                raise SimError(f"nobody here knows how to {name}")
        return None

    @property
    def _table(self) -> WatchedPlant:
        if self._plant is None:
            raise SimError("no table is open")
        return self._plant

    async def _open(self, seed: int) -> None:
        await self.close()
        streams = {name: Random(f"{seed}/{name}") for name in ("drum", "dice", "times")}
        self._plant = plant = WatchedPlant(FULL, **streams)
        plant.watchers.append(Helper(plant.push_in, PUSH_IN_S))
        pins = PinBoard(plant, profile=plant.profile)
        self._board = await cortex.Cortex.boot(self._elf, pins, self._cable.host)
        await self._cable.plug()

    async def _pull(self, lever: Lever, amount: float) -> None:
        plant, board = self._table, self._board
        assert board is not None
        match lever:
            case Lever.UNPLUG:
                self._cable.pull()
                if amount:
                    self._soon(amount, self._cable.plug)
            case Lever.PLUG:
                await self._cable.plug()
            case Lever.REBOOT:
                await board.power_off()
                self._soon(BOOT_S, board.power_on)
            case _:
                before = plant.now_us
                pinned.pull(lever, amount, plant, self._cable.lossy)
                if lever is Lever.KEY:
                    await self._passed(before + round(pinned.APART_S * US))

    async def _passed(self, until_us: int) -> None:
        """The board has looked at its keys until then, by the plant's clock."""
        async with asyncio.timeout(SEEN_S):
            while self._table.now_us < until_us:
                await pause(LOOK_S)

    def _soon(self, seconds: float, what: Callable[[], Any]) -> None:
        async def then() -> None:
            await pause(seconds)
            await what()

        task = asyncio.create_task(then())
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    async def close(self) -> None:
        """Switch all off."""
        for task in list(self._later):
            task.cancel()
        await asyncio.gather(*self._later, return_exceptions=True)
        self._cable.pull()
        board, self._board, self._plant = self._board, None, None
        if board is not None:
            await board.close()


class FtdiTable:
    """The guest's part: one opened table."""

    speed = 1

    def __init__(self, caller: calls.Caller, port: Port) -> None:
        self.driver: Callable[[], Driver] = driver_factory("atp", port.open)
        self._caller = caller
        self._port = port

    @property
    def present(self) -> Callable[[], bool] | None:
        return self._port.present

    async def pull(self, lever: Lever, amount: float = 0.0) -> None:
        await self._caller.call("pull", lever=lever.value, amount=amount)

    async def truth(self) -> Truth:
        return Truth(**await self._caller.call("truth"))

    async def settle(self) -> None:
        await self._port.settle()


class Ftdi:
    """The column."""

    name, virtual = "ftdi", False
    about = (
        "the reference firmware on an emulated Cortex-M3, behind a USB serial adapter (FTDI) "
        "and a real kernel in a guest: /dev/ttyUSB0; real time"
    )
    capabilities = pinned.CAPABILITIES
    traits = frozenset({Trait.MOTION})
    levers = frozenset(Lever) - {Lever.CLOCK_JUMP}
    modules: Sequence[str] = MODULES

    def missing(self) -> str:
        return missing(TARGETS["cortex_m3"]) or cortex.lacking() or kernel.lacking()

    @asynccontextmanager
    async def around(self, guest: Guest) -> AsyncIterator[Sequence[str]]:
        with tempfile.TemporaryDirectory(prefix="tablectl-ftdi-") as name:
            folder = Path(name)
            cable, line = Cable(folder), folder / "calls"
            bench = Bench(build("cortex_m3", folder).elf, cable)
            await cable.open()

            async def serve() -> None:
                await guest.up.wait()
                await calls.answer_calls(line, bench.answer)

            serving = asyncio.create_task(serve())
            try:
                yield [*cable.devices, *calls.devices(line)]
            finally:
                serving.cancel()
                await bench.close()
                cable.close()
                with contextlib.suppress(asyncio.CancelledError):
                    await serving

    @asynccontextmanager
    async def open(self, seed: int, speed: int) -> AsyncIterator[FtdiTable]:
        caller, port = calls.Caller(), port_at(PORT)
        try:
            await caller.call("open", seed=seed)
            assert port.present is not None
            async with asyncio.timeout(SEEN_S):
                while not port.present():
                    await pause(LOOK_S)
            yield FtdiTable(caller, port)
            await caller.call("close")
        finally:
            caller.close()
