"""Fault plans: what goes wrong and when, as sentences that can be written, recorded, replayed and shrunk.

    at stack 9 of South: head_jam, do not self-clear
    at order raise of hand 2: reboot
    at 312 s: unplug 0.2 s
    next reply: lose_reply
    now: missing_tiles, where=meld, help after 40 s

Each sentence stands for itself: a plan with some of them left out is a plan. ``grammar`` reads and writes
them; ``injector`` carries them out.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from sim.errors import PlanError
from sim.grammar import parse, write
from sim.items import Item, When

__all__ = ["FaultPlan", "Item", "When"]


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """Any number of items; their order does not matter but for items of the same moment."""

    items: tuple[Item, ...] = ()

    @classmethod
    def parse(cls, lines: str | Iterable[str]) -> FaultPlan:
        """Read one sentence a line; ``#`` begins a remark. Raises ``PlanError``."""
        rows = lines.splitlines() if isinstance(lines, str) else lines
        bare = (row.split("#", 1)[0].strip() for row in rows)
        return cls(tuple(parse(row) for row in bare if row))

    @classmethod
    def load(cls, path: Path) -> FaultPlan:
        """Read a file: TOML (``faults = [...]``), JSON (a list) or plain lines. Raises ``PlanError``."""
        text = path.read_text("utf-8")
        try:
            if path.suffix == ".toml":
                return cls.parse(map(str, tomllib.loads(text)["faults"]))
            if path.suffix == ".json":
                return cls.parse(map(str, json.loads(text)))
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, PlanError):
                raise
            raise PlanError(str(path), f"it holds no list of faults ({error!r})") from error
        return cls.parse(text)

    def lines(self) -> list[str]:
        """The sentences."""
        return [write(item) for item in self.items]

    def to_toml(self) -> str:
        """A script file."""
        rows = "".join(f"  {json.dumps(line, ensure_ascii=False)},\n" for line in self.lines())
        return f"faults = [\n{rows}]\n"

    def counts(self) -> Counter[str]:
        """How many of each kind."""
        return Counter(item.kind for item in self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __add__(self, other: FaultPlan) -> FaultPlan:
        return FaultPlan(self.items + other.items)

    def shrink(self, fails: Callable[[FaultPlan], bool]) -> FaultPlan:
        """A plan as small as can be that still ``fails``: no item of it can be left out.

        Halves first, then smaller pieces (delta debugging). ``fails`` must be true of this plan.
        """
        items, pieces = list(self.items), 2
        while len(items) > 1:
            for part in _parts(items, pieces):
                rest = [item for item in items if item not in part]
                if fails(FaultPlan(tuple(part))):
                    items, pieces = part, 2
                    break
                if pieces > 2 and fails(FaultPlan(tuple(rest))):
                    items, pieces = rest, pieces - 1
                    break
            else:
                if pieces >= len(items):
                    break
                pieces = min(len(items), 2 * pieces)
        return FaultPlan(tuple(items))


def _parts(items: Sequence[Item], pieces: int) -> list[list[Item]]:
    ends = [len(items) * number // pieces for number in range(pieces + 1)]
    return [list(items[start:end]) for start, end in pairwise(ends) if start < end]
