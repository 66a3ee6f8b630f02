"""A room with one link in it: a scripted board behind a fake driver, under virtual time.

`Board` is the other end, as a list of things it does or does not do; `FakeDriver` is one connection to it.
Nothing sleeps: `room.run(seconds)` lets virtual time pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from protocols import driver
from protocols.driver import Counters, Hello, Report, Status
from protocols.errors import TransportError
from protocols.vocabulary import (
    Capability,
    EventKind,
    Operation,
    OperationLimits,
    Order,
    Stage,
    StoreState,
    TopState,
)
from sim.timebase import VirtualLoop
from tablectl.daemon.link.link import Link
from tablectl.game.inputs import Input, LinkChange

TRIP = 0.002  # seconds of a round trip
JOURNAL = bytes(range(16))


@dataclass
class Board:
    """What the other end is and does."""

    loop: VirtualLoop
    serial: str = "CN4-0001"
    firmware_hash: str = "aa" * 32
    boot_id: int = 7
    boot_count: int = 3
    booted_at: float = -100.0
    time_scale: int = 1
    last_event: int = 0
    port_error: TransportError | None = None
    hangs: bool = False  # the port never finishes to open
    mute_at: str = ""  # hello, clock or status: the step it does not answer
    hello_at_once: bool = False  # it answers before the call that opens returns
    done: list[Any] = field(default_factory=list)  # what was done to it, in order
    open_handles: int = 0
    live: FakeDriver | None = None
    on_hello: list[Report] = field(default_factory=list)  # reports that follow the next hello

    def hello(self) -> Hello:
        return Hello(
            vendor="sim",
            model="cn4",
            serial=self.serial,
            firmware="1.0.0",
            firmware_hash=self.firmware_hash,
            boot_id=self.boot_id,
            boot_count=self.boot_count,
            uptime_us=self.us(),
            capabilities=Capability.DICE | Capability.SEAT_KEYS | Capability.SIMULATED,
            profiles=(136, 144),
            time_scale=self.time_scale,
        )

    def status(self) -> Status:
        return Status(
            top=TopState.CLEAR,
            store=StoreState.READY,
            stopped=False,
            homed=True,
            hand=0,
            profile=144,
            running_id=0,
            running=0,
            percent=0,
            last_event=self.last_event,
            boot_id=self.boot_id,
            board_us=self.us(),
            top_stacks=(0, 0, 0, 0),
            store_stacks=(18, 18, 18, 18),
            faults=(),
        )

    def us(self) -> int:
        """Its clock, µs since its boot."""
        return round((self.loop.time() - self.booted_at) * 1e6)

    def event(self, kind: EventKind, **fields: Any) -> driver.BoardEvent:
        """The next event it senses, now."""
        self.last_event += 1
        stamp = fields.pop("board_us", self.us())
        return driver.BoardEvent(number=self.last_event, board_us=stamp, kind=kind, **fields)

    def says(self, report: Report) -> None:
        """Report on the connection there is."""
        if self.live is not None:
            self.live.report(report)

    def senses(self, kind: EventKind, **fields: Any) -> None:
        """Sense and report."""
        self.says(self.event(kind, **fields))

    def gone(self, key: str) -> None:
        """End the connection with this evidence."""
        self.says(driver.Gone(key, "as scripted"))

    def reboots(self) -> None:
        """A new boot: new clock, new numbers."""
        self.boot_id += 1
        self.boot_count += 1
        self.booted_at = self.loop.time()
        self.last_event = 0


class FakeDriver:
    """One connection to a scripted board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.counters = Counters()
        self._sink: Callable[[Report], None] | None = None
        self._token = 0

    async def open(
        self, sink: Callable[[Report], None], *, journal_id: bytes, last_event: int, boot_id: int = 0
    ) -> None:
        board = self.board
        board.done.append(("open", last_event, boot_id))
        assert journal_id == JOURNAL
        if board.port_error is not None:
            raise board.port_error
        if board.hangs:
            await board.loop.create_future()
        board.open_handles += 1
        assert board.open_handles == 1, "the old handle is closed before the new one opens"
        self._sink, board.live = sink, self
        if board.mute_at != "hello":
            if board.hello_at_once:
                self._greet()
            else:
                self._later(self._greet)

    def _greet(self) -> None:
        self.report(self.board.hello())
        for report in self.board.on_hello:
            self.report(report)

    def _later(self, fn: Callable[..., None], *args: Any) -> None:
        self.board.loop.call_later(TRIP, fn, *args)

    def report(self, report: Report) -> None:
        self.counters.frames_received += 1
        if self._sink is not None:
            self._sink(report)

    def operate(self, order: Order) -> None:
        self.board.done.append(("operate", order))

    def query(self, id: int) -> None:
        self.board.done.append(("query", id))
        self._later(self.report, driver.Reply(id, Stage.UNKNOWN, queried=True))

    def ask_status(self) -> None:
        self.board.done.append(("status",))
        if self.board.mute_at != "status":
            self._later(lambda: self.report(self.board.status()))

    def ask_clock(self) -> int:
        self._token += 1
        self.counters.round_trips.append(TRIP)
        sent = self.board.loop.time()
        if self.board.mute_at != "clock":
            stamp = self.board.us() + round(TRIP / 2 * 1e6)
            self._later(self._answer_clock, sent, stamp, self._token)
        return self._token

    def _answer_clock(self, sent: float, stamp: int, token: int) -> None:
        board = self.board
        self.report(driver.ClockSample(sent, board.loop.time(), stamp, board.last_event, token))

    def stop(self) -> None:
        self.board.done.append(("stop",))

    def acknowledge(self, number: int, boot_id: int) -> None:
        self.board.done.append(("ack", number, boot_id))

    def limits(self, operation: Operation) -> OperationLimits:
        return OperationLimits(accept=1.0, done=30.0)

    def close(self) -> None:
        self.board.done.append(("close",))
        if self._sink is not None:
            self.board.open_handles -= 1
            self._sink, self.board.live = None, None


