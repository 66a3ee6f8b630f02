"""Fan of the whole hand's tiles, however they are grouped: suits, numbers, four of a kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from tablectl.rules.mcr.catalog import Fan
from tablectl.rules.mcr.found import Found
from tablectl.rules.mcr.hand import WinHand
from tablectl.rules.melds import KONGS
from tablectl.rules.tiles import DRAGONS, SUITS, WINDS, suit

FULL_FLUSH = "mcr-22"  # 清一色
HALF_FLUSH = "mcr-49"  # 混一色
ALL_TYPES = "mcr-51"  # 五门齐
TILE_HOG = "mcr-64"  # 四归一
VOIDED_SUIT = "mcr-75"  # 缺一门


def find(hand: WinHand, fans: Mapping[str, Fan]) -> Iterator[Found]:
    """Every fan of the family."""
    tiles = Counter((*hand.concealed, hand.winning))
    for meld in hand.melds:
        tiles.update(meld.tiles)
    kinds = frozenset(tiles)
    yield from (Found(fan.id) for fan in fans.values() if fan.only and kinds <= fan.only)
    yield from _suits(kinds)
    konged = {meld.tiles[0] for meld in hand.melds if meld.kind in KONGS}
    yield from (Found(TILE_HOG) for tile, number in tiles.items() if number == 4 and tile not in konged)


def _suits(kinds: frozenset[str]) -> Iterator[Found]:
    suits = {suit(tile) for tile in kinds} - {""}
    winds, dragons = not kinds.isdisjoint(WINDS), not kinds.isdisjoint(DRAGONS)
    if len(suits) == len(SUITS) and winds and dragons:
        yield Found(ALL_TYPES)
    if len(suits) == len(SUITS) - 1:
        yield Found(VOIDED_SUIT)
    if len(suits) == 1:
        yield Found(HALF_FLUSH if winds or dragons else FULL_FLUSH)
