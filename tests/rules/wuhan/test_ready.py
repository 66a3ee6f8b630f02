"""Whether a hand waits."""

from __future__ import annotations

import pytest

from tablectl.rules.wuhan.notation import read
from tablectl.rules.wuhan.ready import is_ready

READY = {
    "chow and pair": ("[123m,1]456m789p23s55p", True),
    "laizi": ("[123m,1]456m789p24s5pP", True),
    "not opened": ("123m456m789p23s55p", True),
    "258": ("[222m,1]5528m258p588s", True),
    "any pair for one suit": ("[123m,1]456m789m13m99m", True),
    "no jiang pair": ("[123m,1]456m789p24s66p", False),
    "two short": ("[123m,1]456m789p25s66p", False),
    "two laizi": ("[123m,1]456m789p2sPP6p", False),
    "hongzhong": ("[123m,1]456m789p23s5pC", False),
    "jiang tile left": ("[123m,1][456m,1][789p,1][777s,1]5p", True),
    "no jiang tile left": ("[123m,1][456m,1][789p,1][777s,1]6p", False),
}


@pytest.mark.rule("WH-C11")
@pytest.mark.parametrize(("text", "ready"), READY.values(), ids=READY.keys())
def test_ready(text, ready, settings) -> None:
    shown = read(text + "1p", 0)  # the last tile of a line is the one that comes
    assert is_ready(shown.concealed, shown.melds, ("P",), settings) is ready


@pytest.mark.rule("WH-W5")
def test_wait_for_a_fifth_copy_is_one_for_a_laizi(under) -> None:
    shown = read("[123m,1][456m,1][5555p,1]46p5s5s1p", 0)
    assert is_ready(shown.concealed, shown.melds, ("P",), under())
    assert not is_ready(shown.concealed, shown.melds, ("P",), under("wh.wild_fifth_copy=false"))


@pytest.mark.rule("WH-C11")
@pytest.mark.parametrize(
    ("text", "ready"), [("[123m,1]456m789p23s5p", True), ("[123m,1]456m789p14s6p", False)]
)
def test_tile_laid_out_is_left_out_of_the_judgement(text, ready, settings) -> None:
    """It was held before the draw, so another tile comes in its place: two are missing."""
    shown = read(text + "1p", 0)
    assert is_ready(shown.concealed, shown.melds, ("P",), settings) is ready


def test_complete_hand_does_not_wait(settings) -> None:
    with pytest.raises(ValueError, match="14"):
        is_ready(("E",) * 14, (), ("P",), settings)
