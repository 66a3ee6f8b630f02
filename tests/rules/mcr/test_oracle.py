"""A second opinion on thousands of hands: PyMahjongGB, where it is installed.

Nothing is collected where it is not, and the run says so.
"""

from __future__ import annotations

import warnings
from random import Random

import pytest

from tablectl.rules.mcr import WinHand, count
from tablectl.rules.tiles import HONOURS, WINDS

SEEDS = range(4)
HANDS = 1000
LONG_HANDS = 20_000

try:
    from MahjongGB import MahjongFanCalculator
except ImportError:
    __test__ = False
    warnings.warn(
        "PyMahjongGB is not installed: the judge was NOT compared with a second opinion", stacklevel=1
    )


def opinion(hand: WinHand) -> int:
    """The total the other program gives, flowers included."""
    melds = []
    for meld in hand.melds:
        if meld.kind == "chow":
            melds.append(("CHI", theirs(meld.tiles[1]), 1))
        elif meld.kind == "pung":
            melds.append(("PENG", theirs(meld.tiles[0]), 1))
        else:
            melds.append(("GANG", theirs(meld.tiles[0]), 0 if meld.kind == "concealed_kong" else 1))
    fans = MahjongFanCalculator(
        tuple(melds),
        tuple(theirs(tile) for tile in hand.concealed),
        theirs(hand.winning),
        hand.flowers,
        hand.self_drawn,
        hand.last_of_kind,
        hand.kong,
        hand.wall_last,
        WINDS.index(hand.seat_wind),
        WINDS.index(hand.prevalent_wind),
    )
    return sum(points for points, _ in fans)


def theirs(tile: str) -> str:
    """The other program's name of a tile."""
    if tile in HONOURS:
        place = HONOURS.index(tile)
        return f"F{place + 1}" if tile in WINDS else f"J{place - len(WINDS) + 1}"
    return {"m": "W", "p": "B", "s": "T"}[tile[1]] + tile[0]


def compare(seed: int, hands: int, random_win, settings) -> None:
    random = Random(seed)
    for number in range(hands):
        hand = random_win(random)
        assert count(hand, settings).total == opinion(hand), f"seed {seed}, hand {number}: {hand}"


@pytest.mark.rule("MCR-S6")
@pytest.mark.rule("MCR-S7")
@pytest.mark.parametrize("seed", SEEDS)
def test_totals_agree(seed: int, random_win, settings) -> None:
    compare(seed, HANDS, random_win, settings)


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_totals_agree_at_length(seed: int, random_win, settings) -> None:
    compare(1000 + seed, LONG_HANDS, random_win, settings)
