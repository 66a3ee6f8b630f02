"""What the tests of the judge and the cashier share: the packed settings, hands in one line, random hands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tablectl.rules.ccm import Count, HandError, Meld, ScoreSettings, WinHand, count
from tablectl.rules.ccm.hand import check
from tablectl.rules.ccm.notation import read
from tablectl.rules.ccm.settings import packed
from tablectl.rules.shapes import KNITTED
from tablectl.rules.tiles import HONOURS, KINDS, number, suit

Judge = Callable[..., Count]
RandomWin = Callable[[Random], WinHand]
NUMBERS = ("147", "148", "149", "158", "159", "169", "258", "259", "269", "369")


@pytest.fixture(scope="session")
def settings() -> ScoreSettings:
    """The settings of the packed ruleset."""
    return packed()


@pytest.fixture(scope="session")
def judge(settings: ScoreSettings) -> Judge:
    """Counts a hand given in one line, under the packed settings or with some changed."""

    def judged(text: str, **changes: Any) -> Count:
        return count(read(text), replace(settings, **changes))

    return judged


@pytest.fixture(scope="session")
def random_win() -> RandomWin:
    """Makes a hand of a winning shape that can lie on a table, dense and rare ones more often than luck."""

    def make(random: Random) -> WinHand:
        while True:
            hand = _any_hand(random)
            try:
                check(hand)
            except HandError:
                continue
            return hand

    return make


def _any_hand(random: Random) -> WinHand:
    form = random.choices(["sets", "knitted", "pairs", "unrelated"], [75, 12, 8, 5])[0]
    suits = random.choice(["m", "ps", "mps"])
    low, high = random.choice([(1, 9), (1, 9), (1, 3), (4, 6), (7, 9), (2, 6), (5, 9)])
    pool = [tile for tile in KINDS if suit(tile) and suit(tile) in suits and low <= number(tile) <= high]
    pool += list(HONOURS) * random.choice([0, 1])
    melds: list[Meld] = []
    own: list[str] = []
    if form == "pairs":
        own = [tile for tile in random.sample(pool * 2, min(7, 2 * len(pool))) for _ in range(2)]
    elif form == "unrelated":
        numbered = [number + suit for suit in "mps" for number in random.choice(NUMBERS)]
        own = random.sample([*numbered, *HONOURS], 14)
    else:
        if form == "knitted":
            own = [KINDS[kind] for kind in random.choice(KNITTED)]
        triplets, claims = random.choice([0, 0.4, 0.8, 1]), random.choice([0, 0, 0.4, 0.8, 1])
        for _ in range(1 if form == "knitted" else 4):
            tiles = _set(random, pool, triplets)
            if len(tiles) == 4:
                melds.append(Meld(random.choice(["kong", "added_kong", "concealed_kong"]), tiles))
            elif random.random() < claims:
                melds.append(Meld("pung" if len(set(tiles)) == 1 else "chow", tiles))
            else:
                own += tiles
        own += [random.choice(pool)] * 2
    return _won(random, own, melds)


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
    return WinHand(
        concealed=tuple(concealed),
        melds=tuple(melds),
        winning=winning,
        self_drawn=self_drawn,
        flowers=random.choice([0, 0, 1, 3]),
        last_of_kind=random.random() < 0.2,
        wall_last=random.random() < 0.2,
        kong=random.random() < 0.2,
        flower=self_drawn and random.random() < 0.1,
        mixed=self_drawn and random.random() < 0.1,
    )
