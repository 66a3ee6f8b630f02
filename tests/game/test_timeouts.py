"""Toilet and medical time-outs in mid-hand: a hold, an end that is announced, an exact length."""

from __future__ import annotations

import pytest

from tablectl.game import holds
from tablectl.game.view import view
from tests.game.conftest import SECOND
from tests.game.test_claims import opened


def test_a_player_is_let_go_and_nobody_is_charged(table):
    t = opened(table)
    t.wait(1)
    assert (
        t.command("timeout grant", seat="W", kind="toilet", minutes=5, reason="asked").outcome == "accepted"
    )
    assert t.state.holds["timeout 2"].key == "hold.timeout_toilet"
    t.wait(299)
    assert not t.published("event.timeout_time")
    t.wait(2)
    assert [said["side"] for said in t.published("event.timeout_time")] == [2]
    assert "timeout 2" in t.state.holds  # it ends when he is back
    t.wait(60.25)
    answer = t.command("timeout end", seat="W")
    assert answer.data["length_us"] == 361_250_000
    assert not t.state.holds
    (line,) = t.state.timeouts
    assert (line.kind, line.planned, line.ended - line.started) == ("toilet", 300 * SECOND, 361_250_000)
    t.wait(2.1)
    t.draw(1, "7p")
    t.wait(11.8)
    assert not t.published("event.overtime")


def test_resume_does_not_end_it_and_it_is_no_credit_of_the_table(table):
    t = opened(table)
    t.command("timeout grant", seat="S", kind="medical")
    t.command("pause", reason="meanwhile")
    assert t.command("resume").data == {"ended": ["referee"], "standing": ["timeout 1"]}
    assert t.command("resume").key == "refused.hold_stands"
    t.wait(10)
    t.command("timeout end", seat="S")
    assert [(held.name, held.time_credit) for held in t.state.held] == [("timeout 1", 0), ("referee", 0)]
    assert holds.stood(t.state, "timeout") == 10 * SECOND


def test_two_may_be_away_at_once_but_nobody_twice(table):
    t = opened(table)
    t.command("timeout grant", seat="S", kind="toilet")
    assert t.command("timeout grant", seat="S", kind="medical").key == "refused.timeout_runs"
    assert t.command("timeout grant", seat="N", kind="toilet").outcome == "accepted"
    assert t.command("timeout end", seat="E").key == "refused.no_timeout"
    t.command("timeout end", seat="S")
    assert set(t.state.holds) == {"timeout 3"}
    assert [away["ended"] is None for away in view(t.state, t.now)["timeouts"]] == [False, True]


@pytest.mark.parametrize("act", ["hand void", "hand redeal"])
def test_a_hand_that_is_given_up_waits_for_nobody(table, act):
    t = opened(table)
    t.command("timeout grant", seat="S", kind="medical")
    t.wait(5)
    t.command(act, actor="kim", reason="he goes to hospital")
    t.command(act, actor="lee", reason="he goes to hospital")
    assert t.state.timeouts[0].ended == t.now
    assert "timeout 1" not in t.state.holds
