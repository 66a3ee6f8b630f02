"""Batches: questions with the fields of the command, and the lists of cases as they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tablectl.rules.book import load_book
from tablectl.rules.errors import HandError
from tablectl.rules.scoring.lines import answer

BOOK = load_book()
RULES = Path(__file__).parent.parent
LISTS = (
    "mcr/cases/mcr_hands.jsonl",
    "zungjung/cases/zungjung_hands.jsonl",
    "zungjung/cases/zungjung_payments.jsonl",
    "wuhan/cases/wuhan_hands.jsonl",
    "ccm/cases/ccm_payments.jsonl",
)
QUESTION = {"rules": "mcr", "tiles": "123m 456m 789m EEE 55p"}


def cases() -> list[Any]:
    lines = [line for name in LISTS for line in (RULES / name).read_text(encoding="utf-8").splitlines()]
    return [pytest.param(json.loads(line), id=json.loads(line)["id"]) for line in lines]


@pytest.mark.parametrize("case", cases())
def test_a_line_of_a_list_is_answered_in_its_form(case: dict[str, Any]) -> None:
    line = {name: value for name, value in case.items() if name not in ("expected", "equal_reading")}
    assert answer(line, BOOK, {}) == case["expected"]


def drawn() -> list[Any]:
    text = (RULES / "mcr/cases/mcr_1998_examples.jsonl").read_text(encoding="utf-8")
    return [pytest.param(json.loads(line), id=json.loads(line)["id"]) for line in text.splitlines()]


@pytest.mark.parametrize("case", drawn())
def test_a_hand_drawn_in_the_book_by_its_notation(case: dict[str, Any]) -> None:
    verify = case["verify"]
    wind = "ESWN"[verify["seat_prevalent"] - 1]
    line = {"tiles": case["tiles"], "win": verify["win"], "seat": wind, "round": wind, "id": case["id"]}
    said = answer(line, BOOK, {"rules": "mcr", "notation": "cases-z"})
    assert said["total"] == verify["lib_total"]
    assert case["fan"] in [fan["zh"] for fan in said["fans"]]


def test_a_question_has_every_field() -> None:
    said = answer(QUESTION, BOOK, {})
    assert list(said) == [
        "legal", "total", "minimum_met", "refusal", "fans", "reading", "not_counted", "payments", "details",
        "settings",
    ]  # fmt: skip
    assert (said["legal"], said["total"], said["minimum_met"], said["refusal"]) == (True, 24, True, None)
    first = {"id": "mcr-28", "zh": "清龙", "en": "Pure Straight", "points": 16, "count": 1, "rule": "MCR-S15"}
    assert said["fans"][0] == first
    assert said["settings"]["rules"] == "mcr"


def test_what_the_line_says_goes_before_what_the_command_says() -> None:
    defaults = {"rules": "zungjung", "seat": "S", "self_draw": True}
    assert answer({"tiles": QUESTION["tiles"]}, BOOK, defaults)["payments"]["S"] > 0
    said = answer({**QUESTION, "seat": "W", "self_draw": False, "from": "N"}, BOOK, defaults)
    assert (said["settings"]["rules"], said["payments"]["W"] > 0) == ("mcr", True)


def test_a_zung_jung_hand_without_an_id_is_a_question() -> None:
    hand = {"rules": "zungjung", "tiles": "1m1m4m4m2p2p8p8p3s3s7s7sEE", "seat": "W"}
    assert set(answer({**hand, "id": "ZJK024"}, BOOK, {})) == {"total", "patterns"}
    assert answer(hand, BOOK, {})["total"] == 30
    assert answer({**hand, "id": 1, "from": "E"}, BOOK, {})["payments"]["W"] == 90


def test_a_line_holds_under_its_setting() -> None:
    line = {"rules": "mcr", "tiles": "[1111m][2222p,1] 345s 678s 5m 5m"}
    five, six = answer(line, BOOK, {}), answer({**line, "setting": ["mcr.mixed_kong=6"]}, BOOK, {})
    assert six["total"] == five["total"] + 1


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ([], "line.form"),
        (None, "line.form"),
        ("123m", "line.form"),
        ({}, "line.field"),
        ({"tiles": 5}, "line.field"),
        ({**QUESTION, "self_drawn": True}, "line.field"),
        ({**QUESTION, "self_draw": 1}, "line.field"),
        ({**QUESTION, "seat": "east"}, "line.field"),
        ({**QUESTION, "chips": [1, 2]}, "line.field"),
        ({**QUESTION, "rules": "chess"}, "line.rules"),
        ({**QUESTION, "tiles": "11111m 456m 789m EEE"}, "hand.too_many_alike"),
        ({**QUESTION, "flowers": -1}, "hand.flowers"),
    ],
)
def test_a_question_that_cannot_be_answered_names_the_reason(line: Any, key: str) -> None:
    with pytest.raises(HandError) as caught:
        answer(line, BOOK, {})
    assert caught.value.key == key


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ({"hand_text": "123x"}, "line.unreadable"),
        ({"hand_text": "123m", "system": "chess"}, "line.unreadable"),
        ({"hand_text": "123m456m789mEE55p", "flags": {"flowers": "2"}}, "line.unreadable"),
        ({"hand_text": "11111m456m789mEEE"}, "hand.too_many_alike"),
        ({"hand_text": "123m456m789mEE56pS"}, "win.no_shape"),
    ],
)
def test_a_line_of_mcr_that_is_refused_says_why(line: dict[str, Any], key: str) -> None:
    assert answer(line, BOOK, {}) == {"error": key}
