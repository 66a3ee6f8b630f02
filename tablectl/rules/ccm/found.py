"""What is seen in a hand: technical fan by the reading (CJ-S11), extras by how it was won (CJ-S4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import permutations
from typing import NamedTuple

from tablectl.rules.ccm import catalog
from tablectl.rules.ccm.forms import Form, waits_only_for
from tablectl.rules.ccm.hand import WinHand
from tablectl.rules.ccm.readings import CHOW, PAIR, TRIPLET, Reading
from tablectl.rules.ccm.settings import ScoreSettings
from tablectl.rules.melds import SETS
from tablectl.rules.shapes import tally
from tablectl.rules.tiles import DRAGONS, ORDER, SUITS, number, suit

STRAIGHT = (1, 4, 7)  # the lowest numbers of the chows of a straight; also of 全小, 全中, 全大
ALIKE = 3  # so many chows of the same numbers
EDGE = {1: 3, 7: 7}  # the chows at the edge by their lowest number, and the tile an edge wait waits for


class Found(NamedTuple):
    """A fan or an extra that is there; ``missed``: the rule by which it is not added, if one forbids it."""

    fan: str
    times: int = 1
    missed: str = ""


def fans(hand: WinHand, reading: Reading, settings: ScoreSettings) -> Iterator[Found]:
    """The technical fan of a reading."""
    for fan, is_there in _PATTERNS.items():
        if is_there(reading):
            yield Found(fan)
    if len(hand.melds) == SETS and all(meld.kind != "concealed_kong" for meld in hand.melds):
        yield Found(catalog.SINGLE_TILE)
    closed = reading.won.kind == CHOW and _is_narrow(hand, reading)
    if closed and hand.pung_lies_open and _is_single(hand, settings):
        yield Found(catalog.LAST_OF_KIND)


def wait(hand: WinHand, reading: Reading, settings: ScoreSettings) -> Iterator[Found]:
    """The extra of the wait: for one tile only, closed, at the edge or for the pair."""
    if not _is_narrow(hand, reading):
        return
    if hand.mixed:
        yield Found(catalog.WAIT, missed="CJ-C2")
    else:
        yield Found(catalog.WAIT, missed="" if _is_single(hand, settings) else "CJ-S4")


def circumstances(hand: WinHand, settings: ScoreSettings) -> Iterator[Found]:
    """The extras of how the hand was won, whatever the reading."""
    if hand.flowers:
        yield Found(catalog.FLOWER, hand.flowers)
    if hand.flower:
        yield Found(catalog.FLOWER_WIN)
    if hand.kong and hand.self_drawn:
        yield Found(catalog.KONG_WIN)
    own = hand.self_drawn or (hand.robbed and settings.rob_is_selfdraw)
    if hand.wall_last:
        yield Found(catalog.LAST_DRAW if own else catalog.LAST_DISCARD)
    if hand.hidden:
        yield Found(catalog.CONCEALED, missed="" if own or settings.menqing_on_discard else "CJ-S4")
    if hand.earth:
        yield Found(catalog.EARTH)


def _is_narrow(hand: WinHand, reading: Reading) -> bool:
    """The winning tile is the pair's, the middle of a chow or the inner end of a chow at the edge."""
    won = reading.won
    if reading.form not in (Form.SETS, Form.KNITTED):
        return False
    if won.kind == PAIR:
        return True
    return won.kind == CHOW and (hand.winning == won.tiles[1] or EDGE.get(won.number) == number(hand.winning))


def _is_single(hand: WinHand, settings: ScoreSettings) -> bool:
    return waits_only_for(tally(hand.concealed), ORDER[hand.winning], settings.shapes)


def _chows(reading: Reading) -> set[tuple[str, int]]:
    return {(group.suit, group.number) for group in reading.of(CHOW)}


def _mixed_straight(reading: Reading) -> bool:
    chows = _chows(reading)
    return any(chows.issuperset(zip(suits, STRAIGHT, strict=True)) for suits in permutations(SUITS))


def _pure_straight(reading: Reading) -> bool:
    chows = _chows(reading)
    return any(chows.issuperset((one, low) for low in STRAIGHT) for one in SUITS)


def _three_alike(reading: Reading) -> bool:
    lows = Counter(group.number for group in reading.of(CHOW))
    return any(lows[low] >= ALIKE for low in STRAIGHT)


def _three_dragons(reading: Reading) -> bool:
    return {group.tiles[0] for group in reading.of(TRIPLET)}.issuperset(DRAGONS)


def _all_pungs(reading: Reading) -> bool:
    return len(reading.of(TRIPLET)) == SETS


def _suits(reading: Reading) -> set[str]:
    return {suit(tile) for group in reading.groups for tile in group.tiles}


def _half_flush(reading: Reading) -> bool:
    suits = _suits(reading)
    return "" in suits and len(suits) == 2


def _full_flush(reading: Reading) -> bool:
    suits = _suits(reading)
    return "" not in suits and len(suits) == 1


_PATTERNS: Mapping[str, Callable[[Reading], bool]] = {
    catalog.MIXED_STRAIGHT: _mixed_straight,
    catalog.PURE_STRAIGHT: _pure_straight,
    catalog.KNITTED_STRAIGHT: lambda reading: reading.form is Form.KNITTED,
    catalog.HALF_FLUSH: _half_flush,
    catalog.ALL_PUNGS: _all_pungs,
    catalog.UNRELATED: lambda reading: reading.form is Form.UNRELATED,
    catalog.THREE_ALIKE: _three_alike,
    catalog.FULL_FLUSH: _full_flush,
    catalog.SEVEN_PAIRS: lambda reading: reading.form is Form.PAIRS,
    catalog.THREE_DRAGONS: _three_dragons,
}
