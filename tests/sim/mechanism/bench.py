"""A mechanism on a bench: a clerk writes down what it reports, somebody pushes tiles in."""

from __future__ import annotations

import asyncio
from random import Random

from protocols.vocabulary import NO_SIDE, EventKind, Fault, Lamp, Operation, Order, Refusal, Source
from sim.mechanism.machine import Mechanism
from sim.timebase import TableTimer

PUSHING = 5.0


class Bench:
    """Reporter and watcher of one mechanism. ``results``: id -> ("done", value) or ("failed", fault)."""

    def __init__(self, tiles: int = 144, seed: int = 1) -> None:
        self.loop = asyncio.get_running_loop()
        self.machine = Mechanism(
            tiles,
            TableTimer(self.loop),
            drum=Random(f"{seed} drum"),
            dice=Random(f"{seed} dice"),
            times=Random(f"{seed} times"),
        )
        self.machine.connect(self)
        self.machine.watchers.append(self)
        self.events: list[tuple[EventKind, int, int]] = []
        self.results: dict[int, tuple[str, int]] = {}
        self.percents: list[int] = []
        self.rests = 0
        self.pushing = True

    # what the tests say

    def order(self, id: int, operation: Operation, **fields: int) -> Refusal:
        return self.machine.order(Order(id, operation, **fields))

    async def wait(self, seconds: float) -> None:
        done = self.loop.create_future()
        self.loop.call_later(seconds, done.set_result, None)
        await done

    async def reach(self, id: int, operation: Operation, **fields: int) -> tuple[str, int]:
        assert self.order(id, operation, **fields) is Refusal.NONE
        while id not in self.results:
            await self.wait(0.1)
        return self.results[id]

    async def raised(self, hand: int = 1, dealer: int = 0) -> None:
        assert (await self.reach(1, Operation.BUILD))[0] == "done"
        assert (await self.reach(2, Operation.RAISE, hand=hand, side=dealer))[0] == "done"

    def kinds(self) -> list[EventKind]:
        return [kind for kind, _, _ in self.events]

    # Reporter

    def emit(self, kind: EventKind, side: int, value: int, source: Source) -> None:
        self.events.append((kind, side, value))

    def progress(self, id: int, percent: int) -> None:
        self.percents.append(percent)

    def done(self, id: int, value: int = 0) -> None:
        assert id not in self.results
        self.results[id] = ("done", value)

    def failed(self, id: int, fault: Fault, side: int = NO_SIDE) -> None:
        assert id not in self.results
        self.results[id] = ("failed", fault)

    def stopped(self) -> None:
        self.rests += 1

    # Watcher

    def centre_opened(self) -> None:
        if self.pushing:
            self.loop.call_later(PUSHING, self.machine.push_in)

    def walls_up(self, dealer: int) -> None: ...

    def walls_down(self) -> None: ...

    def dice_rolling(self, side: int) -> None: ...

    def dice_shown(self, side: int, faces: tuple[int, ...]) -> None: ...

    def lamp(self, lamp: Lamp, side: int) -> None: ...

    def dark(self) -> None: ...
