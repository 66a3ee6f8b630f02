"""A host that only gives orders and keeps what comes back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from protocols.atp.driver import AtpDriver
from protocols.driver import BoardEvent, Hello, Reply, Report, Status
from protocols.transports.base import Opener
from protocols.vocabulary import Operation, Order, Stage

JOURNAL = bytes(range(16))
ID_STEP = 256
PATIENCE_S = 300.0
T = TypeVar("T")


class Host:
    """Gives orders over a line and keeps all that comes back."""

    def __init__(self, opener: Opener) -> None:
        self.driver = AtpDriver(opener)
        self.reports: list[tuple[float, Report]] = []
        self.loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._id = ID_STEP

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
        self._id += ID_STEP
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
