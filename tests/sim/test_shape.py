"""Distances of hands known by heart."""

from __future__ import annotations

from random import Random

import pytest

from sim.mechanism.tiles import KINDS
from sim.shape import after_discards, count, distance, is_complete


@pytest.mark.parametrize(
    ("tiles", "melds", "away"),
    [
        ("1m2m3m4m5m6m7m8m9m1p1p1pEE", 0, -1),
        ("1m2m3m4m5m6m7m8m9m1p1p1pES", 0, 0),
        ("1m1m2m2m3m3m4m4m5m5m6m6mEE", 0, -1),
        ("1m1m3m3m5m5m7m7m9m9m1p1pEE", 0, -1),
        ("1m1m3m3m5m5m7m7m9m9m1p1pES", 0, 0),
        ("1m4m7m2p5p8p3s6s9sEESSW", 0, 4),
        ("2m3mEE", 3, 0),
        ("2m3m4mEE", 3, -1),
        ("EE", 4, -1),
        ("1m2m2m3m3m4m5m5m5mPP", 1, -1),
    ],
)
def test_distance(tiles: str, melds: int, away: int) -> None:
    assert distance(count(names(tiles)), melds) == away


def names(text: str) -> list[str]:
    found, rest = [], text
    while rest:
        size = 2 if rest[0].isdigit() else 1
        found.append(rest[:size])
        rest = rest[size:]
    return found


def test_thirteen_orphans_are_complete() -> None:
    assert is_complete(names("1m9m1p9p1s9sESWNCFPP"), 0)
    assert not is_complete(names("1m9m1p9p1s9sESWNCCPP"), 0)


def test_the_quick_way_agrees_with_taking_each_tile_out() -> None:
    rng, wall = Random(5), [name for name in KINDS for _ in range(4)]
    for _ in range(60):
        hand = rng.sample(wall, 14)
        slow = {}
        for name in hand:
            rest = list(hand)
            rest.remove(name)
            slow[name] = distance(count(rest), 0)
        assert after_discards(hand, 0) == slow
