"""The readings of a hand: each way to see a winning shape in it, and which group the winning tile completed.

就高不就低 (MCR-S6): the judge counts every reading and keeps the highest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from tablectl.rules import shapes
from tablectl.rules.mcr.hand import WinHand
from tablectl.rules.melds import KONGS
from tablectl.rules.tiles import KINDS, in_order, number, suit

PAIR = "pair"
CHOW = "chow"
TRIPLET = "triplet"  # also a kong
KNOT = "knitted"  # the nine tiles of a knitted straight
CHOWS_FROM = 7  # the highest number a chow begins with


class Form(StrEnum):
    """The winning shapes (MCR-S13)."""

    SETS = "sets"
    PAIRS = "pairs"
    ORPHANS = "orphans"
    UNRELATED = "unrelated"
    KNITTED = "knitted"


class Group(NamedTuple):
    """A set, a pair, the knitted nine. ``number`` is the lowest; honours have none, the knitted nine no suit.

    ``claimed``: with a tile of another player, so not concealed.
    """

    kind: str
    tiles: tuple[str, ...]
    suit: str
    number: int
    claimed: bool = False
    kong: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a hand. ``groups``: melds first, the pair last; ``won``: place of the completed one.

    Shapes without sets have no groups and ``won`` is -1.
    """

    hand: WinHand
    form: Form
    groups: tuple[Group, ...] = ()
    won: int = -1

    @property
    def sets(self) -> tuple[Group, ...]:
        """The groups without the pair."""
        return self.groups[:-1]

    @property
    def pair(self) -> Group:
        """The pair of a shape of sets."""
        return self.groups[-1]

    def places(self, kind: str) -> tuple[int, ...]:
        """Places of the groups of a kind."""
        return tuple(place for place, group in enumerate(self.groups) if group.kind == kind)

    def concealed(self, place: int) -> bool:
        """True if the group was made of own tiles only, a discard that completed it counting as not own."""
        return not self.groups[place].claimed and (place != self.won or self.hand.self_drawn)


def readings(hand: WinHand) -> Iterator[Reading]:
    """Every reading of a checked hand; none if it is no winning shape."""
    held = shapes.tally((*hand.concealed, hand.winning))
    melds = tuple(_meld_groups(hand))
    for parts in shapes.into_sets(held):
        yield from _won_by(hand, Form.SETS, melds, tuple(_GROUPS[part] for part in parts))
    if len(melds) <= 1:
        for nine, parts in shapes.into_knitted(held):
            knot = Group(KNOT, tuple(KINDS[kind] for kind in nine), "", 0)
            yield from _won_by(hand, Form.KNITTED, melds, (knot, *(_GROUPS[part] for part in parts)))
    if not melds:
        if shapes.is_pairs(held):
            yield Reading(hand, Form.PAIRS)
        if shapes.is_orphans(held):
            yield Reading(hand, Form.ORPHANS)
        if shapes.is_unrelated(held):
            yield Reading(hand, Form.UNRELATED)


def _won_by(hand: WinHand, form: Form, melds: tuple[Group, ...], own: tuple[Group, ...]) -> Iterator[Reading]:
    """One reading for each different group the winning tile may have completed."""
    seen: set[Group] = set()
    for place, group in enumerate(own):
        if hand.winning in group.tiles and group not in seen:
            seen.add(group)
            yield Reading(hand, form, melds + own, len(melds) + place)


def _meld_groups(hand: WinHand) -> Iterator[Group]:
    for meld in hand.melds:
        kind = CHOW if meld.kind == "chow" else TRIPLET
        tiles = tuple(in_order(meld.tiles))
        claimed, kong = meld.kind != "concealed_kong", meld.kind in KONGS
        yield Group(kind, tiles, suit(tiles[0]), number(tiles[0]), claimed, kong)


def _all_groups() -> Iterator[tuple[shapes.Part, Group]]:
    for kind, tile in enumerate(KINDS):
        yield (PAIR, kind), Group(PAIR, (tile,) * 2, suit(tile), number(tile))
        yield (TRIPLET, kind), Group(TRIPLET, (tile,) * 3, suit(tile), number(tile))
        if 0 < number(tile) <= CHOWS_FROM:
            yield (CHOW, kind), Group(CHOW, KINDS[kind : kind + 3], suit(tile), number(tile))


_GROUPS = dict(_all_groups())
