"""A hand that cannot lie on a table is refused with its reason, not counted; one of no shape wins nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablectl.rules.zungjung import HandError, count, wins
from tablectl.rules.zungjung.notation import read, read_position
from tablectl.rules.zungjung.settings import changed

SETS = "C123 D456 B789 EEE D55"
KONGED = "{C1111} D456 B789 EEE D55"
HEAVEN = {"self_drawn": True, "heaven": True}
EARTH = {"earth": True, "seat_wind": "S"}

REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "five of a kind": ("[C111] C11 D456 B789 D555", {}, "hand.too_many_alike"),
    "a tile short": ("C123 D456 B789 EEE D5", {}, "hand.wrong_number"),
    "a tile too many": ("C1123 D456 B789 EEE D55", {}, "hand.wrong_number"),
    "chow with a gap": ("[C124] D456 B789 EEE D55", {}, "hand.no_meld"),
    "chow of honours": ("[ESW] D456 B789 EEE D55", {}, "hand.no_meld"),
    "concealed kong of three": ("{C111} D456 B789 EEE D55", {}, "hand.no_meld"),
    "no wind": (SETS, {"seat_wind": "C"}, "hand.no_wind"),
    "replacement without a kong": (SETS, {"self_drawn": True, "kong": True}, "hand.no_kong"),
    "robbed kong after the last tile": (
        "C123 D46 B789 EEE B55 D5*",
        {"kong": True, "wall_last": True},
        "hand.kong_on_last",
    ),
    "robbed tile held": ("C123 D456 B789 EE D55 E*", {"kong": True}, "hand.robbed_held"),
    "robbed tile in an own meld": ("[D678] D45 B789 EEE B55 D6*", {"kong": True}, "hand.robbed_held"),
    "robbed tile finishes seven pairs": ("EE SS D11 D99 B55 B77 R R*", {"kong": True}, "hand.robbed_held"),
    "heaven on a discard": (SETS, {"heaven": True}, "hand.heaven_on_discard"),
    "heaven on the last tile": (SETS, {**HEAVEN, "wall_last": True}, "hand.blessing_on_last"),
    "heaven after a claim": ("[C123] D456 B789 EEE D55", HEAVEN, "hand.heaven_melded"),
    "heaven at South": (SETS, {**HEAVEN, "seat_wind": "S"}, "hand.heaven_not_east"),
    "both blessings": (SETS, {**HEAVEN, "earth": True}, "hand.two_blessings"),
    "earth self-drawn": (SETS, {**EARTH, "self_drawn": True}, "hand.earth_self_drawn"),
    "earth at East": (SETS, {"earth": True}, "hand.earth_at_east"),
    "earth on the last tile": (SETS, {**EARTH, "wall_last": True}, "hand.blessing_on_last"),
    "earth after a meld": ("[C123] D456 B789 EEE D55", EARTH, "hand.earth_melded"),
    "earth after a kong": (KONGED, EARTH, "hand.earth_melded"),
    "earth on a robbed kong": ("C123 D46 B789 EEE B55 D5*", {**EARTH, "kong": True}, "hand.earth_melded"),
}


@pytest.mark.rule("ZJ-S14")
@pytest.mark.rule("ZJ-W8")
@pytest.mark.parametrize(("text", "how", "key"), REFUSED.values(), ids=REFUSED.keys())
def test_impossible_hand_is_refused(text: str, how: dict[str, Any], key: str, judge) -> None:
    with pytest.raises(HandError) as caught:
        judge(text, **how)
    assert caught.value.key == key


def test_tile_that_is_none_is_refused(hand, settings) -> None:
    with pytest.raises(HandError, match="'f1' is no tile of a hand"):
        count(replace(hand(SETS), winning="f1"), settings)


SHAPES = {
    "sets and a pair": (SETS, True),
    "one meld": ("[C123] D456 B789 EEE D55", True),
    "only the pair in hand": ("[C123] [D456] [B789] [EEE] D55", True),
    "seven pairs": ("EE SS D11 D99 B55 B77 RR", True),
    "four alike as two pairs": ("D1199 C99 B1199 C1111", True),
    "thirteen terminals": ("C19 D19 B19 ESWN RGO R", True),
    "nothing": ("C1239 D456 B789 EEE D5", False),
    "six pairs": ("EE SS D11 D99 B55 B77 RG", False),
    "terminals without a pair of them": ("C19 D19 B19 ESWN RGO C5", False),
    "unrelated tiles": ("C147 D258 B36 ESWN RG", False),
    "knitted straight": ("C147 D258 B369 C234 D55", False),
    "honours make no chow": ("ESW D456 B789 D555 EE", False),
    "no chow over the end of a suit": ("C891 D456 B789 D555 EE", False),
    "two pairs beside a meld": ("[C123] EE SS D11 D99 B55 R", False),
}


@pytest.mark.rule("ZJ-S1")
@pytest.mark.parametrize(("text", "complete"), SHAPES.values(), ids=SHAPES.keys())
def test_shape(text: str, complete: bool, hand, judge, settings) -> None:
    counted = judge(text)
    assert wins(hand(text), settings) == counted.legal == complete
    assert counted.refusal == ("" if complete else "win.no_shape")
    assert (counted.total > 0) == complete


@pytest.mark.rule("ZJ-S7")
def test_four_alike_are_two_pairs_where_the_ruleset_says_so(hand, judge, settings) -> None:
    text, setting = "C1111 C22 B55 B66 D77 NN", "zj.seven_pairs_four_alike=false"
    assert (judge(text).total, judge(text, setting).refusal) == (30, "win.four_alike")
    assert not wins(hand(text), changed(settings, setting))
    assert judge("EE SS D11 D99 B55 B77 RR", setting).total == 30
    assert judge("B22334455667788", setting).total == 155
    assert judge("C1239 D456 B789 EEE D5", setting).refusal == "win.no_shape"


@pytest.mark.rule("ZJ-S5")
def test_chicken_hand(hand, judge, settings) -> None:
    text, setting = "[SSS] B234 C67 D55 [D789] C8*", "zj.min_points=5"
    assert (judge(text).total, judge(text).patterns, judge(text).legal) == (1, (), True)
    assert wins(hand(text), settings)
    assert judge(text, setting).refusal == "win.below_minimum"
    assert not wins(hand(text), changed(settings, setting))
    assert wins(hand(SETS), changed(settings, setting))


@pytest.mark.rule("ZJ-C8")
def test_no_wind_prevails_and_east_is_a_seat_as_any(judge) -> None:
    for seat in "ESWN":
        triplet = judge(f"[{seat}{seat}{seat}] B234 C678 D789 D55", seat_wind=seat)
        assert (triplet.total, judge("[RRR] B234 C678 D789 D55", seat_wind=seat).total) == (10, 10)


BOOK = {
    "{B1111} [B3333 big] [B5555 small] B777 B9 B9*": "[1111s][3333s,1][5555s,1+]777s9s9s",
    "[RRR] D11122233 C99 D3*": "[CCC,2]11122233p99m3p",
    "[SSS] B234 C67 D55 [D789] C8*": "[SSS][789p1]234s67m55p8m",
    "EE SS WW NN RR GG OO": "EESSWWNNCCFFPP",
}


@pytest.mark.parametrize(("position", "line"), BOOK.items())
def test_both_notations_tell_the_same_hand(position: str, line: str) -> None:
    assert read_position(position) == read(line)


@pytest.mark.parametrize("text", ["123x", "[12345]1m", "[]1m", "", "1m[123m,1]", "[123m,1]"])
def test_line_that_is_no_hand(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        read(text)


@pytest.mark.parametrize("text", ["B", "B0", "X", "[B111", "[B1X1] D11", "{} D11", "[C111 huge] D11", ""])
def test_position_that_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        read_position(text)
