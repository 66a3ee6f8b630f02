"""Points of a session, standard points and ranking (CJ-F5, F7, F10, S9, S10)."""

from __future__ import annotations

import pytest

from tablectl.rules.ccm.standing import (
    Result,
    awarded,
    places,
    ranking,
    session_points,
    standard_points,
    team_result,
    total,
    wildcards,
)


@pytest.mark.rule("CJ-S9")
def test_what_was_booked_off_the_table_counts_after_the_session() -> None:
    bookings = [(0, -24, 24, 0), (6, -6, 0, 0)]
    assert session_points((0, 24, 136, 240), bookings) == (6, -6, 160, 240)


@pytest.mark.rule("CJ-S10")
@pytest.mark.rule("CJ-F5")
def test_stage_is_the_sum_of_its_sessions() -> None:
    points = total([(100, 0, 200, 100), (90, 110, 100, 100), (0, 0, 400, 0), (300, 50, 0, 50)])
    assert points == (490, 160, 700, 250)
    assert places(points) == (2, 4, 1, 3)


@pytest.mark.rule("CJ-F5")
@pytest.mark.parametrize(
    ("event", "stages", "stage", "points"),
    [
        ("championship", 4, 4, 10),
        ("championship", 4, 3, 9),
        ("championship", 4, 1, 7),
        ("elite", 2, 2, 8),
        ("elite", 2, 1, 7),
    ],
)
def test_standard_points_grow_by_one_a_stage(event, stages, stage, points, settings) -> None:
    assert standard_points(event, stages, stage, settings) == points


@pytest.mark.parametrize(
    ("event", "stages", "stage"), [("elite", 2, 0), ("elite", 2, 3), ("club", 1, 1), ("elite", 10, 1)]
)
def test_stage_there_is_not(event, stages, stage, settings) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        standard_points(event, stages, stage, settings)


@pytest.mark.rule("CJ-F5")
@pytest.mark.rule("CJ-F10")
def test_first_gets_the_standard_points_and_the_second_where_two_advance() -> None:
    assert awarded((490, 160, 700, 250), 9, 1) == (0, 0, 9, 0)
    assert awarded((490, 160, 700, 250), 9, 2) == (9, 0, 9, 0)


@pytest.mark.rule("CJ-F5")
def test_best_seconds_take_the_free_places() -> None:
    assert wildcards({"p1": 400, "p2": 520, "p3": 410}, 2) == ("p2", "p3")


@pytest.mark.rule("CJ-F7")
def test_ranking_by_standard_points_then_points_then_equal() -> None:
    results = {
        "p0": Result(9, 500),
        "p1": Result(17, 300),
        "p2": Result(9, 640),
        "p3": Result(9, 500),
        "p4": Result(0, 900),
    }
    assert [(one.place, one.name) for one in ranking(results)] == [
        (1, "p1"),
        (2, "p2"),
        (3, "p0"),
        (3, "p3"),
        (5, "p4"),
    ]


@pytest.mark.rule("CJ-F10")
def test_teams_are_ranked_by_the_sums_of_their_players() -> None:
    teams = {"red": [Result(9, 400), Result(0, 300)], "blue": [Result(8, 100), Result(1, 700)]}
    ranked = ranking({name: team_result(members) for name, members in teams.items()})
    assert [(one.place, one.name, one.result) for one in ranked] == [
        (1, "blue", Result(9, 800)),
        (2, "red", Result(9, 700)),
    ]
