"""The ranking of an event (ZJ-F2, ZJ-F3): match points of all sessions, then raw points, then the lot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tablectl.rules.zungjung.pay import match_points
from tablectl.rules.zungjung.settings import ScoreSettings


class Result(NamedTuple):
    """What a player has: match points in hundredths, and raw points to break a tie."""

    match: int
    raw: int


class Ranked(NamedTuple):
    """A place from 1 and who has it; equal ones share it, and only a lot can part them."""

    place: int
    name: str
    result: Result


def result(sessions: Sequence[int], settings: ScoreSettings) -> Result:
    """What the raw totals of a player's sessions come to (ZJ-F3)."""
    return Result(sum(match_points(total, settings) for total in sessions), sum(sessions))


def ranking(results: Mapping[str, Result]) -> tuple[Ranked, ...]:
    """By match points, then by raw points; equal in both is an equal place (ZJ-F2)."""
    ordered = sorted(results.items(), key=lambda item: item[1], reverse=True)
    return tuple(
        Ranked(1 + sum(other > own for other in results.values()), name, own) for name, own in ordered
    )


def advancing(ranked: Sequence[Ranked], places: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who advances to so many places, and the equal ones among whom a lot decides about the rest (ZJ-F2)."""
    sure = tuple(one.name for one in ranked if sum(other.place <= one.place for other in ranked) <= places)
    free = places - len(sure)
    last = ranked[len(sure)].place if free > 0 and len(sure) < len(ranked) else None
    return sure, tuple(one.name for one in ranked if one.place == last)
