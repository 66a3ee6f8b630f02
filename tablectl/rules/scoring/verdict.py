"""What a judge answers, in one form for all systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tablectl.rules.tiles import WINDS

WINNER, DISCARDER, OTHERS = "winner", "discarder", "others"


@dataclass(frozen=True, slots=True)
class Name:
    """A fan, pattern or extra by its id and its names. ``rule`` is the article that gives it."""

    id: str
    zh: str
    en: str
    rule: str


@dataclass(frozen=True, slots=True)
class Counted:
    """What is counted: ``points`` of each, and how many there are."""

    name: Name
    points: int
    count: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What is there but not counted: because of another fan, or of an article where ``because`` is empty."""

    name: Name
    rule: str
    because: Name | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A way to read the hand and what it is worth; ``reading`` is the tiles of each group, melds first."""

    total: int
    fans: tuple[Counted, ...]
    reading: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """``total`` is what the hand is worth, flowers included; in Wuhan what the winner gets.

    ``minimum_met``: the least a win needs, whatever the shape. ``refusal``: why it is no win, the key of a
    text; empty if it is one. ``payments``: by seat what each gains; where nobody says who discarded, by
    part (`WINNER`, `DISCARDER`, each of the `OTHERS`); None for no win. ``others``: further readings, best
    first. ``details``: what else a system has to say.
    """

    legal: bool
    total: int
    minimum_met: bool
    refusal: str
    best: Reading
    not_counted: tuple[LeftOut, ...]
    payments: Mapping[str, int] | None
    others: tuple[Reading, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


NO_READING = Reading(0, (), ())


def by_seat(gains: tuple[int, ...]) -> dict[str, int]:
    """What each seat gains, players being 0-3 from East."""
    return dict(zip(WINDS, gains, strict=True))


def by_part(gains: tuple[int, ...], winner: int, discarder: int) -> dict[str, int]:
    """What winner, discarder and each of the two others gain, whoever they are."""
    other = next(player for player in range(len(WINDS)) if player not in (winner, discarder))
    return {WINNER: gains[winner], DISCARDER: gains[discarder], OTHERS: gains[other]}


def distinct(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """The readings without repetitions, in their order."""
    return tuple(dict.fromkeys(readings))
