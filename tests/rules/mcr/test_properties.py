"""What holds of every hand, whatever it is."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from tablectl.rules.mcr import Meld, count
from tablectl.rules.mcr.catalog import catalogue
from tablectl.rules.tiles import SUITS, suit

HANDS = 300
OF_NAMED_SUITS = {fan.id for fan in catalogue().values() if fan.zh in ("绿一色", "推不倒")}


@pytest.fixture
def random() -> Random:
    return Random(81)


def test_order_of_the_tiles_does_not_matter(random, random_win, settings) -> None:
    for _ in range(HANDS):
        hand = random_win(random)
        shuffled = tuple(random.sample(hand.concealed, len(hand.concealed)))
        assert count(replace(hand, concealed=shuffled), settings).total == count(hand, settings).total


def test_suits_are_alike_but_for_two_fan(random, random_win, settings) -> None:
    others = list(permutations(SUITS))[1:]
    for _ in range(HANDS):
        hand = random_win(random)
        names = dict(zip(SUITS, random.choice(others), strict=True))

        def other(tile: str, names: dict[str, str] = names) -> str:
            return tile[0] + names[tile[1]] if suit(tile) else tile

        changed = replace(
            hand,
            concealed=tuple(map(other, hand.concealed)),
            melds=tuple(Meld(meld.kind, tuple(map(other, meld.tiles))) for meld in hand.melds),
            winning=other(hand.winning),
        )
        counts = count(hand, settings), count(changed, settings)
        if not any(line.id in OF_NAMED_SUITS for one in counts for line in one.fans):
            assert counts[0].total == counts[1].total


def test_lines_add_up_and_a_fan_added_is_not_left_out(random, random_win, settings) -> None:
    fans = catalogue()
    for _ in range(HANDS):
        hand = random_win(random)
        counted = count(hand, settings)
        assert counted.total == sum(line.points for line in counted.fans) >= 1
        assert counted.total - counted.without_flowers == hand.flowers
        tiles = sorted(tile for group in counted.reading for tile in group)
        melded = [tile for meld in hand.melds for tile in meld.tiles]
        assert tiles == sorted([*hand.concealed, hand.winning, *melded])
        for line in counted.fans:
            assert not any(line.id in fans[other.id].excludes for other in counted.fans)


def test_claiming_a_set_never_adds_concealment(random, random_win, settings) -> None:
    hidden = {fan.id for fan in catalogue().values() if fan.zh in ("门前清", "不求人", "四暗刻")}
    for _ in range(HANDS):
        hand = random_win(random)
        if not hand.hidden:
            added = {line.id for line in count(hand, settings).fans}
            assert added & hidden <= ({"mcr-12"} if all("kong" in m.kind for m in hand.melds) else set())
