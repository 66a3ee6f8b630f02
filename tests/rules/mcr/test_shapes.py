"""Which tiles are a winning shape (MCR-S13), and what a hand waits for (MCR-S9)."""

from __future__ import annotations

import pytest

from tablectl.rules.mcr import count, wins
from tablectl.rules.mcr.notation import read
from tablectl.rules.shapes import is_complete, tally, waits_only_for
from tablectl.rules.tiles import ORDER, expand

SHAPES = {
    "sets and a pair": ("123m456p789sEEE55p", True),
    "honour pair": ("123m456p789s555pEE", True),
    "one meld's tiles less": ("123m456p789s55p", True),
    "only the pair left": ("55p", True),
    "seven pairs": ("1133m5577p99sEECC", True),
    "four of a kind as two pairs": ("1111m5577p99sEECC", True),
    "thirteen orphans": ("19m19p19sESWNCFPP", True),
    "unrelated": ("147m258p36sESWNCF", True),
    "all honours and seven tiles": ("14m369p25sESWNCFP", True),
    "knitted with a chow": ("147m258p369s234m55p", True),
    "knitted with a triplet": ("147m258p369sEEE55p", True),
    "knitted beside a meld": ("147m258p369s55p", True),
    "knitted tiles again in set and pair": ("147m258p369s111m44m", True),
    "nothing": ("1239m456p789sEEE5p", False),
    "six pairs": ("1133m5577p99sEECF", False),
    "orphans without a pair of them": ("19m19p19sESWNCFP5m", False),
    "one number in two suits": ("147m147p36sESWNCF", False),
    "unrelated with a pair": ("147m258p36sESWNCC", False),
    "one run of the knitted straight twice": ("147m147p369s234m55p", False),
    "honours make no chow": ("ESW456p789s555pEE", False),
    "no chow over the end of a suit": ("891m456p789s555pEE", False),
    "no chow over two suits": ("89m1p456p789s555pEE", False),
}


@pytest.mark.rule("MCR-S13")
@pytest.mark.parametrize(("tiles", "complete"), SHAPES.values(), ids=SHAPES.keys())
def test_shape(tiles: str, complete: bool) -> None:
    assert is_complete(tally(expand(tiles))) == complete


WAITS = {
    "edge": ("12m456p789s555pEE", "3m", True),
    "edge of 1233": ("1233m456p789s555p", "3m", True),
    "two sides": ("23m456p789s555pEE", "4m", False),
    "three sides": ("23456m789s555pEE", "1m", False),
    "middle": ("13m456p789s555pEE", "2m", True),
    "middle of 4556": ("4556m456p789s555p", "5m", True),
    "not the middle of 45567": ("45567m456p789s55p", "6m", False),
    "two pairs": ("55m456p789s555pEE", "5m", False),
    "single": ("123m456p789s555pE", "E", True),
    "no single beside a chow": ("2345m456p789s555p", "2m", False),
    "used up four times, still a wait": ("1234444678m456p", "1m", False),
    "orphans of thirteen kinds": ("19m19p19sESWNCFP", "1m", False),
}


@pytest.mark.rule("MCR-S9")
@pytest.mark.parametrize(("tiles", "winning", "only"), WAITS.values(), ids=WAITS.keys())
def test_waits_for_one_kind_only(tiles: str, winning: str, only: bool) -> None:
    assert waits_only_for(tally(expand(tiles)), ORDER[winning]) == only


@pytest.mark.rule("MCR-S13")
def test_tiles_of_no_shape_are_worth_nothing(settings) -> None:
    hand = read("1239m456p789sEEE5p")
    counted = count(hand, settings)
    assert (counted.total, counted.legal, counted.form, counted.fans) == (0, False, None, ())
    assert not wins(hand, settings)


@pytest.mark.rule("MCR-S1")
@pytest.mark.parametrize(
    ("text", "may_win"),
    [("234567p234567sEE", False), ("234567p234567sEE|EE1000", True), ("234567p234567sEE|EE0000|3", False)],
)
def test_a_player_wins_from_eight_fan(text: str, may_win: bool, settings) -> None:
    assert wins(read(text), settings) == may_win
