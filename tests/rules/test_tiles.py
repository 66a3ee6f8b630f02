"""Names, order and number of the tiles."""

from __future__ import annotations

from collections import Counter

import pytest

from tablectl.rules import tiles


@pytest.mark.rule("MCR-W1")
@pytest.mark.parametrize(("flowers", "count"), [(True, 144), (False, 136)])
def test_a_set_has_four_of_a_kind_and_one_of_a_flower(flowers: bool, count: int) -> None:
    full = tiles.full_set(flowers)
    assert len(full) == count
    assert all(number == tiles.copies(tile) for tile, number in Counter(full).items())


def test_suits_winds_dragons_flowers_is_the_order() -> None:
    mixed = ["f1", "P", "E", "1s", "9m", "f8", "1m", "S", "5p", "C"]
    assert tiles.in_order(mixed) == ["1m", "9m", "5p", "1s", "E", "S", "C", "P", "f1", "f8"]


@pytest.mark.parametrize(
    ("tile", "suit", "number", "flower", "zh", "glyph"),
    [
        ("5p", "p", 5, False, "五饼", "🀝"),
        ("1s", "s", 1, False, "一条", "🀐"),
        ("S", "", 0, False, "南", "🀁"),
        ("C", "", 0, False, "中", "🀄"),
        ("f3", "", 0, True, "菊", "🀥"),
        ("f8", "", 0, True, "冬", "🀩"),
    ],
)
def test_what_a_name_says(tile: str, suit: str, number: int, flower: bool, zh: str, glyph: str) -> None:
    assert (tiles.suit(tile), tiles.number(tile), tiles.is_flower(tile)) == (suit, number, flower)
    assert (tiles.ZH[tile], tiles.GLYPHS[tile]) == (zh, glyph)


def test_short_notation() -> None:
    assert tiles.expand("123m 5sSS C") == ("1m", "2m", "3m", "5s", "S", "S", "C")


@pytest.mark.parametrize("text", ["12", "0m", "m", "1E", "x", "1m2"])
def test_short_notation_refuses_the_rest(text: str) -> None:
    with pytest.raises(ValueError, match=r"cannot stand|is missing"):
        tiles.expand(text)
