"""The readings of a hand: each way to see a winning shape in it, and the group the winning tile completed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tablectl.rules import shapes
from tablectl.rules.ccm.forms import Form, is_unrelated
from tablectl.rules.ccm.hand import WinHand
from tablectl.rules.ccm.score import Shape
from tablectl.rules.shapes import Part, Tally
from tablectl.rules.tiles import KINDS, in_order, number, suit

PAIR = "pair"
CHOW = "chow"
TRIPLET = "triplet"  # also a kong
KNOT = "knitted"  # the nine tiles of a knitted straight: three sets
SINGLES = "singles"
CHOWS_FROM = 7  # the highest number a chow begins with


class Group(NamedTuple):
    """A set, a pair, the knitted nine, the fourteen singles. ``number`` is the lowest of a suited set."""

    kind: str
    tiles: tuple[str, ...]
    suit: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a hand. ``groups``: melds first, the pair last; ``won``: the group completed last."""

    form: Form
    groups: tuple[Group, ...]
    won: Group

    def of(self, kind: str) -> tuple[Group, ...]:
        """The groups of a kind."""
        return tuple(group for group in self.groups if group.kind == kind)


def readings(hand: WinHand, allowed: tuple[Shape, ...]) -> Iterator[Reading]:
    """Every reading of a checked hand among the shapes allowed; none if it is no winning shape."""
    held = shapes.tally((*hand.concealed, hand.winning))
    melds = tuple(_meld(meld.tiles) for meld in hand.melds)
    for form, own in _divisions(held):
        if form not in allowed:
            continue
        seen: set[Group] = set()
        for group in own:
            if hand.winning in group.tiles and group not in seen:
                seen.add(group)
                yield Reading(form, melds + own, group)


def _divisions(held: Tally) -> Iterator[tuple[Form, tuple[Group, ...]]]:
    for parts in shapes.into_sets(held):
        yield Form.SETS, tuple(_GROUPS[part] for part in parts)
    for nine, parts in shapes.into_knitted(held):
        knot = Group(KNOT, tuple(KINDS[kind] for kind in nine))
        yield Form.KNITTED, (knot, *(_GROUPS[part] for part in parts))
    if shapes.is_pairs(held):
        pairs = (kind for kind, copies in enumerate(held) for _ in range(copies // 2))
        yield Form.PAIRS, tuple(_GROUPS[PAIR, kind] for kind in pairs)
    if is_unrelated(held):
        tiles = tuple(KINDS[kind] for kind, copies in enumerate(held) if copies)
        yield Form.UNRELATED, (Group(SINGLES, tiles),)


def _meld(tiles: tuple[str, ...]) -> Group:
    kind = CHOW if len(set(tiles)) > 1 else TRIPLET
    ordered = tuple(in_order(tiles))
    return Group(kind, ordered, suit(ordered[0]), number(ordered[0]))


def _all_groups() -> Iterator[tuple[Part, Group]]:
    for kind, tile in enumerate(KINDS):
        yield (PAIR, kind), Group(PAIR, (tile,) * 2, suit(tile), number(tile))
        yield (TRIPLET, kind), Group(TRIPLET, (tile,) * 3, suit(tile), number(tile))
        if 0 < number(tile) <= CHOWS_FROM:
            yield (CHOW, kind), Group(CHOW, KINDS[kind : kind + 3], suit(tile), number(tile))


_GROUPS = dict(_all_groups())
