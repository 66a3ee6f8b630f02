"""A clock set right by a person: whose, by whom, why; every other clock stays where it was."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.game import clocks, schedule
from tablectl.game.view import view
from tests.game.conftest import SECOND, Table
from tests.game.evening import Evening


@pytest.fixture
def zj(table):
    """Zung Jung in the turn of South, after the grace: East has used 10 s of his bank."""
    t: Table = table(rules="zungjung")
    t.play()
    t.wait(25)
    t.discard(0, "1p")
    return t


def left(t: Table) -> float:
    us = clocks.left(t.state, t.now)
    assert us is not None
    return us / SECOND


def banks(t: Table) -> list[float]:
    return [seat["bank_left_us"] / SECOND for seat in view(t.state, t.now)["hand"]["seats"]]


def warned(t: Table) -> int:
    return sum(said["side"] == 1 for said in t.published("event.turn_warning"))


@pytest.mark.report("B079")
@pytest.mark.parametrize("rules", ["mcr", "ccm", "zungjung"])
def test_a_clock_that_stood_at_twelve_seconds_goes_on_at_twelve(table, rules):
    t = table(rules=rules)
    t.play()
    t.wait(15)
    limit = t.hand.clock.limit // SECOND
    wanted = 12 if limit > 12 else 8
    if limit > 15:
        t.discard(0, "1p")
        limit = t.hand.clock.limit // SECOND
        wanted = 12 if limit > 12 else 8
    t.wait(limit - wanted)
    assert left(t) == wanted
    t.command("pause", reason="another seat's clock was wrong")
    side = t.hand.clock.side
    other = t.hand.seats[(side + 1) % 4].wind
    answer = t.command("clock sub", seat=other, seconds=5, reason="forgotten")
    assert answer.outcome == ("accepted" if rules == "zungjung" else "refused")
    t.wait(90)
    assert left(t) == wanted
    t.command("resume")
    assert (t.hand.clock.side, left(t)) == (side, wanted)
    t.wait(1)
    assert left(t) == wanted - 1


def test_a_running_turn_is_given_time_and_warns_and_ends_later(zj):
    zj.wait(12)
    assert warned(zj) == 1
    answer = zj.command("clock add", seat="S", seconds=10, reason="a tile had fallen", case=77)
    assert answer.data == {"left_us": 13 * SECOND, "change_us": 10 * SECOND}
    zj.wait(7.9)
    assert warned(zj) == 1
    zj.wait(5)
    assert warned(zj) == 2
    assert not zj.published("event.overtime")
    zj.draw(1)
    zj.discard(1, "2p")
    line = zj.hand.measurements[-1]
    assert (line.spent, line.found) == (14_900_000, "in_time")
    (correction,) = zj.hand.corrections
    assert (correction.actor, correction.reason, correction.case) == ("kim", "a tile had fallen", 77)
    assert (correction.of, correction.side, correction.us) == ("turn", 1, 10 * SECOND)


@pytest.mark.parametrize(("how", "seconds", "after"), [("set", 3, 3), ("sub", 4, 6), ("add", 4, 14)])
def test_each_way_to_correct_says_what_is_left(zj, how, seconds, after):
    zj.wait(5)
    answer = zj.command(f"clock {how}", seat="S", seconds=seconds, reason="misread")
    assert answer.data["left_us"] == after * SECOND
    assert left(zj) == after


@given(
    st.lists(
        st.tuples(st.sampled_from(["add", "sub", "set", "wait", "pause", "resume"]), st.integers(0, 40)),
        max_size=12,
    ),
    st.sampled_from(["mcr", "zungjung", "ccm", "wuhan"]),
)
@settings(max_examples=40)
def test_what_is_used_and_what_is_left_make_the_limit_whatever_was_corrected(acts, rules):
    t = Table(rules=rules)
    t.play()
    for act, seconds in acts:
        if act == "wait":
            t.wait(seconds / 2)
        elif act in ("pause", "resume"):
            t.command(act, **({"reason": "x"} if act == "pause" else {}))
        else:
            seat = t.hand.seats[t.hand.clock.side].wind
            t.command(f"clock {act}", seat=seat, seconds=seconds, reason="x")
        shown = view(t.state, t.now)["hand"]["clock"]
        assert shown["spent_us"] + shown["left_us"] == shown["limit_us"]
        assert shown["left_us"] == clocks.left(t.state, t.now)
    assert not t.broken


def test_a_clock_set_to_nothing_is_over_at_once(zj):
    zj.wait(5)
    zj.command("clock set", seat="S", seconds=0, reason="he had been playing with his phone")
    zj.wait(0.1)
    assert len(zj.published("event.overtime")) == 1
    zj.command("clock set", seat="S", seconds=9, reason="he had not")
    assert not zj.hand.clock.over
    assert left(zj) == 9
    zj.draw(1)
    zj.discard(1, "2p")
    assert not [i for i in zj.hand.irregularities if i.key == "irregular.overtime"]


@pytest.mark.rule("ZJ-T1")
def test_a_seat_whose_clock_does_not_run_has_its_bank_corrected(zj):
    assert banks(zj) == [170, 180, 180, 180]
    zj.command("clock add", seat="E", seconds=4, reason="the board was slow")
    zj.command("clock sub", seat="W", seconds=30, reason="as at the other table")
    assert banks(zj) == [174, 180, 150, 180]
    assert [(c.of, c.side) for c in zj.hand.corrections] == [("bank", 0), ("bank", 2)]
    assert left(zj) == 15


def test_one_clock_is_named_no_more_and_no_less(zj):
    nothing = zj.command("clock add", seconds=5, reason="x")
    both = zj.command("clock add", seconds=5, reason="x", seat="S", session=True)
    assert nothing.key == both.key == "refused.which_clock"
    assert not zj.hand.corrections


def test_the_clock_of_the_session_is_corrected_and_stands_corrected_after_a_break():
    t = Evening()
    t.play("S", minutes=10)
    assert t.ok("clock add", session=True, seconds=90, reason="a jam")["left_us"] == (170 * 60 + 86) * SECOND
    before = schedule.left(t.session, t.now)
    t.ok("break start", kind="other")
    t.wait(300)
    t.ok("break end")
    assert schedule.left(t.session, t.now) == before
    t.ok("clock set", session=True, seconds=600, reason="the hall closes")
    assert schedule.left(t.session, t.now) == 600 * SECOND
    t.wait(599)
    assert t.session.phase == "running"
    t.wait(2)
    assert t.session.ended == "time"
    assert t.session.clock.corrections[0].us == 90 * SECOND


def test_the_clock_of_a_session_without_one_cannot_be_corrected():
    t = Evening("zungjung")
    assert t.no("clock add", session=True, seconds=5, reason="x").key == "refused.no_session_clock"
