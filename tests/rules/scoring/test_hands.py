"""Hands in words: the notations, melds, the winning tile, what cannot be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.rules.errors import HandError
from tablectl.rules.scoring.hands import ShownMeld, read, tile

PLAIN = (("1m", "2m", "3m", "5p", "E", "C", "F"), "P")

SAME = [
    ("own", "123m 5p E C F P"),
    ("own", "1m2m3m5pECFP"),
    ("own", "一二三万 五饼 東 中 發 白"),
    ("own", "1万2萬三万 5筒 东 中 发 白"),
    ("own", "一二三万、五餅、东中發白".replace("、", " ")),
    ("mpsz", "123m 5p 1765z"),
    ("mpsz", "123m5p1z7z6z5z"),
    ("cases-z", "123m 5p 1567z"),
    ("mahjonggb", "W1 W2 W3 B5 F1 J1 J2 J3"),
    ("mahjonggb", "W1W2W3B5F1J1J2J3"),
    ("zungjung", "C123 D5 E R G O*"),
]


@pytest.mark.parametrize(("notation", "text"), SAME)
def test_the_same_tiles_in_every_notation(notation, text) -> None:
    shown = read(text, notation=notation)
    assert (shown.concealed, shown.winning) == PLAIN


def test_five_z_is_white_or_red_as_the_notation_says() -> None:
    assert tile("5z", "mpsz") == "P"
    assert tile("5z", "cases-z") == "C"


def test_b_is_dots_or_bamboo_as_the_notation_says() -> None:
    assert tile("B5", "mahjonggb") == "5p"
    assert tile("B5", "zungjung") == "5s"


MELDS = [
    ("own", "[EEE,3]", ShownMeld("pung", ("E",) * 3, 3)),
    ("own", "[EEE3]", ShownMeld("pung", ("E",) * 3, 3)),
    ("own", "[EEE]", ShownMeld("pung", ("E",) * 3)),
    ("own", "[東東東，2]", ShownMeld("pung", ("E",) * 3, 2)),
    ("own", "【123m，2】", ShownMeld("chow", ("1m", "2m", "3m"), 1)),
    ("own", "[1111s]", ShownMeld("concealed_kong", ("1s",) * 4)),
    ("own", "[1111s,2]", ShownMeld("kong", ("1s",) * 4, 2)),
    ("own", "[1111s,2+]", ShownMeld("added_kong", ("1s",) * 4, 2)),
    ("own", "[1111s+]", ShownMeld("added_kong", ("1s",) * 4)),
    ("mpsz", "[555z,1]", ShownMeld("pung", ("P",) * 3, 1)),
    ("mpsz", "[555z1]", ShownMeld("pung", ("P",) * 3, 1)),
    ("mahjonggb", "[F1F1F1,3]", ShownMeld("pung", ("E",) * 3, 3)),
    ("mahjonggb", "[F1F1F1]", ShownMeld("pung", ("E",) * 3)),
    ("mahjonggb", "[W1W2W3,1]", ShownMeld("chow", ("1m", "2m", "3m"), 1)),
]
PAIR = {"own": "5m5m", "mpsz": "55m", "mahjonggb": "W5W5"}


@pytest.mark.parametrize(("notation", "text", "meld"), MELDS)
def test_a_meld_says_what_it_is_and_who_gave_its_tile(notation, text, meld) -> None:
    shown = read(text + PAIR[notation], notation=notation)
    assert shown.melds == (meld,)
    assert (shown.concealed, shown.winning) == (("5m",), "5m")


def test_the_rule_files_melds() -> None:
    shown = read("{B1111} [B3333 big] [B5555 small] [RRR] D3 D3*", notation="zungjung")
    assert [meld.kind for meld in shown.melds] == ["concealed_kong", "kong", "added_kong", "pung"]


def test_four_drawn_together_are_a_concealed_kong() -> None:
    shown = read("1111z 22z", notation="cases-z")
    assert [meld.kind for meld in shown.melds] == ["concealed_kong"]
    assert read("11z 11z 22z", notation="cases-z").melds == ()


def test_the_feeder_sits_where_the_digit_says() -> None:
    seats = {digit: ShownMeld("pung", ("E",) * 3, digit).feeder(0) for digit in (1, 2, 3)}
    assert seats == {1: 3, 2: 2, 3: 1}
    assert ShownMeld("pung", ("E",) * 3).feeder(0) is None


def test_the_winning_tile_is_the_last_or_the_one_named() -> None:
    assert read("123m 55p").winning == "5p"
    named = read("123m 55p", "2m")
    assert (named.concealed, named.winning) == (("1m", "3m", "5p", "5p"), "2m")
    assert read("123m 55p", "二万").winning == "2m"
    assert read("C123 D55*", "C2", "zungjung").winning == "2m"


UNREADABLE = [
    ("own", "123x 5p", "hand.unreadable", "123x"),
    ("own", "123", "hand.unreadable", "123"),
    ("own", "0m", "hand.unreadable", "0m"),
    ("own", "5z", "hand.unreadable", "5z"),
    ("own", "f1 55p", "hand.flower_held", None),
    ("mpsz", "8z", "hand.unreadable", "8z"),
    ("mpsz", "1m E", "hand.unreadable", "E"),
    ("cases-z", "z", "hand.unreadable", "z"),
    ("mahjonggb", "F5", "hand.unreadable", "F5"),
    ("mahjonggb", "H1 W1", "hand.flower_held", None),
    ("zungjung", "X1", "hand.unreadable", "X1"),
    ("own", "[12m] 5p", "hand.meld_size", "[12m]"),
    ("own", "[11111m] 5p", "hand.meld_size", "[11111m]"),
    ("own", "[123m,4] 5p", "hand.unreadable", "[123m,4]"),
    ("own", "[123m", "hand.unreadable", "["),
    ("own", "[123m,1]", "hand.nothing", None),
    ("own", "", "hand.nothing", None),
    ("own", "[] 5p", "hand.meld_size", "[]"),
]


@pytest.mark.parametrize(("notation", "text", "key", "given"), UNREADABLE)
def test_what_cannot_be_read_is_named(notation, text, key, given) -> None:
    with pytest.raises(HandError) as caught:
        read(text, notation=notation)
    assert (caught.value.key, caught.value.data.get("given")) == (key, given)


def test_a_winning_tile_must_stand_there_and_be_one() -> None:
    with pytest.raises(HandError) as caught:
        read("[EEE,1] 123m 55p", "E")
    assert (caught.value.key, caught.value.data) == ("hand.win_not_there", {"tile": "E"})
    with pytest.raises(HandError) as caught:
        read("123m 55p", "55p")
    assert caught.value.key == "hand.one_tile"


LETTERS = st.text(alphabet="123456789mpszESWNCFPTBJHRGOD[]{},+* 一二万条东0f١²\0", max_size=24)


@given(LETTERS, st.sampled_from(["own", "mpsz", "cases-z", "mahjonggb", "zungjung"]))
def test_any_text_is_read_or_refused(text, notation) -> None:
    try:
        shown = read(text, notation=notation)
    except HandError:
        return
    assert shown.winning
