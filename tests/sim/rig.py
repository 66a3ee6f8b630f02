"""A host small enough to trust: opens the line, gives orders, plays referee with the lamps."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from protocols.atp.driver import AtpDriver
from protocols.driver import BoardEvent, Hello, Reply, Report
from protocols.vocabulary import NO_SIDE, EventKind, Lamp, Operation, Order, SeatKey, Stage
from sim.endpoints.memory import MemoryEndpoint
from sim.shape import is_complete
from sim.view import ShownMeld, WinContext
from sim.world import SimTable

JOURNAL = bytes(range(16))
PATIENCE = 10.0  # table seconds of quiet after which an empty wall means a drawn hand


class Shapes:
    """A judge that accepts any complete shape."""

    def __init__(self) -> None:
        self.asked: list[WinContext] = []

    def wins(
        self, concealed: Sequence[str], melds: Sequence[ShownMeld], winning: str, context: WinContext
    ) -> bool:
        self.asked.append(context)
        return is_complete([*concealed, winning], len(melds))


class Nobody:
    """A judge that accepts nothing."""

    def wins(self, *args: object) -> bool:
        return False


class Host:
    """Drives one table over its memory endpoint."""

    def __init__(self, table: SimTable, rules_win: Callable[[int], bool] = lambda side: True) -> None:
        self.table = table
        self.end = MemoryEndpoint(table.rng("line"))
        self.driver = AtpDriver(self.end.host)
        self.events: list[BoardEvent] = []
        self.replies: list[Reply] = []
        self.reports: list[Report] = []
        self.hello: Hello | None = None
        self._rules_win = rules_win
        self._waiting: dict[int, asyncio.Future[Reply]] = {}
        self._changed = asyncio.Event()
        self._next_id = 256
        self.loop = asyncio.get_running_loop()
        self.on_event: Callable[[BoardEvent], None] = lambda event: None
        self.winner: int | None = None
        self.judging = False
        self.dealer = -1

    async def start(self) -> Host:
        self.table.attach(self.end)
        await self.driver.open(self.sink, journal_id=JOURNAL, last_event=0)
        while self.hello is None:
            await self.change()
        return self

    async def change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    def sink(self, report: Report) -> None:
        self.reports.append(report)
        match report:
            case Hello():
                self.hello = report
            case BoardEvent():
                self.events.append(report)
                assert self.hello is not None
                self.driver.acknowledge(report.number, self.hello.boot_id)
                self.on_event(report)
                if report.kind is EventKind.SEAT_KEY and report.value == SeatKey.WIN:
                    self._judge_soon(report.side)
            case Reply():
                self.replies.append(report)
                future = self._waiting.get(report.id)
                if future is not None and report.stage.final and not future.done():
                    future.set_result(report)
        self._changed.set()

    def send(self, operation: Operation, **fields: int) -> int:
        self._next_id += 256
        self.driver.operate(Order(self._next_id, operation, **fields))
        return self._next_id

    async def order(self, operation: Operation, **fields: int) -> Reply:
        future: asyncio.Future[Reply] = self.loop.create_future()
        id = self.send(operation, **fields)
        self._waiting[id] = future
        return await future

    def lamp(self, lamp: Lamp, side: int = NO_SIDE) -> None:
        self.send(Operation.LAMPS, count=lamp, side=side)

    def _judge_soon(self, side: int) -> None:
        if not self.judging:
            self.judging = True
            self.lamp(Lamp.WIN, side)
            self.loop.call_later(3.0 / self.table.machine.timer.speed, self._judge, side)

    def _judge(self, side: int) -> None:
        self.judging = False
        if self._rules_win(side):
            self.winner = side
            self.lamp(Lamp.CLOSED, side)
        else:
            self.lamp(Lamp.PLAY, side)

    async def open_hand(self, hand: int = 1, dealer: int = 0) -> None:
        self.winner = None
        self.dealer = dealer
        reply = await self.order(Operation.BUILD, hand=hand)
        assert reply.stage is Stage.DONE, reply
        reply = await self.order(Operation.RAISE, hand=hand, side=dealer)
        assert reply.stage is Stage.DONE, reply
        self.lamp(Lamp.PLAY)

    async def play_hand(self, hand: int = 1, dealer: int = 0) -> int | None:
        """Play one hand; returns the winner's side, None for a drawn one."""
        await self.open_hand(hand, dealer)
        await self.finish_hand()
        return self.winner

    async def finish_hand(self) -> None:
        while self.table.party.hand is not None:
            try:
                async with asyncio.timeout(PATIENCE):
                    await self.change()
            except TimeoutError:
                party = self.table.party
                if party.hand is not None and party.hand.open.live == 0 and not self.judging:
                    self.lamp(Lamp.CLOSED)

    def stop(self) -> None:
        self.driver.close()
        self.table.close()
