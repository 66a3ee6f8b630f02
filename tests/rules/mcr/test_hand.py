"""A hand that cannot lie on a table is refused with its reason, not counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.rules.mcr import HandError, Meld, count
from tablectl.rules.mcr.notation import read

REFUSED = {
    "five of a kind": ("[111m,1]11m456p789sEEE5p5p", "hand.wrong_number"),
    "five of a kind, right in number": ("[111m,1]11m456p789s555p", "hand.too_many_alike"),
    "a tile short": ("123m456p789sEEE5p", "hand.wrong_number"),
    "a tile too many": ("1123m456p789sEEE55p", "hand.wrong_number"),
    "chow with a gap": ("[124m,1]456p789sEEE55p", "hand.no_meld"),
    "chow of honours": ("[ESW,1]456p789sEEE55p", "hand.no_meld"),
    "chow of two suits": ("[1m2m3p,1]456p789sEEE55p", "hand.no_meld"),
    "replacement without a kong": ("[111m,1]456p789sEEE55p|EE1001", "hand.no_kong"),
    "robbed kong after the last tile": ("[111m,1]45p789sEEE55m6p|EE0011", "hand.kong_on_last"),
    "robbed tile held": ("[111m,1]456p789sEE55mE|EE0001", "hand.robbed_held"),
    "robbed tile in an own meld": ("[678p,1]45p789sEEE55m6p|EE0001", "hand.robbed_held"),
    "last of its kind, another held": ("123m456p789sEEE55p|EE0100", "hand.not_last_of_kind"),
    "seven pairs on the last of its kind": ("1133m5577p99sEECC|EE0100", "hand.not_last_of_kind"),
    "nine flowers": ("123m456p789sEEE55p|EE0000|9", "hand.flowers"),
}


@pytest.mark.rule("MCR-S10")
@pytest.mark.parametrize(("text", "key"), REFUSED.values(), ids=REFUSED.keys())
def test_impossible_hand_is_refused(text: str, key: str, settings) -> None:
    with pytest.raises(HandError) as caught:
        count(read(text), settings)
    assert caught.value.key == key


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"winning": "f1"}, "hand.no_tile"),
        ({"winning": "0m"}, "hand.no_tile"),
        ({"seat_wind": "C"}, "hand.no_wind"),
        ({"prevalent_wind": ""}, "hand.no_wind"),
        ({"flowers": -1}, "hand.flowers"),
        ({"melds": (Meld("pung", ("E", "E", "E", "E")),)}, "hand.no_meld"),
        ({"melds": (Meld("kong", ("E", "E", "E")),)}, "hand.no_meld"),
        ({"melds": (Meld("chow", ()),)}, "hand.no_meld"),
    ],
)
def test_impossible_part_is_refused(changes, key, settings) -> None:
    hand = replace(read("123m456p789sEEE55p"), **changes)
    with pytest.raises(HandError) as caught:
        count(hand, settings)
    assert caught.value.key == key


@pytest.mark.rule("MCR-C2")
@pytest.mark.parametrize(
    ("text", "fan"),
    [
        ("[1111m]456p789s55pEEE", "门前清"),
        ("[1111m]456p789s55pEEE|EE1000", "不求人"),
    ],
)
def test_concealed_kong_claims_nothing(text: str, fan: str, judge, named) -> None:
    assert fan in named(judge(text))


@pytest.mark.rule("MCR-S10")
@pytest.mark.parametrize("text", ["[666m,2][777m,2][999m,2]78886m", "[456m,1][456m,1][666p,1]45mEE6m|EE0100"])
def test_last_of_its_kind(text: str, judge, named) -> None:
    """The table need not say what the hand's own melds show."""
    assert "和绝张" in named(judge(text))


@pytest.mark.parametrize("text", ["123x", "[12345]1m", "[]1m", "", "123m|EE", "123m|EE00", "[123m,1]"])
def test_line_that_is_no_hand(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        read(text)
