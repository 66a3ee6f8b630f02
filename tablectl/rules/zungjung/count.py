"""The judge: what a won hand is worth, by which patterns, and whether it may win at all (ZJ-S1 to ZJ-S9).

Pure arithmetic over `patterns.toml`. Counts every reading of the hand and keeps the highest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from tablectl.rules.counted import Line, NotCounted
from tablectl.rules.tiles import in_order
from tablectl.rules.zungjung import penalty
from tablectl.rules.zungjung.catalog import Pattern, catalogue, numbers
from tablectl.rules.zungjung.hand import WinHand, check, check_seat
from tablectl.rules.zungjung.patterns import sets, whole
from tablectl.rules.zungjung.readings import Form, Reading, has_four_alike, is_shape, readings
from tablectl.rules.zungjung.settings import ScoreSettings

Limit = Literal["", "compound", "listed"]
Refusal = Literal["", "win.no_shape", "win.four_alike", "win.below_minimum", "win.penalty_tile"]

SERIES = "ZJ-S2"
LISTED = "ZJ-S4"
HEAVEN_ONLY = "ZJ-S8"

SHAPES_WITHOUT_SETS = {Form.PAIRS: "zj-10.2", Form.TERMINALS: "zj-10.1"}


@dataclass(frozen=True, slots=True)
class Count:
    """What a hand is worth.

    ``total`` is the hand value after the limit; ``added`` the sum of the patterns before it (0 without any).
    ``limit``: the sum was cut, or a listed pattern stands alone (ZJ-S4). ``refusal`` is empty for a hand that
    may win: no winning shape (ZJ-S1), four equal tiles that are no two pairs (ZJ-S7), too few points (ZJ-S5),
    a claimed tile that would complete a group with a penalty tile (ZJ-P8). ``form`` is None, and all else
    empty, for tiles that are no winning shape or may not be read as one. ``reading`` is the tiles of
    each group, melds first; ``won`` the place of the group a claimed tile completed, else -1.
    """

    patterns: tuple[Line, ...]
    total: int
    added: int
    limit: Limit
    refusal: Refusal
    form: Form | None
    reading: tuple[tuple[str, ...], ...]
    won: int
    not_counted: tuple[NotCounted, ...]

    @property
    def legal(self) -> bool:
        """True if the hand may win."""
        return not self.refusal


def count(hand: WinHand, settings: ScoreSettings) -> Count:
    """The highest count of the hand. Raises `HandError` for one that cannot lie on a table."""
    check(hand)
    check_seat(hand)
    return counts(hand, settings)[0]


def counts(hand: WinHand, settings: ScoreSettings) -> Sequence[Count]:
    """The counts of all readings of a checked hand, the highest first; never empty.

    Where readings tie each is right (ZJ-S3): the one with more points before the limit comes first, then the
    one with the patterns first in the book.
    """
    patterns = catalogue()
    common = tuple(whole.find(hand))
    every = list(readings(hand, settings))
    allowed = [reading for reading in every if penalty.allows(hand, reading)]
    if every and not allowed:
        return [_refused("win.penalty_tile")]
    found = [_count(reading, common, hand, settings) for reading in allowed]

    def rank(one: Count) -> tuple[int, int, list[int]]:
        order = [-patterns[line.id].order for line in one.patterns]
        return one.total, one.added, order

    return sorted(found, key=rank, reverse=True) or [_no_shape(hand, settings)]


def wins(hand: WinHand, settings: ScoreSettings) -> bool:
    """True if the hand is a winning shape and reaches the least value of a win (ZJ-S1, ZJ-S5).

    Quick to say no, for players who ask at every tile. A winning shape is checked as `count` does and may
    raise `HandError`.
    """
    return is_shape(hand, settings) and count(hand, settings).legal


def _count(reading: Reading, common: Sequence[str], hand: WinHand, settings: ScoreSettings) -> Count:
    catalog = catalogue()
    found = [*common]
    not_counted = [NotCounted(*one) for one in whole.left_out(hand)]
    if reading.form is Form.SETS:
        found += sets.find(reading, hand)
    else:
        shape = catalog[SHAPES_WITHOUT_SETS[reading.form]]
        found = [shape.id, *(one for one in common if shape.adds is None or one in shape.adds)]
        not_counted += [NotCounted(one, shape.id) for one in common if one not in found]
    added, lesser = _one_of_each_series(found)
    not_counted += lesser
    limit: Limit = ""
    alone = max(added, key=lambda one: one.points, default=None)
    if alone is not None and alone.points >= numbers().listed.value:
        limit, because = "listed", LISTED
    elif whole.HEAVEN in found and settings.heaven_nine_gates == "heaven_only" and whole.is_nine_gates(hand):
        alone, because = catalog[whole.HEAVEN], HEAVEN_ONLY
    else:
        alone, because = None, ""
    if alone is not None:
        rest = dict.fromkeys(one.id for one in added if one is not alone)
        not_counted += [NotCounted(one, because) for one in rest]
        added = [alone]
    return _sum(reading, added, not_counted, limit, hand, settings)


def _one_of_each_series(found: Iterable[str]) -> tuple[list[Pattern], list[NotCounted]]:
    """The greatest pattern of each series (ZJ-S2), in the order of the book, and what it leaves out."""
    patterns = sorted((catalogue()[one] for one in found), key=lambda one: one.order)
    greatest: dict[str, Pattern] = {}
    for pattern in patterns:
        other = greatest.get(pattern.series)
        if other is None or pattern.points > other.points:
            greatest[pattern.series] = pattern
    added = [one for one in patterns if one.each or greatest[one.series] is one]
    lesser = dict.fromkeys(one for one in patterns if not one.each and greatest[one.series] is not one)
    return added, [NotCounted(one.id, greatest[one.series].id) for one in lesser]


def _sum(
    reading: Reading,
    added: Iterable[Pattern],
    not_counted: Iterable[NotCounted],
    limit: Limit,
    hand: WinHand,
    settings: ScoreSettings,
) -> Count:
    times = Counter(added)
    lines = tuple(Line(one.id, number, number * one.points) for one, number in times.items())
    points = sum(line.points for line in lines)
    total = points or numbers().chicken.value
    compound = numbers().compound_limit.value
    if not limit and total > compound:
        total, limit = compound, "compound"
    return Count(
        patterns=lines,
        total=total,
        added=points,
        limit=limit,
        refusal="" if total >= settings.min_points else "win.below_minimum",
        form=reading.form,
        reading=_groups(reading, hand),
        won=reading.won,
        not_counted=tuple(not_counted),
    )


def _groups(reading: Reading, hand: WinHand) -> tuple[tuple[str, ...], ...]:
    if reading.groups:
        return tuple(group.tiles for group in reading.groups)
    tiles = in_order((*hand.concealed, hand.winning))
    if reading.form is Form.PAIRS:
        return tuple((tile, tile) for tile in tiles[::2])
    return (tuple(tiles),)


def _no_shape(hand: WinHand, settings: ScoreSettings) -> Count:
    return _refused("win.four_alike" if has_four_alike(hand, settings) else "win.no_shape")


def _refused(refusal: Refusal) -> Count:
    return Count((), 0, 0, "", refusal, None, (), -1, ())
