"""The judge: what a won hand is worth, by which fan, and whether it may win at all (MCR-S1, S6, S7).

Pure arithmetic over `fans.toml`. Counts every reading of the hand and keeps the highest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tablectl.rules.counted import Line, NotCounted
from tablectl.rules.mcr import combine
from tablectl.rules.mcr.catalog import Fan, edition
from tablectl.rules.mcr.fans import chows, honours, shapes, triplets, whole, winning
from tablectl.rules.mcr.found import Found
from tablectl.rules.mcr.hand import WinHand, check
from tablectl.rules.mcr.readings import Form, Reading, readings
from tablectl.rules.mcr.settings import ScoreSettings
from tablectl.rules.shapes import is_complete, tally
from tablectl.rules.tiles import in_order

CHICKEN = "mcr-43"  # 无番和
PRINCIPLES = "MCR-S6"


@dataclass(frozen=True, slots=True)
class Count:
    """What a hand is worth.

    ``total`` has the flowers in it; ``legal``: a winning shape with the minimum of fan without them.
    ``form`` is None, and all else empty, for tiles that are no winning shape (MCR-S13). ``reading`` is the
    tiles of each group, melds first.
    """

    fans: tuple[Line, ...]
    total: int
    without_flowers: int
    legal: bool
    form: Form | None
    reading: tuple[tuple[str, ...], ...]
    not_counted: tuple[NotCounted, ...]


NOTHING = Count((), 0, 0, False, None, (), ())


def count(hand: WinHand, settings: ScoreSettings) -> Count:
    """The highest count of the hand. Raises `HandError` for one that cannot lie on a table."""
    return counts(hand, settings)[0]


def counts(hand: WinHand, settings: ScoreSettings) -> Sequence[Count]:
    """The counts of all readings, the highest first; `NOTHING` alone for no winning shape.

    Raises `HandError` as `count` does.
    """
    check(hand)
    fans = edition(settings)
    common = [*whole.find(hand, fans), *winning.find(hand)]
    found = [_count(reading, common, fans, settings) for reading in readings(hand)]

    def rank(one: Count) -> tuple[int, bool, list[int]]:  # of equals: sets, then the greater fan
        return one.total, one.form is Form.SETS, [-fans[line.id].order for line in one.fans]

    return sorted(found, key=rank, reverse=True) or [NOTHING]


def wins(hand: WinHand, settings: ScoreSettings) -> bool:
    """True if the hand is a winning shape and its fan without flowers reach the minimum.

    Quick to say no, for players who ask at every tile. Raises `HandError` as `count` does.
    """
    return is_complete(tally((*hand.concealed, hand.winning))) and count(hand, settings).legal


def _count(
    reading: Reading, common: Iterable[Found], fans: Mapping[str, Fan], settings: ScoreSettings
) -> Count:
    found = [*common, *shapes.find(reading)]
    left_out: list[NotCounted] = []
    if reading.groups:
        found += honours.find(reading)
        found += triplets.find_single(reading, settings)
        found += winning.find_wait(reading, settings)
        for combinations in ([*chows.find(reading)], [*triplets.find(reading)]):
            chosen = combine.best(combinations, lambda fan: fans[fan].value)
            found += chosen
            names = {one.fan for one in chosen}
            left_out += [NotCounted(one.fan, PRINCIPLES) for one in combinations if one.fan not in names]
    added, excluded = _exclude(found, fans)
    return _sum(reading, added, (*excluded, *dict.fromkeys(left_out)), fans, settings)


def _exclude(found: Iterable[Found], fans: Mapping[str, Fan]) -> tuple[list[Found], list[NotCounted]]:
    """不重复 (MCR-S6): from the greatest fan down, leave out what an added one contains (MCR-S7)."""
    added: list[Found] = []
    excluded: list[NotCounted] = []
    implied: dict[str, list[str]] = {}
    for one in sorted(found, key=lambda one: fans[one.fan].order):
        because = next((other.fan for other in added if _contains(other, one, fans)), "")
        if not because and implied.get(one.fan):
            because = implied[one.fan].pop()
        if because:
            excluded.append(NotCounted(one.fan, because))
            continue
        added.append(one)
        for other, number in fans[one.fan].implies.items():
            implied.setdefault(other, []).extend([one.fan] * number)
    return added, excluded


def _contains(greater: Found, smaller: Found, fans: Mapping[str, Fan]) -> bool:
    fan = fans[greater.fan]
    own = smaller.fan in fan.excludes_own and set(smaller.places) <= set(greater.places)
    return own or smaller.fan in fan.excludes


def _sum(
    reading: Reading,
    added: Iterable[Found],
    not_counted: tuple[NotCounted, ...],
    fans: Mapping[str, Fan],
    settings: ScoreSettings,
) -> Count:
    times = Counter(one.fan for one in added) or Counter([CHICKEN])
    lines = [Line(fan, number, number * fans[fan].value) for fan, number in times.items()]
    without_flowers = sum(line.points for line in lines)
    if reading.hand.flowers:
        value = reading.hand.flowers * fans[winning.FLOWER].value
        lines.append(Line(winning.FLOWER, reading.hand.flowers, value))
    return Count(
        fans=tuple(lines),
        total=sum(line.points for line in lines),
        without_flowers=without_flowers,
        legal=without_flowers >= settings.minimum,
        form=reading.form,
        reading=_groups(reading),
        not_counted=not_counted,
    )


def _groups(reading: Reading) -> tuple[tuple[str, ...], ...]:
    if reading.groups:
        return tuple(group.tiles for group in reading.groups)
    tiles = in_order((*reading.hand.concealed, reading.hand.winning))
    if reading.form is Form.PAIRS:
        return tuple((tile, tile) for tile in tiles[::2])
    return (tuple(tiles),)
