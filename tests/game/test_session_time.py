"""The time of a session: its clock, its warning, its end, breaks, more time."""

from __future__ import annotations

import pytest

from tablectl.game import schedule
from tests.game.conftest import SECOND
from tests.game.evening import Evening

MINUTE = 60 * SECOND
HOUR = 60 * MINUTE


def left_min(t: Evening) -> float:
    left = schedule.left(t.session, t.now)
    assert left is not None
    return left / MINUTE


@pytest.mark.rule("MCR-T4")
def test_the_clock_starts_with_the_first_hand():
    t = Evening()
    t.wait(600)
    assert left_min(t) == 180
    t.open()
    t.wait(60)
    assert left_min(t) == 179


@pytest.mark.rule("MCR-T4")
def test_the_hand_in_play_is_broken_off_and_the_scores_stand():
    t = Evening()
    t.play("S")
    t.score(-24, 40, -8, -8)
    t.open()
    t.wait(3 * 3600)
    assert (t.hand.result["result"], t.hand.result["why"]) == ("aborted", "ended.time")
    assert (t.session.phase, t.session.ended, t.points) == ("over", "time", [476, 540, 492, 492])
    assert not t.broken


def test_what_is_due_at_the_end_of_a_hand_is_in_the_result_of_the_session_it_ends():
    """A false win costs its points with the hand; the hand was broken off, and nothing else ever happens."""
    table = Evening("mcr")
    table.open()
    table.ok("penalty add", seat="S", article="false_win_near", reason="shown")
    assert table.points == [500, 500, 500, 500]
    table.wait(3 * 3600)
    [ended] = table.published("event.stage_ended")
    assert ended["points"] == table.points == [520, 440, 520, 520]


@pytest.mark.rule("MCR-T4")
@pytest.mark.parametrize(("judged", "result"), [("win confirm", "win"), ("win reject", "aborted")])
def test_a_win_declared_in_time_is_judged_first(judged, result):
    t = Evening()
    t.open()
    t.wait(3 * 3600 - 1)
    t.ok("claim", word="win", seat="E")
    t.wait(5)
    assert t.phase == "adjudication"
    t.ok(judged, **({"reason": "seven points"} if judged == "win reject" else {}))
    assert t.hand.result["result"] == result
    assert (t.session.phase, t.session.ended) == ("over", "time")


@pytest.mark.rule("CJ-F3")
@pytest.mark.rule("CJ-F2")
def test_the_hand_in_play_is_finished_where_the_rules_say_so():
    t = Evening("ccm")
    t.open()
    t.wait(2 * 3600 + 60)
    assert t.session.phase == "running"
    assert t.published("event.last_hand") == [{"hand": 1}]
    t.ok("claim", word="win", seat="E")
    t.ok("win confirm")
    assert (t.hand.result["result"], t.session.ended) == ("win", "time")


@pytest.mark.rule("MCR-T4")
def test_between_two_hands_time_ends_the_session_at_once():
    t = Evening()
    t.play("S")
    t.wait(3 * 3600)
    assert (t.session.phase, t.session.ended) == ("over", "time")


@pytest.mark.rule("MCR-T4")
@pytest.mark.rule("CJ-F3")
@pytest.mark.parametrize(("rules", "limit", "warning"), [("mcr", 10800, 900), ("ccm", 7200, 300)])
def test_the_end_is_announced_before(rules, limit, warning):
    t = Evening(rules)
    t.open()
    t.wait(limit - warning - 10)
    assert not t.published("event.session_warning")
    t.wait(11)
    assert t.published("event.session_warning") == [{"left_s": warning}]


@pytest.mark.rule("ZJ-T8")
@pytest.mark.rule("WH-T1")
@pytest.mark.parametrize("rules", ["zungjung", "wuhan"])
def test_a_session_without_a_clock_has_no_end_of_time(rules):
    t = Evening(rules)
    t.open()
    assert not schedule.deadlines(t.state)
    assert t.no("session extend", minutes=5, reason="x").key == "refused.no_session_clock"


