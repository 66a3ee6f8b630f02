"""A session from its first hand to its end: dealers, rounds, stages, what counts and what does not."""

from __future__ import annotations

import pytest

from tablectl.game import ledger, progress
from tablectl.game import step as game
from tests.game.evening import Evening


@pytest.mark.rule("MCR-D1")
@pytest.mark.rule("ZJ-F1")
@pytest.mark.parametrize(("rules", "other"), [("mcr", None), ("zungjung", "S")])
def test_a_session_of_sixteen_hands_ends_by_itself(rules, other):
    t = Evening(rules)
    rounds = []
    for at in range(16):
        assert t.session.phase == "running"
        t.play("E" if at % 2 else other)
        rounds.append(t.hand.round)
    assert rounds == [wind for wind in "ESWN" for _ in range(4)]
    assert (t.session.phase, t.session.ended, t.session.played) == ("over", "hands", 16)
    assert t.no("hand start").key == "refused.no_session"
    assert not t.broken


@pytest.mark.rule("CJ-D1")
def test_a_dealer_who_wins_deals_again_for_twice_the_points():
    t = Evening("ccm")
    for winner, dealer, doubled in (("E", 0, False), ("E", 0, True), ("S", 0, True), ("S", 1, False)):
        t.play(winner)
        assert (t.hand.dealer, t.session.doubled) == (dealer, doubled)
    t.play(None)
    t.open()
    assert (t.hand.dealer, t.session.doubled) == (3, False)


@pytest.mark.rule("CJ-D1")
def test_one_of_several_winners_is_the_dealer():
    assert 0 in progress.winners({"side": 2, "winners": [{"side": 2}, {"side": 0}]})
    assert progress.winners({"side": None}) == []


@pytest.mark.rule("WH-D1")
def test_after_a_drawn_hand_the_same_dealer_deals():
    t = Evening("wuhan")
    dealers = []
    for winner in (None, "E", "S", None, "S"):
        t.play(winner)
        dealers.append(t.hand.dealer)
    assert dealers == [0, 0, 0, 1, 1]
    assert not t.session.doubled


