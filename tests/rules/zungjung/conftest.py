"""Hands for the judge of Zung Jung, and a maker of winning hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tablectl.rules.tiles import HONOURS, KINDS, WINDS, number, suit
from tablectl.rules.zungjung import Count, HandError, Meld, ScoreSettings, WinHand, count
from tablectl.rules.zungjung.notation import read_position
from tablectl.rules.zungjung.settings import changed, packed

Judge = Callable[..., Count]
RandomWin = Callable[[Random], WinHand]


@pytest.fixture(scope="session")
def settings() -> ScoreSettings:
    """The settings of the packed ruleset."""
    return packed()


@pytest.fixture(scope="session")
def hand() -> Callable[..., WinHand]:
    """A hand of a position of the rule file; on a discard unless told."""

    def make(text: str, **how: Any) -> WinHand:
        return WinHand(*read_position(text), **{"self_drawn": False, **how})

    return make


@pytest.fixture(scope="session")
def judge(settings: ScoreSettings, hand: Callable[..., WinHand]) -> Judge:
    """Counts a position; ``setting`` is one changed choice."""

    def make(text: str, setting: str = "", **how: Any) -> Count:
        return count(hand(text, **how), changed(settings, setting) if setting else settings)

    return make


@pytest.fixture(scope="session")
def random_win(settings: ScoreSettings) -> RandomWin:
    """Makes a winning hand that can lie on a table, the dense and rare ones more often than luck would."""

    def make(random: Random) -> WinHand:
        while True:
            hand = _any_hand(random)
            try:
                count(hand, settings)
            except HandError:
                continue
            return hand

    return make


def _any_hand(random: Random) -> WinHand:
    pool = _pool(random)
    melds: list[Meld] = []
    own: list[str] = []
    if random.random() < 0.1:
        own = [tile for tile in random.sample(pool * 2, min(7, 2 * len(pool))) for _ in range(2)]
        return _won(random, own, melds)
    triplets, claims = random.choice([0, 0.3, 0.6, 1]), random.choice([0, 0, 0.3, 0.6])
    for _ in range(4):
        tiles = _set(random, pool, triplets)
        if len(tiles) == 4:
            melds.append(Meld(random.choice(["kong", "added_kong", "concealed_kong"]), tiles))
        elif random.random() < claims:
            melds.append(Meld("pung" if len(set(tiles)) == 1 else "chow", tiles))
        else:
            own += tiles
    return _won(random, own + [random.choice(pool)] * 2, melds)


def _pool(random: Random) -> list[str]:
    """Few tiles to choose from, so that patterns of suits and numbers are common."""
    suits = random.choice(["m", "ps", "mps", "mps"])
    low, high = random.choice([(1, 9), (1, 9), (1, 3), (2, 8), (4, 6), (6, 9), (1, 5), (7, 9)])
    pool = [tile for tile in KINDS if suit(tile) and suit(tile) in suits and low <= number(tile) <= high]
    return random.choice([pool, pool, pool + list(HONOURS), [KINDS[0], *HONOURS]])


def _set(random: Random, pool: list[str], triplets: float) -> tuple[str, ...]:
    first = random.choice(pool)
    chow = tuple(f"{number(first) + step}{suit(first)}" for step in range(3))
    if random.random() >= triplets and set(chow) <= set(pool):
        return chow
    return (first,) * random.choice([3, 3, 3, 4])


def _won(random: Random, own: list[str], melds: list[Meld]) -> WinHand:
    random.shuffle(own)
    *concealed, winning = own
    self_drawn = random.random() < 0.5
    seen = Counter(concealed)
    for meld in melds:
        seen.update(meld.tiles)
    konged = any("kong" in meld.kind for meld in melds)
    kong = random.random() < 0.2 and (konged if self_drawn else not seen[winning])
    wall_last = random.random() < 0.1 and not (kong and not self_drawn)
    seat_wind = random.choice(WINDS)
    blessed = not melds and not kong and not wall_last and random.random() < 0.1
    return WinHand(
        concealed=tuple(concealed),
        melds=tuple(melds),
        winning=winning,
        self_drawn=self_drawn,
        seat_wind=seat_wind,
        wall_last=wall_last,
        kong=kong,
        heaven=blessed and self_drawn and seat_wind == "E",
        earth=blessed and not self_drawn and seat_wind != "E",
    )
