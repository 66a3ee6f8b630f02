"""A panel driver at an unmodified table, under virtual time, and everything it said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any, TypeVar

import msgspec

from protocols.driver import BoardEvent, Gone, Hello, Reply, Report, Status
from protocols.panel.driver import PanelDriver
from protocols.panel.wiring import Wiring
from protocols.vocabulary import NO_SIDE, EventKind, Operation, Order, Stage
from sim.endpoints.memory import MemoryEndpoint
from sim.panel.table import TappedTable
from sim.timebase import pause
from tablectl.rehearsal.tapped import WIRING
from tests.sim.rig import Nobody

T = TypeVar("T")
JOURNAL = bytes(range(16))


def wired(**board: Any) -> Wiring:
    """The usual wiring on another board."""
    return msgspec.structs.replace(WIRING, board=msgspec.structs.replace(WIRING.board, **board))


class Tap:
    """One table, one panel driver; the keypad is plugged in and nobody listens to it."""

    def __init__(self, wiring: Wiring = WIRING, seed: int = 1) -> None:
        self.wiring = wiring
        self.table = TappedTable(seed, wiring, judge=Nobody())
        self.end = MemoryEndpoint(Random(1), latency=0.001, baud=9600)
        self.table.attach(self.end, MemoryEndpoint(Random(2)))
        self.driver = PanelDriver(self.end.host, wiring)
        self.reports: list[Report] = []
        self.board = self.table.panel
        self._news = asyncio.Event()

    def hear(self, report: Report) -> None:
        self.reports.append(report)
        self._news.set()

    async def open(self, boot_id: int = 0) -> Hello:
        await pause(0.1)
        await self.driver.open(self.hear, journal_id=JOURNAL, last_event=0, boot_id=boot_id)
        await self.until(lambda: bool(self.all(Hello)))
        return self.all(Hello)[-1]

    async def until(self, fact: Callable[[], bool], seconds: float = 400.0) -> None:
        async with asyncio.timeout(seconds):
            while not fact():
                self._news.clear()
                await self._news.wait()

    def all(self, kind: type[T]) -> list[T]:
        return [report for report in self.reports if isinstance(report, kind)]

    async def order(
        self, operation: Operation, id: int = 256, *, hand: int = 0, side: int = NO_SIDE, count: int = 0
    ) -> Reply:
        """Give an order and wait for its end."""
        self.driver.operate(Order(id, operation, hand, side, count))
        await self.until(lambda: bool(self.ends(id)))
        return self.ends(id)[-1]

    def ends(self, id: int) -> list[Reply]:
        ends = (Stage.DONE, Stage.FAILED, Stage.REFUSED, Stage.UNKNOWN)
        return [reply for reply in self.all(Reply) if reply.id == id and reply.stage in ends]

    def events(self) -> list[EventKind]:
        return [event.kind for event in self.all(BoardEvent)]

    async def status(self) -> Status:
        count = len(self.all(Status))
        self.driver.ask_status()
        await self.until(lambda: len(self.all(Status)) > count)
        return self.all(Status)[-1]

    def gone(self) -> list[str]:
        return [gone.key for gone in self.all(Gone)]

    @property
    def presses(self) -> list[str]:
        """Every key that went down."""
        return self.table.controller.presses

    def close(self) -> None:
        self.driver.close()
        self.table.close()
