"""Chance: which of a preset's faults strike at a moment. Every draw comes from one generator."""

from __future__ import annotations

import math
from random import Random

from protocols.vocabulary import NO_SIDE, SIDES
from sim.grammar import parse
from sim.items import Item, When
from sim.kinds import Preset, at_push, kinds
from sim.mechanism.causes import Moment, load_causes

MINUTE = 60.0
IN_A_HAND = (10.0, 300.0)  # seconds after the walls came up at which a stray key is pressed
PLACES = ("meld", "floor", "under")


class Chance:
    """The dice of one table. ``stacks`` = stacks of a side, where a jam can happen."""

    def __init__(self, preset: Preset, rng: Random, stacks: int, slips: dict[str, float]) -> None:
        self._preset = preset
        self._rng = rng
        self._stacks = stacks
        self._rates = {unit: dict(rates) for unit, rates in preset.rates.items()}
        for kind, rate in slips.items():
            if rate:
                self._rates.setdefault("discard", {})[kind] = rate
        self._next: dict[tuple[str, str], int] = {}  # (unit, kind) -> number of the next one struck

    def counts(self, unit: str) -> bool:
        """True when something is decided per ``unit``."""
        return bool(self._rates.get(unit))

    def at_start(self) -> list[Item]:
        """How the table is when it is switched on."""
        at = "at 0 s: "
        wear = ", ".join(f"{name}={value:g}" for name, value in self._preset.wear.items())
        lines = [f"{at}wear, {wear}"] if wear else []
        return [parse(line) for line in (*lines, *(at + line for line in self._preset.start))]

    def at(self, now: When, seconds: float) -> list[Item]:
        """What strikes at this moment."""
        unit = "build" if now.kind == "push" else now.kind
        rates = self._rates.get(unit)
        if not rates:
            return []
        if unit in ("frame", "reply"):
            return [
                self.item(kind, When(unit, now.number)) for kind in rates if self._counted(unit, kind, now)
            ]
        return [
            self._placed(kind, now, seconds)
            for kind, rate in rates.items()
            if (unit != "build" or at_push(kind) == (now.kind == "push")) and self._rng.random() < rate
        ]

    def by_clock(self) -> tuple[float, str] | None:
        """Seconds to the next thing that happens by the minute, and what."""
        rates = self._rates.get("minute", {})
        total = sum(rates.values())
        if not total:
            return None
        seconds = self._rng.expovariate(total / MINUTE)
        return seconds, self._rng.choices(list(rates), list(rates.values()))[0]

    def item(self, kind: str, when: When) -> Item:
        """One of this kind, its side and chances drawn."""
        row = kinds()[kind]
        side = self._rng.choice(SIDES) if row.sided else NO_SIDE
        options: list[tuple[str, str | bool]] = []
        cause = load_causes().causes.get(kind)
        if cause is not None and cause.holds and self._rng.random() < self._preset.clears:
            options.append(("clears", True))
        if kind == "missing_tiles":
            options.append(("where", self._rng.choice(PLACES)))
        return Item(when, kind, side, tuple(options))

    def _placed(self, kind: str, now: When, seconds: float) -> Item:
        """At the moment itself, at a stack of the build, or some time in the hand."""
        cause = load_causes().causes.get(kind)
        if cause is not None and cause.moment is Moment.STACKING:
            stack, side = self._rng.randint(1, self._stacks), self._rng.choice(SIDES)
            item = self.item(kind, When("stack", stack, side, build=now.build))
            return Item(item.when, kind, side if cause.sided else NO_SIDE, item.options)
        if now.kind == "hand":
            return self.item(kind, When("time", round(seconds + self._rng.uniform(*IN_A_HAND), 3)))
        return self.item(kind, When(now.kind, now.number, hand=now.hand))

    def _counted(self, unit: str, kind: str, now: When) -> bool:
        """True when this frame or answer is the one; the distance to the next is drawn at once."""
        key = (unit, kind)
        if key not in self._next:
            self._next[key] = self._gap(unit, kind)
        if now.number < self._next[key]:
            return False
        self._next[key] += self._gap(unit, kind)
        return True

    def _gap(self, unit: str, kind: str) -> int:
        rate = self._rates[unit][kind]
        return 1 + int(math.log(1.0 - self._rng.random()) / math.log1p(-rate))
