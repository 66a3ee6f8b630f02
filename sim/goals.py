"""Shapes a player may build towards, each with what it costs: tiles still to be exchanged, -1 = it is there.

``hand`` counts the own tiles that can be part of a set, ``wild`` those that stand for any other. The costs
are those of a person at the table, quick and nearly right; a judge has the last word on a win.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Protocol

from protocols.vocabulary import Meld
from sim import shape
from sim.shape import PLACE, RANKS, SETS, SUITS, Hand, Heads, Splits, join, lacking, split_suit
from sim.view import ShownMeld

NEVER = 99
SET = 3
TILES = 14
SINGLES_APART = 3  # ranks of one suit that are neither neighbours nor one apart


@dataclass(frozen=True, slots=True)
class Laid:
    """What the melds of a player allow."""

    number: int
    suits: frozenset[int]  # as in ``shape.PLACE``
    runs: tuple[tuple[str, ...], ...]
    names: frozenset[str]
    opened: bool  # one of them was claimed
    hidden: bool  # one of them was not

    @classmethod
    def of(cls, melds: Sequence[ShownMeld]) -> Laid:
        """The melds of a player."""
        if not melds:
            return NOTHING
        names = frozenset(name for meld in melds for name in meld.tiles)
        hidden = [meld.kind is Meld.CONCEALED_KONG for meld in melds]
        return cls(
            len(melds),
            frozenset(PLACE[name][0] for name in names),
            tuple(meld.tiles for meld in melds if meld.kind is Meld.CHOW),
            names,
            not all(hidden),
            any(hidden),
        )


NOTHING = Laid(0, frozenset(), (), frozenset(), opened=False, hidden=False)


class Goal(Protocol):
    """One shape."""

    def cost(self, hand: Hand, laid: Laid, wild: int) -> int:
        """Tiles still to be exchanged; ``NEVER`` once the melds rule it out."""

    def chosen(self, hand: Hand, laid: Laid) -> Goal:
        """What to follow, once it is the nearest."""

    def keeps(self, name: str, hand: Hand) -> bool:
        """True when the tile is of use."""


def without(hand: Hand, name: str) -> Hand:
    """The hand with one tile less."""
    suit, index = PLACE[name]
    row = hand[suit]
    rows = [*hand]
    rows[suit] = (*row[:index], row[index] - 1, *row[index + 1 :])
    return rows[0], rows[1], rows[2], rows[3]


def splits(hand: Hand, heads: Heads = None) -> Splits:
    """The best ways to take a whole hand apart; with ``heads`` no honours are the head."""
    none = None if heads is None else ()
    one, two, three = (split_suit(row, True, heads) for row in hand[: len(SUITS)])
    return join(join(one, two), join(three, split_suit(hand[-1], False, none)))


def short(laid: Laid, own: int) -> int:
    """The least a hand can cost in which only so many tiles are of use."""
    return TILES - SET * laid.number - own - 1


class Sets:
    """Four sets and a head of any tiles, or with a head of certain ranks; at most ``wilds`` help."""

    def __init__(self, heads: Heads = None, wilds: int = 0) -> None:
        self._heads = heads
        self._wilds = wilds

    def cost(self, hand: Hand, laid: Laid, wild: int) -> int:
        wild = min(wild, self._wilds)
        cost = lacking(splits(hand, self._heads), SETS - laid.number)
        return max(cost, short(laid, sum(map(sum, hand)))) - wild

    def chosen(self, hand: Hand, laid: Laid) -> Goal:
        return self

    def keeps(self, name: str, hand: Hand) -> bool:
        return self._heads is None or RANKS - PLACE[name][1] in self._heads


class OneSuit:
    """Four sets and a head of one suit, and of honours if they are allowed."""

    def __init__(self, suit: int, *, honours: bool) -> None:
        self._suit = suit
        self._suits = {suit, len(SUITS)} if honours else {suit}

    def cost(self, hand: Hand, laid: Laid, wild: int) -> int:
        if not laid.suits <= self._suits:
            return NEVER
        found, own = split_suit(hand[self._suit], True), sum(hand[self._suit])
        if len(self._suits) > 1:
            found, own = join(found, split_suit(hand[-1], False)), own + sum(hand[-1])
        return max(lacking(found, SETS - laid.number), short(laid, own)) - wild

    def chosen(self, hand: Hand, laid: Laid) -> Goal:
        return self

    def keeps(self, name: str, hand: Hand) -> bool:
        return PLACE[name][0] in self._suits


class Pungs:
    """Four triplets and a head."""

    def cost(self, hand: Hand, laid: Laid, wild: int) -> int:
        if laid.runs:
            return NEVER
        triplets = pairs = 0
        for row in hand:
            for number in row:
                triplets += number > 2
                pairs += number == 2
        needed = SETS - laid.number
        triplets = min(triplets, needed)
        parts = min(pairs, needed - triplets)
        return 2 * (needed - triplets) - parts - (pairs > parts) - wild

    def chosen(self, hand: Hand, laid: Laid) -> Goal:
        return self

    def keeps(self, name: str, hand: Hand) -> bool:
        suit, index = PLACE[name]
        return hand[suit][index] > 1


class Pairs:
    """Seven pairs."""

    def cost(self, hand: Hand, laid: Laid, wild: int) -> int:
        return NEVER if laid.number else shape.pairs_distance(hand)

    def chosen(self, hand: Hand, laid: Laid) -> Goal:
        return self

    def keeps(self, name: str, hand: Hand) -> bool:
        suit, index = PLACE[name]
        return hand[suit][index] > 1


class FromOthers:
    """Four claimed melds and a pair for the last tile. Others must feed it: it counts as one further away."""

    def cost(self, hand: Hand, laid: Laid, wild: int) -> int:
        if laid.hidden:
            return NEVER
        needed = SETS - laid.number
        best = 2 * needed
        for sets, parts, head in splits(hand):
            best = min(best, 2 * needed - min(sets + parts, needed) - head)
        return best + (needed > 0)

    def chosen(self, hand: Hand, laid: Laid) -> Goal:
        return self

    def keeps(self, name: str, hand: Hand) -> bool:
        return True


class Only:
    """Nothing but these tiles, sets or not."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names
        self._places = tuple(PLACE[name] for name in names)

    def cost(self, hand: Hand, laid: Laid, wild: int) -> int:
        if not laid.names <= self._names:
            return NEVER
        good = sum(hand[suit][index] for suit, index in self._places)
        return short(laid, good) - wild

    def chosen(self, hand: Hand, laid: Laid) -> Goal:
        return self

    def keeps(self, name: str, hand: Hand) -> bool:
        return name in self._names


