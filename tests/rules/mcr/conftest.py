"""What the tests of the judge share: the default settings, fan by name, winning hands at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from tablectl.rules.book import load_book
from tablectl.rules.mcr import Count, HandError, Meld, ScoreSettings, WinHand, count
from tablectl.rules.mcr.catalog import catalogue
from tablectl.rules.mcr.notation import read
from tablectl.rules.shapes import KNITTED, ORPHANS
from tablectl.rules.tiles import HONOURS, KINDS, WINDS, number, suit

Named = Callable[[Count], dict[str, int]]
Judge = Callable[..., Count]
RandomWin = Callable[[Random], WinHand]


@pytest.fixture(scope="session")
def settings() -> ScoreSettings:
    """The settings of the packed ruleset."""
    return ScoreSettings.of(load_book()["mcr"].score)


@pytest.fixture(scope="session")
def named() -> Named:
    """Turns a count into fan names and how often each is added."""
    fans = catalogue()
    return lambda counted: {fans[line.id].zh: line.times for line in counted.fans}


@pytest.fixture(scope="session")
def judge(settings: ScoreSettings) -> Judge:
    """Counts a hand given in one line, under the default settings."""
    return lambda text: count(read(text), settings)


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
    form = random.choices(["sets", "pairs", "unrelated", "orphans", "knitted"], [80, 6, 3, 1, 10])[0]
    pool = _pool(random) if form in ("sets", "pairs") else list(KINDS)
    melds: list[Meld] = []
    own: list[str] = []
    if form == "pairs":
        own = [tile for tile in random.sample(pool * 2, min(7, 2 * len(pool))) for _ in range(2)]
    elif form == "unrelated":
        own = random.sample([*(KINDS[kind] for kind in random.choice(KNITTED)), *HONOURS], 14)
    elif form == "orphans":
        own = [KINDS[kind] for kind in (*ORPHANS, random.choice(ORPHANS))]
    else:
        if form == "knitted":
            own = [KINDS[kind] for kind in random.choice(KNITTED)]
        triplets, claims = random.choice([0, 0.3, 0.6, 1]), random.choice([0, 0, 0.3, 0.6, 1])
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


def _pool(random: Random) -> list[str]:
    """Few tiles to choose from, so that fan of suits and numbers are common."""
    suits = random.choice(["m", "ps", "mps", "mps"])
    low, high = random.choice([(1, 9), (1, 9), (1, 3), (2, 8), (4, 6), (6, 9), (1, 5), (7, 9)])
    pool = [tile for tile in KINDS if suit(tile) and suit(tile) in suits and low <= number(tile) <= high]
    return pool + list(HONOURS) * random.choice([0, 1])


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
    return WinHand(
        concealed=tuple(concealed),
        melds=tuple(melds),
        winning=winning,
        self_drawn=self_drawn,
        seat_wind=random.choice(WINDS),
        prevalent_wind=random.choice(WINDS),
        flowers=random.choice([0, 0, 0, 2]),
        last_of_kind=winning not in concealed and random.random() < 0.2,
        wall_last=random.random() < 0.1 and not (kong and not self_drawn),
        kong=kong,
    )
