"""Payments of a win, standard points, ranking (MCR-S2, MCR-S4, MCR-S5)."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.rules.book import load_book
from tablectl.rules.mcr import HandError
from tablectl.rules.mcr.pay import Result, payments, ranking, standard_points
from tablectl.rules.mcr.score import McrScore

SCORE = load_book()["mcr"].score
assert isinstance(SCORE, McrScore)
EMA = msgspec.structs.replace(SCORE, placing=msgspec.structs.replace(SCORE.placing, value="ema"))


@pytest.mark.rule("MCR-S2")
@pytest.mark.parametrize(
    ("total", "discarder", "gains"),
    [(15, 2, (39, -8, -23, -8)), (15, None, (69, -23, -23, -23)), (8, 1, (32, -16, -8, -8))],
)
def test_the_discarder_pays_the_total_and_everybody_the_base(total, discarder, gains) -> None:
    assert payments(total, 0, discarder, SCORE) == gains


@pytest.mark.rule("MCR-S2")
@pytest.mark.report("B069")
def test_flowers_are_paid_in_whole_points() -> None:
    """Eleven fan and a flower."""
    assert payments(12, 0, 1, SCORE) == (36, -20, -8, -8)
    assert payments(12, 0, None, SCORE) == (60, -20, -20, -20)


@given(st.integers(8, 400), st.integers(0, 3), st.none() | st.integers(0, 3))
def test_what_one_gains_the_others_pay(total: int, winner: int, discarder: int | None) -> None:
    if discarder == winner:
        with pytest.raises(HandError, match="own discard"):
            payments(total, winner, discarder, SCORE)
        return
    gains = payments(total, winner, discarder, SCORE)
    assert sum(gains) == 0
    assert all(type(gain) is int for gain in gains)
    assert gains[winner] == 3 * 8 + total * (3 if discarder is None else 1)


def test_a_player_there_is_not_is_refused() -> None:
    for winner, discarder in ((4, 0), (-1, None), (0, 4)):
        with pytest.raises(HandError, match="0 to 3"):
            payments(8, winner, discarder, SCORE)


@pytest.mark.rule("MCR-S4")
def test_standard_points_of_1998_go_by_the_number_ranked() -> None:
    assert standard_points([10, 40, -20, -30], SCORE) == (2, 4, 1, 0)
    sixteen = standard_points(range(16, 0, -1), SCORE)
    assert sixteen == (16, *range(14, -1, -1))
    assert standard_points([5, 5, 1, -11], SCORE) == (4, 4, 1, 0)


@pytest.mark.rule("MCR-S4")
@pytest.mark.parametrize(
    ("points", "standard"),
    [
        ([40, 10, -20, -30], (4, 2, 1, 0)),
        ([40, 10, -25, -25], (4, 2, Fraction(1, 2), Fraction(1, 2))),
        ([30, 30, 30, -90], (Fraction(7, 3), Fraction(7, 3), Fraction(7, 3), 0)),
        ([0, 0, 0, 0], (Fraction(7, 4),) * 4),
    ],
)
def test_equal_players_share_their_places_at_an_ema_table(points, standard) -> None:
    assert standard_points(points, EMA) == standard
    assert sum(standard_points(points, EMA)) == 7


def test_an_ema_table_has_four() -> None:
    with pytest.raises(ValueError, match="table of four"):
        standard_points([1, 2, 3], EMA)


def played(standard: list[int], points: list[int]) -> Result:
    return Result(tuple(map(Fraction, standard)), tuple(points))


@pytest.mark.rule("MCR-S5")
def test_ties_go_by_points_then_the_best_session_then_more_high_ones() -> None:
    ranked = ranking(
        {
            "most": played([4, 4], [10, 10]),
            "more points": played([4, 2], [90, 0]),
            "better session": played([4, 1, 1], [50, 0, 0]),
            "more high": played([2, 2, 2], [50, 0, 0]),
            "the same": played([2, 2, 2], [0, 50, 0]),
            "last": played([2, 2, 1, 1], [50, 0, 0, 0]),
        }
    )
    assert [(one.place, one.name) for one in ranked] == [
        (1, "most"),
        (2, "more points"),
        (3, "better session"),
        (4, "more high"),
        (4, "the same"),
        (6, "last"),
    ]
