"""How far tiles are from ready (听牌): how many must still be exchanged, over every shape a system allows.

A shape is a set of targets of fourteen tiles; what a hand lacks of the nearest one, less its wild tiles, is
one more than its distance. 0 is ready, 1 one tile short of it (MCR-P8), -1 complete. Formal as a wait is
(MCR-S9): a target may hold a fifth copy of a suited tile. What a complete hand needs besides, points or an
opening, is not asked. Sets on the table count as they lie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

from tablectl.rules.shapes import HONOURS, KNITTED, ORPHANS, SUIT, Tally, tally
from tablectl.rules.tiles import KINDS

FULL = 14
SETS, SET, PAIR = 4, 3, 2  # sets of a hand, tiles of a set and of a pair
PAIRS = 7
APART = 3  # numbers of a suit in 大乱 are neither neighbours nor one apart
IMPOSSIBLE = 99
AREAS = ((0, SUIT), (SUIT, 2 * SUIT), (2 * SUIT, HONOURS), (HONOURS, len(KINDS)))

_Ways = dict[tuple[int, int, int, int], int]
Shape = Callable[
    [Tally, int], int
]  # (concealed tiles that are not wild, sets on the table) -> tiles it lacks


def to_ready(concealed: Sequence[str], melds: int, shapes: Sequence[Shape], wild: Sequence[str] = ()) -> int:
    """Exchanges until the tiles are ready in the nearest of the shapes; `IMPOSSIBLE` if none can be reached.

    ``concealed``: the tiles that are not on the table, 13 less three for each set that is, or one more of a
    player on turn; flowers among them are of no use. ``wild``: the kinds that stand for any other.
    """
    plain = [tile for tile in concealed if tile in KINDS and tile not in wild]
    spare = sum(tile in wild for tile in concealed)
    held = tally(plain)
    return min((shape(held, melds) for shape in shapes), default=IMPOSSIBLE) - spare - 1


def sets(held: Tally, melds: int) -> int:
    """Four sets and a pair."""
    wanted = SETS - melds
    return _lacking(held, wanted) if wanted >= 0 else IMPOSSIBLE


def knitted(held: Tally, melds: int) -> int:
    """A knitted straight, which counts as three sets, one more set and a pair (组合龙)."""
    wanted = SETS - SET - melds
    if wanted < 0:
        return IMPOSSIBLE
    best = IMPOSSIBLE
    for nine in KNITTED:
        rest = [*held]
        for kind in nine:
            rest[kind] = max(0, rest[kind] - 1)
        best = min(best, sum(not held[kind] for kind in nine) + _lacking(tuple(rest), wanted))
    return best


def pairs(held: Tally, melds: int, *, four_alike: bool = True) -> int:
    """Seven pairs; ``four_alike``: four equal tiles are two of them."""
    if melds:
        return IMPOSSIBLE
    most = 2 if four_alike else 1
    there = sum(min(copies // PAIR, most) for copies in held)
    begun = sum(copies % PAIR if four_alike else copies == 1 for copies in held)
    wanted = max(0, PAIRS - there)
    return wanted + max(0, wanted - begun)


def orphans(held: Tally, melds: int) -> int:
    """Thirteen terminals and honours, one of them twice."""
    if melds:
        return IMPOSSIBLE
    there: int = sum(held[kind] > 0 for kind in ORPHANS)
    return FULL - there - int(any(held[kind] > 1 for kind in ORPHANS))


def unrelated(held: Tally, melds: int) -> int:
    """Fourteen of the honours and the nine tiles of a knitted straight, each once (全不靠)."""
    if melds:
        return IMPOSSIBLE
    honours = sum(copies > 0 for copies in held[HONOURS:])
    there = max(sum(held[kind] > 0 for kind in nine) for nine in KNITTED)
    return max(0, FULL - honours - there)


def scattered(held: Tally, melds: int) -> int:
    """Fourteen single tiles, those of one suit three apart or more (大乱)."""
    if melds:
        return IMPOSSIBLE
    ways = {0: 0}  # tiles of the target so far -> the fewest it lacks
    for low, high in AREAS[:-1]:
        ways = _sums(ways, _apart(tuple(copies > 0 for copies in held[low:high])))
    there = sum(copies > 0 for copies in held[HONOURS:])
    honours = {size: max(0, size - there) for size in range(len(KINDS) - HONOURS + 1)}
    return _sums(ways, honours).get(FULL, IMPOSSIBLE)


def only(kinds: Sequence[str], open_tiles: Sequence[str], held: Tally, melds: int) -> int:
    """Nothing but tiles of some kinds, in sets or not (将一色, 风一色)."""
    if not set(open_tiles) <= set(kinds):
        return IMPOSSIBLE
    good = sum(copies for kind, copies in zip(KINDS, held, strict=True) if kind in kinds)
    return max(0, FULL - SET * melds - good)


def only_of(kinds: Sequence[str], open_tiles: Sequence[str]) -> Shape:
    """`only` as a shape, with the tiles of the sets on the table."""
    return partial(only, kinds, open_tiles)


def _lacking(held: Tally, wanted: int) -> int:
    """The fewest tiles missing to so many sets and a pair."""
    ways = {(0, 0): 0}
    for low, high in AREAS:
        area = _area(held[low:high], wanted)
        ways = {
            (number, pair): min(
                ways[first, heads] + area[number - first, pair - heads]
                for first, heads in ways
                if first <= number and heads <= pair
            )
            for number in range(wanted + 1)
            for pair in range(2)
        }
    return ways[wanted, 1]


@lru_cache(maxsize=8192)
def _area(held: Tally, most: int) -> dict[tuple[int, int], int]:
    """Tiles missing in one suit, or among the honours, for (sets, pairs); the honours have no chows."""
    best = {(number, pair): IMPOSSIBLE for number in range(most + 1) for pair in range(2)}
    # (sets, pairs, chows begun one kind ago, two kinds ago) -> the fewest missing
    ways: _Ways = {(0, 0, 0, 0): 0}
    for place, copies in enumerate(held):
        suited = len(held) == SUIT
        ways = _next_kind(ways, copies, most, suited=suited, begins=suited and place + SET <= SUIT)
    for (number, pair, _, before), lacks in ways.items():
        if not before:
            best[number, pair] = min(best[number, pair], lacks)
    return best


def _next_kind(ways: _Ways, copies: int, most: int, *, suited: bool, begins: bool) -> _Ways:
    """Every way to go on with one kind more: chows begun here, triplets, a pair."""
    after: _Ways = {}
    for (number, pair, ago_one, ago_two), lacks in ways.items():
        for chows, triplets, heads in _groups(most - number, 1 - pair, begins):
            used = ago_one + ago_two + chows + SET * triplets + PAIR * heads
            if not suited and used > SET:  # one group of an honour, no more
                continue
            key = number + chows + triplets, pair + heads, chows, ago_one
            total = lacks + max(0, used - copies)
            if total < after.get(key, IMPOSSIBLE):
                after[key] = total
    return after


def _groups(sets_left: int, pairs_left: int, begins: bool) -> Iterator[tuple[int, int, int]]:
    for chows in range(sets_left + 1 if begins else 1):
        for triplets in range(sets_left - chows + 1):
            for heads in range(pairs_left + 1):
                yield chows, triplets, heads


@lru_cache(maxsize=1 << SUIT)
def _apart(present: tuple[bool, ...]) -> dict[int, int]:
    """For each number of tiles of a suit far enough apart, the fewest that are missing."""
    best: dict[int, int] = {}
    for chosen in _spread(0):
        lacks = sum(not present[number] for number in chosen)
        best[len(chosen)] = min(lacks, best.get(len(chosen), IMPOSSIBLE))
    return best


def _spread(first: int) -> Iterator[tuple[int, ...]]:
    yield ()
    for number in range(first, SUIT):
        for rest in _spread(number + APART):
            yield (number, *rest)


def _sums(ways: dict[int, int], more: dict[int, int]) -> dict[int, int]:
    joined: dict[int, int] = {}
    for size, lacks in ways.items():
        for added, lacking in more.items():
            joined[size + added] = min(lacks + lacking, joined.get(size + added, IMPOSSIBLE))
    return joined
