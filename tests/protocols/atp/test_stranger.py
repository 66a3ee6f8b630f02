"""A board written from SPEC.md alone works with our host: on a real pty, and frame by frame."""

from __future__ import annotations

import ast
import asyncio
import os
import pty
import subprocess
import sys
import tty
from collections.abc import Callable
from pathlib import Path

import pytest

from protocols.atp.driver import AtpDriver
from protocols.driver import BoardEvent, ClockSample, Hello, Reply, Report, Status
from protocols.transports.base import Stream, StreamHandler
from protocols.transports.serial import open_serial
from protocols.vocabulary import EventKind, Fault, Operation, Order, Refusal, Stage, StoreState

STRANGER = Path(__file__).parents[1] / "stranger.py"
PATIENCE = 20.0


def test_the_stranger_knows_nothing_of_the_project() -> None:
    tree = ast.parse(STRANGER.read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))
    assert imported <= sys.stdlib_module_names


@pytest.mark.process
async def test_a_stranger_says_hello_homes_builds_throws_dice_and_stops() -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)
    peer = subprocess.Popen([sys.executable, str(STRANGER), str(master)], pass_fds=[master])
    os.close(master)
    reports: list[Report] = []
    news = asyncio.Event()

    def sink(report: Report) -> None:
        reports.append(report)
        news.set()

    async def until(fact: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not fact():
                news.clear()
                await news.wait()

    async def opener(handler: StreamHandler) -> Stream:
        return await open_serial(os.ttyname(slave), handler)

    def ended(id: int) -> list[Reply]:
        return [r for r in reports if isinstance(r, Reply) and r.id == id and r.stage.final]

    def events() -> list[BoardEvent]:
        return [r for r in reports if isinstance(r, BoardEvent)]

    driver = AtpDriver(opener)
    try:
        await driver.open(sink, journal_id=bytes(range(16)), last_event=0)
        await until(lambda: any(isinstance(r, Hello) for r in reports))
        hello = reports[0]
        assert isinstance(hello, Hello)
        assert (hello.vendor, hello.profiles) == ("Stranger", (136, 144))
        driver.ask_status()
        driver.ask_clock()
        await until(lambda: {Status, ClockSample} <= {type(r) for r in reports})
        driver.operate(Order(256, Operation.BUILD))
        await until(lambda: bool(ended(256)))
        assert ended(256)[0].refusal is Refusal.NOT_READY
        driver.operate(Order(512, Operation.HOME))
        await until(lambda: bool(ended(512)))
        driver.operate(Order(768, Operation.SET_PROFILE, count=144))
        driver.operate(Order(1024, Operation.BUILD))
        await until(lambda: bool(ended(1024)))
        assert ended(1024)[0].value == 144
        driver.operate(Order(1280, Operation.DICE, side=2, count=2))
        driver.operate(Order(1280, Operation.DICE, side=2, count=2))
        await until(lambda: bool(ended(1280)) and len(events()) == 6)
        assert [event.number for event in events()] == [1, 2, 3, 4, 5, 6]
        assert [event.kind for event in events()] == [
            EventKind.BOOT,
            EventKind.PROFILE_CHANGED,
            EventKind.BUILD_STARTED,
            EventKind.BUILD_DONE,
            EventKind.DICE_STARTED,
            EventKind.DICE_RESULT,
        ]
        assert ended(1280)[0].value == events()[-1].value
        driver.operate(Order(1536, Operation.DICE, side=2, count=2))
        await until(lambda: len(events()) == 7)
        driver.stop()
        await until(lambda: bool(ended(1536)) and len(events()) == 8)
        assert (ended(1536)[0].stage, ended(1536)[0].fault) == (Stage.FAILED, Fault.NONE)
        assert events()[-1].kind is EventKind.STOPPED
        driver.acknowledge(8, hello.boot_id)
        reports.clear()
        driver.ask_status()
        await until(lambda: bool(reports))
        status = reports[-1]
        assert isinstance(status, Status)
        assert (status.store, status.stopped, status.last_event) == (StoreState.READY, True, 8)
        assert driver.counters.crc_errors == driver.counters.unknown == 0
    finally:
        driver.close()
        peer.kill()
        peer.communicate()
        os.close(slave)
