"""Patterns of the whole hand's tiles and of how it was won, however it is read."""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.rules.shapes import SUIT, add, tally
from tablectl.rules.tiles import ORDER, number, suit
from tablectl.rules.zungjung.hand import WinHand
from tablectl.rules.zungjung.readings import held

NO_TERMINALS = "zj-1.3"  # 斷么九
MIXED_ONE_SUIT = "zj-2.1.1"  # 混一色
PURE_ONE_SUIT = "zj-2.1.2"  # 清一色
NINE_GATES = "zj-2.2"  # 九蓮寶燈
ALL_HONORS = "zj-3.4"  # 字一色
MIXED_GREATER_TERMINALS = "zj-8.1.3"  # 混么九
PURE_GREATER_TERMINALS = "zj-8.1.4"  # 清么九
FINAL_DRAW = "zj-9.1.1"  # 海底撈月
FINAL_DISCARD = "zj-9.1.2"  # 河底撈魚
WIN_ON_KONG = "zj-9.2"  # 嶺上開花
ROBBING_A_KONG = "zj-9.3"  # 搶槓
HEAVEN = "zj-9.4.1"  # 天和
EARTH = "zj-9.4.2"  # 地和

HONOUR = 0  # in place of a number
ENDS = frozenset((1, 9))
GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)  # of 1 to 9: waits on all nine


def find(hand: WinHand) -> Iterator[str]:
    """Every pattern of the family but those `left_out` names."""
    yield from _tiles(hand)
    if is_nine_gates(hand) and hand.kept_apart and not hand.heaven:
        yield NINE_GATES
    if hand.wall_last:
        yield FINAL_DRAW if hand.self_drawn else FINAL_DISCARD
    if hand.kong:
        yield WIN_ON_KONG if hand.self_drawn else ROBBING_A_KONG
    if hand.heaven and not hand.melds:
        yield HEAVEN
    if hand.earth:
        yield EARTH


def left_out(hand: WinHand) -> Iterator[tuple[str, str]]:
    """Patterns that the way of winning takes from the hand, each with the article."""
    if is_nine_gates(hand) and (hand.heaven or not hand.kept_apart):
        yield NINE_GATES, "ZJ-S8"
    if hand.heaven and hand.melds:  # a concealed kong voids it
        yield HEAVEN, "ZJ-S9"


def is_nine_gates(hand: WinHand) -> bool:
    """The hand waited on all nine; of a dealt 14 any tile may be the fourteenth (ZJ-S8)."""
    if hand.melds or not suit(hand.winning):
        return False
    start = ORDER[hand.winning] // SUIT * SUIT
    tiles = held(hand) if hand.heaven else tally(hand.concealed)
    own = tiles[start : start + SUIT]
    if not hand.heaven:
        return own == GATES
    return any(own == add(GATES, place) for place in range(SUIT))


def _tiles(hand: WinHand) -> Iterator[str]:
    kinds = {*hand.concealed, hand.winning, *(tile for meld in hand.melds for tile in meld.tiles)}
    numbers = {number(tile) for tile in kinds}
    suits = {suit(tile) for tile in kinds} - {""}
    honours = HONOUR in numbers
    if not honours and numbers.isdisjoint(ENDS):
        yield NO_TERMINALS
    if len(suits) == 1:
        yield MIXED_ONE_SUIT if honours else PURE_ONE_SUIT
    if not suits:
        yield ALL_HONORS
    if numbers <= ENDS | {HONOUR}:
        yield MIXED_GREATER_TERMINALS
        if not honours:
            yield PURE_GREATER_TERMINALS
