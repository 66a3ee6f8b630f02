"""What the tests of the judge share: settings with changes, hands in one line, winning hands at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from random import Random

import pytest

from tablectl.rules.tiles import HONOURS, KINDS, number, suit
from tablectl.rules.wuhan import Count, FedMeld, Laid, ScoreSettings, WinHand, count, laid_of
from tablectl.rules.wuhan.catalog import patterns
from tablectl.rules.wuhan.notation import read
from tablectl.rules.wuhan.settings import packed

Under = Callable[..., ScoreSettings]
Lay = Callable[..., WinHand]
Judge = Callable[..., Count]
Named = Callable[[Iterable[str]], list[str]]
RandomHand = Callable[..., WinHand]

# Enough openings of a loser to reach the minimum in any small win.
OPENED = Laid(chow=2, pung=2)


@pytest.fixture(scope="session")
def under() -> Under:
    """The settings of the packed ruleset with changes: ``under("wh.gold=raise_cap")``."""
    return lambda *changes: packed(changes)


@pytest.fixture(scope="session")
def settings(under) -> ScoreSettings:
    """The settings of the packed ruleset."""
    return under()


@pytest.fixture(scope="session")
def lay() -> Lay:
    """Makes player 0's hand from one line; player 1 is dealer and has opened, and discards."""

    def make(text: str, laizi: str | tuple[str, ...] = "9s", **more) -> WinHand:
        shown = read(text, 0)
        way = more.get("way", "discard")
        extra = {name: more.pop(name) for name in ("hongzhong_kong", "laizi_kong") if name in more}
        others = more.pop("others", (OPENED, Laid(), Laid()))
        fields = {
            "laizi": (laizi,) if isinstance(laizi, str) else laizi,
            "winner": 0,
            "dealer": 1,
            "way": way,
            "discarder": 1 if way in ("discard", "rob_kong") else None,
            "laid": (laid_of(shown.melds, **extra), *others),
        }
        return WinHand(shown.concealed, shown.melds, shown.winning, **(fields | more))

    return make


@pytest.fixture(scope="session")
def judge(lay, settings) -> Judge:
    """Counts a hand made by `lay`, under the default settings or those given."""

    def make(text: str, laizi: str = "9s", *, by: ScoreSettings = settings, **more) -> Count:
        return count(lay(text, laizi, **more), by)

    return make


@pytest.fixture(scope="session")
def named() -> Named:
    """The Chinese names of patterns."""
    return lambda ids: [patterns()[id_].zh for id_ in ids]


@pytest.fixture(scope="session")
def random_hand() -> RandomHand:
    """A hand that can lie on a table and often wins, with at most so many laizi."""

    def make(random: Random, laizi: int = 4) -> WinHand:
        while True:
            hand = _any_hand(random, laizi)
            if hand is not None:
                return hand

    return make


def _any_hand(random: Random, most: int) -> WinHand | None:
    pool = _pool(random)
    laizi = random.choice([*pool, *pool, *(kind for kind in KINDS if kind != "C")])
    melds = [
        _meld(random, [tile for tile in pool if tile != laizi]) for _ in range(random.choice([1, 1, 2, 3, 4]))
    ]
    own = [tile for _ in range(4 - len(melds)) for tile in _set(random, pool, 0.5)]
    own += [random.choice(pool)] * 2
    random.shuffle(own)
    for place in range(random.randint(0, most)):
        own[place % len(own)] = laizi
    random.shuffle(own)
    seen = Counter([*own, *(tile for meld in melds for tile in meld.tiles)])
    if max(seen.values()) > 4 or seen[laizi] != own.count(laizi) or own.count(laizi) > most:
        return None
    own_laid = laid_of(melds, hongzhong_kong=random.choice([0, 0, 1]))
    others = [Laid(chow=random.choice([0, 1]), pung=random.choice([0, 1, 2])) for _ in range(3)]
    way = random.choice(["self_draw", "discard", "last_four", "kong_draw" if own_laid.kongs else "self_draw"])
    if own[-1] == laizi and way == "discard":
        way = "self_draw"
    return WinHand(
        concealed=tuple(own[:-1]),
        melds=tuple(melds),
        winning=own[-1],
        laizi=(laizi,),
        winner=0,
        dealer=random.randrange(4),
        way=way,
        discarder=random.choice([1, 2, 3]) if way == "discard" else None,
        laid=(own_laid, *others),
        ready_before_kong=random.random() < 0.8,
    )


def _pool(random: Random) -> list[str]:
    kinds = random.choice(["jiang", "honours", "m", "s", "ps", "all", "all"])
    if kinds == "jiang":
        return [tile for tile in KINDS if number(tile) in (2, 5, 8)]
    if kinds == "honours":
        return [tile for tile in HONOURS if tile != "C"]
    return [
        tile for tile in KINDS if tile != "C" and (kinds == "all" or (suit(tile) and suit(tile) in kinds))
    ]


def _set(random: Random, pool: list[str], triplets: float) -> tuple[str, ...]:
    first = random.choice(pool)
    chow = tuple(f"{number(first) + step}{suit(first)}" for step in range(3))
    if random.random() >= triplets and set(chow) <= set(pool):
        return chow
    return (first,) * 3


def _meld(random: Random, pool: list[str]) -> FedMeld:
    tiles = _set(random, pool, random.choice([0, 0.5, 1]))
    if len(set(tiles)) > 1:
        return FedMeld("chow", tiles, 3)
    kind = random.choice(["pung", "pung", "kong", "added_kong", "concealed_kong"])
    feeder = None if kind == "concealed_kong" else random.choice([1, 2, 3])
    return FedMeld(kind, tiles if kind == "pung" else (tiles[0],) * 4, feeder)
