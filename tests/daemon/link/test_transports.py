"""The link over the real transports, in real time, to a simulated table: USB, TCP, RFC 2217.

Each end is one the daemon would meet; nothing between the link and the table is a fake.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from random import Random
from typing import Any

import pytest

from protocols.atp.driver import AtpDriver
from protocols.transports.address import UsbAddress
from protocols.transports.port import Port, port_at
from protocols.transports.sysfs import UsbBoard
from protocols.transports.usb import UsbPort, UsbSystem
from protocols.vocabulary import EventKind, Source
from sim.endpoints.base import Endpoint
from sim.endpoints.net import Rfc2217Endpoint, TcpEndpoint
from sim.endpoints.usb import UsbEndpoint
from sim.timebase import pause
from sim.usb.bus import SimBus
from sim.usb.device import PID, VID, UsbDevice
from sim.world import SimTable
from tablectl.daemon.link.link import Link
from tablectl.daemon.timebase import TableClock
from tablectl.game.inputs import BoardEvent, Input, LinkChange
from tests.protocols.transports.ear import held

pytestmark = pytest.mark.process
PATIENCE = 20.0
QUICK_MS = 5  # a closed USB stream lets go so soon
JOURNAL = bytes(range(16))
HERE = "127.0.0.1"


class Place:
    """A table, its cable and the daemon's link to it."""

    def __init__(self, kind: str) -> None:
        loop = asyncio.get_running_loop()
        self.table = SimTable(1, judge=None)  # type: ignore[arg-type]  # nobody plays
        self.bus = SimBus()
        self.device = UsbDevice("T0001")
        self.end: Endpoint
        self.port: Port
        if kind == "usb":
            self.end = UsbEndpoint(self.bus, self.device, Random(1))
            system = UsbSystem(lambda: self.bus, self.boards)
            self.port = UsbPort(UsbAddress(VID, PID, "T0001"), system, read_ms=QUICK_MS)
        else:
            self.end = {"tcp": TcpEndpoint, "rfc2217": Rfc2217Endpoint}[kind](HERE, 0, Random(1))
        self.table.attach(self.end)
        if isinstance(self.end, TcpEndpoint):
            self.port = port_at(f"{kind}:{HERE}:{self.end.port}")
        self.told: list[Input] = []
        self.news = asyncio.Event()
        self.link = Link(
            "table",
            self.port.address,
            lambda: AtpDriver(self.port.open),
            loop=loop,
            clock=TableClock(loop.time),
            emit=self.hear,
            journal_id=JOURNAL,
            path_exists=self.port.present,
            port_faults=self.port.faults,
        )

    def boards(self) -> list[UsbBoard]:
        return [UsbBoard(each.device.vid, each.device.pid, each.device.serial) for each in self.bus.places()]

    def hear(self, told: Input, at: int, unc: int) -> None:
        self.told.append(told)
        self.news.set()

    def states(self) -> list[tuple[str, str]]:
        return [(told.state, told.word) for told in self.told if isinstance(told, LinkChange)]

    async def until(self, fact: Callable[[], Any]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not fact():
                self.news.clear()
                await self.news.wait()

    async def online(self) -> None:
        """Start and be online; what was told on the way is forgotten."""
        self.link.start()
        await self.back()

    async def back(self) -> None:
        await self.until(lambda: self.link.state == "online")
        self.told.clear()

    async def close(self) -> None:
        await self.link.close()
        await self.port.settle()
        self.table.close()
        assert self.bus.handles == set()


@pytest.fixture(params=["usb", "tcp", "rfc2217"])
async def place(request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    made = Place(request.param)
    yield made
    await made.close()


@pytest.fixture
async def usb() -> AsyncIterator[Place]:
    made = Place("usb")
    yield made
    await made.close()


async def test_the_same_session_as_over_a_serial_port(place: Place) -> None:
    place.link.start()
    await place.until(lambda: place.link.state == "online")
    assert place.states() == [("reconcile", ""), ("online", "")]
    quality = place.link.quality()
    assert quality["clock"]["ready"]
    assert quality["crc_errors"] == quality["retries"] == 0
    assert quality["port_faults"] == {}
    place.table.board.emit(EventKind.SEAT_KEY, 2, 1, Source.SENSOR)
    await place.until(lambda: any(isinstance(told, BoardEvent) and told.side == 2 for told in place.told))


@pytest.mark.report("B014")
async def test_a_board_that_resets_itself_is_back_without_anybody(place: Place) -> None:
    await place.online()
    since = place.link.quality()["since"]
    place.table.reboot(0.1)
    place.table.drop_off(0.1)
    await place.until(lambda: place.states()[-1:] == [("online", "board_rebooted")])
    assert place.states()[0][0] == "lost"
    assert place.link.quality()["since"] > since
    assert place.link.quality()["losses_hour"] == 1


@pytest.mark.report("B027")
async def test_no_table_is_said_all_the_time_until_it_appears(place: Place) -> None:
    place.end.unplug()
    place.link.start()
    await place.until(lambda: place.states() == [("backoff", "missing")])
    for _ in range(4):  # it goes on looking, and says it once
        await pause(0.2)
        assert place.link.state in ("backoff", "opening")
        assert place.link.quality()["word"] == "missing"
    assert len(place.states()) == 1
    loop = asyncio.get_running_loop()
    appeared = loop.time()
    place.end.replug()
    await place.until(lambda: place.link.state == "online")
    assert loop.time() - appeared < 1.0


async def test_a_server_that_died_without_a_word_is_found_out_by_its_silence() -> None:
    place = Place("tcp")
    await place.online()
    assert isinstance(place.end, TcpEndpoint)
    place.end.dead = True
    await place.until(lambda: place.states())
    assert place.states()[0] == ("lost", "board_silent")
    place.end.dead = False
    await place.until(lambda: place.link.state == "online")
    await place.close()


@pytest.mark.report("B012")
async def test_usb_board_that_comes_back_elsewhere_is_found_by_its_number(usb: Place) -> None:
    await usb.online()
    old = usb.device.address
    usb.end.unplug()
    await usb.until(lambda: ("backoff", "missing") in usb.states())
    assert usb.states()[0] == ("lost", "cable_pulled")
    usb.bus.plug(UsbDevice("another"))
    usb.end.replug()
    await usb.back()
    assert usb.device.address not in (0, old)
    assert usb.device.claims


@pytest.mark.report("B023")
async def test_usb_port_that_fell_asleep_is_woken_and_nothing_is_missed(usb: Place) -> None:
    """Two seconds idle and the port sleeps: what the board senses then waits, until the host speaks."""
    await usb.online()
    usb.device.asleep = True
    usb.table.board.emit(EventKind.SEAT_KEY, 3, 1, Source.SENSOR)
    await usb.until(lambda: any(isinstance(told, BoardEvent) and told.side == 3 for told in usb.told))
    assert usb.states() == [], "the heartbeat woke it in time"


async def fails_at_hello(usb: Place, rounds: int) -> None:
    """The port opens and the greeting never completes: each try leaves the board alone."""
    usb.table.board.detach()
    usb.device.on_out = lambda pipe, data: None
    usb.link.start()
    await usb.until(lambda: usb.states())
    async with asyncio.timeout(120):
        while usb.link.quality()["rounds"] < rounds:
            await pause(0.1)
    assert usb.device.did == [], "no reset, no configuration, nothing but bytes"


@pytest.mark.report("B017")
async def test_usb_board_that_never_greets_is_not_reset(usb: Place) -> None:
    await fails_at_hello(usb, 2)
    assert usb.states() == [("backoff", "board_silent")]


@pytest.mark.long
@pytest.mark.report("B017")
@pytest.mark.timeout(180)
async def test_usb_board_that_never_greets_calls_for_a_person(usb: Place) -> None:
    await fails_at_hello(usb, 10)
    await usb.until(lambda: usb.states()[-1] == ("backoff", "needs_a_person"))
    usb.device.on_out = usb.end._heard  # type: ignore[attr-defined]  # somebody mended it
    usb.table.board.attach(usb.end)
    assert usb.link.retry()
    await usb.until(lambda: usb.link.state == "online")


@pytest.mark.parametrize(
    ("fault", "counted"),
    [
        (lambda device: device.halt(0x81), "stalls"),
        (lambda device: device.halt(0x01), "stalls"),
        (lambda device: device.babble(), "overflows"),
    ],
    ids=["stall in", "stall out", "babble"],
)
async def test_a_hiccup_of_the_bus_is_counted_and_repeated_over(
    usb: Place, fault: Callable[[UsbDevice], None], counted: str
) -> None:
    await usb.online()
    fault(usb.device)
    usb.link.ask_clock(lambda *_: usb.hear(LinkChange(device="x", state="asked"), 0, 0))
    await usb.until(lambda: ("asked", "") in usb.states())
    assert usb.states() == [("asked", "")]
    assert usb.link.quality()["port_faults"] == {counted: 1}


async def test_a_forbidden_usb_board_says_which_rule_it_needs(usb: Place) -> None:
    usb.device.forbidden = True
    usb.link.start()
    await usb.until(lambda: usb.states() == [("backoff", "forbidden")])
    detail = usb.link.quality()["detail"]
    assert detail == {
        "port": "usb:1209:7ab1:T0001",
        "vid": "1209",
        "pid": "7ab1",
        "sentence": "port.forbidden_usb",
    }
    usb.device.forbidden = False
    await usb.back()


async def test_five_hundred_greetings_leave_nothing(place: Place) -> None:
    await place.online()
    await place.link.close()
    await place.port.settle()
    await pause(0.05)
    before = held()
    for _ in range(500):
        driver = AtpDriver(place.port.open)
        greeted = asyncio.Event()
        await driver.open(lambda report: greeted.set(), journal_id=JOURNAL, last_event=0)  # noqa: B023
        async with asyncio.timeout(PATIENCE):
            await greeted.wait()
        driver.close()
    await place.port.settle()
    async with asyncio.timeout(PATIENCE):
        while held() != before:
            await pause(0.01)
