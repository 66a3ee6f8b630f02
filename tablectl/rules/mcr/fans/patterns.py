"""Sets that make a fan together: of one suit or each of another, and how far each is above the one before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from itertools import combinations, pairwise

from tablectl.rules.mcr.found import Found
from tablectl.rules.mcr.readings import Group


class Suits(Enum):
    """How the suits of some sets go together."""

    ONE = auto()  # 一色
    EACH_ANOTHER = auto()  # 三色
    OTHERWISE = auto()


Steps = tuple[int, ...]  # from one set to the next higher one; one step fewer than sets
Patterns = Mapping[tuple[Suits, Steps], str]


def find(groups: Sequence[Group], places: Sequence[int], patterns: Patterns) -> list[Found]:
    """Every combination of two or more of these sets that makes a fan, in the order of the book."""
    found = [
        Found(fan, chosen)
        for size in range(2, len(places) + 1)
        for chosen in combinations(places, size)
        if (fan := patterns.get(_shape([groups[place] for place in chosen])))
    ]
    return sorted(found)


def _shape(groups: Sequence[Group]) -> tuple[Suits, Steps]:
    numbers = sorted(group.number for group in groups)
    return suits(groups), tuple(high - low for low, high in pairwise(numbers))


def suits(groups: Sequence[Group]) -> Suits:
    """How the suits of the groups go together."""
    different = len({group.suit for group in groups})
    if different == 1:
        return Suits.ONE
    return Suits.EACH_ANOTHER if different == len(groups) else Suits.OTHERWISE
