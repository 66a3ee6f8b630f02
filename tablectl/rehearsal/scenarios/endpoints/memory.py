"""The simulated board in the host's own process and loop, under virtual time; every byte is framed.

The same board speaks ATP in one column and the line protocol in the other.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from protocols.driver import Driver
from protocols.lines.box import BoxSession
from sim.endpoints.memory import MemoryEndpoint
from tablectl.daemon.drivers import driver_factory
from tablectl.rehearsal.scenarios.endpoint import Lever, Truth
from tablectl.rehearsal.scenarios.endpoints import twin
from tablectl.rehearsal.scenarios.endpoints.sieve import Sieve

LATENCY_S, BAUD = 0.001, 115_200


class MemoryTable:
    """A twin on a line in memory."""

    speed = 1  # virtual time costs nothing
    driver: Callable[[], Driver]

    def __init__(self, made: twin.Twin) -> None:
        self.twin = made
        self.end = MemoryEndpoint(made.table.rng("line"), latency=LATENCY_S, baud=BAUD)
        made.table.attach(self.end)

    @property
    def present(self) -> Callable[[], bool]:
        return lambda: self.end.line.whole

    async def pull(self, lever: Lever, amount: float = 0.0) -> None:
        self.twin.pull(lever, amount)

    async def truth(self) -> Truth:
        return self.twin.truth()

    async def settle(self) -> None:
        """A line in memory keeps nothing."""


class AtpTable(MemoryTable):
    """One that speaks ATP."""

    def __init__(self, seed: int) -> None:
        super().__init__(twin.Twin(seed, self.speed))
        self.driver = driver_factory("atp", self.end.host)


class LinesTable(MemoryTable):
    """One that speaks in lines."""

    def __init__(self, seed: int) -> None:
        super().__init__(twin.Twin(seed, self.speed, BoxSession))
        self.driver = driver_factory("lines", self.end.host)
        self._sieve = Sieve(self.end)

    async def pull(self, lever: Lever, amount: float = 0.0) -> None:
        match lever:
            case Lever.LOSE_ANSWER:
                self._sieve.lose_answers()
            case Lever.LOSE_EVENTS:
                self._sieve.lose_events(amount)
            case _:
                await super().pull(lever, amount)


class Memory:
    """ATP in memory."""

    name, virtual = "memory", True
    about = "ATP on a line in memory, paced as 115200 baud; one process, virtual time"
    capabilities, traits, levers = twin.CAPABILITIES, twin.TRAITS, twin.LEVERS
    table: Callable[[int], MemoryTable] = AtpTable

    def missing(self) -> str:
        return ""

    @asynccontextmanager
    async def open(self, seed: int, speed: int) -> AsyncIterator[MemoryTable]:
        table = type(self).table(seed)
        try:
            yield table
        finally:
            table.twin.table.close()


class Lines(Memory):
    """A whole table of hobbyists."""

    name = "lines"
    about = "the line protocol: a whole table of hobbyists on a line in memory, virtual time"
    table = LinesTable
