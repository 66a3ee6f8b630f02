"""A hand that cannot lie on a table is refused with its reason, not counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.rules.ccm import HandError, Meld, count, wins
from tablectl.rules.ccm.notation import read

REFUSED = {
    "five of a kind": ("[111m,1]11m456p789s555p", "hand.too_many_alike"),
    "a tile short": ("123m456p789sEEE5p", "hand.wrong_number"),
    "a tile too many": ("1123m456p789sEEE55p", "hand.wrong_number"),
    "chow with a gap": ("[124m,1]456p789sEEE55p", "hand.no_meld"),
    "chow of honours": ("[ESW,1]456p789sEEE55p", "hand.no_meld"),
    "replacement without a kong": ("[111m,1]456p789sEEE55p|self kong", "hand.no_kong"),
    "replacement of kong and flower": ("[1111m,1]456p789sEEE55p|self kong flower", "hand.two_replacements"),
    "flower's replacement by discard": ("[111m,1]456p789sEEE55p|flower", "hand.flower_not_drawn"),
    "discard mixed in": ("[111m,1]456p789sEEE55p|mixed", "hand.mixed_not_drawn"),
    "robbed tile held": ("[111m,1]456p789sEE55mE|kong", "hand.robbed_held"),
    "robbed tile in an own meld": ("[678p,1]45p789sEEE55m6p|kong", "hand.robbed_held"),
    "pung lies open, another held": ("123m456p789sEEE55p|open", "hand.not_last_of_kind"),
    "pung lies open, another in a chow": ("[456p,1]46p789sEEE55m5p|open", "hand.not_last_of_kind"),
    "nine flowers": ("123m456p789sEEE55p||9", "hand.flowers"),
    "seven flowers that score": ("123m456p789sEEE55p||7", "hand.flower_kong"),
}


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
        ({"flowers": -1}, "hand.flowers"),
        ({"melds": (Meld("pung", ("E", "E", "E", "E")),)}, "hand.no_meld"),
    ],
)
def test_impossible_part_is_refused(changes, key, settings) -> None:
    with pytest.raises(HandError) as caught:
        count(replace(read("123m456p789sEEE55p"), **changes), settings)
    assert caught.value.key == key


@pytest.mark.rule("CJ-S6")
def test_flowers_that_must_be_a_kong_do_not_score(settings, judge) -> None:
    assert judge("[111m,2][555p,2]33377s99p7s||6").total == 32
    with pytest.raises(HandError):
        judge("[111m,2][555p,2]33377s99p7s||4", flower_kong="any_four")


@pytest.mark.rule("CJ-S1")
@pytest.mark.parametrize(
    ("text", "won"),
    [
        ("[111m,2][555p,2]33377s99p7s", True),
        ("[123m,1][567p,1]78s22pEEE9s", False),
        ("[123m,1][567p,1]78s22pEEE1s", False),
    ],
    ids=["with a fan", "without a fan", "no shape"],
)
def test_win_needs_a_shape_and_a_technical_fan(text, won, settings) -> None:
    assert wins(read(text), settings) == won


@pytest.mark.parametrize(
    "text", ["123x", "[12345]1m", "[]1m", "", "123m|EE", "123m|drawn", "[123m,1]", "123m||x"]
)
def test_line_that_is_no_hand(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        read(text)


def test_line_is_read_in_all_its_parts() -> None:
    hand = read("[345m,1][111p,3][2222s][EEEE,2+]7p7p|self kong last mixed|2")
    assert [meld.kind for meld in hand.melds] == ["chow", "pung", "concealed_kong", "added_kong"]
    assert (hand.concealed, hand.winning, hand.flowers) == (("7p",), "7p", 2)
    assert (hand.self_drawn, hand.kong, hand.wall_last, hand.mixed) == (True,) * 4
    assert (hand.flower, hand.earth, hand.last_of_kind) == (False,) * 3
