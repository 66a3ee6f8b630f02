"""Fan of the shape itself: pairs, orphans, unrelated tiles, the knitted straight, what is in each group."""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.rules.mcr.catalog import KNITTED_STRAIGHT, NINE_GATES, SEVEN_PAIRS, UNRELATED
from tablectl.rules.mcr.found import Found
from tablectl.rules.mcr.hand import WinHand
from tablectl.rules.mcr.readings import CHOW, KNOT, Form, Reading
from tablectl.rules.shapes import KNITTED, SUIT, tally
from tablectl.rules.tiles import HONOURS, KINDS, number, suit

SHIFTED_PAIRS = "mcr-06"  # 连七对
THIRTEEN_ORPHANS = "mcr-07"  # 十三幺
GREATER_UNRELATED = "mcr-20"  # 七星不靠
ALL_FIVES = "mcr-31"  # 全带五
OUTSIDE_HAND = "mcr-55"  # 全带幺
ALL_CHOWS = "mcr-63"  # 平和

GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)  # of 1 to 9: waits on all nine
KNOTS = tuple(frozenset(KINDS[kind] for kind in nine) for nine in KNITTED)
ENDS = (1, 9)
FIVE = 5


def find(reading: Reading) -> Iterator[Found]:
    """Every fan of the family."""
    match reading.form:
        case Form.PAIRS:
            yield Found(SEVEN_PAIRS)
            if _are_shifted(reading.hand):
                yield Found(SHIFTED_PAIRS)
        case Form.ORPHANS:
            yield Found(THIRTEEN_ORPHANS)
        case Form.UNRELATED:
            yield from _unrelated(reading.hand)
        case Form.KNITTED:
            yield Found(KNITTED_STRAIGHT)
            yield from _all_chows(reading)
        case Form.SETS:
            yield from _all_chows(reading)
            yield from _in_every_group(reading)
            if _are_nine_gates(reading.hand):
                yield Found(NINE_GATES)


def _are_shifted(hand: WinHand) -> bool:
    kinds = sorted({*hand.concealed, hand.winning}, key=KINDS.index)
    rising = [number(tile) - place for place, tile in enumerate(kinds)]
    return len(kinds) == 7 and suit(kinds[0]) == suit(kinds[-1]) != "" and len(set(rising)) == 1


def _unrelated(hand: WinHand) -> Iterator[Found]:
    tiles = {*hand.concealed, hand.winning}
    yield Found(UNRELATED)
    if tiles.issuperset(HONOURS):
        yield Found(GREATER_UNRELATED)
    if any(tiles >= knot for knot in KNOTS):
        yield Found(KNITTED_STRAIGHT)


def _all_chows(reading: Reading) -> Iterator[Found]:
    if reading.pair.suit and all(group.kind in (CHOW, KNOT) for group in reading.sets):
        yield Found(ALL_CHOWS)


def _in_every_group(reading: Reading) -> Iterator[Found]:
    if all(any(number(tile) == FIVE for tile in group.tiles) for group in reading.groups):
        yield Found(ALL_FIVES)
    if all(any(number(tile) in (0, *ENDS) for tile in group.tiles) for group in reading.groups):
        yield Found(OUTSIDE_HAND)


def _are_nine_gates(hand: WinHand) -> bool:
    held = tally(hand.concealed)
    return not hand.melds and any(held[start : start + SUIT] == GATES for start in (0, SUIT, 2 * SUIT))
