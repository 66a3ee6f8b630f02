"""Lines of the case list, and the notation of their hands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tablectl.rules.wuhan import FedMeld
from tablectl.rules.wuhan.lines import answer
from tablectl.rules.wuhan.notation import read

CASES = Path(__file__).parent / "cases" / "wuhan_hands.jsonl"
LINES = {line["id"]: line for line in map(json.loads, CASES.read_text(encoding="utf-8").splitlines())}


def line(id_: str, **changes) -> dict:
    return {name: value for name, value in LINES[id_].items() if name != "expected"} | changes


@pytest.mark.rule("WH-C17")
@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"hand_text": "[1s1s1s,3]2s2s2s4s4s5s5s6s7s8s"}, "wrong_count"),
        ({"hand_text": "[1s1s1s,3]2s2s2s1s1s5s5s6s7s8s5s"}, "five_copies"),
        ({"laizi": "2p"}, "hand.laizi_indicator"),
        ({"hand_text": "[1s1s1s,3]2x"}, "hand.unreadable"),
        ({"source": "luck"}, "hand.unreadable"),
        ({"setting": "wh.gold=high"}, "hand.unreadable"),
        ({"setting": "wh.golden=flat"}, "hand.unreadable"),
        ({"players": [{"meld": 1}] * 4}, "hand.unreadable"),
        ({"laizi": None, "indicator": None}, "hand.unreadable"),
        ({"hand_text": None}, "hand.unreadable"),
    ],
)
def test_line_that_cannot_be_is_answered_with_the_reason(changes, key) -> None:
    assert answer(line("WHK009", **changes)) == {"error": key}


def test_line_without_a_required_field() -> None:
    assert answer({"system": "wuhan"}) == {"error": "hand.unreadable"}


def test_line_with_settings() -> None:
    assert answer(line("WHK127"))["shares"] == [400, 400, 400, 0]
    changed = answer(line("WHK127", setting="wh.gold_cap=500, wh.cap=200"))
    assert changed["shares"] == [500, 500, 500, 0]


def test_laizi_may_be_left_to_the_indicator() -> None:
    assert answer(line("WHK009", laizi=None)) == LINES["WHK009"]["expected"]
    assert answer(line("WHK009", laizi=["1p"], indicator=None)) == LINES["WHK009"]["expected"]


def test_reason_in_words_and_nothing_else() -> None:
    """A hand that is no win has the same fields whatever the reason."""
    refused = answer(line("WHK009", hand_text="[1s1s1s,3]2s2s2s4s4s5s5s6s7s8sC"))
    assert refused == LINES["WHK020"]["expected"] | {"reason": "hongzhong in hand"}


@pytest.mark.parametrize(
    ("text", "meld"),
    [
        ("[1s1s1s,3]", FedMeld("pung", ("1s",) * 3, 3)),
        ("[1s2s3s,3]", FedMeld("chow", ("1s", "2s", "3s"), 1)),
        ("[1s1s1s1s,1]", FedMeld("kong", ("1s",) * 4, 1)),
        ("[1s1s1s1s,2+]", FedMeld("added_kong", ("1s",) * 4, 0)),
        ("[1s1s1s1s]", FedMeld("concealed_kong", ("1s",) * 4)),
        ("[EEE,1]", FedMeld("pung", ("E",) * 3, 1)),
        ("[111s3]", FedMeld("pung", ("1s",) * 3, 3)),
    ],
)
def test_meld_and_its_feeder(text, meld) -> None:
    """Of player 2: the upper seat is 1, opposite 0, the lower seat 3; a chow is the upper seat's."""
    assert read(f"{text}5p5p", 2) == ((meld,), ("5p",), "5p")


@pytest.mark.parametrize("text", ["123x", "[12345]1m", "[]1m", "", "123m|EE", "[123m,1]", "[123m,4]5p"])
def test_line_that_is_no_hand(text) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        read(text, 0)
