"""The simulated board in the host's own process and loop, under virtual time; every byte is framed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from protocols.driver import Driver
from sim.endpoints.memory import MemoryEndpoint
from tablectl.daemon.drivers import driver_factory
from tablectl.rehearsal.scenarios.endpoint import Lever, Truth
from tablectl.rehearsal.scenarios.endpoints import twin

LATENCY_S, BAUD = 0.001, 115_200


class MemoryTable:
    """A twin on a line in memory."""

    def __init__(self, seed: int) -> None:
        self.speed = 1  # virtual time costs nothing
        self.twin = twin.Twin(seed, self.speed)
        self.end = MemoryEndpoint(self.twin.table.rng("line"), latency=LATENCY_S, baud=BAUD)
        self.driver: Callable[[], Driver] = driver_factory("atp", self.end.host)
        self.twin.table.attach(self.end)

    @property
    def present(self) -> Callable[[], bool]:
        return lambda: self.end.line.whole

    async def pull(self, lever: Lever, amount: float = 0.0) -> None:
        self.twin.pull(lever, amount)

    async def truth(self) -> Truth:
        return self.twin.truth()


class Memory:
    """ATP in memory."""

    name, virtual = "memory", True
    about = "ATP on a line in memory, paced as 115200 baud; one process, virtual time"
    capabilities, traits, levers = twin.CAPABILITIES, twin.TRAITS, twin.LEVERS

    def missing(self) -> str:
        return ""

    @asynccontextmanager
    async def open(self, seed: int, speed: int) -> AsyncIterator[MemoryTable]:
        table = MemoryTable(seed)
        try:
            yield table
        finally:
            table.twin.table.close()
