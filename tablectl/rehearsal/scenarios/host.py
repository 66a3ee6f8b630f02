"""The host of a scenario: the daemon's own link on the endpoint's driver, and all that both of them tell.

It has no rules and no journal: what it is told counts as recorded at once, and it orders what the scenario
says. Waits are in table seconds, each with an end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from protocols import driver
from protocols.driver import Counters, Driver, Hello, Report, Sink, Status
from protocols.vocabulary import Capability, EventKind, Operation, OperationLimits, Order
from sim.timebase import pause
from tablectl.daemon.link.link import Link
from tablectl.daemon.timebase import TableClock
from tablectl.game.effects import Operate, Query
from tablectl.game.inputs import BoardEvent as EventTold
from tablectl.game.inputs import EventsLost, Input, LinkChange, OperationReply, OperationSilent
from tablectl.rehearsal.scenarios.endpoint import Away, Endpoint, Lever, Table, Trait, Truth

T = TypeVar("T")
JOURNAL = bytes(range(16))
DEVICE = "table"
SLACK_S = 10.0  # real seconds on top of any wait in table time: the wire does not hurry
LINE_S = 0.05  # real seconds a word takes at most on a line under virtual time
# The same, and a look at the hardware, in real time: with eight programs to a core the timers of a simulated
# board alone are 0.3 s late. What a board owes to the millisecond is held against it under virtual time.
BUSY_S = 1.0
# An emulated processor that shares this computer besides, and has both the board and its host to run.
EMULATED_S = 3.0
US = 1_000_000
ENDS = ("refused", "done", "failed", "unknown")


class Tap:
    """A driver whose reports are heard on their way to the link."""

    def __init__(self, made: Driver, heard: Callable[[Report], None]) -> None:
        self._made = made
        self._heard = heard

    @property
    def counters(self) -> Counters:
        return self._made.counters

    @counters.setter
    def counters(self, counters: Counters) -> None:
        self._made.counters = counters

    async def open(self, sink: Sink, *, journal_id: bytes, last_event: int, boot_id: int = 0) -> None:
        def hear(report: Report) -> None:
            self._heard(report)
            sink(report)

        await self._made.open(hear, journal_id=journal_id, last_event=last_event, boot_id=boot_id)

    def operate(self, order: Order) -> None:
        self._made.operate(order)

    def query(self, id: int) -> None:
        self._made.query(id)

    def ask_status(self) -> None:
        self._made.ask_status()

    def ask_clock(self) -> int:
        return self._made.ask_clock()

    def stop(self) -> None:
        self._made.stop()

    def acknowledge(self, number: int, boot_id: int) -> None:
        self._made.acknowledge(number, boot_id)

    def limits(self, operation: Operation) -> OperationLimits:
        return self._made.limits(operation)

    def close(self) -> None:
        self._made.close()


class Host:
    """One link to one table. ``told`` is what a core would get, ``reports`` what the driver said."""

    def __init__(self, table: Table, endpoint: Endpoint) -> None:
        self.table = table
        self.endpoint = endpoint
        self.loop = asyncio.get_running_loop()
        self.clock = TableClock(self.loop.time)
        self.told: list[tuple[Input, int, int]] = []  # input, table µs, uncertainty µs
        self.reports: list[Report] = []
        self.notes: list[str] = []  # figures of this run, for the page
        self._news = asyncio.Event()
        self._next = 0
        self.link = Link(
            DEVICE,
            "scenario",
            lambda: Tap(table.driver(), self._heard),
            loop=self.loop,
            clock=self.clock,
            emit=self._emit,
            journal_id=JOURNAL,
            path_exists=table.present,
        )

    def _heard(self, report: Report) -> None:
        self.reports.append(report)
        self._news.set()

    def _emit(self, told: Input, at: int, unc: int) -> None:
        self.told.append((told, at, unc))
        if isinstance(told, EventTold):
            self.loop.call_soon(self.link.durable, told.boot, told.number)
        self._news.set()

    # ---- waiting -------------------------------------------------------------------------------------

    async def until(self, fact: Callable[[], object], what: str, seconds: float = 200.0) -> None:
        """Wait for a fact that reports bring, at most so many table seconds. Raises ``AssertionError``."""
        try:
            async with asyncio.timeout(seconds / self.table.speed + SLACK_S):
                while not fact():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"never: {what}; last heard {self.reports[-3:]}") from None

    async def passes(self, table_seconds: float) -> None:
        """Let table time pass."""
        await pause(table_seconds / self.table.speed)

    async def find(self, fact: Callable[[Truth], bool], what: str, seconds: float = 60.0) -> Truth:
        """Wait for a fact of the hardware, which tells nobody when it changes."""
        truth = await self.table.truth()
        try:
            async with asyncio.timeout(seconds / self.table.speed + SLACK_S):
                while not fact(truth):
                    await pause(0.02)
                    truth = await self.table.truth()
        except TimeoutError:
            raise AssertionError(f"never: {what}; the hardware says {truth}") from None
        return truth

    # ---- the link ------------------------------------------------------------------------------------

    async def online(self, connections: int = 1) -> None:
        """Wait until that many handshakes have come through, and the link is up."""
        await self.until(
            lambda: self.link.state == "online" and self.link.quality()["connections"] >= connections,
            f"online for the {connections}. time ({self.words()})",
        )

    def words(self) -> list[str]:
        """Why the link was lost, each time."""
        return [
            told.word for told, _, _ in self.told if isinstance(told, LinkChange) and told.state == "lost"
        ]

    @property
    def late_s(self) -> float:
        """Real seconds by which what is seen here may be later than it was."""
        if self.endpoint.virtual:
            return LINE_S
        return EMULATED_S if isinstance(self.endpoint, Away) else BUSY_S

    @property
    def hello(self) -> Hello:
        """The newest."""
        return self.of(Hello)[-1]

    def can(self, flag: Capability) -> bool:
        """Does the board say so?"""
        return flag in self.hello.capabilities

    def has(self, thing: Trait | Lever) -> bool:
        """Is it there, or can it be done, at this endpoint?"""
        return thing in self.endpoint.traits or thing in self.endpoint.levers

    @property
    def retries(self) -> int:
        """Repetitions of all connections so far."""
        return int(self.link.quality()["retries"])

    # ---- orders --------------------------------------------------------------------------------------

    def send(
        self, operation: Operation, *, id: int = 0, hand: int = 0, side: int | None = None, count: int = 0
    ) -> int:
        """Give an order and return its id; with ``id`` it is a repetition."""
        self._next += 256 * (not id)
        number = id or self._next
        self.link.operate(Operate(DEVICE, number, operation.name.lower(), hand, side, count))
        return number

    async def order(
        self, operation: Operation, *, hand: int = 0, side: int | None = None, count: int = 0
    ) -> OperationReply:
        """Give an order and wait for its end."""
        return await self.end_of(self.send(operation, hand=hand, side=side, count=count))

    async def done(
        self, operation: Operation, *, hand: int = 0, side: int | None = None, count: int = 0
    ) -> OperationReply:
        """The same; it must be carried out."""
        reply = await self.order(operation, hand=hand, side=side, count=count)
        assert reply.stage == "done", f"{operation.name} ended {reply}"
        return reply

    async def in_motion(self) -> tuple[int, Truth]:
        """Order a build and wait until its motors run: where a board tells, until it stacks, which lasts."""
        id = self.send(Operation.BUILD)
        await self.accepted(id)
        if self.can(Capability.LIFT_FEEDBACK):
            await self.event(EventKind.BUILD_STARTED)
        return id, await self.find(lambda truth: truth.moving, "motion")

    async def accepted(self, id: int) -> None:
        """Wait until the board has taken an order."""
        await self.until(lambda: self.stages(id), f"any answer to order {id}")

    async def end_of(self, id: int) -> OperationReply:
        """The last word about an order."""
        await self.until(lambda: self.ends(id), f"the end of order {id}")
        return self.ends(id)[-1]

    async def query(self, id: int) -> driver.Reply:
        """What became of an order, by asking."""
        before = len(self.queried(id))
        self.link.query(Query(DEVICE, id))
        await self.until(lambda: len(self.queried(id)) > before, f"an answer to the query of {id}")
        return self.queried(id)[-1]

    def replies(self, id: int) -> list[OperationReply]:
        """All that was told of an order."""
        return [told for told, _, _ in self.told if isinstance(told, OperationReply) and told.id == id]

    def queried(self, id: int) -> list[driver.Reply]:
        """Answers to queries, as the driver gave them."""
        return [reply for reply in self.of(driver.Reply) if reply.id == id and reply.queried]

    def stages(self, id: int) -> list[str]:
        """The stages of an order."""
        return [reply.stage for reply in self.replies(id)]

    def ends(self, id: int) -> list[OperationReply]:
        """Its last words."""
        return [reply for reply in self.replies(id) if reply.stage in ENDS]

    def silent(self, id: int) -> bool:
        """Was an order given up without any answer?"""
        return any(isinstance(told, OperationSilent) and told.id == id for told, _, _ in self.told)

    # ---- what the board says -------------------------------------------------------------------------

    async def status(self) -> Status:
        """A fresh snapshot."""
        before = len(self.of(Status))
        self.link.ask_status()
        await self.until(lambda: len(self.of(Status)) > before, "a snapshot")
        return self.of(Status)[-1]

    def of(self, kind: type[T]) -> list[T]:
        """The reports of one kind."""
        return [report for report in self.reports if isinstance(report, kind)]

    def events(self, kind: EventKind) -> list[EventTold]:
        """What was told of one kind."""
        name = kind.name.lower()
        return [told for told, _, _ in self.told if isinstance(told, EventTold) and told.event == name]

    def numbers(self, boot: int) -> list[int]:
        """The numbers of all events of a boot, as told."""
        return [told.number for told, _, _ in self.told if isinstance(told, EventTold) and told.boot == boot]

    def lost(self) -> list[EventsLost]:
        """Events that were said never to come."""
        return [told for told, _, _ in self.told if isinstance(told, EventsLost)]

    async def event(self, kind: EventKind, count: int = 1) -> EventTold:
        """Wait for the ``count``-th event of a kind."""
        await self.until(lambda: len(self.events(kind)) >= count, f"{kind.name} for the {count}. time")
        return self.events(kind)[count - 1]

    async def pressed(self, side: int, count: int = 1) -> tuple[EventTold, float, float]:
        """Press a key: the event that tells of it (the ``count``-th), how many table seconds off its time
        is, and how many it says it may be."""
        before = self.clock.now_us()
        await self.pull(Lever.KEY, side)
        after = self.clock.now_us()
        event = await self.event(EventKind.SEAT_KEY, count)
        at, unc = next((at, unc) for told, at, unc in self.told if told is event)
        return event, max(at - after, before - at, 0) / US, unc / US

    def note(self, text: str) -> None:
        """A figure of this run."""
        self.notes.append(text)

    async def pull(self, lever: Lever, amount: float = 0.0) -> None:
        """Let something happen."""
        await self.table.pull(lever, amount)

    async def close(self) -> None:
        """Hang up."""
        await self.link.close()
