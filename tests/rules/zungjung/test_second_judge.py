"""A second judge, written apart from the first: no way to lay a hand out is worth more than its count.

It lays the tiles out in every way, reads the table of ZJ-S9 again in its own words and keeps the highest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from tablectl.rules.tiles import SUITS, suit
from tablectl.rules.zungjung import WinHand, count

HANDS = 1200

Set = tuple[str, ...]


def ways(tiles: list[str]) -> Iterator[tuple[list[Set], Set]]:
    """Every way to lay the tiles out as sets and a pair."""
    for tile, number in Counter(tiles).items():
        if number >= 2:
            for sets in into_sets(without(tiles, (tile, tile))):
                yield sets, (tile, tile)


def into_sets(tiles: list[str]) -> Iterator[list[Set]]:
    """Every way to lay the tiles out as sets."""
    if not tiles:
        yield []
        return
    first = min(tiles)
    chow = tuple(f"{int(first[0]) + step}{first[1]}" for step in range(3)) if suit(first) else ()
    for group in ((first,) * 3, chow):
        if group and Counter(group) <= Counter(tiles):
            yield from ([group, *sets] for sets in into_sets(without(tiles, group)))


def without(tiles: list[str], group: Set) -> list[str]:
    return list((Counter(tiles) - Counter(group)).elements())


def best_total(hand: WinHand) -> int:
    tiles = [*hand.concealed, hand.winning]
    totals = []
    for sets, pair in ways(tiles):
        standing = [None] if hand.self_drawn else [*range(len(sets)), len(sets)]
        for place in standing:
            if place is not None and hand.winning not in [*sets, pair][place]:
                continue
            totals.append(total_of(hand, sets, pair, place))
    if not hand.melds and all(number % 2 == 0 for number in Counter(tiles).values()):
        totals.append(limited([*flat_points(hand, tiles), 30]))
    return max(totals)


def limited(points: list[int]) -> int:
    listed = [one for one in points if one >= 320]
    return max(listed) if listed else max(1, min(320, sum(points)))


def flat_points(hand: WinHand, tiles: list[str]) -> list[int]:
    """What belongs to the tiles and the way of winning."""
    numbers_ = [tile[0] for tile in tiles if suit(tile)]
    suits = {suit(tile) for tile in tiles if suit(tile)}
    honours = len(numbers_) < len(tiles)
    points = []
    if not honours and not {"1", "9"} & set(numbers_):
        points.append(5)
    if not suits:
        points.append(320)
    elif len(suits) == 1:
        points.append(40 if honours else 80)
    if set(numbers_) <= {"1", "9"}:
        points.append(100 if honours else 400)
    points += [10] * (hand.wall_last + hand.kong) + [155] * (hand.heaven + hand.earth)
    return points


def total_of(hand: WinHand, own: list[Set], pair: Set, place: int | None) -> int:
    sets = [(group, index != place) for index, group in enumerate(own)]
    sets += [(meld.tiles, meld.kind == "concealed_kong") for meld in hand.melds]
    tiles = [tile for group, _ in sets for tile in group] + [*pair]
    points = flat_points(hand, tiles)
    threes = [group for group, _ in sets if len(set(group)) == 1]
    chows = [min(group) for group, _ in sets if len(set(group)) > 1]
    points += [5] * (not threes) + [5] * all(meld.kind == "concealed_kong" for meld in hand.melds)
    if not hand.melds and not hand.heaven:
        for name in SUITS:
            if sorted(hand.concealed) == sorted(f"{n}{name}" for n in "1112345678999"):
                points += [480] * (suit(hand.winning) == name)
    points += [30] * (len(threes) == 4)
    hidden = sum(len(set(group)) == 1 and own_tiles for group, own_tiles in sets)
    points.append({2: 5, 3: 30, 4: 125}.get(hidden, 0))
    points.append({1: 5, 2: 20, 3: 120, 4: 480}.get(sum(len(group) == 4 for group, _ in sets), 0))
    heads = [group[0] for group in threes]
    points += [10 for tile in heads if tile in ("C", "F", "P", hand.seat_wind)]
    points.append(honour_points(heads, pair[0]))
    alike = [*sorted(Counter(chows).values(), reverse=True), 0, 0]
    points.append({4: 480, 3: 120, 2: 60 if alike[1] == 2 else 10}.get(alike[0], 0))
    points += [35] * any({f"{n}{name}" for name in SUITS} <= set(chows) for n in "1234567")
    points += [40] * any({f"{n}{name}" for n in "147"} <= set(chows) for name in SUITS)
    for n in "123456789":
        threes_of = [f"{n}{name}" in heads for name in SUITS]
        if all(threes_of):
            points.append(120)
        elif sum(threes_of) == 2 and pair[0] in [f"{n}{name}" for name in SUITS]:
            points.append(30)
    runs = [
        length
        for length in (3, 4)
        for name in SUITS
        for low in range(1, 11 - length)
        if {f"{low + step}{name}" for step in range(length)} <= set(heads)
    ]
    points.append({3: 100, 4: 200}.get(max(runs, default=0), 0))
    ends = [
        any(not suit(tile) or tile[0] in "19" for tile in group) for group in [*(g for g, _ in sets), pair]
    ]
    if all(ends) and any(suit(tile) and tile[0] not in "19" for tile in tiles):
        points.append(50 if all(suit(tile) for tile in tiles) else 40)
    return limited(points)


def honour_points(heads: list[str], pair: str) -> int:
    dragons = sum(tile in "CFP" for tile in heads if len(tile) == 1)
    winds = sum(tile in "ESWN" for tile in heads if len(tile) == 1)
    if winds >= 3:
        return 400 if winds == 4 else 320 if pair in list("ESWN") else 120
    if dragons == 3:
        return 130
    if dragons == 2 and pair in list("CFP"):
        return 40
    return 30 if winds == 2 and pair in list("ESWN") else 0


@pytest.mark.rule("ZJ-S3")
@pytest.mark.rule("ZJ-S9")
def test_no_way_to_lay_the_hand_out_is_worth_more(random_win, settings) -> None:
    random = Random(10)
    seen: Counter[str] = Counter()
    for _ in range(HANDS):
        hand = random_win(random)
        counted = count(hand, settings)
        if counted.form is None:
            continue
        assert counted.total == best_total(hand), hand
        seen.update(line.id for line in counted.patterns)
    assert len(seen) >= 35
