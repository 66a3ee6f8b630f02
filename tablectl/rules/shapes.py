"""How the concealed tiles divide: into sets, pairs, singles (MCR-S13). Works on how many there are of a kind.

A *tally* is 34 numbers in the order of `tablectl.rules.tiles.KINDS`, so kind ``9 * suit + number - 1`` is a
suited tile and 27-33 are honours. Tallies are never checked for five of a kind: a wait is formal (MCR-S9).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import permutations

from tablectl.rules.tiles import KINDS, ORDER

Tally = tuple[int, ...]
Part = tuple[str, int]  # "chow" by its lowest kind, "triplet" or "pair" by its kind

HONOURS = 27
SUIT = 9
TERMINALS = tuple(kind for kind in range(HONOURS) if kind % SUIT in (0, SUIT - 1))
ORPHANS = (*TERMINALS, *range(HONOURS, len(KINDS)))

# The nine tiles of a knitted straight (组合龙): 147, 258 and 369, one of them in each suit.
KNITTED = tuple(
    tuple(SUIT * suit + first + step for suit, first in enumerate(runs) for step in (0, 3, 6))
    for runs in permutations((0, 1, 2))
)


def tally(tiles: Iterable[str]) -> Tally:
    """How many there are of each kind."""
    numbers = [0] * len(KINDS)
    for tile in tiles:
        numbers[ORDER[tile]] += 1
    return tuple(numbers)


def add(held: Tally, kind: int, number: int = 1) -> Tally:
    """The tally with so many more (or fewer) of a kind."""
    return (*held[:kind], held[kind] + number, *held[kind + 1 :])


def into_sets(held: Tally) -> Iterator[tuple[Part, ...]]:
    """Every way to divide the tiles into sets and one pair; the pair comes last."""
    suits = [held[start : start + SUIT] for start in range(0, HONOURS, SUIT)]
    rest = [sum(suit) % 3 for suit in suits]
    odd = [kind for kind in range(HONOURS, len(KINDS)) if held[kind] not in (0, 3)]
    fixed = tuple(("triplet", kind) for kind in range(HONOURS, len(KINDS)) if held[kind] == 3)
    if not any(rest) and len(odd) == 1 and held[odd[0]] == 2:
        yield from _join(suits, fixed, (("pair", odd[0]),))
    elif not odd and sorted(rest) == [0, 0, 2]:
        place = rest.index(2)
        for number, copies in enumerate(suits[place]):
            if copies >= 2:
                without = [*suits]
                without[place] = add(suits[place], number, -2)
                yield from _join(without, fixed, (("pair", SUIT * place + number),))


def _join(
    suits: list[Tally], honours: tuple[Part, ...], pair: tuple[Part, ...]
) -> Iterator[tuple[Part, ...]]:
    ways = [_suit_into_sets(suit) for suit in suits]
    for first in ways[0]:
        for second in ways[1]:
            for third in ways[2]:
                numbered = (
                    (kind, SUIT * place + number)
                    for place, parts in enumerate((first, second, third))
                    for kind, number in parts
                )
                yield (*numbered, *honours, *pair)


@lru_cache(maxsize=8192)
def _suit_into_sets(suit: Tally) -> tuple[tuple[Part, ...], ...]:
    """Every way to divide one suit into sets, from its lowest tile upwards."""
    low = next((number for number, copies in enumerate(suit) if copies), None)
    if low is None:
        return ((),)
    ways: list[tuple[Part, ...]] = []
    if suit[low] >= 3:
        ways += [(("triplet", low), *way) for way in _suit_into_sets(add(suit, low, -3))]
    if low + 2 < SUIT and suit[low + 1] and suit[low + 2]:
        left = add(add(add(suit, low, -1), low + 1, -1), low + 2, -1)
        ways += [(("chow", low), *way) for way in _suit_into_sets(left)]
    return tuple(ways)


def into_knitted(held: Tally) -> Iterator[tuple[tuple[int, ...], tuple[Part, ...]]]:
    """Every way to take out a knitted straight and divide the rest into sets and one pair."""
    if len(held) - held.count(0) < len(KNITTED[0]):
        return
    for nine in KNITTED:
        if all(held[kind] for kind in nine):
            left = [*held]
            for kind in nine:
                left[kind] -= 1
            for parts in into_sets(tuple(left)):
                yield nine, parts


def is_pairs(held: Tally) -> bool:
    """Seven pairs; four of a kind are two of them (MCR-S12)."""
    return sum(held) == 14 and not any(copies % 2 for copies in held)


def is_orphans(held: Tally) -> bool:
    """The thirteen terminals and honours, one of them twice."""
    return (
        sum(held) == 14 and all(held[kind] for kind in ORPHANS) and sum(held[kind] for kind in ORPHANS) == 14
    )


def is_unrelated(held: Tally) -> bool:
    """Fourteen single tiles: honours, and of each suit only tiles of its run of a knitted straight."""
    if sum(held) != 14 or max(held) > 1:
        return False
    suited = {kind for kind in range(HONOURS) if held[kind]}
    return any(suited.issubset(nine) for nine in KNITTED)


def is_complete(held: Tally) -> bool:
    """True for a winning shape; the sets already on the table are not among the tiles."""
    if next(into_sets(held), None) is not None:
        return True
    if sum(held) == 14 and (is_pairs(held) or is_orphans(held) or is_unrelated(held)):
        return True
    return next(into_knitted(held), None) is not None


@lru_cache(maxsize=256)
def waits_only_for(held: Tally, kind: int) -> bool:
    """True when no other kind completes the tiles, not even one all four of which are used (MCR-S9)."""
    return not any(is_complete(add(held, other)) for other in _candidates(held) if other != kind)


def _candidates(held: Tally) -> Iterator[int]:
    """Kinds that could complete the tiles: those next to a held one; any, where singles or knots may win."""
    anything = sum(held) >= 10
    for kind in range(len(KINDS)):
        if anything or held[kind]:
            yield kind
        elif kind < HONOURS:
            start = kind - kind % SUIT
            low, high = max(start, kind - 2), min(start + SUIT, kind + 3)
            if any(held[low:high]):
                yield kind
