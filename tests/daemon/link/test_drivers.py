"""Every driver under the link, in real time over ptys: hundreds of rounds leave nothing behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random

import pytest

from protocols.driver import Driver, Hello, Report
from protocols.transports.port import Port, port_at
from sim.endpoints.pty import PtyEndpoint
from sim.panel.table import TappedTable
from sim.timebase import pause
from tablectl.daemon.drivers import driver_factory
from tablectl.daemon.link.link import Link
from tablectl.daemon.sections import DriverName
from tablectl.daemon.timebase import TableClock
from tablectl.game.inputs import Input, LinkChange
from tablectl.rehearsal.tapped import WIRING
from tests.protocols.transports.ear import held
from tests.sim.rig import Nobody

pytestmark = pytest.mark.process
PATIENCE = 20.0
ROUNDS = 500
JOURNAL = bytes(range(16))


class Place:
    """A tapped table on two ptys, and the port of one of them."""

    def __init__(self, name: DriverName, folder: Path) -> None:
        self.table = TappedTable(1, WIRING, judge=Nobody())
        ends = {kind: PtyEndpoint(folder / kind, Random(1), paced=False) for kind in ("panel", "lines")}
        self.table.attach(ends["panel"], ends["lines"])
        self.end = ends[name]
        self.port: Port = port_at(str(folder / name))
        self.make: Callable[[], Driver] = driver_factory(name, self.port.open, WIRING)


@pytest.fixture(params=["panel", "lines"])
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Place]:
    made = Place(request.param, tmp_path)
    yield made
    made.table.close()


async def greet(made: Driver) -> None:
    greeted = asyncio.Event()

    def hear(report: Report) -> None:
        if isinstance(report, Hello):
            greeted.set()

    await made.open(hear, journal_id=JOURNAL, last_event=0)
    async with asyncio.timeout(PATIENCE):
        await greeted.wait()
    made.close()


async def test_five_hundred_connections_leave_nothing(place: Place) -> None:
    await greet(place.make())
    await pause(0.05)
    before = held()
    for _ in range(ROUNDS):
        await greet(place.make())
    async with asyncio.timeout(PATIENCE):
        while held() != before:
            await pause(0.01)


async def test_the_link_is_online_loses_the_cable_and_is_back(place: Place) -> None:
    loop = asyncio.get_running_loop()
    told: list[LinkChange] = []
    news = asyncio.Event()

    def hear(item: Input, at: int, unc: int) -> None:
        if isinstance(item, LinkChange):
            told.append(item)
            news.set()

    async def until(state: str) -> None:
        async with asyncio.timeout(PATIENCE):
            while not told or told[-1].state != state:
                news.clear()
                await news.wait()

    clock = TableClock(loop.time)
    link = Link(
        "x", place.port.address, place.make, loop=loop, clock=clock, emit=hear, journal_id=JOURNAL,
        path_exists=place.port.present,
    )  # fmt: skip
    link.start()
    await until("online")
    place.end.unplug()
    await until("backoff")
    assert [change.word for change in told if change.state == "lost"] == ["cable_pulled"]
    place.end.replug()
    await until("online")
    assert link.quality()["crc_errors"] == 0
    await link.close()
