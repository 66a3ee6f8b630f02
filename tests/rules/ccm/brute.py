"""A second, naive opinion on a hand: every division tried tile by tile, every fan by its words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from tablectl.rules.ccm import WinHand
from tablectl.rules.tiles import HONOURS, KINDS, SUITS, copies, in_order, number, suit

VALUES = {1: 20, 2: 30, 3: 20, 4: 20, 5: 20, 6: 20, 7: 20, 8: 20, 9: 30, 10: 40, 11: 30, 12: 60}
Parts = tuple[tuple[str, ...], ...]


def best(hand: WinHand) -> tuple[bool, int]:
    """Whether the hand wins, and the highest total of any division and any group completed last."""
    tiles = in_order((*hand.concealed, hand.winning))
    totals = [_total(hand, parts, last) for parts in set(_divided(tiles)) for last in set(parts)]
    return max((one for one in totals if one is not None), default=(False, 0))


def _divided(tiles: list[str]) -> Iterator[Parts]:
    yield from _into_sets(tiles)
    if len(tiles) >= 11:
        for suits in permutations(SUITS):
            nine = tuple(
                f"{low + step}{one}" for low, one in zip((1, 2, 3), suits, strict=True) for step in (0, 3, 6)
            )
            if set(nine) <= set(tiles):
                for parts in _into_sets(_without(tiles, nine)):
                    yield (tuple(in_order(nine)), *parts)
    if len(tiles) == 14:
        if all(tiles[place] == tiles[place + 1] for place in range(0, 14, 2)):
            yield tuple((tile, tile) for tile in tiles[::2])
        if not any(_close(one, other) for one, other in combinations(tiles, 2)):
            yield (tuple(tiles),)


def _close(one: str, other: str) -> bool:
    return one == other or (
        bool(suit(one)) and suit(one) == suit(other) and abs(number(one) - number(other)) <= 2
    )


def _into_sets(tiles: list[str], pair: bool = False) -> Iterator[Parts]:
    """Sets and one pair, begun with the lowest tile."""
    if not tiles:
        if pair:
            yield ()
        return
    first = tiles[0]
    options = [(first,) * 3]
    if 1 <= number(first) <= 7:
        options.append(tuple(f"{number(first) + step}{suit(first)}" for step in range(3)))
    if not pair:
        options.append((first,) * 2)
    for option in options:
        if all(tiles.count(tile) >= option.count(tile) for tile in option):
            for rest in _into_sets(_without(tiles, option), pair or len(option) == 2):
                yield (option, *rest)


def _without(tiles: list[str], out: tuple[str, ...]) -> list[str]:
    left = [*tiles]
    for tile in out:
        left.remove(tile)
    return left


def _total(hand: WinHand, parts: Parts, last: tuple[str, ...]) -> tuple[bool, int] | None:
    if hand.winning not in last:
        return None
    sets = [*(tuple(in_order(meld.tiles)) for meld in hand.melds), *parts]
    chows = [one for one in sets if len(one) == 3 and len(set(one)) == 3]
    triplets = [one for one in sets if len(one) >= 3 and len(set(one)) == 1]
    suits = {suit(tile) for one in sets for tile in one}
    claimed = [meld for meld in hand.melds if meld.kind != "concealed_kong"]
    narrow = _narrow(hand, parts, last)
    lows = sorted((number(one[0]), suit(one[0])) for one in chows)
    fans = set()
    if any({(1, a), (4, b), (7, c)} <= set(lows) for a, b, c in permutations(SUITS)):
        fans.add(1)
    if any({(1, a), (4, a), (7, a)} <= set(lows) for a in SUITS):
        fans.add(2)
    if any(len(one) == 9 for one in parts):
        fans.add(3)
    if len(suits) == 2 and "" in suits:
        fans.add(4)
    if len(triplets) == 4:
        fans.add(5)
    if len(parts[0]) == 14:
        fans.add(6)
    if len(claimed) == 4:
        fans.add(7)
    own_pung = any(meld.tiles == (hand.winning,) * 3 for meld in hand.melds)
    if narrow and len(last) == 3 and (hand.last_of_kind or own_pung or (hand.kong and not hand.self_drawn)):
        fans.add(8)
    if any(sum(low == one for low, _ in lows) >= 3 for one in (1, 4, 7)):
        fans.add(9)
    if len(suits) == 1 and "" not in suits:
        fans.add(10)
    if len(parts) == 7:
        fans.add(11)
    if sum(one[0] in HONOURS[4:] for one in triplets) == 3:
        fans.add(12)
    extras = 2 * hand.flowers + 8 * hand.wall_last + 6 * hand.flower + 8 * (hand.kong and hand.self_drawn)
    if narrow and not fans & {7, 8} and not hand.mixed:
        extras += 4
    if not claimed and not fans & {6, 11}:
        extras += 8
    return bool(fans), sum(VALUES[fan] for fan in fans) + extras


def _narrow(hand: WinHand, parts: Parts, last: tuple[str, ...]) -> bool:
    """For the pair, the middle or the inner end, and no other kind completes the tiles held."""
    if len(parts) == 7 or len(last) not in (2, 3) or (len(set(last)) == 1 and len(last) == 3):
        return False
    place = number(hand.winning) - number(last[0])
    inner = number(hand.winning) == (3 if number(last[0]) == 1 else 7 if number(last[0]) == 7 else 0)
    if len(last) == 3 and not (place == 1 or inner):
        return False
    held = list(hand.concealed)
    kinds = (kind for kind in KINDS if kind != hand.winning and copies(kind))
    return not any(next(_divided(in_order([*held, kind])), None) for kind in kinds)
