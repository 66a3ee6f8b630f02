"""Standings of each system: standard points, match points, advancing, and what parts equal ones."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.rules.book import RuleBook, load_book
from tablectl.rules.standings import Event, Standings, standings, worth

BOOK = load_book()
FOUR = ("p0", "p1", "p2", "p3")
EMA = """
id = "club"
extends = "mcr"
name = { zh = "俱乐部", en = "Club" }
[score]
placing = "ema"
"""


def stage(*points: int) -> dict[str, int]:
    return dict(zip(FOUR, points, strict=True))


def placed(found: Standings) -> list[tuple[int, str]]:
    return [(one.place, one.player) for one in found.places]


def worths(found: Standings) -> dict[str, Fraction]:
    return {one.player: Fraction(one.sum, found.per) for one in found.places}


def club() -> RuleBook:
    return load_book([("club.toml", EMA)])


@pytest.mark.rule("MCR-S4")
def test_mcr_gives_standard_points_by_the_places_of_a_finished_stage() -> None:
    found = standings(BOOK["mcr"], [stage(-99, 140, -27, -14)], 1)
    assert placed(found) == [(1, "p1"), (2, "p3"), (3, "p2"), (4, "p0")]
    assert worths(found) == {"p1": 4, "p3": 2, "p2": 1, "p0": 0}
    assert not any(one.standard for one in standings(BOOK["mcr"], [stage(1, 2, 3, -6)], 0).places)


@pytest.mark.rule("MCR-S4")
def test_ema_shares_the_points_of_a_place_among_equals() -> None:
    found = standings(club()["club"], [stage(30, -10, -10, -10)], 1)
    assert worths(found) == {"p0": 4, "p1": 1, "p2": 1, "p3": 1}
    found = standings(club()["club"], [stage(30, 10, -20, -20)], 1)
    assert worths(found)["p3"] == Fraction(1, 2)


@pytest.mark.rule("MCR-S5")
@pytest.mark.parametrize(
    ("stages", "first"),
    [
        ([stage(10, 20, -10, -20), stage(20, 15, -10, -25)], ("p1", "p0")),  # game points
        ([stage(10, 10, -10, -10), stage(30, 30, -20, -40)], ("p0", "p1")),  # equal in all
    ],
    ids=["game points", "equal"],
)
def test_mcr_parts_equal_standard_points_by_game_points(stages, first) -> None:
    found = standings(BOOK["mcr"], stages, 2)
    assert tuple(one.player for one in found.places[:2]) == first
    assert len({one.place for one in found.places[:2]}) == (2 if first[0] == "p1" else 1)


@pytest.mark.rule("MCR-S5")
def test_the_best_single_stage_parts_those_who_are_equal_otherwise() -> None:
    found = standings(BOOK["mcr"], [stage(20, 10, -10, -20), stage(-30, -20, 75, -25)], 2)
    by_player = {one.player: one for one in found.places}
    first, second = by_player["p0"], by_player["p1"]
    assert (first.sum, first.total) == (second.sum, second.total)
    assert (max(first.standard), max(second.standard)) == (4 * found.per, 2 * found.per)
    assert (first.place, second.place) == (2, 3)


@pytest.mark.rule("ZJ-F3")
def test_zung_jung_match_points_are_the_signed_root_of_each_stage() -> None:
    found = standings(BOOK["zungjung"], [stage(100, 25, -25, -100), stage(-4, 4, 0, 0)], 2)
    assert worths(found) == {"p0": 8, "p1": 7, "p2": -5, "p3": -10}
    assert (found.unit, found.provisional) == ("match", True)


@pytest.mark.rule("ZJ-F2")
def test_zung_jung_parts_equals_by_raw_points_and_then_only_a_lot_can() -> None:
    raw = standings(BOOK["zungjung"], [stage(9, 16, 0, -25), stage(16, 9, 0, -25)], 2)
    assert (placed(raw)[:2], raw.lot) == ([(1, "p0"), (1, "p1")], (("p0", "p1"),))
    stages = [stage(0, 1, 100, -101), stage(0, 1, 100, -101), stage(2, 0, 0, -2)]
    by_raw = standings(BOOK["zungjung"], stages, 3)
    assert {one.player: one.total for one in by_raw.places}["p0"] == 2
    assert by_raw.lot == ()


@pytest.mark.rule("CJ-F5")
def test_the_last_round_of_a_championship_is_worth_nine_and_one() -> None:
    assert worth(BOOK["ccm"], "championship", 4, 4) == 9 + 1
    assert [worth(BOOK["ccm"], "elite", round_, 3) for round_ in (1, 2, 3)] == [6, 7, 8]
    with pytest.raises(ValueError, match="no classes"):
        worth(BOOK["mcr"], "elite", 1, 1)


@pytest.mark.rule("CJ-F5", "CJ-F10")
def test_who_advances_from_a_table_gets_the_standard_points_and_the_second_may_be_called() -> None:
    stages = [stage(50, -20, -20, -10), stage(10, 60, -40, -30)]
    one = standings(BOOK["ccm"], stages, 2, event=Event(10, 1), over=True)
    assert worths(one) == {"p0": 10, "p1": 0, "p3": 0, "p2": 0}
    assert [(p.player, p.advances, p.wildcard) for p in one.places[:2]] == [
        ("p0", True, False), ("p1", False, True),
    ]  # fmt: skip
    two = standings(BOOK["ccm"], stages, 2, event=Event(10, 2), over=True)
    assert worths(two) == {"p0": 10, "p1": 10, "p3": 0, "p2": 0}
    assert not any(place.wildcard for place in two.places)
    early = standings(BOOK["ccm"], stages, 1, event=Event(10, 1))
    assert not any(place.standard or place.advances for place in early.places)


@pytest.mark.rule("CJ-F7")
def test_equal_points_of_all_stages_are_an_equal_place() -> None:
    found = standings(BOOK["ccm"], [stage(20, -20, 0, 0), stage(-10, 30, 0, -20)], 2, over=True)
    assert placed(found) == [(1, "p0"), (1, "p1"), (3, "p2"), (4, "p3")]


def test_wuhan_knows_money_alone() -> None:
    found = standings(BOOK["wuhan"], [stage(300, -100, -100, -100)], 1)
    assert (found.unit, [one.standard for one in found.places]) == ("", [()] * 4)
    assert placed(found) == [(1, "p0"), (2, "p1"), (2, "p2"), (2, "p3")]


@pytest.mark.parametrize("id_", ["mcr", "zungjung", "ccm", "wuhan"])
def test_who_forfeits_is_behind_all_others_whatever_his_points(id_) -> None:
    found = standings(BOOK[id_], [stage(90, 10, -40, -60)], 1, last=["p0"], over=True, event=Event(10, 1))
    assert placed(found)[-1] == (4, "p0")
    if id_ == "mcr":
        assert worths(found) == {"p1": 4, "p2": 2, "p3": 1, "p0": 0}


three = st.tuples(*[st.integers(-300, 300)] * 3).map(lambda t: stage(*t, -sum(t)))


@pytest.mark.report("B098")
@given(
    st.lists(three, min_size=1, max_size=4), st.sampled_from(["mcr", "zungjung", "ccm", "wuhan"]), st.data()
)
def test_the_order_in_which_points_came_and_names_never_decide(stages, id_, data) -> None:
    done = len(stages)
    first = standings(BOOK[id_], stages, done, over=True)
    shuffled = data.draw(st.permutations(stages))
    assert placed(standings(BOOK[id_], shuffled, done, over=True)) == placed(first)
    names = dict(zip(FOUR, data.draw(st.permutations(FOUR)), strict=True))
    other = standings(BOOK[id_], [{names[p]: v for p, v in one.items()} for one in stages], done, over=True)
    assert {(one.place, names[one.player]) for one in first.places} == set(placed(other))
    places = [one.place for one in first.places]
    assert places == sorted(places)
    assert all(place == 1 + sum(other < place for other in places) for place in places)
