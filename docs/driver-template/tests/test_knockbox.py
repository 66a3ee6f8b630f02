"""The driver against a box of software, under virtual time: no hardware, no waiting."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path

import pytest
import tablectl_knockbox
from box import Box
from tablectl_knockbox import PLUGIN, frame, unframe

from protocols.transports.memory import Line
from sim.timebase import VirtualLoop, pause
from tablectl.driver_api import API, BoardEvent, ClockSample, Gone, Hello, Opener, Report, Status

JOURNAL = bytes(16)


class Room:
    """A driver and a box on one line, and what the driver told."""

    def __init__(self, **options: object) -> None:
        self.line = Line(latency=0.001, baud=9600)
        self.told: list[Report] = []
        opener: Opener = self.line.a.open
        self.driver = PLUGIN.make(opener, options)

    async def connect(self, last_event: int = 0, boot_id: int = 0) -> None:
        stream = await self.line.b.open(self)
        self.box = Box(stream.write)
        await self.driver.open(self.told.append, journal_id=JOURNAL, last_event=last_event, boot_id=boot_id)

    def received(self, data: bytes) -> None:
        self.box.received(data)

    def lost(self, error: object) -> None:
        self.box.close()

    def heard(self, kind: type[Report]) -> list[Report]:
        return [report for report in self.told if isinstance(report, kind)]


def play(story) -> None:
    """Run a coroutine under virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(story)


def test_it_greets_and_tells_clock_and_status() -> None:
    async def story() -> None:
        room = Room()
        await room.connect()
        await pause(0.1)
        room.driver.ask_clock()
        room.driver.ask_status()
        await pause(0.1)
        (hello,) = room.heard(Hello)
        assert (hello.serial, hello.boot_id) == ("K-0001", 7)
        assert len(room.heard(ClockSample)) == len(room.heard(Status)) == 1
        room.driver.close()

    play(story())


def test_a_knock_is_told_once_however_often_it_is_said() -> None:
    async def story() -> None:
        room = Room(sides=[2, 3, 0, 1])
        await room.connect()
        await pause(0.1)
        room.box.knock(0)
        await pause(3.5)
        room.box.knock(1)
        await pause(0.1)
        assert [(event.number, event.side) for event in room.heard(BoardEvent)] == [(1, 2), (2, 3)]
        assert room.driver.counters.events_repeated >= 3
        room.driver.close()

    play(story())


def test_what_was_recorded_before_is_not_told_again() -> None:
    async def story() -> None:
        room = Room()
        await room.connect(last_event=1, boot_id=7)
        await pause(0.1)
        room.box.knock(0)
        room.box.knock(1)
        await pause(0.1)
        assert [event.number for event in room.heard(BoardEvent)] == [2]
        room.driver.close()

    play(story())


def test_a_box_that_falls_silent_is_gone() -> None:
    async def story() -> None:
        room = Room()
        await room.connect()
        await pause(5.0)
        assert room.heard(Gone) == [], "it is asked for its clock when nobody knocks"
        room.box.mute = True
        await pause(3.0)
        assert [gone.key for gone in room.heard(Gone)] == ["silent"]
        room.driver.close()

    play(story())


def test_a_damaged_line_is_no_knock() -> None:
    good = frame("HIT", 1, 20, 2)
    assert unframe(good) == ["HIT", "1", "20", "2"]
    for at in range(len(good) - 1):
        assert unframe(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :]) == [], at


def test_an_option_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="sides must name"):
        Room(sides=[0, 0, 1, 2])


def test_it_is_written_for_this_contract_and_imports_nothing_else() -> None:
    assert PLUGIN.api == API
    tree = ast.parse(Path(tablectl_knockbox.__file__).read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert modules == {"__future__", "tablectl.driver_api"}
