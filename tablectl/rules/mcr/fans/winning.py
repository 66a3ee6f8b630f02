"""Fan of how the hand was won: by whom, with which tile, on which wait, and the flowers beside it."""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.rules.mcr.catalog import CONCEALED_SELF_DRAWN
from tablectl.rules.mcr.found import Found
from tablectl.rules.mcr.hand import WinHand
from tablectl.rules.mcr.readings import CHOW, KNOT, PAIR, Form, Reading
from tablectl.rules.mcr.settings import ScoreSettings
from tablectl.rules.melds import SETS
from tablectl.rules.shapes import tally, waits_only_for
from tablectl.rules.tiles import ORDER, number

LAST_DRAW = "mcr-44"  # 妙手回春
LAST_CLAIM = "mcr-45"  # 海底捞月
KONG_REPLACEMENT = "mcr-46"  # 杠上开花
ROBBED_KONG = "mcr-47"  # 抢杠和
MELDED_HAND = "mcr-52"  # 全求人
LAST_OF_KIND = "mcr-58"  # 和绝张
CONCEALED_HAND = "mcr-62"  # 门前清
EDGE_WAIT = "mcr-77"  # 边张
CLOSED_WAIT = "mcr-78"  # 坎张
SINGLE_WAIT = "mcr-79"  # 单钓将
SELF_DRAWN = "mcr-80"  # 自摸
FLOWER = "mcr-81"  # 花牌

LOWEST, HIGHEST = 1, 7  # numbers of the chows at the edge


def find(hand: WinHand) -> Iterator[Found]:
    """Every fan of the circumstances, whatever the reading."""
    if hand.self_drawn:
        yield Found(SELF_DRAWN)
        if hand.hidden:
            yield Found(CONCEALED_SELF_DRAWN)
    elif hand.hidden:
        yield Found(CONCEALED_HAND)
    elif len(hand.melds) == SETS and all(meld.kind != "concealed_kong" for meld in hand.melds):
        yield Found(MELDED_HAND)
    if hand.wall_last:
        yield Found(LAST_DRAW if hand.self_drawn else LAST_CLAIM)
    if hand.kong:
        yield Found(KONG_REPLACEMENT if hand.self_drawn else ROBBED_KONG)
    if hand.last_of_kind or _shows_the_others(hand):
        yield Found(LAST_OF_KIND)


def _shows_the_others(hand: WinHand) -> bool:
    """The other three of the winning tile lie in the hand's own melds, for all to see (MCR-S10)."""
    return sum(meld.tiles.count(hand.winning) for meld in hand.melds) == 3


def find_wait(reading: Reading, settings: ScoreSettings) -> Iterator[Found]:
    """The one fan of the wait, if the hand waited for one kind only (MCR-S9)."""
    fan = _wait(reading)
    if not fan:
        return
    winning = reading.hand.winning
    in_knot = any(group.kind == KNOT and winning in group.tiles for group in reading.groups)
    if in_knot and settings.knitted_wait == "skip":
        return
    if waits_only_for(tally(reading.hand.concealed), ORDER[winning]):
        yield Found(fan)


def _wait(reading: Reading) -> str:
    if reading.form not in (Form.SETS, Form.KNITTED):
        return ""
    group, tile = reading.groups[reading.won], reading.hand.winning
    if group.kind == PAIR:
        return SINGLE_WAIT
    if group.kind != CHOW:
        return ""
    if tile == group.tiles[1]:
        return CLOSED_WAIT
    at_edge = (LOWEST, LOWEST + 2), (HIGHEST, HIGHEST)
    return EDGE_WAIT if (group.number, number(tile)) in at_edge else ""
