"""Which tile is the laizi after the indicator."""

from __future__ import annotations

import pytest

from tablectl.rules.wuhan import HandError, laizi_of, pi_of


@pytest.mark.rule("WH-W2")
@pytest.mark.parametrize(
    ("indicator", "laizi", "in_full_cycle"),
    [
        ("1m", "2m", "2m"),
        ("9m", "1m", "1m"),
        ("9p", "1p", "1p"),
        ("8s", "9s", "9s"),
        ("E", "S", "S"),
        ("S", "W", "W"),
        ("W", "N", "N"),
        ("N", "F", "C"),
        ("C", "F", "F"),
        ("F", "P", "P"),
        ("P", "E", "E"),
    ],
)
def test_next_of_the_indicator(indicator, laizi, in_full_cycle, under) -> None:
    assert laizi_of(indicator, under()) == (laizi,)
    assert laizi_of(indicator, under("wh.laizi_next=cycle_all")) == (in_full_cycle,)


@pytest.mark.rule("WH-W2")
@pytest.mark.parametrize("indicator", ["f1", "0m", ""])
def test_no_tile_of_a_hand_names_a_laizi(indicator, settings) -> None:
    with pytest.raises(HandError) as caught:
        laizi_of(indicator, settings)
    assert caught.value.key == "hand.no_tile"


@pytest.mark.rule("WH-W3")
@pytest.mark.parametrize(
    ("indicator", "pi"), [("5m", ("5m", "4m")), ("1s", ("1s", "9s")), ("F", ("F", "N")), ("C", ("N",))]
)
def test_pi_only_where_it_is_played(indicator, pi, under) -> None:
    assert pi_of(indicator, under()) == ()
    assert pi_of(indicator, under("wh.pi=true")) == pi
