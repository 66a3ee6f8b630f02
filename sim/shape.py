"""How far a hand is from complete: four sets and a pair, seven pairs, or the thirteen orphans.

Fast enough for a decision at the table: a suit is taken apart once and remembered, hands are put together
from what is remembered. Knows shapes only; what a win is worth is the judge's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain

from protocols.vocabulary import TILE_CODES

SETS = 4
RANKS = 9
SUITS = "mps"
HONOURS = "ESWNCFP"
PAIRS = 7
COMPLETE = -1
MEMORY = 1 << 16  # suits and sums remembered, so that memory stays flat

Counts = tuple[int, ...]
Split = tuple[int, int, int]  # sets, parts of sets, 1 if a pair is set aside as the head
Splits = tuple[Split, ...]
Heads = tuple[int, ...] | None
Hand = tuple[Counts, Counts, Counts, Counts]  # three suits and the honours

PLACE = {
    **{f"{n}{suit}": (SUITS.index(suit), n - 1) for suit in SUITS for n in range(1, RANKS + 1)},
    **{name: (len(SUITS), index) for index, name in enumerate(HONOURS)},
}
ORPHANS = tuple(chain((f"{n}{suit}" for suit in SUITS for n in (1, RANKS)), HONOURS))
assert all(name in TILE_CODES for name in PLACE)


def count(tiles: Iterable[str]) -> Hand:
    """A hand as counts a suit. Flowers do not count."""
    rows = ([0] * RANKS, [0] * RANKS, [0] * RANKS, [0] * len(HONOURS))
    for name in tiles:
        place = PLACE.get(name)
        if place is not None:
            rows[place[0]][place[1]] += 1
    characters, dots, bamboo, honours = map(tuple, rows)
    return characters, dots, bamboo, honours


def _best(splits: Iterable[Split]) -> Splits:
    """Without those that another one beats in everything."""
    parts: dict[tuple[int, int], int] = {}
    for sets, part, head in splits:
        parts[sets, head] = max(parts.get((sets, head), 0), part)
    kept = [(sets, part, head) for (sets, head), part in parts.items()]
    return tuple(sorted(one for one in kept if not any(_beats(other, one) for other in kept if other != one)))


def _beats(one: Split, other: Split) -> bool:
    return one[0] >= other[0] and one[1] >= other[1] and one[2] >= other[2]


@lru_cache(MEMORY)
def split_suit(counts: Counts, runs: bool, heads: Heads = None) -> Splits:
    """The best ways to take one suit apart. ``runs`` is False for honours; ``heads`` = the places, counted
    from the end, whose pairs can be the head, None for any."""
    if not any(counts):
        return ((0, 0, 0),)
    first, rest = counts[0], counts[1:]
    if not first:
        return split_suit(rest, runs, heads)
    found = list(split_suit((first - 1, *rest), runs, heads))  # one tile stands alone
    if first >= 3:
        found += [(s + 1, p, h) for s, p, h in split_suit((first - 3, *rest), runs, heads)]
    if first >= 2:
        for s, p, h in split_suit((first - 2, *rest), runs, heads):
            found.append((s, p + 1, h))
            if not h and (heads is None or len(counts) in heads):
                found.append((s, p, 1))
    if runs:
        found += _split_runs(first, rest, heads)
    return _best(found)


def _split_runs(first: int, rest: Counts, heads: Heads) -> list[Split]:
    found: list[Split] = []
    second = rest[0] if rest else 0
    third = rest[1] if len(rest) > 1 else 0
    if second and third:
        shorter = (first - 1, second - 1, third - 1, *rest[2:])
        found += [(s + 1, p, h) for s, p, h in split_suit(shorter, True, heads)]
    if second:
        shorter = (first - 1, second - 1, *rest[1:])
        found += [(s, p + 1, h) for s, p, h in split_suit(shorter, True, heads)]
    if third:
        shorter = (first - 1, second, third - 1, *rest[2:])
        found += [(s, p + 1, h) for s, p, h in split_suit(shorter, True, heads)]
    return found


@lru_cache(MEMORY)
def join(one: Splits, other: Splits) -> Splits:
    """The best ways of two suits together; there is one head only."""
    return _best((s1 + s2, p1 + p2, h1 + h2) for s1, p1, h1 in one for s2, p2, h2 in other if h1 + h2 <= 1)


@lru_cache(MEMORY)
def lacking(splits: Splits, needed: int) -> int:
    """Tiles still to be exchanged for so many sets and a head; -1 = all are there."""
    best = 2 * needed
    for sets, parts, head in splits:
        sets = min(sets, needed)
        best = min(best, 2 * (needed - sets) - min(parts, needed - sets) - head)
    return best


def distance(hand: Hand, melds: int) -> int:
    """Tiles that must still be exchanged until the hand waits; 0 = it waits, -1 = it is complete."""
    suits = [split_suit(counts, True) for counts in hand[: len(SUITS)]]
    total = join(join(suits[0], suits[1]), join(suits[2], split_suit(hand[-1], False)))
    best = lacking(total, SETS - melds)
    return best if melds else min(best, pairs_distance(hand))


def pairs_distance(hand: Hand) -> int:
    """The same for seven different pairs."""
    pairs = kinds = 0
    for counts in hand:
        for number in counts:
            kinds += number > 0
            pairs += number > 1
    return PAIRS - 1 - pairs + max(0, PAIRS - kinds)


def is_complete(tiles: Sequence[str], melds: int) -> bool:
    """True when the tiles with so many melds form a complete shape."""
    if distance(count(tiles), melds) == COMPLETE:
        return True
    return not melds and len(tiles) == len(ORPHANS) + 1 and set(tiles) == set(ORPHANS)


def after_discards(tiles: Sequence[str], melds: int) -> dict[str, int]:
    """The distance left after discarding each kind of the hand, in the order the hand holds them."""
    hand = count(tiles)
    splits = [split_suit(row, index < len(SUITS)) for index, row in enumerate(hand)]
    others = [
        join(join(splits[1], splits[2]), splits[3]),
        join(join(splits[0], splits[2]), splits[3]),
        join(join(splits[0], splits[1]), splits[3]),
        join(join(splits[0], splits[1]), splits[2]),
    ]
    paired = PAIRS if melds else pairs_distance(hand)
    found: dict[str, int] = {}
    for name in tiles:
        if name in found or name not in PLACE:
            continue
        suit, index = PLACE[name]
        row = hand[suit]
        shorter = (*row[:index], row[index] - 1, *row[index + 1 :])
        left = lacking(join(others[suit], split_suit(shorter, suit < len(SUITS))), SETS - melds)
        if paired < left:  # a discard never brings seven pairs nearer
            rows = [*hand]
            rows[suit] = shorter
            left = min(left, pairs_distance((rows[0], rows[1], rows[2], rows[3])))
        found[name] = left
    return found