def test_more_time_moves_the_end_and_warns_again():
    t = Evening()
    t.open()
    t.wait(3 * 3600 - 60)
    assert len(t.published("event.session_warning")) == 1
    assert t.ok("session extend", minutes=30, reason="a jam") == {"left_s": 31 * 60}
    t.wait(17 * 60)
    assert len(t.published("event.session_warning")) == 2
    t.wait(13 * 60)
    assert not t.hand.over
    t.wait(120)
    assert t.hand.result["result"] == "aborted"


def test_a_hold_does_not_stop_the_clock_of_the_session():
    t = Evening()
    t.open()
    t.ok("pause", reason="a drink")
    t.wait(600)
    assert left_min(t) == 170


# breaks


@pytest.mark.rule("MCR-T4")
def test_a_break_is_due_in_the_middle_and_the_clock_stands_in_it():
    t = Evening()
    for at in range(8):
        assert not t.session.break_due
        t.play("S", minutes=2 if at == 0 else 0)
    assert t.session.break_due
    assert t.published("event.break_due") == [{"minutes": 15}]
    before = left_min(t)
    t.ok("break start", kind="planned")
    assert (t.session.phase, t.session.break_due) == ("break", False)
    t.wait(15 * 60 + 30)
    assert len(t.published("event.break_time")) == 1
    assert t.session.phase == "break"  # it ends when people are back
    t.ok("break end")
    assert left_min(t) == before
    t.wait(60)
    assert left_min(t) == before - 1


@pytest.mark.report("B083")
def test_a_break_still_running_is_closed_when_play_starts():
    t = Evening()
    t.play("S")
    t.ok("break start", kind="toilet", minutes=5)
    t.wait(400)
    t.play("S")
    t.wait(30)
    t.ok("break start", kind="medical")
    t.wait(90)
    t.ok("break end")
    first, second = t.session.breaks
    assert (first.kind, first.planned, first.by) == ("toilet", 5 * MINUTE, "play")
    assert first.ended - first.started == 400 * SECOND
    assert (second.kind, second.planned, second.by) == ("medical", 0, "command")
    assert second.ended - second.started == 90 * SECOND


@pytest.mark.report("B083")
def test_one_break_at_a_time_and_none_in_a_hand():
    t = Evening()
    assert t.no("break end").key == "refused.no_break"
    t.ok("break start", kind="other")
    assert t.no("break start", kind="planned").key == "refused.break_running"
    t.open()
    assert t.no("break start", kind="planned").key == "refused.hand_running"


def test_a_break_before_the_first_hand_does_not_start_the_clock():
    t = Evening()
    t.ok("break start", kind="other")
    t.wait(60)
    t.ok("break end")
    t.wait(60)
    assert left_min(t) == 180


def test_a_session_that_is_stopped_ends_its_break():
    t = Evening()
    t.play("S")
    t.ok("break start", kind="planned")
    t.wait(10)
    t.ok("session stop")
    assert t.session.breaks[0].by == "session"
    assert not schedule.deadlines(t.state)


@pytest.mark.rule("CJ-F2")
def test_a_break_lies_between_two_stages():
    t = Evening("ccm", hands=1, stages=2)
    t.play("S", minutes=50)
    t.ok("break start", kind="planned")
    assert t.session.phase == "seating"
    t.wait(15 * 60 + 1)
    t.lots("p1", "p2", "p3", "p0")
    t.wait(10)
    t.open()
    (line,) = t.session.breaks
    assert (line.by, line.ended - line.started) == ("play", 911 * SECOND)
    assert left_min(t) == 120


@pytest.mark.rule("CJ-F2")
def test_a_break_that_ends_between_two_stages_starts_no_clock():
    t = Evening("ccm", hands=1, stages=2)
    t.play("S", minutes=50)
    t.ok("break start", kind="planned")
    t.wait(60)
    t.ok("break end")
    assert t.session.clock.since is None


@pytest.mark.rule("CJ-F2")
def test_every_stage_has_its_own_time():
    t = Evening("ccm", hands=1, stages=2)
    t.play("S", minutes=50)
    assert left_min(t) < 71
    t.wait(3 * 3600)
    t.lots("p1", "p2", "p3", "p0")
    assert left_min(t) == 120
    assert t.session.phase == "running"
