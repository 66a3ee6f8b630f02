"""The judge: what a won hand is worth, by which fan and extras, and whether it may win at all (CJ-S1 to S4).

Pure arithmetic over `fans.toml`. Counts every reading of the hand and keeps the highest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tablectl.rules.ccm import catalog, found
from tablectl.rules.ccm.flowers import most_scoring
from tablectl.rules.ccm.forms import Form, is_complete
from tablectl.rules.ccm.found import Found
from tablectl.rules.ccm.hand import WinHand, check
from tablectl.rules.ccm.readings import Reading, readings
from tablectl.rules.ccm.settings import ScoreSettings
from tablectl.rules.counted import Line, NotCounted
from tablectl.rules.errors import HandError
from tablectl.rules.shapes import tally


@dataclass(frozen=True, slots=True)
class Sum:
    """What adds up. ``technical``: at least one technical fan is among it (无番禁和, CJ-S1)."""

    lines: tuple[Line, ...]
    total: int
    technical: bool
    not_counted: tuple[NotCounted, ...]


@dataclass(frozen=True, slots=True)
class Count:
    """What a hand is worth.

    ``legal``: a winning shape with a technical fan. ``form`` is None, and all else empty, for tiles that are
    no winning shape. ``reading`` is the tiles of each group, melds first.
    """

    fans: tuple[Line, ...]
    total: int
    legal: bool
    form: Form | None
    reading: tuple[tuple[str, ...], ...]
    not_counted: tuple[NotCounted, ...]


NOTHING = Count((), 0, False, None, (), ())


def count(hand: WinHand, settings: ScoreSettings) -> Count:
    """The highest count of the hand. Raises `HandError` for one that cannot lie on a table."""
    return counts(hand, settings)[0]


def counts(hand: WinHand, settings: ScoreSettings) -> Sequence[Count]:
    """The counts of all readings, the highest first; `NOTHING` alone for no winning shape.

    Raises `HandError` as `count` does.
    """
    check(hand)
    _check_flowers(hand, settings)
    common = tuple(found.circumstances(hand, settings))
    counted = [_count(hand, reading, common, settings) for reading in readings(hand, settings.shapes)]

    def rank(one: Count) -> tuple[bool, int, bool]:
        return one.legal, one.total, one.form is Form.SETS

    return sorted(counted, key=rank, reverse=True) or [NOTHING]


def wins(hand: WinHand, settings: ScoreSettings) -> bool:
    """True if the hand is a winning shape with a technical fan; who may pay for it is another question.

    Quick to say no, for players who ask at every tile. Raises `HandError` as `count` does.
    """
    held = tally((*hand.concealed, hand.winning))
    return is_complete(held, settings.shapes) and count(hand, settings).legal


def add_up(seen: Iterable[Found], settings: ScoreSettings) -> Sum:
    """Adds fan and extras, those left out that another one contains (CJ-S2, CJ-S4)."""
    fans = catalog.edition(settings)
    lines: list[Line] = []
    left_out: list[NotCounted] = []
    ordered = sorted(seen, key=lambda one: fans[one.fan].order)
    for one in ordered:
        containing = (other.fan for other in ordered if one.fan in fans[other.fan].contains)
        because = one.missed or next(containing, "")
        if because:
            left_out.append(NotCounted(one.fan, because))
        else:
            lines.append(Line(one.fan, one.times, one.times * fans[one.fan].points))
    total = sum(line.points for line in lines)
    technical = any(not fans[line.id].extra for line in lines)
    return Sum(tuple(lines), total, technical, tuple(left_out))


def _count(hand: WinHand, reading: Reading, common: tuple[Found, ...], settings: ScoreSettings) -> Count:
    own = (*found.fans(hand, reading, settings), *found.wait(hand, reading, settings))
    added = add_up((*own, *common), settings)
    groups = tuple(group.tiles for group in reading.groups)
    return Count(added.lines, added.total, added.technical, reading.form, groups, added.not_counted)


def _check_flowers(hand: WinHand, settings: ScoreSettings) -> None:
    most = most_scoring(settings)
    if hand.flowers > most:
        sentence = f"of {hand.flowers} flowers at most {most} score: the others are flower kongs (CJ-S6)"
        raise HandError("hand.flower_kong", sentence, count=hand.flowers, most=most)
