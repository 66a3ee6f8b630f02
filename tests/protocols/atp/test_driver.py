"""The ATP driver over an in-process line, under virtual time: what reaches the sink, and when it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from protocols.atp.board import BoardSession
from protocols.atp.driver import AtpDriver
from protocols.atp.pump import Pump
from protocols.driver import BoardEvent, ClockSample, Driver, Gone, Hello, Reply, Report, Status
from protocols.errors import PortMissing
from protocols.transports.memory import Line, memory_pair
from protocols.vocabulary import EventKind, Operation, Order, Stage
from sim.timebase import run_virtual
from tests.protocols.rig import HELLO, JOURNAL, FakeBoard


class Table:
    """A driver and a board on a line."""

    def __init__(self) -> None:
        host, board, self.line = memory_pair(latency=0.001, baud=115200)
        self.app = FakeBoard()
        self.session = BoardSession(self.app, asyncio.get_running_loop().time())
        self.pump = Pump(self.session)
        self.driver = AtpDriver(host.open)
        self.reports: list[Report] = []
        self._board_end = board

    async def open(self) -> Table:
        self.pump.start(await self._board_end.open(self.pump))
        await self.driver.open(self.reports.append, journal_id=JOURNAL, last_event=0)
        return self

    def kinds(self) -> list[type]:
        return [type(report) for report in self.reports]

    def event(self) -> None:
        self.session.event(EventKind.SEAT_KEY, side=1, value=1, board_us=1)
        self.pump.kick()


async def passes(seconds: float) -> None:
    loop = asyncio.get_running_loop()
    done = loop.create_future()
    loop.call_later(seconds, done.set_result, None)
    await done


def at_a_table(scene: Callable[[Table], Awaitable[None]]) -> None:
    """Play a scene with an open driver."""

    async def main() -> None:
        table = await Table().open()
        await passes(0.1)
        assert table.reports == [HELLO]
        await scene(table)

    run_virtual(main())


def test_it_is_a_driver() -> None:
    async def scene(table: Table) -> None:
        driver: Driver = table.driver
        assert driver.limits(Operation.BUILD).done > driver.limits(Operation.DICE).done

    at_a_table(scene)


def test_everything_asked_comes_to_the_sink() -> None:
    async def scene(table: Table) -> None:
        driver = table.driver
        driver.ask_status()
        token = driver.ask_clock()
        driver.query(512)
        driver.operate(Order(256, Operation.DICE, side=1, count=2))
        await passes(0.2)
        assert set(table.kinds()) == {Hello, Status, ClockSample, Reply}
        assert next(r.token for r in table.reports if isinstance(r, ClockSample)) == token
        stages = {reply.id: reply.stage for reply in table.reports if isinstance(reply, Reply)}
        assert stages == {512: Stage.UNKNOWN, 256: Stage.ACCEPTED}

    at_a_table(scene)


def test_an_event_is_acknowledged_through_the_driver() -> None:
    async def scene(table: Table) -> None:
        table.event()
        await passes(0.02)
        assert table.kinds()[1:] == [BoardEvent]
        table.driver.acknowledge(1, table.app.boot)
        await passes(5.0)
        assert table.driver.counters.events_repeated == 0

    at_a_table(scene)


def test_stop_reaches_the_board() -> None:
    async def scene(table: Table) -> None:
        table.driver.stop()
        await passes(1.0)
        assert table.app.stops == 1

    at_a_table(scene)


@pytest.mark.report("B001")
@pytest.mark.parametrize("waiting", [False, True], ids=["idle", "waiting for an answer"])
def test_a_pulled_cable_is_one_report(waiting: bool) -> None:
    async def scene(table: Table) -> None:
        if waiting:
            table.driver.operate(Order(256, Operation.DICE))
        table.line.cut()
        await passes(5.0)
        (gone,) = table.reports[1:]
        assert isinstance(gone, Gone)
        assert gone.key == "port"
        assert "the line was cut" in gone.detail

    at_a_table(scene)


@pytest.mark.report("B025")
def test_a_cable_back_after_200_ms_was_lost_all_the_same() -> None:
    async def scene(table: Table) -> None:
        table.app.runs = True
        table.line.cut()
        await passes(0.2)
        table.line.restore()
        await passes(5.0)
        assert table.kinds() == [Hello, Gone]
        table.driver.close()
        again = AtpDriver(table.line.a.open)
        await again.open(table.reports.append, journal_id=JOURNAL, last_event=0)
        table.pump.start(await table.line.b.open(table.pump))
        await passes(1.0)
        assert table.kinds() == [Hello, Gone, Hello]

    at_a_table(scene)


def test_a_silent_board_is_gone_and_the_port_can_be_closed_then() -> None:
    async def scene(table: Table) -> None:
        table.line.to_a = lambda data: []
        await passes(1.6)
        (gone,) = table.reports[1:]
        assert isinstance(gone, Gone)
        assert gone.key == "silent"
        table.driver.close()
        await AtpDriver(table.line.a.open).open(table.reports.append, journal_id=JOURNAL, last_event=0)

    at_a_table(scene)


def test_nothing_is_reported_after_close() -> None:
    async def scene(table: Table) -> None:
        table.driver.ask_status()
        table.driver.close()
        table.driver.operate(Order(256, Operation.DICE))
        assert table.driver.ask_clock() == 0
        table.line.cut()
        await passes(5.0)
        assert table.reports == [HELLO]

    at_a_table(scene)


def test_the_sink_may_close_the_driver() -> None:
    async def main() -> None:
        table = Table()
        heard: list[Report] = []

        def sink(report: Report) -> None:
            heard.append(report)
            table.driver.close()

        table.session.event(EventKind.BOOT, board_us=0)
        table.pump.start(await table.line.b.open(table.pump))
        await table.driver.open(sink, journal_id=JOURNAL, last_event=0)
        await passes(5.0)
        assert heard == [HELLO]

    run_virtual(main())


def test_a_port_that_cannot_be_opened_raises() -> None:
    async def main() -> None:
        host, _, line = memory_pair()
        line.cut()
        with pytest.raises(PortMissing):
            await AtpDriver(host.open).open(lambda report: None, journal_id=JOURNAL, last_event=0)

    run_virtual(main())


@pytest.mark.report("B010")
@pytest.mark.report("B011")
@pytest.mark.parametrize("cut", [1, 3], ids=["byte by byte", "threes"])
def test_pieces_and_noise_on_the_line_change_nothing(cut: int) -> None:
    def shatter(data: bytes) -> list[bytes]:
        noisy = b"\xff\xff" + data + b"resend: stopped\n"
        return [noisy[at : at + cut] for at in range(0, len(noisy), cut)]

    async def scene(table: Table) -> None:
        _shatter(table.line, shatter)
        for number in range(20):
            table.driver.operate(Order((number + 1) << 8, Operation.LAMPS, count=number))
            await passes(0.1)
        assert [order.count for order in table.app.executed] == list(range(20))
        assert table.driver.counters.bad_bytes > 0
        assert table.driver.counters.retries == 0

    def _shatter(line: Line, hook: Callable[[bytes], list[bytes]]) -> None:
        line.to_a = line.to_b = hook

    at_a_table(scene)
