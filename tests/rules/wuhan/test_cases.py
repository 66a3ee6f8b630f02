"""Hands with right answers: legality, 大胡, hard or soft, raw shares and payments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tablectl.rules import wild
from tablectl.rules.shapes import tally
from tablectl.rules.tiles import expand
from tablectl.rules.wuhan import count, wins
from tablectl.rules.wuhan.catalog import LAST_FOUR, patterns
from tablectl.rules.wuhan.lines import answer, hand_of
from tablectl.rules.wuhan.pay import capped

CASES = Path(__file__).parent / "cases"
RULES = {pattern.zh: (id_, pattern.rule) for id_, pattern in patterns().items()}
OF_REASON = {
    None: ("WH-S1", "WH-S7"),
    "two or more laizi in a small hand": ("WH-C5",),
    "minimum not reached": ("WH-C7",),
    "pair is not 2/5/8": ("WH-C2",),
}


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


def marks(case: dict[str, Any]) -> list[pytest.MarkDecorator]:
    expected = case["expected"]
    rules = [*OF_REASON[expected["reason"]], *(rule for name in expected["big"] for rule in RULES[name])]
    if expected["legal"] and not expected["big"]:
        rules += RULES["小胡"]
    return [pytest.mark.rule(rule) for rule in rules]


HANDS = lines("wuhan_hands.jsonl")


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"], marks=marks(case)) for case in HANDS])
def test_hand_with_a_right_answer(case) -> None:
    line = {name: value for name, value in case.items() if name != "expected"}
    assert answer(line) == case["expected"]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in HANDS])
def test_player_who_asks_is_told_the_same(case, settings) -> None:
    assert wins(hand_of(case, settings), settings) is case["expected"]["legal"]


OF_OTHERS = {case["id"]: case for case in lines("mcr_hands_wuhan.jsonl")}


@pytest.mark.rule("WH-S6")
@pytest.mark.parametrize(
    ("raw", "shares"),
    [
        ((320, 960, 320), (320, 400, 320)),
        ((200, 450, 100), (200, 300, 100)),
        ((300, 300, 300), (300, 300, 300)),
    ],
    ids=["WH03", "WH03 one over", "WH03 exactly the cap"],
)
def test_gold_that_raises_the_cap(raw, shares, under) -> None:
    setting = OF_OTHERS["WH03"]["setting"]
    found, _ = capped((*raw, 0), (0, 1, 2), 1, liable=False, settings=under(setting))
    assert found == (*shares, 0)


@pytest.mark.rule("WH-W2")
@pytest.mark.parametrize(
    ("tiles", "fits"),
    [
        ("12m 45m 78m 12p E", True),
        ("147m 147p 14s E", False),
        ("12m 45m 78m 1p E", True),
        ("147m 147p 1s E", False),
        ("12m 45m 7m 1p E", True),
        ("147m 147p E", False),
        ("12m 4m 7m 1p E", True),
        ("147m 147p", False),
    ],
    ids=lambda value: f"WH05 {14 - len(expand(value))} wild" if isinstance(value, str) else None,
)
def test_fourteen_tiles_most_of_them_wild(tiles, fits) -> None:
    own = expand(tiles)
    assert wild.fits(tally(own), 14 - len(own)) is fits


@pytest.mark.rule("WH-W2")
@pytest.mark.parametrize(
    "tiles", ["45p 78p 5s E", "45p 7p 5s E", "4p 7p 5s E", "4p 7p E"], ids=lambda tiles: f"WH05 {tiles}"
)
def test_hand_with_two_kinds_of_laizi(tiles, under, lay) -> None:
    settings = under(OF_OTHERS["WH05"]["setting"])
    own = expand(tiles)
    wild_ones = ("1m" * 4 + "2m" * 4)[: 2 * (11 - len(own))]
    hand = lay(f"[9s9s9s,1]{wild_ones}{tiles}", way="last_four", laizi=("1m", "2m"), indicator="9m")
    counted = count(hand, settings)
    assert counted.legal
    assert LAST_FOUR in counted.big
    assert wins(hand, settings)
