"""The readings of a hand: each way to see a winning shape in it, its laizi at face value or as other tiles.

Hard or soft and all 大胡 of the tiles belong to one reading (WH-C16). Of readings that no rule tells apart
only one is given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from tablectl.rules import wild
from tablectl.rules.melds import SETS
from tablectl.rules.shapes import SUIT, Part, Tally, tally
from tablectl.rules.tiles import KINDS, ORDER, copies, in_order
from tablectl.rules.wuhan import catalog
from tablectl.rules.wuhan.hand import WinHand
from tablectl.rules.wuhan.laizi import RED
from tablectl.rules.wuhan.settings import ScoreSettings

# Marks of a kind: which suit or honours, and whether it is no 2, 5, 8.
SUIT_MARKS = (1, 2, 4)
HONOUR_MARK = 8
AREA_MARKS = (*SUIT_MARKS, HONOUR_MARK)
OTHER_MARK = 16
SUITS_AND_HONOURS = sum(AREA_MARKS)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a hand.

    ``patterns``: the 大胡 its tiles make. ``wild``: how many laizi stand for other tiles, none in a hard
    reading. ``jiang_pair``: its pair is 2/5/8. ``groups``: the tiles as read, melds first, the pair last;
    all own tiles together where the shape needs no sets. ``stands_for``: what the wild laizi are.
    """

    patterns: tuple[str, ...]
    wild: int
    jiang_pair: bool
    groups: tuple[tuple[str, ...], ...]
    stands_for: tuple[str, ...]


def shape(hand: WinHand) -> bool:
    """True if the tiles are a winning shape at all, of any pair. Quick, for players."""
    held = [*hand.own]
    for tile in hand.own:
        if tile in hand.laizi:
            held.remove(tile)
    return wild.fits(tally(held), len(hand.own) - len(held)) or any(_loose(hand, held))


def readings(hand: WinHand, settings: ScoreSettings) -> Iterator[Reading]:
    """Every reading of a checked hand that no rule tells from another; none if it is no winning shape."""
    melds = tuple(tuple(in_order(meld.tiles)) for meld in hand.melds)
    held = Counter(hand.own)
    for faces in _faces(hand, held, settings):
        own = held.copy()
        for tile, face in zip(hand.laizi, faces, strict=True):
            own[tile] = face
        yield from _readings(hand, melds, tuple(own.elements()), settings)


def _faces(hand: WinHand, held: Counter[str], settings: ScoreSettings) -> Iterable[tuple[int, ...]]:
    """How many laizi of each kind are what they show: all, or none.

    A wild one may stand for its own kind, so what is between the two is only of interest to the settings
    that count the laizi used (WH-C5). 红中 is in no set: as laizi it has no face value (WH-W4).
    """
    most = tuple(0 if tile == RED else held[tile] for tile in hand.laizi)
    if settings.laizi_count_face and settings.laizi_max_used == "none":
        return dict.fromkeys((most, (0,) * len(most)))
    return product(*(range(number + 1) for number in most))


def _readings(
    hand: WinHand, melds: tuple[tuple[str, ...], ...], own: tuple[str, ...], settings: ScoreSettings
) -> Iterator[Reading]:
    """The readings in which these own tiles are what they are and the rest stands for others."""
    numbers = tally(own)
    stand_ins = len(hand.own) - len(own)
    marks = _marks()
    melded = 0
    for tiles in melds:
        for tile in tiles:
            melded |= marks[ORDER[tile]]
    chows = any(meld.kind == "chow" for meld in hand.melds)
    for make, parts in wild.makes(numbers, stand_ins, marks, _room(hand, own, settings)).items():
        groups = tuple(_tiles(part) for part in sorted(parts, key=_place))
        stands_for = Counter(tile for group in groups for tile in group) - Counter(hand.own)
        if stand_ins and not stands_for:
            continue  # hard in truth, and given as that
        yield Reading(
            patterns=tuple(_patterns(make.marks | melded, chows or make.chow)),
            wild=stand_ins,
            jiang_pair=not make.pair & OTHER_MARK,
            groups=melds + groups,
            stands_for=tuple(in_order(stands_for.elements())),
        )
    for pattern in _loose(hand, own):
        rest = tuple(in_order(hand.own))
        yield Reading((pattern,), stand_ins, True, (*melds, rest), ())


def _patterns(marks: int, chows: bool) -> Iterator[str]:
    """The 大胡 of four sets and a pair, by the marks of all their tiles (WH-C14)."""
    if not chows:
        yield catalog.PUNGS
    if marks & SUITS_AND_HONOURS in SUIT_MARKS:
        yield catalog.ONE_SUIT
    if not marks & OTHER_MARK:
        yield catalog.JIANG
    if marks & SUITS_AND_HONOURS == HONOUR_MARK:
        yield catalog.HONOURS


def _loose(hand: WinHand, own: tuple[str, ...] | list[str]) -> Iterator[str]:
    """将一色 and 风一色 need no sets (WH-C3)."""
    kinds = catalog.kinds()
    for pattern, only in ((catalog.JIANG, kinds.jiang), (catalog.HONOURS, kinds.honours)):
        if only.issuperset(own) and all(only.issuperset(meld.tiles) for meld in hand.melds):
            yield pattern


def _room(hand: WinHand, own: tuple[str, ...], settings: ScoreSettings) -> Tally:
    """How many laizi may stand for each kind: for 红中 none, for others at most what there are (WH-W5)."""
    if settings.wild_fifth_copy:
        return _any_but_red()
    melded = (tile for meld in hand.melds for tile in meld.tiles)
    there = tally((*own, *melded))
    return tuple(
        0 if kind == RED else max(0, copies(kind) - number) for kind, number in zip(KINDS, there, strict=True)
    )


@lru_cache(maxsize=1)
def _any_but_red() -> Tally:
    return tuple(0 if kind == RED else SETS * wild.SET + wild.PAIR for kind in KINDS)


@lru_cache(maxsize=1)
def _marks() -> Tally:
    jiang = catalog.kinds().jiang
    return tuple(
        AREA_MARKS[place // SUIT] | (0 if kind in jiang else OTHER_MARK) for place, kind in enumerate(KINDS)
    )


def _tiles(part: Part) -> tuple[str, ...]:
    kind, place = part
    if kind == "chow":
        return KINDS[place : place + wild.SET]
    return (KINDS[place],) * (wild.PAIR if kind == "pair" else wild.SET)


def _place(part: Part) -> tuple[bool, int]:
    return part[0] == "pair", part[1]
