"""Carries out a fault plan at a running table, and writes down what really happened.

Whoever can be struck tells its moments (``notice``): a build begins, a stack is laid, an order is taken, dice
roll. Items wait for their moment; what chance adds at that moment is made an item first, so that the record
is a plan that does the same again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Protocol

from protocols.vocabulary import NO_SIDE, Operation
from sim.chance import Chance
from sim.faults import FaultPlan
from sim.grammar import write
from sim.items import Item, When
from sim.timebase import TableTimer

US = 1_000_000
Do = Callable[[Item, Random], None]


class Moments(Protocol):
    """What tells of moments."""

    notice: Callable[..., None]


class Injector:
    """``do`` carries one item out; ``seed`` makes the details of each item its own."""

    def __init__(self, plan: FaultPlan, chance: Chance, timer: TableTimer, seed: int | str, do: Do) -> None:
        self._chance = chance
        self._timer = timer
        self._seed = seed
        self._do = do
        self._waiting: dict[str, list[Item]] = {}
        self._counts: dict[str, int] = {}
        self.done: list[Item] = []  # what was injected, each with the moment at which it was
        self._start = plan

    def begin(self) -> None:
        """The table is there: from now on its moments count."""
        for item in (*self._chance.at_start(), *self._start.items):
            self.add(item)
        self._next_minute()

    def add(self, item: Item) -> str:
        """Let an item wait for its moment, or happen now. Returns what became of it, in words."""
        if item.when.kind == "now" or (
            item.when.kind == "time" and item.when.number * US <= self._timer.now_us()
        ):
            self._happen(replace(item, when=When("time", self._timer.now_us() / US)))
            return f"done: {write(self.done[-1])}"
        if item.when.kind == "time":
            seconds = item.when.number - self._timer.now_us() / US
            self._timer.call_later(seconds, lambda: self._happen(item))
        else:
            self._waiting.setdefault(item.when.kind, []).append(item)
        return f"waits: {write(item)}"

    def decides(self, unit: str) -> bool:
        """True when chance has something to decide for each such moment."""
        return self._chance.counts(unit)

    @property
    def waiting(self) -> list[Item]:
        """What has not had its moment."""
        return [item for items in self._waiting.values() for item in items]

    def recorded(self) -> FaultPlan:
        """What was injected, as a plan that does the same again at a perfect table of the same seed."""
        return FaultPlan(tuple(self.done))

    def notice(
        self,
        kind: str,
        *,
        number: int = 0,
        side: int = NO_SIDE,
        operation: int = 0,
        step: str = "",
        hand: int = 0,
    ) -> None:
        """A moment has come."""
        if kind == "step" and step == "dice":
            self.notice("roll")
        if not number:
            number = self._counts[kind] = self._counts.get(kind, 0) + 1
        name = Operation(operation).name.lower() if operation else step
        build = number if kind == "build" else self._counts.get("builds", 0)
        if kind == "build":
            self._counts["builds"] = number
        now = When(kind, number, side, name, hand, build)
        scripted = self._due(now)
        for item in scripted or self._chance.at(now, round(self._timer.now_us() / US, 6)):
            if item.when.kind == kind:
                self._happen(item)
            else:
                self.add(item)

    def _due(self, now: When) -> list[Item]:
        waiting = self._waiting.get(now.kind)
        if not waiting:
            return []
        due = [item for item in waiting if matches(item.when, now)]
        if due:
            self._waiting[now.kind] = [item for item in waiting if item not in due]
        return [replace(item, when=exact(item.when, now)) for item in due]

    def _happen(self, item: Item) -> None:
        self.done.append(item)
        self._do(item, Random(f"{self._seed}/{write(item)}"))

    def _next_minute(self) -> None:
        """Chance by the clock: the next thing that happens, then the one after it."""
        found = self._chance.by_clock()
        if found is not None:
            seconds, kind = found

            def strike() -> None:
                at = When("time", self._timer.now_us() / US)
                self._happen(self._chance.item(kind, at))
                self._next_minute()

            self._timer.call_later(seconds, strike)


def matches(wanted: When, now: When) -> bool:
    """True when a moment is the one an item waits for."""
    return (
        wanted.number in (0, now.number)
        and wanted.side in (NO_SIDE, now.side)
        and wanted.name in ("", now.name)
        and wanted.hand in (0, now.hand)
        and wanted.build in (0, now.build)
    )


def exact(wanted: When, now: When) -> When:
    """The moment as it is written down: the very one, not the next such."""
    if now.kind in ("order", "step"):
        return replace(wanted, hand=now.hand)
    if now.kind == "stack":
        return now
    return replace(wanted, number=now.number, hand=now.hand)
