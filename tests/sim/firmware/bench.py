"""A firmware board, its plant and a host that gives orders, under virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from ctypes import CDLL
from random import Random
from typing import TypeVar

from protocols.atp.driver import AtpDriver
from protocols.driver import BoardEvent, Hello, Reply, Report, Status
from protocols.vocabulary import Operation, Order, Stage
from sim.endpoints.memory import MemoryEndpoint
from sim.firmware.board import FirmwareBoard
from sim.firmware.helper import Helper
from sim.firmware.plant.plant import Plant
from sim.mechanism.tiles import FULL
from sim.timebase import run_virtual

JOURNAL = bytes(range(16))
PATIENCE_S = 300.0
T = TypeVar("T")


class Host:
    """Gives orders over a line and keeps all that comes back."""

    def __init__(self, line: MemoryEndpoint) -> None:
        self.line = line
        self.driver = AtpDriver(line.host)
        self.reports: list[tuple[float, Report]] = []
        self.loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._id = 256

    async def start(self) -> None:
        await self.driver.open(self._told, journal_id=JOURNAL, last_event=0)
        await self.until(lambda: bool(self.of(Hello)))

    def _told(self, report: Report) -> None:
        self.reports.append((self.loop.time(), report))
        if isinstance(report, BoardEvent):
            self.driver.acknowledge(report.number, self.of(Hello)[-1].boot_id)
        self._changed.set()

    def of(self, kind: type[T]) -> list[T]:
        return [report for _, report in self.reports if isinstance(report, kind)]

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not true():
                self._changed.clear()
                await self._changed.wait()

    def send(self, operation: Operation, **fields: int) -> int:
        self._id += 256
        self.driver.operate(Order(self._id, operation, **fields))
        return self._id

    async def ended(self, id: int) -> Reply:
        await self.until(lambda: any(one.id == id and one.stage.final for one in self.of(Reply)))
        return next(one for one in self.of(Reply) if one.id == id and one.stage.final)

    async def stage(self, id: int) -> Stage:
        """The next stage that is told of an order."""
        known = len(self.of(Reply))
        await self.until(lambda: any(one.id == id for one in self.of(Reply)[known:]))
        return next(one.stage for one in self.of(Reply)[known:] if one.id == id)

    async def order(self, operation: Operation, **fields: int) -> Reply:
        return await self.ended(self.send(operation, **fields))

    async def status(self) -> Status:
        known = len(self.of(Status))
        self.driver.ask_status()
        await self.until(lambda: len(self.of(Status)) > known)
        return self.of(Status)[-1]

    @property
    def events(self) -> list[BoardEvent]:
        return self.of(BoardEvent)


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
        self.host = Host(self.line)

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
