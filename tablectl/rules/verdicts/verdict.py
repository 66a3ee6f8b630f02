"""What a judge says of a declared win: whether it is one, what it is worth, and who pays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tablectl.rules import counted
from tablectl.rules.counted import Named
from tablectl.rules.verdicts.facts import NOTHING, Four


@dataclass(frozen=True, slots=True)
class Line:
    """A fan or pattern that is added: ``points`` for all its ``times`` together, ``rule`` its article."""

    id: str
    zh: str
    en: str
    points: int
    times: int
    rule: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A fan or pattern that is there but not added: ``because`` of another one or of an article."""

    id: str
    zh: str
    en: str
    because: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of a win.

    ``reason`` is a text key, and ``rule`` its article, where it is none; both are empty for a win.
    ``total``: fan with flowers, hand value, points, or in 武汉麻将 the money the winner gets. ``deltas``:
    what each side gains; of no win, what the rules make its declarer pay. ``off_table``: booked beside the
    table (CJ-S9). ``liable``: the side that answers for the win or pays for all, by ``liable_rule``.
    """

    legal: bool
    total: int = 0
    reason: str = ""
    rule: str = ""
    lines: tuple[Line, ...] = ()
    reading: tuple[tuple[str, ...], ...] = ()
    not_counted: tuple[LeftOut, ...] = ()
    deltas: Four = NOTHING
    off_table: Four = NOTHING
    liable: int | None = None
    liable_rule: str = ""
    by_chips: bool = False  # the hand itself wins: what lies before the players forbids it (CJ-S8, CJ-S9)


def no_win(reason: str, rule: str, total: int = 0) -> Verdict:
    """The verdict on what is none: ``reason`` without its family."""
    return Verdict(False, total, f"win.{reason}", rule)


def listed(lines: Iterable[counted.Line], kinds: Mapping[str, Named]) -> tuple[Line, ...]:
    """What a count adds, with the names and articles of its catalogue."""
    return tuple(
        Line(one.id, kinds[one.id].zh, kinds[one.id].en, one.points, one.times, kinds[one.id].rule)
        for one in lines
    )


def left_out(skipped: Iterable[counted.NotCounted], kinds: Mapping[str, Named]) -> tuple[LeftOut, ...]:
    """What a count leaves out, with the names of its catalogue."""
    return tuple(LeftOut(one.id, kinds[one.id].zh, kinds[one.id].en, one.because) for one in skipped)


def four(points: Iterable[int]) -> Four:
    """Points of the four sides as a tuple of exactly that many."""
    first, second, third, fourth = points
    return first, second, third, fourth