@pytest.mark.rule("CJ-F1")
def test_rounds_are_counted_by_the_deal_not_by_hands():
    t = Evening("ccm")
    hands = 0
    while t.session.phase == "running":
        t.play("E" if hands % 3 == 0 else "S")
        hands += 1
        assert t.hand.round == "ESWN"[t.session.passed // 4]
    assert t.session.ended == "hands"
    assert hands > 16


@pytest.mark.report("B081")
def test_a_hand_started_by_accident_is_taken_back():
    t = Evening("ccm")
    for winner in ("S", "S", "S", "E"):
        t.play(winner)
    fourth, seats = dict(t.hand.result), t.seats
    t.ok("hand start", anyway="counted later")
    opened = t.hand.dealer, t.session.doubled, t.session.round
    t.wait(0.5)
    assert t.ok("hand cancel") == {"hand": 5}
    assert (t.session.hand_no, t.session.played, t.session.doubled) == (4, 4, False)
    t.wait(0.5)
    t.ok("hand start")
    assert t.hand.no == 5
    assert (t.hand.dealer, t.session.doubled, t.session.round) == opened
    assert [r["result"] for r in t.state.results] == ["win"] * 4 + ["cancelled"]
    assert t.state.results[3] == fourth
    assert t.seats == seats
    assert not t.broken


@pytest.mark.report("B081")
def test_a_start_is_not_taken_back_once_tiles_are_taken():
    t = Evening()
    t.open()
    assert t.no("hand cancel").key == "refused.too_late_to_cancel"


@pytest.mark.report("B081")
def test_the_walls_of_a_cancelled_hand_serve_the_same_hand_again(table):
    t = table()
    t.start()
    orders = t.orders("lamps")
    assert t.command("hand cancel").outcome == "accepted"
    assert t.command("hand start").outcome == "accepted"
    t.event("walls_up", value=1)
    assert (t.hand.no, t.phase, t.orders("lamps")) == (1, "dice", orders)


@pytest.mark.report("B081")
def test_walls_on_their_way_up_serve_the_same_hand_again(table):
    t = table()
    t.online()
    t.command("session start", rules="mcr")
    t.command("hand start")
    t.done(144)
    assert t.phase == "raising"
    t.command("hand cancel")
    t.command("hand start")
    t.done()
    assert (t.hand.no, t.phase, t.orders("lamps")) == (1, "dice", ["build", "raise"])


@pytest.mark.report("B081")
def test_a_cancelled_first_hand_has_not_started_the_clock():
    t = Evening()
    t.ok("hand start")
    t.wait(60)
    t.ok("hand cancel")
    assert (t.session.clock.since, t.session.clock.spent) == (None, 0)


@pytest.mark.report("B088")
def test_a_void_hand_does_not_count_and_is_dealt_again():
    t = Evening("ccm", hands=3)
    t.play("E")
    t.open()
    assert t.session.doubled
    t.command("hand void", actor="kim", reason="wall knocked over")
    t.command("hand void", actor="lee", reason="wall knocked over")
    assert t.no("score enter", kind="hand", **t.four(8, -8)).key == "refused.hand_not_counted"
    t.play("S")
    assert (t.hand.dealer, t.session.doubled, t.session.played) == (0, True, 2)
    assert t.session.phase == "running"
    assert [(r["result"], r.get("counted", True)) for r in t.state.results] == [
        ("win", True), ("void", False), ("win", True),
    ]  # fmt: skip
    t.play("S")
    assert t.session.phase == "over"


@pytest.mark.report("B088")
def test_a_cancelled_session_is_visible_and_does_not_count():
    t = Evening()
    t.play("S")
    t.score(-24, 40, -8, -8)
    t.ok("session stop", cancel=True)
    t.ok("session start", rules="mcr")
    (old,) = t.state.history
    assert (old["ended"], old["counted"], old["hands"]) == ("cancelled", False, 1)
    first = old["ranking"][0]
    assert (first["place"], first["player"], first["total"]) == (1, "p1", 40)
    assert t.points == [500] * 4


@pytest.mark.rule("CJ-F2")
def test_stages_start_with_points_anew_and_keep_what_was():
    t = Evening("ccm", hands=1, stages=2)
    t.play("S")
    assert (t.session.phase, t.session.ended) == ("seating", "hands")
    t.score(-20, 20, 0, 0)  # the sheet of the last hand comes when the stage is over
    assert t.points == [80, 120, 100, 100]
    assert t.no("hand start").key == "refused.seats_not_drawn"
    t.lots("p1", "p2", "p3", "p0")
    assert (t.session.stage, t.points) == (2, [100] * 4)
    t.play("S")
    t.score(0, 6, -6, 0)
    assert t.session.phase == "over"
    assert t.points == [100, 106, 94, 100]
    assert game.digest(t.state)
    assert ledger.stage_points(t.session) == [
        {"p0": -20, "p1": 20, "p2": 0, "p3": 0},
        {"p0": 0, "p1": 6, "p2": -6, "p3": 0},
    ]
    assert ledger.totals(t.session) == {"p0": -20, "p1": 26, "p2": -6, "p3": 0}


@pytest.mark.rule("CJ-F4")
@pytest.mark.rule("CJ-S8")
def test_two_players_without_points_end_the_stage_at_once():
    t = Evening("ccm")
    t.play("S")
    t.score(-100, 100, 0, 0)
    assert t.session.phase == "running"
    t.open()
    t.ok("score enter", kind="kong", **t.four(0, 100, -100, 0))
    assert (t.hand.result["result"], t.hand.result["why"]) == ("aborted", "ended.broke")
    assert (t.session.phase, t.session.ended) == ("over", "broke")


@pytest.mark.rule("CJ-F4")
def test_a_wrong_entry_that_ended_the_stage_is_set_right_and_play_goes_on():
    t = Evening("ccm")
    t.play("S")
    entry = t.score(-100, 200, -100, 0)["entry"]
    assert (t.session.phase, t.session.ended) == ("over", "broke")
    t.ok("score correct", entry=entry, reason="a zero too many", **t.four(-10, 20, -10, 0))
    assert (t.session.phase, t.session.ended, t.points) == ("running", "", [90, 120, 90, 100])
    t.play("S")


def test_the_referee_declares_the_last_hand():
    t = Evening()
    t.play("S")
    assert t.ok("session last-hand") == {"hand": 2}
    t.play("S")
    assert (t.session.phase, t.session.ended) == ("over", "last_hand")


def test_the_hand_in_play_may_be_declared_the_last():
    t = Evening()
    t.open()
    assert t.ok("session last-hand") == {"hand": 1}


def test_hands_without_points_are_listed_when_a_stage_ends():
    t = Evening(hands=2)
    t.play("S")
    t.play(None)
    assert t.session.phase == "over"
    assert t.published("event.points_missing")[-1]["hands"] == [1]
    t.ok("score enter", kind="hand", hand=1, **t.four(-24, 40, -8, -8))
    assert ledger.missing(t.state) == []


def test_stepping_a_copy_of_a_session_leaves_the_original():
    t = Evening("ccm", stages=2)
    t.play("E")
    t.score(30, -10, -10, -10)
    before = game.digest(t.state)
    copy = game.from_json(game.to_json(t.state))
    assert game.digest(copy) == before
