"""The link over the real ATP driver and a memory line: the same behaviour with the bytes really framed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from protocols.atp.board import BoardSession
from protocols.atp.driver import AtpDriver
from protocols.atp.pump import Pump
from protocols.driver import Hello, Status
from protocols.transports.memory import memory_pair
from protocols.vocabulary import EventKind, Operation, Order, Refusal
from tablectl.game.effects import Operate, Query
from tablectl.game.inputs import BoardEvent, OperationReply, OperationSilent


class Twin:
    """A board without a mechanism: it accepts every order and does it when told."""

    def __init__(self, room, end) -> None:
        self.room = room
        self.end = end
        self.orders: list[Order] = []
        self.stops = 0
        self.boot()

    def boot(self) -> None:
        """Start anew, with a new session."""
        self.orders.clear()
        self.session = BoardSession(self, self.room.loop.time())

    async def plug(self) -> None:
        """Open its end of the line."""
        self.pump = Pump(self.session)
        self.pump.start(await self.end.open(self.pump))

    def senses(self, kind: EventKind, **fields: int) -> None:
        self.session.event(kind, board_us=self.board_us(self.room.loop.time()), **fields)
        self.pump.kick()

    def hello(self) -> Hello:
        return self.room.board.hello()

    def status(self) -> Status:
        return self.room.board.status()

    def operate(self, order: Order) -> Refusal:
        self.orders.append(order)
        return Refusal.NONE

    def stop(self) -> bool:
        self.stops += 1
        return True

    def host_silent(self) -> None:
        pass

    def moving(self) -> bool:
        return False

    def board_us(self, now: float) -> int:
        return self.room.board.us()


@pytest.fixture
def wired(room) -> Iterator:
    """A room whose link speaks ATP to a twin over a line at 115200 baud."""
    room.host_end, board_end, room.line = memory_pair(latency=0.001, baud=115200)
    room.twin = Twin(room, board_end)
    room.loop.run_until_complete(room.twin.plug())
    room.make(driver_factory=lambda: AtpDriver(room.host_end.open))
    yield room
    room.loop.run_until_complete(room.link.close())
    room.twin.pump.close()


def soon(room, fn: Callable[[], object]) -> None:
    """Call from inside the loop, where a driver wants to be called."""
    room.loop.call_soon(fn)
    room.run(0.5)


def test_online_in_time_with_a_clock(wired) -> None:
    wired.link.start()
    wired.run(0.3)
    assert wired.states() == [("reconcile", ""), ("online", "")]
    clock = wired.link.quality()["clock"]
    assert clock["ready"]
    assert clock["uncertainty_us"] < 20_000


def test_order_and_event_travel(wired) -> None:
    wired.online()
    soon(wired, lambda: wired.link.operate(Operate("table", 768, "build")))
    assert [order.operation for order in wired.twin.orders] == [Operation.BUILD]
    sensed = wired.clock.now_us()
    wired.loop.call_soon(lambda: wired.twin.senses(EventKind.SEAT_KEY, side=1, value=7))
    wired.run(0.1)
    assert [type(told) for told in wired.told] == [OperationReply, BoardEvent]
    at, unc = wired.times[1]
    assert abs(at - sensed) <= unc < 20_000


def test_events_of_a_break_come_with_their_own_times(wired) -> None:
    wired.online()
    soon(wired, wired.line.cut)
    wired.run(3.0)
    sensed = wired.clock.now_us()
    wired.twin.session.event(EventKind.CENTRE_OPENED, board_us=wired.board.us())
    wired.run(3.0)
    wired.line.restore()
    wired.loop.run_until_complete(wired.twin.plug())
    wired.run(1.0)
    assert wired.states() == [
        ("lost", "cable_pulled"),
        ("backoff", "cable_pulled"),
        ("backoff", "missing"),
        ("reconcile", ""),
        ("online", ""),
    ]
    (n,) = [n for n, told in enumerate(wired.told) if isinstance(told, BoardEvent)]
    at, unc = wired.times[n]
    assert abs(at - sensed) <= unc < 50_000


def test_recorded_event_is_forgotten_by_the_board(wired) -> None:
    wired.online()
    soon(wired, lambda: wired.twin.senses(EventKind.CENTRE_OPENED))
    soon(wired, lambda: wired.link.durable(7, 1))
    assert wired.link.last_event(7) == 1
    repeated = wired.twin.session.counters.retries
    wired.run(5.0)
    assert wired.twin.session.counters.retries == repeated


def test_board_silent_then_found_again(wired) -> None:
    wired.online()
    wired.line.to_a = lambda data: []
    wired.run(4.0)
    assert wired.states()[:2] == [("lost", "board_silent"), ("backoff", "board_silent")]
    wired.line.to_a = lambda data: [data]
    wired.run(3.0)
    assert wired.link.state == "online"


def test_line_that_garbles_everything_is_noise(wired) -> None:
    wired.online()
    wired.line.to_a = lambda data: [bytes(byte ^ 0x41 for byte in data)]
    wired.run(4.0)
    assert wired.states()[0] == ("lost", "line_noise")


def test_reboot_while_connected(wired) -> None:
    wired.online()
    wired.board.reboots()
    wired.twin.pump.close()
    wired.twin.boot()
    wired.loop.run_until_complete(wired.twin.plug())
    wired.run(5.0)
    assert wired.link.state == "online"
    assert wired.states()[0] == ("lost", "board_rebooted")
    assert wired.states()[-2:] == [("reconcile", "board_rebooted"), ("online", "board_rebooted")]
    assert wired.link.board.boot == 8


def test_query_after_a_reconnect_and_no_order_of_its_own(wired) -> None:
    wired.online()
    soon(wired, lambda: wired.link.operate(Operate("table", 768, "build")))
    soon(wired, wired.line.cut)
    wired.line.restore()
    wired.loop.run_until_complete(wired.twin.plug())
    wired.run(1.0)
    assert wired.link.state == "online"
    assert len(wired.twin.orders) == 1
    wired.forget()
    soon(wired, lambda: wired.link.query(Query("table", 768)))
    assert [(told.id, told.stage, told.queried) for told in wired.told] == [(768, "accepted", True)]
    assert len(wired.twin.orders) == 1


def test_stop_reaches_the_board(wired) -> None:
    wired.online()
    soon(wired, wired.link.stop)
    assert wired.twin.stops >= 1


def test_order_nobody_answers_is_silent(wired) -> None:
    """The line is lost before any answer: the order has no outcome, and says so at most once."""
    wired.online()
    wired.line.to_b = lambda data: []
    soon(wired, lambda: wired.link.operate(Operate("table", 768, "build")))
    wired.run(5.0)
    assert sum(isinstance(told, OperationSilent) for told in wired.told) <= 1
    assert ("lost", "board_silent") in wired.states()


@pytest.mark.parametrize(
    ("damaged", "dropped", "within"), [(0.002, 0.001, 2.0), (0.02, 0.01, 60.0)], ids=["light", "heavy"]
)
@pytest.mark.parametrize("seed", range(4))
def test_comes_online_through_noise(wired, damaged: float, dropped: float, within: float, seed: int) -> None:
    noise = random.Random(seed)

    def dirty(data: bytes) -> list[bytes]:
        kept = [byte for byte in data if noise.random() >= dropped]
        return [bytes(byte ^ 1 << noise.randrange(8) if noise.random() < damaged else byte for byte in kept)]

    wired.line.to_a = wired.line.to_b = dirty
    wired.link.start()
    passed = 0.0
    while wired.link.state != "online":
        wired.run(0.1)
        passed += 0.1
        assert passed < within
