"""The Arduino example of docs/lines.md, compiled for this computer and held against the host."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import shutil
import subprocess
import tty
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from protocols.driver import BoardEvent, ClockSample, Hello, Reply, Report, Status
from protocols.lines.driver import LinesDriver
from protocols.transports.port import port_at
from protocols.vocabulary import Capability, EventKind, Lamp, Operation, Order, Refusal, SeatKey, Stage

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler"),
]
PAGE = Path(__file__).parents[3] / "docs/lines.md"
SHIM = Path(__file__).parent / "arduino"
PATIENCE = 20.0
JOURNAL = bytes(range(16))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (sketch,) = re.findall(r"^```cpp\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    folder = tmp_path_factory.mktemp("sketch")
    (folder / "keypad.cpp").write_text(sketch, encoding="utf-8")
    command = ["g++", "-std=c++17", "-Wall", "-Werror", f"-I{SHIM}", "keypad.cpp", "-o", "keypad"]
    subprocess.run(command, cwd=folder, check=True, timeout=60)
    return folder / "keypad"


class Box:
    """The program on a pty, its keys, and a driver."""

    def __init__(self, program: Path) -> None:
        master, slave = pty.openpty()
        tty.setraw(slave)
        keys, self._keys = os.pipe()
        self._running = subprocess.Popen(
            [program], stdin=master, stdout=master, pass_fds=[keys], env={"KEYS": str(keys)}
        )
        os.close(keys)
        os.close(master)
        self._slave = slave
        self.reports: list[Report] = []
        self.driver = LinesDriver(port_at(os.ttyname(slave)).open)
        self._news = asyncio.Event()

    def press(self, seat: int, key: SeatKey) -> None:
        os.write(self._keys, f"{seat}{key - 1}".encode())

    def hear(self, report: Report) -> None:
        self.reports.append(report)
        self._news.set()

    async def until(self, fact: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not fact():
                self._news.clear()
                await self._news.wait()

    async def heard(self, kind: type[Report]) -> Report:
        await self.until(lambda: any(isinstance(report, kind) for report in self.reports))
        return next(report for report in self.reports if isinstance(report, kind))

    def close(self) -> None:
        self.driver.close()
        self._running.kill()
        self._running.wait()
        os.close(self._keys)
        os.close(self._slave)


@pytest.fixture
async def box(program: Path) -> AsyncIterator[Box]:
    made = Box(program)
    await made.driver.open(made.hear, journal_id=JOURNAL, last_event=0)
    yield made
    made.close()


async def test_the_example_says_who_it_is(box: Box) -> None:
    hello = await box.heard(Hello)
    assert isinstance(hello, Hello)
    assert (hello.vendor, hello.boot_id) == ("club", 7)
    assert hello.capabilities == Capability.SEAT_KEYS | Capability.LAMPS
    box.driver.ask_clock()
    box.driver.ask_status()
    assert isinstance(await box.heard(ClockSample), ClockSample)
    assert isinstance(await box.heard(Status), Status)


async def test_its_keys_arrive_in_order(box: Box) -> None:
    await box.heard(Hello)
    pressed = [(0, SeatKey.DISCARD), (3, SeatKey.WIN), (2, SeatKey.PUNG)]
    for count, (seat, key) in enumerate(pressed, 1):
        box.press(seat, key)
        await box.until(lambda n=count: sum(isinstance(one, BoardEvent) for one in box.reports) == n)  # type: ignore[misc]
    events = [report for report in box.reports if isinstance(report, BoardEvent)]
    assert [(event.kind, event.side, event.value) for event in events] == [
        (EventKind.SEAT_KEY, seat, key) for seat, key in pressed
    ]


async def test_its_lamps_obey_and_the_rest_is_refused(box: Box) -> None:
    await box.heard(Hello)
    box.driver.operate(Order(1 << 40, Operation.LAMPS, count=Lamp.PLAY))
    box.driver.operate(Order(512, Operation.RAISE))
    await box.until(lambda: sum(isinstance(one, Reply) for one in box.reports) == 2)
    replies = {reply.id: reply for reply in box.reports if isinstance(reply, Reply)}
    assert replies[1 << 40].stage is Stage.DONE
    assert (replies[512].stage, replies[512].refusal) == (Stage.REFUSED, Refusal.UNSUPPORTED)
