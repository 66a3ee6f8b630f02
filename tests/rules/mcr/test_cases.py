"""Hands with right answers: those other programs got wrong, and those drawn in the book of 1998."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablectl.rules.mcr import Meld, WinHand, count
from tablectl.rules.mcr.catalog import catalogue
from tablectl.rules.mcr.notation import read
from tablectl.rules.tiles import HONOURS, WINDS

CASES = Path(__file__).parent / "cases"
IDS = {fan.zh: fan.id for fan in catalogue().values()}

# Settings under which the reading of the note "disputed" is right: total and whether it may win.
OTHER_EDITIONS = {
    "MCR013": ("knitted_wait", "skip", 16, True),
    "MCR015": ("knitted_wait", "skip", 16, True),
    "MCR017": ("knitted_wait", "skip", 16, True),
    "MCR068": ("knitted_in_unrelated", 12, 12, True),
    "MCR069": ("seven_pairs_selfdraw", "buqiuren", 34, True),
    "MCR070": ("two_concealed_kongs", 8, 14, True),
    "MCR071": ("mixed_kong", 6, 9, True),
    "MCR071 without a fan of its own": ("mixed_kong", 3, 6, False),
}


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


def hand_of(case: dict[str, Any]) -> WinHand:
    flags = case["flags"]
    return replace(
        read(case["hand_text"]),
        self_drawn=flags["self_drawn"],
        last_of_kind=flags["last_of_kind"],
        kong=flags["about_kong"],
        wall_last=flags["wall_last"],
        flowers=flags["flowers"],
        seat_wind=WINDS[flags["seat"]],
        prevalent_wind=WINDS[flags["prevalent"]],
    )


HANDS = {case["id"]: case for case in lines("mcr_hands.jsonl")}


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=id_, marks=[pytest.mark.rule(IDS[fan]) for fan in case["expected"]["fans"]])
        for id_, case in HANDS.items()
    ],
)
def test_hand_others_got_wrong(case, settings, named) -> None:
    counted = count(hand_of(case), settings)
    expected = case["expected"]
    assert (counted.total, counted.legal) == (expected["total"], case["legal_win"])
    assert named(counted) == {fan: times for fan, (_, times) in expected["fans"].items()}
    assert counted.total == sum(points * times for points, times in expected["fans"].values())


@pytest.mark.report("B072")
@pytest.mark.parametrize("id_", OTHER_EDITIONS)
def test_disputed_hand_under_the_other_edition(id_, settings) -> None:
    setting, value, total, legal = OTHER_EDITIONS[id_]
    counted = count(hand_of(HANDS[id_.split()[0]]), replace(settings, **{setting: value}))
    assert (counted.total, counted.legal) == (total, legal)


def test_every_disputed_hand_has_its_other_edition() -> None:
    disputed = {id_ for id_, case in HANDS.items() if "disputed" in case}
    assert disputed == {id_.split()[0] for id_ in OTHER_EDITIONS}


OTHER_NAMES = {
    "独听・单钓": "单钓将",
    "独听・嵌张": "坎张",
    "独听・边张": "边张",
    "杠(any kong fan)": "明杠 暗杠 双明杠 双暗杠 明暗杠 三杠",
    "同刻": "双同刻",
}


def our_names(fans: list[str]) -> set[str]:
    return {name for fan in fans for name in OTHER_NAMES.get(fan, fan).split()}


def drawn_hand(case: dict[str, Any]) -> WinHand:
    """As the drawing is read for the check: nothing claimed, kongs concealed, won by discard."""
    verify = case["verify"]
    groups = [tuple(_tiles(group)) for group in case["tiles"].split()]
    winning = next(_tiles(verify["win"]))
    own = [tile for group in groups if len(set(group)) > 1 or len(group) < 4 for tile in group]
    own.remove(winning)
    wind = WINDS[verify["seat_prevalent"] - 1]
    kongs = tuple(Meld("concealed_kong", group) for group in groups if len(group) == 4 and len({*group}) == 1)
    return WinHand(tuple(own), kongs, winning, False, wind, wind)


def _tiles(group: str) -> Iterator[str]:
    for numbers, kind in re.findall(r"(\d+)([mpsz])", group):
        yield from (HONOURS[int(one) - 1] if kind == "z" else one + kind for one in numbers)


@pytest.mark.rule("MCR-S15")
@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case["id"]) for case in lines("mcr_1998_examples.jsonl")]
)
def test_hand_drawn_in_the_book(case, settings, named) -> None:
    counted = count(drawn_hand(case), settings)
    added = named(counted)
    assert counted.total == case["verify"]["lib_total"]
    assert set(added) == our_names(list(case["verify"]["lib_fans"]))
    assert case["fan"] in added
    assert our_names(case["may_add"]) <= set(added)
    assert our_names(case["not_counted"]).isdisjoint(added)
    for choice in case.get("may_add_one_of", []):
        assert len(set(choice) & set(added)) == 1
