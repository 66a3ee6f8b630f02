"""Hands and discards with right answers, each line a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tablectl.rules.zungjung.lines import answer

CASES = Path(__file__).parent / "cases"


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


def without_answer(case: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in case.items() if key not in ("expected", "equal_reading")}


@pytest.mark.rule("ZJ-S9")
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=case["id"],
            marks=[pytest.mark.rule(pattern) for pattern, _ in case["expected"]["patterns"]],
        )
        for case in lines("zungjung_hands.jsonl")
    ],
)
def test_hand_with_its_right_count(case: dict[str, Any]) -> None:
    assert answer(without_answer(case)) == case["expected"]


@pytest.mark.rule("ZJ-S10")
@pytest.mark.rule("ZJ-S12")
@pytest.mark.rule("ZJ-S13")
@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case["id"]) for case in lines("zungjung_payments.jsonl")]
)
def test_discards_with_the_responsible_player(case: dict[str, Any]) -> None:
    assert answer(without_answer(case)) == case["expected"]


FOUR_ALIKE = "1111m22m55s66s77pNN"
# Under each situation: its hand, how it was won, the answer.
SITUATIONS: dict[str, list[tuple[dict[str, Any], dict[str, Any]]]] = {
    "ZJ01": [
        ({"tiles": FOUR_ALIKE, "self_draw": True}, {"total": 30, "patterns": [["zj-10.2", 30]]}),
        (
            {"tiles": FOUR_ALIKE, "self_draw": True, "setting": "zj.seven_pairs_four_alike=false"},
            {"error": "win.four_alike"},
        ),
        ({"tiles": "[1111m]22m55s66s77pNN", "self_draw": True}, {"error": "hand.wrong_number"}),
        ({"tiles": "[1111m]22m55s66s77pFNN", "self_draw": True}, {"error": "win.no_shape"}),
    ],
    "ZJ04": [
        (  # not the sequences: 5 + 120
            {"tiles": "[789s,1]222333444p66m", "self_draw": True},
            {"total": 130, "patterns": [["zj-4.2.2", 30], ["zj-7.2.1", 100]]},
        ),
        (  # the claimed tile opens a triplet: 5 + 5 + 100
            {"tiles": "[345s,1]22233344p66s4p", "self_draw": False},
            {"total": 130, "patterns": [["zj-1.1", 5], ["zj-1.3", 5], ["zj-5.1.3", 120]]},
        ),
    ],
    "ZJ05": [
        (
            {"tiles": "[EEEE][SSSS][WWWW][NNNN]CC", "self_draw": True},
            {"total": 480, "patterns": [["zj-4.3.4", 480]]},
        ),
    ],
}


@pytest.mark.rule("ZJ-S3")
@pytest.mark.rule("ZJ-S4")
@pytest.mark.rule("ZJ-S7")
@pytest.mark.parametrize("id_", [case["id"] for case in lines("zungjung_situations.jsonl")])
def test_situation_others_got_wrong(id_: str) -> None:
    for line, expected in SITUATIONS[id_]:
        assert answer(line) == expected


UNREADABLE = {
    "no tiles": {"tiles": ""},
    "tiles that are none": {"tiles": "123x"},
    "nothing to answer": {"seat": "E"},
    "no seat": {"tiles": "55m", "seat": "C"},
    "no setting": {"tiles": "123m", "setting": "zj.no_such=1"},
    "setting of another system": {"tiles": "123m", "setting": "mcr.min_points=5"},
    "no value of the setting": {"tiles": "[EEE,1][SSS,1][WWW,1]12m3m55p", "setting": "zj.min_points=8"},
    "a way of winning there is not": {
        "discards": [],
        "win": "luck",
        "winner": "E",
        "tile": "1m",
        "value": 5,
    },
}


@pytest.mark.parametrize("line", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_line_that_cannot_be_read_is_answered(line: dict[str, Any]) -> None:
    assert answer(line) == {"error": "line.unreadable"}


def test_line_is_counted_under_its_settings() -> None:
    line = {"tiles": "[7s8s9s,1][7m8m9m,1][1p2p3p,1][7p7p7p,1]FF", "setting": ["zj.min_points=5"]}
    assert answer(line) == {"error": "win.below_minimum"}
    assert answer({**line, "setting": "zj.min_points=0"}) == {"total": 1, "patterns": []}


@pytest.mark.rule("ZJ-S8")
def test_line_says_that_the_drawn_tile_was_mixed_in() -> None:
    line = {"tiles": "1112345678999m5m", "self_draw": True}
    assert answer(line)["total"] == 480
    assert answer({**line, "kept_apart": False})["total"] == 90
