"""What a player builds his hand towards: any complete shape, or the shapes his rules reward.

The hand is as far as its nearest goal is; discards are chosen for that one. Distances are tiles still to be
exchanged: 0 = it waits, -1 = it is complete. Whether a complete hand wins is the judge's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from sim import shape
from sim.customs import RED, Aims
from sim.goals import (
    FromOthers,
    Goal,
    Laid,
    OneSuit,
    Only,
    Pairs,
    Pungs,
    Sets,
    Straights,
    Unrelated,
    dragons,
    without,
)
from sim.shape import COMPLETE
from sim.temper import Temper
from sim.view import OpenHand, ShownMeld

JIANG = frozenset(f"{rank}{suit}" for suit in shape.SUITS for rank in (2, 5, 8))
JIANG_HEADS = tuple(shape.RANKS + 1 - rank for rank in (2, 5, 8))  # places counted from the end of the suit
HONOURS = frozenset(shape.HONOURS) - {RED}
OF_USE = 100  # more than any company a tile has
EAGER = Temper(pung=0.9, chow=0.9, slip=0.1)


class Plan(Protocol):
    """How a player judges tiles of his own, beside melds of his."""

    @property
    def temper(self) -> Temper:
        """How eager one is who plays so, unless somebody says otherwise."""

    def complete(self, tiles: Sequence[str], melds: Sequence[ShownMeld], table: OpenHand) -> bool:
        """True when the tiles may win: worth asking the judge."""

    def distance(self, tiles: Sequence[str], melds: Sequence[ShownMeld], table: OpenHand) -> int:
        """How far they are."""

    def after_discards(
        self, tiles: Sequence[str], melds: Sequence[ShownMeld], table: OpenHand
    ) -> dict[str, int]:
        """The distance left after discarding each kind of use in a set, in the order the hand holds them."""

    def worth(self, name: str, hand: shape.Hand) -> int:
        """How much a tile is missed among equals; asked after ``after_discards``."""


class AnyShape:
    """Any complete shape."""

    temper = Temper()

    def complete(self, tiles: Sequence[str], melds: Sequence[ShownMeld], table: OpenHand) -> bool:
        return shape.is_complete(tiles, len(melds))

    def distance(self, tiles: Sequence[str], melds: Sequence[ShownMeld], table: OpenHand) -> int:
        return shape.distance(shape.count(tiles), len(melds))

    def after_discards(
        self, tiles: Sequence[str], melds: Sequence[ShownMeld], table: OpenHand
    ) -> dict[str, int]:
        return shape.after_discards(tiles, len(melds))

    def worth(self, name: str, hand: shape.Hand) -> int:
        return company(name, hand)


class Nearest:
    """The nearest of several goals. ``opened``: the hand must have claimed a meld besides."""

    temper = EAGER

    def __init__(self, goals: Iterable[Goal], *, opened: bool = False) -> None:
        self._goals = tuple(goals)
        self._opened = opened
        self._goal = self._goals[0]

    def complete(self, tiles: Sequence[str], melds: Sequence[ShownMeld], table: OpenHand) -> bool:
        of_use, wild, rest = sorted_out(tiles, table)
        return not rest and self._cost(shape.count(of_use), Laid.of(melds), wild) <= COMPLETE

    def distance(self, tiles: Sequence[str], melds: Sequence[ShownMeld], table: OpenHand) -> int:
        of_use, wild, _ = sorted_out(tiles, table)
        return self._cost(shape.count(of_use), Laid.of(melds), wild)

    def _cost(self, hand: shape.Hand, laid: Laid, wild: int) -> int:
        return min(goal.cost(hand, laid, wild) for goal in self._goals) + self._closed(laid)

    def _closed(self, laid: Laid) -> int:
        return 1 if self._opened and not laid.opened else 0

    def after_discards(
        self, tiles: Sequence[str], melds: Sequence[ShownMeld], table: OpenHand
    ) -> dict[str, int]:
        laid = Laid.of(melds)
        of_use, wild, _ = sorted_out(tiles, table)
        hand = shape.count(of_use)
        goal = min(self._goals, key=lambda goal: goal.cost(hand, laid, wild)).chosen(hand, laid)
        self._goal = goal
        closed = self._closed(laid)
        return {
            name: goal.cost(without(hand, name), laid, wild) + closed
            for name in dict.fromkeys(of_use)
            if name in shape.PLACE
        }

    def worth(self, name: str, hand: shape.Hand) -> int:
        return company(name, hand) + (OF_USE if self._goal.keeps(name, hand) else 0)


def sorted_out(tiles: Sequence[str], table: OpenHand) -> tuple[list[str], int, int]:
    """Tiles that can be part of a set, how many are wild, and how many are neither."""
    if not table.customs.singles and not table.wild:
        return [*tiles], 0, 0
    plain = [name for name in tiles if name not in table.wild]
    of_use = [name for name in plain if not table.single(name)]
    return of_use, len(tiles) - len(plain), len(plain) - len(of_use)


def plan_of(aims: Aims) -> Plan:
    """A plan for one player."""
    suits = range(len(shape.SUITS))
    match aims:
        case "any":
            return AnyShape()
        case "fan":
            mixed = (OneSuit(suit, honours=True) for suit in suits)
            return Nearest((*mixed, Pungs(), Pairs(), FromOthers(), Straights(dragons()), Unrelated()))
        case "opened":
            pure = (OneSuit(suit, honours=False) for suit in suits)
            return Nearest(
                (Sets(JIANG_HEADS, wilds=1), Pungs(), *pure, Only(JIANG), Only(HONOURS)), opened=True
            )


def company(name: str, hand: shape.Hand) -> int:
    """How much company a tile has: copies, neighbours, and room to grow."""
    suit, index = shape.PLACE[name]
    row = hand[suit]
    company = 4 * (row[index] - 1)
    if suit == len(shape.SUITS):
        return company
    for step, weight in ((1, 3), (2, 2)):
        company += weight * sum(
            row[place] for place in (index - step, index + step) if 0 <= place < shape.RANKS
        )
    return company + 1 + min(index, shape.RANKS - 1 - index, 2)
