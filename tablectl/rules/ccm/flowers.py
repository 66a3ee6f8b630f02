"""Flowers on the table: which of them are a flower kong, paid at once, and which score at the win (CJ-S6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tablectl.rules.ccm.settings import ScoreSettings
from tablectl.rules.tiles import FLOWERS

KONG = 4
SETS = tuple(frozenset(FLOWERS[start : start + KONG]) for start in range(0, len(FLOWERS), KONG))


class Laid(NamedTuple):
    """``kongs``: flower kongs among the flowers of a player; ``scoring``: the flowers beside them."""

    kongs: int
    scoring: int


def laid(flowers: Sequence[str], settings: ScoreSettings) -> Laid:
    """What a player's flowers are: the four of one set make a kong, or any four of them."""
    if settings.flower_kong == "set":
        kongs = sum(one.issubset(flowers) for one in SETS)
    else:
        kongs = len(flowers) // KONG
    return Laid(kongs, len(flowers) - KONG * kongs)


def most_scoring(settings: ScoreSettings) -> int:
    """More flowers than these cannot lie beside a hand without a flower kong among them."""
    return (len(SETS) if settings.flower_kong == "set" else 1) * (KONG - 1)
