"""A keypad box on a line: every key once and in order, whatever the line does; lamps; restarts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import TypeVar

import pytest

from protocols.driver import BoardEvent, ClockSample, EventsLost, Gone, Hello, Reply, Report
from protocols.lines.driver import LinesDriver
from protocols.lines.line import BOX, line
from protocols.vocabulary import (
    NO_SIDE,
    Capability,
    EventKind,
    Lamp,
    Operation,
    Order,
    SeatKey,
    Source,
    Stage,
)
from sim.endpoints.memory import MemoryEndpoint
from sim.keypad import BOOT_S, Keypad
from sim.timebase import TableTimer, pause, run_virtual

T = TypeVar("T")
JOURNAL = bytes(range(16))


class Lights:
    """Lamps that can be looked at."""

    def __init__(self) -> None:
        self.lamp = Lamp.OFF
        self.shown: list[Lamp] = []

    def show_lamp(self, lamp: Lamp, side: int = NO_SIDE) -> None:
        self.lamp = lamp
        self.shown.append(lamp)


class Seat:
    """A box, its line and a driver."""

    def __init__(self, seed: int = 1) -> None:
        self.lights = Lights()
        self.end = MemoryEndpoint(Random(seed), latency=0.001, baud=115_200)
        loop = asyncio.get_running_loop()
        self.box = Keypad(TableTimer(loop), Random(seed), lights=self.lights)
        self.box.attach(self.end)
        self.reports: list[Report] = []
        self.driver = LinesDriver(self.end.host)
        self._news = asyncio.Event()

    def hear(self, report: Report) -> None:
        self.reports.append(report)
        self._news.set()

    def all(self, kind: type[T]) -> list[T]:
        return [report for report in self.reports if isinstance(report, kind)]

    async def until(self, fact: Callable[[], bool], seconds: float = 60.0) -> None:
        async with asyncio.timeout(seconds):
            while not fact():
                self._news.clear()
                await self._news.wait()

    async def open(self, last: int = 0, boot: int = 0) -> Hello:
        await pause(0.01)
        count = len(self.all(Hello))
        await self.driver.open(self.hear, journal_id=JOURNAL, last_event=last, boot_id=boot)
        await self.until(lambda: len(self.all(Hello)) > count)
        return self.all(Hello)[-1]

    def press(self, side: int, key: SeatKey) -> None:
        self.box.emit(EventKind.SEAT_KEY, side, key, Source.SENSOR)

    def keys(self) -> list[int]:
        return [event.number for event in self.all(BoardEvent)]

    def close(self) -> None:
        self.driver.close()
        self.box.close()


def at_a_seat(play: Callable[[Seat], Awaitable[None]], seed: int = 1) -> None:
    async def main() -> None:
        seat = Seat(seed)
        await seat.open()
        await play(seat)
        seat.close()

    run_virtual(main())


def test_a_key_arrives_with_its_side_and_time() -> None:
    async def play(seat: Seat) -> None:
        before = seat.box.board_us(asyncio.get_running_loop().time())
        seat.press(2, SeatKey.PUNG)
        await seat.until(lambda: bool(seat.keys()))
        (event,) = seat.all(BoardEvent)
        assert (event.kind, event.side, event.value) == (EventKind.SEAT_KEY, 2, SeatKey.PUNG)
        assert event.board_us == before
        assert Capability.SEAT_KEYS in seat.all(Hello)[0].capabilities

    at_a_seat(play)


@pytest.mark.parametrize("seed", range(8))
def test_on_a_bad_line_every_key_arrives_once_and_in_order(seed: int) -> None:
    async def play(seat: Seat) -> None:
        for noise in (seat.end.to_host, seat.end.to_board):
            noise.damage, noise.drop, noise.jitter = 0.004, 0.002, 0.01
        for number in range(1, 61):
            seat.press(number % 4, SeatKey(1 + number % 7))
            await pause(0.4)
            if seat.keys():
                seat.driver.acknowledge(seat.keys()[-1], seat.box.boot_id)
        await seat.until(lambda: len(seat.keys()) == 60)
        assert seat.keys() == list(range(1, 61))
        assert seat.driver.counters.crc_errors > 0
        assert not seat.all(Gone)

    at_a_seat(play, seed)


def test_what_was_not_recorded_is_told_again_on_the_next_connection() -> None:
    async def play(seat: Seat) -> None:
        for _ in range(3):
            seat.press(0, SeatKey.DISCARD)
        await seat.until(lambda: len(seat.keys()) == 3)
        seat.driver.acknowledge(2, seat.box.boot_id)
        await pause(0.1)
        seat.driver.close()
        seat.reports.clear()
        seat.driver = LinesDriver(seat.end.host)
        await seat.open(last=2, boot=seat.box.boot_id)
        await seat.until(lambda: bool(seat.keys()))
        assert seat.keys() == [3]

    at_a_seat(play)


def test_events_a_box_forgot_are_said_to_be_lost() -> None:
    async def play(seat: Seat) -> None:
        seat.end.to_host.deaf = True
        for _ in range(40):
            seat.press(0, SeatKey.DISCARD)
        await pause(0.2)
        seat.end.to_host.deaf = False
        await seat.until(lambda: len(seat.keys()) > 0)
        assert seat.all(EventsLost) == [EventsLost(1, 8)]
        assert seat.keys()[0] == 9

    at_a_seat(play)


def test_lamps_are_lit_once_for_an_order_given_often() -> None:
    async def play(seat: Seat) -> None:
        for _ in range(3):
            seat.driver.operate(Order(256, Operation.LAMPS, count=Lamp.PLAY))
        await seat.until(lambda: bool(seat.all(Reply)))
        await pause(1.0)
        assert seat.lights.shown == [Lamp.PLAY]
        assert [reply.stage for reply in seat.all(Reply)] == [Stage.DONE]

    at_a_seat(play)


def test_what_it_has_no_motor_for_is_refused() -> None:
    async def play(seat: Seat) -> None:
        seat.driver.operate(Order(256, Operation.RAISE))
        await seat.until(lambda: bool(seat.all(Reply)))
        assert seat.all(Reply)[0].stage is Stage.REFUSED

    at_a_seat(play)


def test_without_a_host_the_lamps_say_hold() -> None:
    async def play(seat: Seat) -> None:
        seat.driver.operate(Order(256, Operation.LAMPS, count=Lamp.PLAY))
        await pause(0.5)
        seat.end.to_board.deaf = True
        await pause(2.0)
        assert seat.lights.lamp is Lamp.HOLD

    at_a_seat(play)


def test_a_box_that_restarts_when_its_port_is_opened_is_waited_for() -> None:
    async def main() -> None:
        seat = Seat()
        await pause(0.01)
        seat.box.reset()
        began = asyncio.get_running_loop().time()
        await seat.open()
        assert asyncio.get_running_loop().time() - began < BOOT_S + 0.5
        seat.close()

    run_virtual(main())


def test_a_restart_shows_as_another_boot() -> None:
    async def play(seat: Seat) -> None:
        first = seat.all(Hello)[0].boot_id
        seat.press(0, SeatKey.DISCARD)
        await seat.until(lambda: bool(seat.keys()))
        seat.box.reset()
        await pause(1.0)
        seat.box.power_on()
        await seat.until(lambda: len(seat.all(Hello)) == 2)
        assert seat.all(Hello)[1].boot_id != first
        seat.press(1, SeatKey.WIN)
        await seat.until(lambda: len(seat.keys()) == 2)
        assert seat.keys() == [1, 1]  # numbers begin anew

    at_a_seat(play)


def test_chatter_is_no_noise() -> None:
    async def play(seat: Seat) -> None:
        for number in range(50):
            seat.box.chatter(f"debug {number}: <ok> *")
        seat.driver.ask_clock()
        await seat.until(lambda: bool(seat.all(ClockSample)))
        assert seat.driver.counters.crc_errors == 0

    at_a_seat(play)


def test_a_silent_box_is_gone() -> None:
    async def play(seat: Seat) -> None:
        seat.end.to_host.deaf = True
        await pause(3.0)
        assert [gone.key for gone in seat.all(Gone)] == ["silent"]

    at_a_seat(play)


def test_a_box_of_another_version_is_told_apart() -> None:
    async def main() -> None:
        end = MemoryEndpoint(Random(1))
        end.attach(lambda data: end.write(line(BOX, "hello", 1, "2-3", boot=1)) if b"hello" in data else None)
        reports: list[Report] = []
        driver = LinesDriver(end.host)
        await pause(0.01)
        await driver.open(reports.append, journal_id=JOURNAL, last_event=0)
        await pause(1.0)
        assert [report.key for report in reports if isinstance(report, Gone)] == ["version"]
        driver.close()
        end.close()

    run_virtual(main())
