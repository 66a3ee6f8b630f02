"""The standings of a session follow from its ledger, whenever points, penalties and corrections come."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.game import standings
from tablectl.game import step as game
from tablectl.game.view import view
from tests.game.evening import Evening


def session(t: Evening) -> dict[str, Any]:
    return view(t.state, t.now)["session"]


def recomputed(t: Evening) -> dict[str, Any]:
    """The standings reckoned from nothing but the state as it would be restored."""
    again = game.from_json(game.to_json(t.state))
    return standings.document(again.session, again.ruleset)


@pytest.mark.rule("MCR-S4", "MCR-S5")
def test_standard_points_come_with_the_end_of_a_stage():
    t = Evening(hands=1)
    t.open()
    assert not any(row["standard"] for row in session(t)["ranking"])
    t.ok("discard", seat="E")
    t.ok("claim", word="win", seat="S")
    t.wait(4)
    t.ok("win confirm")
    t.score(-24, 40, -8, -8)
    doc = session(t)
    assert [(r["place"], r["player"], r["sum"] // doc["standings"]["per"]) for r in doc["ranking"]] == [
        (1, "p1", 4), (2, "p2", 2), (2, "p3", 2), (4, "p0", 0),
    ]  # fmt: skip
    assert (doc["standings"]["final"], doc["standings"]["rules"]) == (True, ["MCR-S4", "MCR-S5"])


@pytest.mark.rule("CJ-F5")
def test_a_championship_names_what_advancing_is_worth():
    t = Evening("ccm", hands=1, event="championship", event_round=4, event_rounds=4)
    t.play("S")
    t.score(-30, 30)
    best = session(t)["ranking"][0]
    assert (best["player"], best["standard"], best["advances"]) == ("p1", [10], True)
    assert t.session.event == "championship"
    t.ok("session start", rules="ccm")
    assert t.state.history[-1]["ranking"][0]["standard"] == [10]
    t.ok("session stop")
    assert t.no("session start", rules="mcr", event="elite").key == "refused.no_event"
    assert t.no("session start", rules="ccm", event="elite", event_round=3, event_rounds=2).key == (
        "refused.no_event"
    )


@pytest.mark.report("B085")
def test_a_penalty_before_between_and_after_the_hands_counts_and_can_be_taken_back_exactly():
    t = Evening(hands=2)
    fine = t.four(-30, 10, 10, 10)
    t.ok("score enter", kind="penalty", hand=0, reason="late", **fine)  # before hand 1
    t.play("S")
    t.score(-24, 40, -8, -8)
    between = t.ok("score enter", kind="penalty", reason="wrong word", **fine)["entry"]
    t.play("S")
    t.score(8, -24, 8, 8)
    assert t.session.phase == "over"
    before, points = recomputed(t), t.points
    after = t.ok("score enter", kind="penalty", reason="after the end", **t.four(0, -130, 70, 60))["entry"]
    assert recomputed(t) != before
    assert session(t)["ranking"][-1]["player"] == "p1"
    t.ok("score correct", entry=after, reason="taken back", **t.four(0, 0, 0, 0))
    assert (recomputed(t), t.points) == (before, points)
    t.ok("score correct", entry=between, reason="taken back", **t.four(0, 0, 0, 0))
    assert t.points == [500 - 30 - 24 + 8, 500 + 10 + 40 - 24, 500 + 10 - 8 + 8, 500 + 10 - 8 + 8]
    shown = {key: session(t)[key] for key in ("ranking", "standings")}
    assert recomputed(t) == shown


@pytest.mark.report("B098")
@pytest.mark.parametrize("rules", ["mcr", "zungjung", "ccm", "wuhan"])
def test_a_caution_between_two_equal_scores_moves_nobody(rules):
    t = Evening(rules, hands=2)
    t.play("S")
    t.score(-20, 20)
    t.play("S")
    t.score(20, -20)
    level = t.ranking
    t.ok("score enter", kind="penalty", reason="a caution", **t.four(0, 0, 0, 0))
    assert t.ranking == level
    assert {place for place, _ in level} == {1}
    t.ok("score enter", kind="penalty", reason="a fine", **t.four(-10, 10))
    assert (t.ranking[0], t.ranking[-1]) == ((1, "p1"), (4, "p0"))


@pytest.mark.rule("MCR-S5")
def test_what_is_taken_off_for_being_late_is_taken_off_the_game_points():
    t = Evening(hands=1)
    t.ok("score enter", kind="bank", hand=0, p1=-10, reason="late")
    t.play("S")
    t.score(-20, 20)
    assert {row["player"]: row["total"] for row in session(t)["ranking"]}["p1"] == 10
