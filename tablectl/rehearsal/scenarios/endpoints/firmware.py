"""The reference firmware in C with motors and switches at its pins, compiled for this computer or an AVR.

Stepped in lockstep under virtual time. What moved is read at the motors; the plant knows no orders.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random

from sim.endpoints.memory import MemoryEndpoint
from sim.firmware.board import Boot, FirmwareBoard
from sim.firmware.build import compiler
from sim.firmware.helper import Helper
from sim.firmware.lossy import Lossy
from sim.firmware.ports import avr
from sim.mechanism.tiles import FULL
from sim.timebase import TableTimer, pause
from tablectl.daemon.drivers import driver_factory
from tablectl.rehearsal.scenarios.endpoint import Lever, Trait, Truth
from tablectl.rehearsal.scenarios.endpoints import pinned
from tablectl.rehearsal.scenarios.endpoints.pinned import WatchedPlant

LATENCY_S, BAUD = 0.001, 115_200


class _Line(MemoryEndpoint):
    """A line in memory that loses what it is told to lose."""

    def __init__(self, rng: Random, timer: TableTimer, baud: int) -> None:
        super().__init__(rng, latency=LATENCY_S, baud=baud)
        self.lossy = Lossy(super().write, timer)

    def write(self, data: bytes) -> None:
        self.lossy.write(data)


class FirmwareTable:
    """One board on a line in memory."""

    speed = 1  # virtual time costs nothing

    def __init__(self, seed: int, boot: Boot | None = None, baud: int = BAUD) -> None:
        """``baud``: what the line is paced as; 0 = the chip paces it."""
        streams = {name: Random(f"{seed}/{name}") for name in ("drum", "dice", "times")}
        self.plant = WatchedPlant(FULL, **streams)
        self.plant.watchers.append(Helper(self.plant.push_in))
        self.board = FirmwareBoard(self.plant, boot=boot)
        self._timer = TableTimer(asyncio.get_running_loop())
        self.end = _Line(Random(seed), self._timer, baud)
        self.board.attach(self.end)
        self.board.power_on()
        self.driver = driver_factory("atp", self.end.host)

    @property
    def present(self) -> Callable[[], bool]:
        return lambda: self.end.line.whole

    async def pull(self, lever: Lever, amount: float = 0.0) -> None:
        match lever:
            case Lever.UNPLUG:
                self.end.unplug()
                if amount:
                    self._timer.call_later(amount, self.end.replug)
            case Lever.PLUG:
                self.end.replug()
            case Lever.REBOOT:
                self.board.reboot()
                self.end.lossy.forget()
            case _:
                pinned.pull(lever, amount, self.plant, self.end.lossy)
        if lever is Lever.KEY:
            await pause(pinned.APART_S)

    async def truth(self) -> Truth:
        self.plant.about_to_touch()
        return pinned.truth(self.plant, self.board.outputs)

    async def settle(self) -> None:
        """A line in memory keeps nothing."""

    def close(self) -> None:
        """Nothing of it is left."""
        self._timer.cancel_all()
        self.board.close()


class FirmwareHosted:
    """The column."""

    name, virtual = "firmware", True
    about = "the reference firmware in C in lockstep, its motors and switches simulated; virtual time"
    capabilities = pinned.CAPABILITIES
    traits = frozenset({Trait.MOTION})
    levers = frozenset(Lever) - {Lever.CLOCK_JUMP}

    def missing(self) -> str:
        return "" if compiler() is not None else "no C compiler: install gcc"

    @asynccontextmanager
    async def open(self, seed: int, speed: int) -> AsyncIterator[FirmwareTable]:
        table = FirmwareTable(seed)
        try:
            yield table
        finally:
            table.close()


class FirmwareAvr(FirmwareHosted):
    """The same on an emulated chip; its image and its EEPROM outlive its boots."""

    name = "avr"
    about = (
        "the reference firmware on an emulated ATmega1284P, cycle by cycle, "
        "its motors and switches simulated; virtual time"
    )

    def missing(self) -> str:
        return avr.lacking()

    @asynccontextmanager
    async def open(self, seed: int, speed: int) -> AsyncIterator[FirmwareTable]:
        chip = avr.AvrChip()
        try:
            table = FirmwareTable(seed, chip.boot, baud=0)
            try:
                yield table
            finally:
                table.close()
        finally:
            chip.close()
