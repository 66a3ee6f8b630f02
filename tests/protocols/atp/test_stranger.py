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
from protocols.vocabulary import EventKind, Operation, Order, Stage, StoreState

STRANGER = Path(__file__).parents[1] / "stranger.py"
PATIENCE = 20.0


def test_the_stranger_knows_nothing_of_the_project() -> None:
    tree = ast.parse(STRANGER.read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))
    assert imported <= sys.stdlib_module_names


@pytest.mark.process
async def test_a_stranger_says_hello_builds_and_throws_dice() -> None:
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

    def done(id: int) -> list[Reply]:
        return [r for r in reports if isinstance(r, Reply) and r.id == id and r.stage is Stage.DONE]

    driver = AtpDriver(opener)
    try:
        await driver.open(sink, journal_id=bytes(range(16)), last_event=0)
        await until(lambda: any(isinstance(r, Hello) for r in reports))
        hello = reports[0]
        assert isinstance(hello, Hello)
        assert (hello.vendor, hello.profiles) == ("stranger", (144,))
        driver.ask_status()
        driver.ask_clock()
        await until(lambda: {Status, ClockSample} <= {type(r) for r in reports})
        driver.operate(Order(256, Operation.BUILD))
        await until(lambda: bool(done(256)))
        driver.operate(Order(512, Operation.DICE, side=2, count=2))
        driver.operate(Order(512, Operation.DICE, side=2, count=2))
        await until(lambda: bool(done(512)) and sum(isinstance(r, BoardEvent) for r in reports) == 8)
        events = [r for r in reports if isinstance(r, BoardEvent)]
        assert [event.number for event in events] == list(range(1, 9))
        assert [event.kind for event in events][-2:] == [EventKind.DICE_STARTED, EventKind.DICE_RESULT]
        assert done(512)[0].value == events[-1].value == 0x42
        driver.acknowledge(8, hello.boot_id)
        reports.clear()
        driver.ask_status()
        await until(lambda: bool(reports))
        status = reports[-1]
        assert isinstance(status, Status)
        assert (status.store, status.last_event) == (StoreState.READY, 8)
        assert driver.counters.crc_errors == driver.counters.unknown == 0
    finally:
        driver.close()
        peer.kill()
        peer.communicate()
        os.close(slave)