class FakeClock:
    """Table time: real time times the scale, from 0."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop
        self.scale = 1

    def at(self, loop_seconds: float) -> int:
        return round(loop_seconds * 1e6) * self.scale

    def now_us(self) -> int:
        return self.at(self._loop.time())

    def set_scale(self, scale: int) -> None:
        self.scale = scale


class Room:
    """One link, its board, and everything it told."""

    def __init__(self) -> None:
        self.loop = VirtualLoop()
        self.board = Board(self.loop)
        self.clock = FakeClock(self.loop)
        self.told: list[Input] = []
        self.times: list[tuple[int, int]] = []
        self.port_there: bool | None = None
        self.complaints: list[dict[str, Any]] = []
        self.loop.set_exception_handler(lambda _, context: self.complaints.append(context))

    def make(self, **options: Any) -> Link:
        """The link, not started."""
        defaults: dict[str, Any] = {
            "loop": self.loop,
            "clock": self.clock,
            "emit": self.emit,
            "journal_id": JOURNAL,
        }
        make_driver = options.pop("driver_factory", self.driver)
        self.link = Link("table", "/dev/table", make_driver, **(defaults | options))
        return self.link

    def driver(self) -> FakeDriver:
        """A driver for one try."""
        return FakeDriver(self.board)

    def watch_path(self) -> Link:
        """A link whose port is a path that can be looked at."""
        self.port_there = True
        return self.make(path_exists=lambda: bool(self.port_there))

    def emit(self, told: Input, at: int, unc: int) -> None:
        self.told.append(told)
        self.times.append((at, unc))

    def run(self, seconds: float) -> None:
        """Let virtual time pass."""
        done = self.loop.create_future()
        self.loop.call_later(seconds, done.set_result, None)
        self.loop.run_until_complete(done)

    def online(self) -> Link:
        """A link that is online, what it told so far forgotten."""
        link = getattr(self, "link", None) or self.make()
        link.start()
        self.run(1.0)
        assert link.state == "online"
        self.forget()
        return link

    def forget(self) -> None:
        """Look only at what comes from here."""
        self.told.clear()
        self.times.clear()
        self.board.done.clear()

    def states(self) -> list[tuple[str, str]]:
        """State and word of every change told."""
        return [(told.state, told.word) for told in self.told if isinstance(told, LinkChange)]

    def changes(self, state: str) -> list[LinkChange]:
        """The changes told that reached a state."""
        return [told for told in self.told if isinstance(told, LinkChange) and told.state == state]

    def tries(self) -> int:
        """How often the port was opened."""
        return sum(1 for what, *_ in self.board.done if what == "open")

    def unplug(self) -> None:
        """Pull the cable."""
        self.port_there = False
        self.board.gone("port")

    def end(self) -> None:
        if hasattr(self, "link"):
            self.loop.run_until_complete(self.link.close())
        self.loop.close()
        assert self.board.open_handles == 0
        assert self.complaints == []


@pytest.fixture
def room() -> Iterator[Room]:
    """An empty room; the link in it is closed afterwards and may leave nothing behind."""
    made = Room()
    yield made
    made.end()