class Straight:
    """Nine single tiles that count as three sets, one more set and a head."""

    def __init__(self, thirds: tuple[tuple[str, ...], ...]) -> None:
        self._thirds = thirds
        self.places = tuple(PLACE[name] for third in thirds for name in third)

    def present(self, hand: Hand, laid: Laid) -> int:
        """How many of the nine are there; -1 when the melds leave no room."""
        mine = [run for run in laid.runs if run in self._thirds]
        if laid.number - len(mine) > 1 or len(set(mine)) < len(mine):
            return -1
        return SET * len(mine) + sum(hand[suit][index] > 0 for suit, index in self._open_places(laid))

    def _open_places(self, laid: Laid) -> Iterable[tuple[int, int]]:
        if not laid.runs:
            return self.places
        return [PLACE[name] for third in self._thirds if third not in laid.runs for name in third]

    def cost(self, hand: Hand, laid: Laid, wild: int) -> int:
        present = self.present(hand, laid)
        if present < 0:
            return NEVER
        mine = sum(run in self._thirds for run in laid.runs)
        rows = [[*row] for row in hand]
        for suit, index in self._open_places(laid):
            rows[suit][index] -= rows[suit][index] > 0
        a, b, c, d = map(tuple, rows)
        rest = splits((a, b, c, d))
        return len(self.places) - present + lacking(rest, SETS - SET - (laid.number - mine))

    def chosen(self, hand: Hand, laid: Laid) -> Goal:
        return self

    def keeps(self, name: str, hand: Hand) -> bool:
        return PLACE[name] in self.places


class Straights:
    """The nearest of many such."""

    def __init__(self, goals: Iterable[Straight]) -> None:
        self._goals = tuple(goals)

    def cost(self, hand: Hand, laid: Laid, wild: int) -> int:
        best = self._best(hand, laid)
        return best.cost(hand, laid, wild) if best.present(hand, laid) >= HALF_THERE else NEVER

    def _best(self, hand: Hand, laid: Laid) -> Straight:
        return max(self._goals, key=lambda goal: goal.present(hand, laid))

    def chosen(self, hand: Hand, laid: Laid) -> Goal:
        return self._best(hand, laid)

    def keeps(self, name: str, hand: Hand) -> bool:
        return True


HALF_THERE = 6  # of nine: fewer are no plan


class Unrelated:
    """Fourteen single tiles, those of a suit three apart or more."""

    def cost(self, hand: Hand, laid: Laid, wild: int) -> int:
        if laid.number:
            return NEVER
        suits = sum(most_apart(tuple(number > 0 for number in row)) for row in hand[: len(SUITS)])
        return TILES - 1 - suits - sum(number > 0 for number in hand[-1])

    def chosen(self, hand: Hand, laid: Laid) -> Goal:
        return self

    def keeps(self, name: str, hand: Hand) -> bool:
        suit, index = PLACE[name]
        return hand[suit][index] == 1


@lru_cache(1 << RANKS)
def most_apart(present: tuple[bool, ...]) -> int:
    """The most ranks of a suit that are far enough from one another."""
    if not any(present):
        return 0
    first = present.index(True)
    return max(most_apart(present[first + 1 :]), 1 + most_apart(present[first + SINGLES_APART :]))


def dragons() -> list[Straight]:
    """One to nine in one suit, or a third of it in each; the same with every third rank."""
    runs = ((1, 2, 3), (4, 5, 6), (7, 8, 9))
    knitted = ((1, 4, 7), (2, 5, 8), (3, 6, 9))
    made = [[(run, suit) for run in runs] for suit in SUITS]
    made += [
        list(zip(thirds, suits, strict=True)) for thirds in (runs, knitted) for suits in permutations(SUITS)
    ]
    return [Straight(tuple(tuple(f"{rank}{suit}" for rank in third) for third, suit in one)) for one in made]
