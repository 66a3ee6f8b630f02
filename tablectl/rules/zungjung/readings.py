"""The readings of a hand: each way to see a winning shape in it, and which group a claimed tile completed.

Freedom of count (ZJ-S3): the judge counts every reading and keeps the highest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from tablectl.rules import shapes
from tablectl.rules.melds import KONGS
from tablectl.rules.tiles import KINDS, in_order, number, suit
from tablectl.rules.zungjung.hand import WinHand
from tablectl.rules.zungjung.settings import ScoreSettings

PAIR = "pair"
CHOW = "chow"
TRIPLET = "triplet"  # also a kong
CHOWS_FROM = 7  # the highest number a chow begins with
TWO_PAIRS = 4  # equal tiles


class Form(StrEnum):
    """The winning shapes (ZJ-S1)."""

    SETS = "sets"
    PAIRS = "pairs"
    TERMINALS = "terminals"


class Group(NamedTuple):
    """A set or the pair. ``number`` is the lowest; honours have no suit and 0.

    ``claimed``: with a tile of another player, so not concealed. ``edge``: a 1, a 9 or an honour is in it.
    """

    kind: str
    tiles: tuple[str, ...]
    suit: str
    number: int
    edge: bool
    claimed: bool = False
    kong: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a hand. ``groups``: melds first, the pair last; ``won``: place of the claimed tile's.

    Shapes without sets have no groups; ``won`` is -1 there and where the winning tile was drawn (ZJ-S6).
    """

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

    def concealed_triplets(self) -> int:
        """Triplets of own tiles only: neither melded nor completed by a claimed tile (ZJ-S6)."""
        return sum(
            group.kind == TRIPLET and not group.claimed and place != self.won
            for place, group in enumerate(self.groups)
        )


def held(hand: WinHand) -> shapes.Tally:
    """The tiles that are not melded, the winning one among them."""
    return shapes.tally((*hand.concealed, hand.winning))


def is_shape(hand: WinHand, settings: ScoreSettings) -> bool:
    """True for a winning shape (ZJ-S1). Quick to say no."""
    tally = held(hand)
    if next(shapes.into_sets(tally), None) is not None:
        return True
    return not hand.melds and (_are_seven_pairs(tally, settings) or shapes.is_orphans(tally))


def has_four_alike(hand: WinHand, settings: ScoreSettings) -> bool:
    """True if only four equal tiles keep the hand from being seven pairs (ZJ-S7)."""
    tally = held(hand)
    return not hand.melds and shapes.is_pairs(tally) and not _are_seven_pairs(tally, settings)


def readings(hand: WinHand, settings: ScoreSettings) -> Iterator[Reading]:
    """Every reading of a checked hand; none if it is no winning shape."""
    tally = held(hand)
    melds = tuple(_meld_groups(hand))
    for parts in shapes.into_sets(tally):
        groups = (*melds, *(_GROUPS[part] for part in parts))
        if hand.self_drawn:
            yield Reading(Form.SETS, groups)
        else:
            yield from _claimed(hand.winning, groups, len(melds))
    if not hand.melds:
        if _are_seven_pairs(tally, settings):
            yield Reading(Form.PAIRS)
        if shapes.is_orphans(tally):
            yield Reading(Form.TERMINALS)


def _are_seven_pairs(tally: shapes.Tally, settings: ScoreSettings) -> bool:
    return shapes.is_pairs(tally) and (settings.seven_pairs_four_alike or max(tally) < TWO_PAIRS)


def _claimed(winning: str, groups: tuple[Group, ...], first: int) -> Iterator[Reading]:
    """One reading for each different group the claimed tile may stand in."""
    seen: set[Group] = set()
    for place, group in enumerate(groups[first:], first):
        if winning in group.tiles and group not in seen:
            seen.add(group)
            yield Reading(Form.SETS, groups, place)


def _meld_groups(hand: WinHand) -> Iterator[Group]:
    for meld in hand.melds:
        kind = CHOW if meld.kind == "chow" else TRIPLET
        claimed, kong = meld.kind != "concealed_kong", meld.kind in KONGS
        yield _group(kind, tuple(in_order(meld.tiles)), claimed, kong)


def _group(kind: str, tiles: tuple[str, ...], claimed: bool = False, kong: bool = False) -> Group:
    edge = any(number(tile) in (0, 1, 9) for tile in tiles)
    return Group(kind, tiles, suit(tiles[0]), number(tiles[0]), edge, claimed, kong)


def _all_groups() -> Iterator[tuple[shapes.Part, Group]]:
    for kind, tile in enumerate(KINDS):
        yield (PAIR, kind), _group(PAIR, (tile,) * 2)
        yield (TRIPLET, kind), _group(TRIPLET, (tile,) * 3)
        if 0 < number(tile) <= CHOWS_FROM:
            yield (CHOW, kind), _group(CHOW, KINDS[kind : kind + 3])


_GROUPS = dict(_all_groups())
