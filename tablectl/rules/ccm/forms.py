"""The winning shapes (CJ-S1, CJ-S11) as tallies: which there are, and whether tiles make one."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from tablectl.rules import shapes
from tablectl.rules.ccm.score import Shape
from tablectl.rules.shapes import HONOURS, SUIT, Tally
from tablectl.rules.tiles import KINDS

TILES = 14
APART = 3  # numbers of a suit in 大乱 are neither neighbours nor one apart


class Form(StrEnum):
    """What a winning hand is made of; the values are those of the setting ``shapes``."""

    SETS = "sets"
    KNITTED = "knitted"
    PAIRS = "pairs"
    UNRELATED = "unrelated"


def is_unrelated(held: Tally) -> bool:
    """大乱, 十四不靠: fourteen single tiles, those of one suit at least three apart."""
    if sum(held) != TILES or max(held) > 1:
        return False
    for start in range(0, HONOURS, SUIT):
        numbers = [number for number in range(SUIT) if held[start + number]]
        if any(high - low < APART for low, high in pairwise(numbers)):
            return False
    return True


def is_complete(held: Tally, allowed: tuple[Shape, ...]) -> bool:
    """True for a winning shape; the sets already on the table are not among the tiles."""
    if Form.SETS in allowed and next(shapes.into_sets(held), None) is not None:
        return True
    if Form.PAIRS in allowed and shapes.is_pairs(held):
        return True
    if Form.UNRELATED in allowed and is_unrelated(held):
        return True
    return Form.KNITTED in allowed and next(shapes.into_knitted(held), None) is not None


@lru_cache(maxsize=256)
def waits_only_for(held: Tally, kind: int, allowed: tuple[Shape, ...]) -> bool:
    """True when no other kind completes the tiles, not even one all four of which are used (CJ-S4)."""
    others = (other for other in range(len(KINDS)) if other != kind)
    return not any(is_complete(shapes.add(held, other), allowed) for other in others)
