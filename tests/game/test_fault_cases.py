"""When the machine fails in mid-hand: what is proposed, who decides, what it cost in time."""

from __future__ import annotations

import pytest

from protocols.vocabulary import Fault
from tablectl.game.state import State
from tablectl.game.view import view
from tests.game.cases import Court
from tests.game.conftest import SECOND, Table


@pytest.fixture
def in_play(table):
    """A machine's hand, the dealer to discard."""
    made = table()
    made.play()
    made.command("deal done")
    return made


def break_(t: Table, fault: Fault, side: int | None = None) -> None:
    t.event("fault_set", side, fault.value)


def proposed(state: State) -> dict:
    return view(state, state.now)["cases"][-1]["machine"]


def test_a_lift_that_drops_in_play_is_a_case_with_the_time_it_cost(in_play):
    in_play.discard(in_play.hand.turn, "1m")
    break_(in_play, Fault.TRAY_RUNAWAY)
    case = in_play.state.cases[-1]
    assert (case.kind, case.by, case.phase) == ("machine", "table", "raised")
    in_play.wait(12)
    in_play.event("fault_cleared", None, Fault.TRAY_RUNAWAY.value)
    assert case.stood == 12 * SECOND
    assert case.open, "somebody has to say what becomes of the hand"


@pytest.mark.parametrize(("seen", "remedy"), [(1, "restore"), (3, "referee"), (5, "void")])
def test_how_many_tiles_were_seen_decides_what_is_proposed(in_play, seen, remedy):
    in_play.discard(in_play.hand.turn, "1m")
    break_(in_play, Fault.TRAY_RUNAWAY)
    assert in_play.command("fault seen", case=1, count=seen).data["remedy"] == remedy
    assert proposed(in_play.state)["remedy"] == remedy


def test_a_jam_in_the_store_costs_the_hand_nothing_and_ends_by_itself(in_play):
    in_play.discard(in_play.hand.turn, "1m")
    break_(in_play, Fault.HEAD_JAM)
    assert proposed(in_play.state)["remedy"] == "play_on"
    assert not in_play.state.holds
    in_play.event("fault_cleared", None, Fault.HEAD_JAM.value)
    assert not in_play.state.cases[-1].open


def test_a_void_is_the_chiefs_and_happens_with_his_decision(in_play):
    in_play.discard(in_play.hand.turn, "1m")
    break_(in_play, Fault.UNDERVOLTAGE)
    in_play.command("fault seen", case=1, lost=True)
    void = {"case": 1, "remedy": "void", "reason": "nobody knows how it lay"}
    assert in_play.command("fault decide", **void).key == "refused.fault_for_the_chief"
    assert in_play.command("fault decide", role="chief", **void).outcome == "accepted"
    assert in_play.hand.phase == "void"
    assert in_play.state.cases[0].decision.remedy == "void"


def test_people_report_what_no_sensor_tells():
    court = Court()
    answer = court.ok("fault report", fault="wall_knocked_over", reason="his sleeve")
    assert answer["case"] == 1
    assert "call 1" in court.state.holds
    refused = court.no("fault report", fault="earthquake")
    assert (refused.key, "wall_knocked_over" in refused.data["rows"]) == ("refused.no_such_row", True)
