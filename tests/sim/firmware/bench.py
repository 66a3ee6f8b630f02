"""A firmware board, its plant and a host that gives orders, under virtual time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from ctypes import CDLL
from random import Random

from protocols.atp.driver import AtpDriver
from protocols.driver import Hello
from sim.endpoints.memory import MemoryEndpoint
from sim.firmware.board import FirmwareBoard
from sim.firmware.helper import Helper
from sim.firmware.host import Host
from sim.firmware.plant.plant import Plant
from sim.mechanism.tiles import FULL
from sim.timebase import run_virtual


class Bench:
    """Plant, board, line and host."""

    def __init__(self, *, tiles: int = FULL, seed: int = 1, code: CDLL | None = None) -> None:
        def rng(purpose: str) -> Random:
            return Random(f"{seed}/{purpose}")

        self.plant = Plant(tiles, drum=rng("drum"), dice=rng("dice"), times=rng("times"))
        self.helper = Helper(self.plant.push_in)
        self.plant.watchers.append(self.helper)
        self.board = FirmwareBoard(self.plant, code=code)
        self.line = MemoryEndpoint(rng("line"), latency=0.001)
        self.board.attach(self.line)
        self.board.power_on()
        self.host = Host(self.line.host)

    async def start(self) -> Bench:
        await self.host.start()
        return self

    async def reconnect(self) -> None:
        """The host opens the line anew, as after a lost one."""
        self.host.driver.close()
        self.host.driver = AtpDriver(self.line.host)
        known = len(self.host.of(Hello))
        await self.host.start()
        await self.host.until(lambda: len(self.host.of(Hello)) > known)

    def close(self) -> None:
        self.host.driver.close()
        self.board.close()
        self.plant.places.assert_conserved()


def on_bench(story: Callable[[Bench], Awaitable[None]], **more: int) -> None:
    """Live a story at a fresh bench."""

    async def main() -> None:
        bench = await Bench(**more).start()
        await story(bench)
        bench.close()

    run_virtual(main())
