"""Patterns of the sets and the pair of one reading."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tablectl.rules.tiles import DRAGONS, SUITS, WINDS
from tablectl.rules.zungjung.hand import WinHand
from tablectl.rules.zungjung.readings import CHOW, TRIPLET, Group, Reading

ALL_SEQUENCES = "zj-1.1"  # 平和
CONCEALED_HAND = "zj-1.2"  # 門前清
VALUE_HONOR = "zj-3.1"  # 番牌
SMALL_THREE_DRAGONS = "zj-3.2.1"  # 小三元
BIG_THREE_DRAGONS = "zj-3.2.2"  # 大三元
SMALL_THREE_WINDS = "zj-3.3.1"  # 小三風
BIG_THREE_WINDS = "zj-3.3.2"  # 大三風
SMALL_FOUR_WINDS = "zj-3.3.3"  # 小四喜
BIG_FOUR_WINDS = "zj-3.3.4"  # 大四喜
ALL_TRIPLETS = "zj-4.1"  # 對對和
TWO_IDENTICAL = "zj-5.1.1"  # 一般高
TWICE_TWO_IDENTICAL = "zj-5.1.2"  # 兩般高
THREE_IDENTICAL = "zj-5.1.3"  # 一色三同順
FOUR_IDENTICAL = "zj-5.1.4"  # 一色四同順
THREE_SIMILAR_SEQUENCES = "zj-6.1"  # 三色同順
SMALL_SIMILAR_TRIPLETS = "zj-6.2.1"  # 三色小同刻
SIMILAR_TRIPLETS = "zj-6.2.2"  # 三色同刻
NINE_TILE_STRAIGHT = "zj-7.1"  # 一氣通貫
THREE_CONSECUTIVE = "zj-7.2.1"  # 三連刻
FOUR_CONSECUTIVE = "zj-7.2.2"  # 四連刻
MIXED_LESSER_TERMINALS = "zj-8.1.1"  # 混全帶么
PURE_LESSER_TERMINALS = "zj-8.1.2"  # 純全帶么

# By how many there are; the greater holds the smaller.
CONCEALED = {2: "zj-4.2.1", 3: "zj-4.2.2", 4: "zj-4.2.3"}  # 二暗刻 三暗刻 四暗刻
KONGS = {1: "zj-4.3.1", 2: "zj-4.3.2", 3: "zj-4.3.3", 4: "zj-4.3.4"}  # 一槓 二槓 三槓 四槓

STRAIGHT = (1, 4, 7)  # lowest numbers of its sequences


def find(reading: Reading, hand: WinHand) -> Iterator[str]:
    """Every pattern of the family; Value Honor once for every set."""
    chows = [group for group in reading.sets if group.kind == CHOW]
    triplets = [group for group in reading.sets if group.kind == TRIPLET]
    if not triplets:
        yield ALL_SEQUENCES
    if hand.hidden:
        yield CONCEALED_HAND
    if not chows:
        yield ALL_TRIPLETS
    if all(group.edge for group in reading.groups):
        yield MIXED_LESSER_TERMINALS
        if all(group.suit for group in reading.groups):
            yield PURE_LESSER_TERMINALS
    if len(chows) > 1:
        yield from _identical(chows)
        yield from _of_sequences(chows)
    if triplets:
        yield from _up_to(reading.concealed_triplets(), CONCEALED)
        yield from _up_to(sum(group.kong for group in triplets), KONGS)
        yield from _honors(triplets, reading.pair, hand.seat_wind)
        yield from _of_triplets(triplets, reading.pair)


def _up_to(number: int, patterns: Mapping[int, str]) -> Iterator[str]:
    return (pattern for needed, pattern in patterns.items() if needed <= number)


def _identical(chows: Iterable[Group]) -> Iterator[str]:
    alike = Counter((chow.suit, chow.number) for chow in chows).values()
    if max(alike) >= 2:
        yield TWO_IDENTICAL
    if sum(number // 2 for number in alike) == 2:
        yield TWICE_TWO_IDENTICAL
    if max(alike) >= 3:
        yield THREE_IDENTICAL
    if max(alike) == 4:
        yield FOUR_IDENTICAL


def _of_sequences(chows: Sequence[Group]) -> Iterator[str]:
    if any(len(suits) == len(SUITS) for suits in _suits_by_number(chows).values()):
        yield THREE_SIMILAR_SEQUENCES
    if any(numbers.issuperset(STRAIGHT) for numbers in _numbers_by_suit(chows).values()):
        yield NINE_TILE_STRAIGHT


def _of_triplets(triplets: Sequence[Group], pair: Group) -> Iterator[str]:
    suited = [group for group in triplets if group.suit]
    for number, suits in _suits_by_number(suited).items():
        if len(suits) == len(SUITS):
            yield SIMILAR_TRIPLETS
        elif len(suits) == 2 and pair.number == number and pair.suit not in suits:
            yield SMALL_SIMILAR_TRIPLETS
    for numbers in _numbers_by_suit(suited).values():
        for low in numbers:
            if numbers.issuperset(range(low, low + 3)):
                yield THREE_CONSECUTIVE
            if numbers.issuperset(range(low, low + 4)):
                yield FOUR_CONSECUTIVE


def _honors(triplets: Iterable[Group], pair: Group, seat_wind: str) -> Iterator[str]:
    honors = [triplet.tiles[0] for triplet in triplets if not triplet.suit]
    yield from (VALUE_HONOR for tile in honors if tile in DRAGONS or tile == seat_wind)
    dragons = sum(tile in DRAGONS for tile in honors)
    winds = len(honors) - dragons
    if dragons == 3:
        yield BIG_THREE_DRAGONS
    elif dragons == 2 and pair.tiles[0] in DRAGONS:
        yield SMALL_THREE_DRAGONS
    if winds >= 3:
        yield BIG_THREE_WINDS
    if winds >= 2 and pair.tiles[0] in WINDS:
        yield SMALL_THREE_WINDS if winds == 2 else SMALL_FOUR_WINDS
    if winds == 4:
        yield BIG_FOUR_WINDS


def _suits_by_number(groups: Iterable[Group]) -> dict[int, set[str]]:
    suits: dict[int, set[str]] = defaultdict(set)
    for group in groups:
        suits[group.number].add(group.suit)
    return suits


def _numbers_by_suit(groups: Iterable[Group]) -> dict[str, set[int]]:
    numbers: dict[str, set[int]] = defaultdict(set)
    for group in groups:
        numbers[group.suit].add(group.number)
    return numbers
