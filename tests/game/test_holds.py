"""Holds, clocks, orders, reconnects: what stops play, and that it goes on exactly where it was."""

from __future__ import annotations

import pytest

from tablectl.game.effects import Answer
from tablectl.game.inputs import (
    Command,
    Deadline,
    EventsLost,
    LinkChange,
    OperationReply,
    OperationSilent,
    Restarted,
)
from tablectl.game.view import view
from tablectl.locale import catalog
from tests.game.conftest import SECOND
from tests.game.test_claims import opened


def lost(t, word="cable_pulled"):
    t.put(LinkChange("table", "lost", word))


def back(t, **more):
    hand = t.state.hand
    t.online(top="walls_up", hand=hand.no if hand else 0, **more)


def test_a_pause_takes_no_time_from_anybody(table):
    t = opened(table)
    t.wait(1)
    t.command("pause", reason="tile on the floor")
    t.wait(600)
    assert t.command("resume").outcome == "accepted"
    t.wait(1.9)
    assert t.hand.window is not None
    t.wait(0.2)
    assert t.hand.window is None
    t.draw(1, "7p")
    t.wait(11)
    assert not t.hand.irregularities  # 14.1 s of his 15
    t.wait(1)
    assert len(t.published("event.overtime")) == 1
    assert not t.hand.irregularities  # his turn has not ended
    t.discard(1, "7p")
    assert t.hand.irregularities[-1].key == "irregular.overtime"
    assert t.hand.irregularities[-1].data["over_us"] == 100_000


def test_a_claim_after_a_pause_has_the_time_that_was_left(table):
    t = opened(table)
    t.wait(1)
    t.command("pause")
    t.wait(60)
    t.command("resume")
    t.wait(1.5)
    assert t.command("claim", word="pung", seat="W").outcome == "accepted"
    t.wait(1)
    assert (t.phase, t.hand.turn) == ("decide", 2)
    assert t.hand.clock.started == t.now - 3_500_000  # from the discard, the pause not counted


def test_a_claim_after_a_pause_is_late_when_the_window_is_over(table):
    t = opened(table)
    t.wait(1)
    t.command("pause")
    t.wait(60)
    t.command("resume")
    t.draw(1, "7p")
    t.wait(2.5)
    assert t.command("claim", word="pung", seat="W").outcome == "refused"


def test_a_hold_known_late_charges_nobody(table):
    t = opened(table)  # the clock of the next seat runs from now
    t.wait(1)
    t.press(3, "referee", at=t.now - 2_000_000)  # pressed before the discard, heard after it
    t.wait(10)
    t.command("resume")
    assert t.hand.clock.started <= t.now
    t.wait(14.9)
    assert not t.hand.irregularities


def test_a_hold_known_while_another_stands_counts_from_when_it_began(table):
    t = opened(table)  # the clock of the next seat runs from now
    t.wait(4)
    t.command("pause")
    t.wait(1)
    t.press(3, "referee", at=t.now - 3_000_000)  # pressed two seconds before the pause, heard in it
    t.wait(10)
    t.command("resume")
    t.wait(3)
    t.draw(1, "7p")
    t.discard(1, "7p")
    assert t.hand.measurements[-1].spent == 5_000_000  # two before the call, three after it


def test_facts_go_on_being_recorded_while_held(table):
    t = opened(table)
    t.wait(3.1)
    t.draw(1, "7p")
    t.command("pause")
    t.discard(1, "P")
    assert t.phase == "claims"
    t.wait(100)
    t.command("resume")
    t.wait(2.9)
    assert t.hand.window is not None
    t.wait(0.2)
    assert t.hand.window is None


@pytest.mark.report("B007")
def test_a_lost_link_holds_and_ends_by_itself_when_the_views_agree(table):
    t = opened(table)
    lost(t)
    assert t.state.holds["link table"].data["word"] == "cable_pulled"
    t.wait(60)
    back(t)
    assert not t.state.holds
    assert not t.hand.irregularities


def test_a_rebooted_board_is_a_question_to_the_referee(table):
    t = opened(table)
    lost(t)
    t.online(boot=8, top="walls_up", hand=1)
    assert t.state.holds["link table"].key == "hold.rebooted"
    assert t.command("resume").outcome == "accepted"
    assert not t.state.holds


def test_views_that_differ_are_both_shown_and_hold(table):
    t = opened(table)
    lost(t)
    t.online(top="clear", hand=0)
    assert t.state.holds["views"].data["views"]["top"] == ["walls_up", "clear"]
    assert t.state.table.top == "clear"


def test_lost_events_hold_a_running_hand(table):
    t = opened(table)
    t.put(EventsLost("table", 7, 90, 93))
    assert t.state.holds["events"].data == {"first": 90, "last": 93}


def start_building(make):
    t = make(rules="mcr-136")
    t.online()
    t.command("session start", rules="mcr-136")
    t.command("hand start")
    return t


@pytest.mark.report("B032")
def test_a_step_that_is_never_answered_has_failed_and_nothing_follows(table):
    t = start_building(table)
    t.wait(241)
    assert t.state.holds["order"].key == "hold.order_late"
    assert t.orders() == ["build"]
    assert t.phase == "building"


@pytest.mark.report("B033")
def test_the_late_result_of_a_failed_step_is_ignored(table):
    t = start_building(table)
    order = t.state.table.order
    t.wait(241)
    t.put(OperationReply("table", order.id, "done", value=136))
    assert t.phase == "building"
    assert t.published("event.late_reply")
    assert t.command("order retry").outcome == "accepted"
    assert t.orders() == ["build", "build"]
    assert t.state.table.order.id != order.id


def test_an_order_lost_with_the_link_is_asked_for_never_sent_again(table):
    t = start_building(table)
    order = t.state.table.order
    lost(t)
    t.online()
    assert t.orders() == ["build"]
    queries = [e for e in t.effects if type(e).__name__ == "Query"]
    assert [q.id for q in queries] == [order.id]
    t.put(OperationReply("table", order.id, "done", value=136, queried=True))
    assert t.phase == "building"  # a person looks first
    t.state.table.store = "ready"
    t.command("resume")
    assert t.phase == "raising"


def test_an_order_nobody_remembers_wants_a_new_one_from_a_person(table):
    t = start_building(table)
    order = t.state.table.order
    t.put(OperationSilent("table", order.id, 8))
    t.put(OperationReply("table", order.id, "unknown", queried=True))
    assert t.state.holds["order"].key == "hold.order_unknown"
    assert t.orders() == ["build"]


def test_a_restart_holds_until_the_link_is_back(table):
    t = opened(table)
    t.put(Restarted("0.1.0"))
    assert t.state.holds["restart"].ends == "auto"
    t.wait(5)
    back(t)
    assert not t.state.holds
    assert t.hand.clock.started + 5 * SECOND <= t.now + 5 * SECOND


@pytest.mark.report("B028")
@pytest.mark.report("B030")
def test_an_illegal_request_in_a_running_step_loses_nothing(table):
    t = start_building(table)
    assert t.command("win confirm").outcome == "refused"
    assert t.command("machine raise").outcome == "refused"
    assert t.command("machine stop", role="anyone").outcome == "accepted"
    assert "stopped" in t.state.holds
    t.done(136)  # the step that was running still ends
    assert t.state.table.order is None
    assert t.command("resume").outcome == "accepted"


def test_no_motion_while_a_hand_is_in_play(table):
    t = opened(table)
    for name in ("build", "raise", "lower", "home", "dice"):
        answer = t.command(f"machine {name}")
        assert (answer.outcome, answer.key) == ("refused", "refused.hand_in_play"), name


def test_a_void_needs_two_people(table):
    t = opened(table)
    assert t.command("hand void", actor="kim", reason="fire alarm").outcome == "pending"
    assert t.command("hand void", actor="kim", reason="fire alarm").outcome == "pending"
    assert t.command("hand void", actor="lee", reason="fire alarm").outcome == "accepted"
    assert t.hand.result["result"] == "void"


ENDS_BY_ITSELF = {
    "fault": (lambda t: t.event("fault_set", None, 0x81), lambda t: t.event("fault_cleared", None, 0x81)),
    "keypad": (
        lambda t: t.put(LinkChange("keypad", "lost", "cable_pulled")),
        lambda t: t.put(LinkChange("keypad", "online", boot=3)),
    ),
    "timeout": (
        lambda t: t.command("timeout grant", seat="W", kind="toilet"),
        lambda t: t.command("timeout end", seat="W"),
    ),
    "win": (lambda t: t.press(t.hand.turn, "win"), lambda t: t.command("win reject", reason="no shape")),
}


@pytest.mark.report("B078")
@pytest.mark.parametrize("cause", ENDS_BY_ITSELF)
def test_half_an_agreement_is_void_when_the_clocks_run_again_whatever_had_stopped_them(table, cause):
    begin, end = ENDS_BY_ITSELF[cause]
    t = table()
    t.play()
    t.put(LinkChange("keypad", "online", boot=3))
    t.wait(20)
    begin(t)
    assert t.command("hand void", actor="kim", reason="x").outcome == "pending"
    end(t)
    assert t.published("event.pending_void")
    t.wait(5)
    assert t.command("hand void", actor="lee", reason="x").outcome == "pending"


@pytest.mark.report("B078")
def test_an_agreement_waits_for_its_second_while_nobody_can_play(table):
    t = start_building(table)
    assert t.command("hand redeal", actor="kim", reason="x").outcome == "pending"
    t.put(LinkChange("table", "lost", "cable_pulled"))
    t.online()
    assert t.phase == "building"
    assert t.command("hand redeal", actor="lee", reason="x").outcome == "accepted"


@pytest.mark.report("B078")
def test_half_an_agreement_ends_with_its_deal(table):
    t = start_building(table)
    assert t.command("hand void", actor="kim", reason="x").outcome == "pending"
    for actor, outcome in (("kim", "pending"), ("lee", "accepted")):
        assert t.command("hand redeal", actor=actor, reason="x").outcome == outcome
    assert t.command("hand void", actor="lee", reason="x").outcome == "pending"


def test_a_wrong_count_stops_the_raise(table):
    t = start_building(table)
    t.done(135)
    assert t.state.holds["order"].key == "hold.wrong_count"
    assert t.orders() == ["build"]


def test_a_hand_started_without_a_table_waits_for_it(table):
    t = table(rules="mcr-136")
    t.command("session start", rules="mcr-136")
    assert t.command("hand start").outcome == "accepted"
    assert t.state.holds["no table"].ends == "auto"
    assert not t.orders()
    t.online()
    assert not t.state.holds
    assert t.orders() == ["build"]


def test_doubtful_walls_wait_for_a_referee(table):
    t = start_building(table)
    t.event("fault_set", None, 0x22)
    assert {"fault extra_tiles", "suspect"} <= set(t.state.holds)
    t.event("fault_cleared", None, 0x22)
    t.done(136)
    assert t.orders() == ["build"]  # not raised
    assert t.command("resume").outcome == "accepted"
    assert t.state.table.suspect == ""
    assert t.orders() == ["build", "raise"]


def test_a_jam_in_the_store_does_not_stop_a_hand_in_play(table):
    t = opened(table)
    t.event("fault_set", 1, 0x11)
    assert not t.state.holds
    assert t.state.table.faults == [("head_jam", 1)]


def test_faults_that_went_while_nobody_heard_end_with_the_snapshot(table):
    t = opened(table)
    t.event("fault_set", None, 0x81)
    assert "fault cover_open" in t.state.holds
    lost(t)
    back(t, faults=())
    assert not t.state.holds
    lost(t)
    back(t, faults=(("cover_open", 255),))
    assert set(t.state.holds) == {"fault cover_open"}


def test_walls_the_board_forgot_while_raising_are_built_anew(table):
    t = start_building(table)
    t.done(136)
    assert t.phase == "raising"
    lost(t)
    t.online(boot=8, top="walls_up", hand=0, store="empty", homed=False)
    t.put(OperationReply("table", t.state.table.order.id, "unknown", queried=True))
    t.command("order retry")
    t.command("resume")
    for wanted in ("home", "lower", "build", "raise"):
        assert t.state.table.order.operation == wanted
        t.done(136 if wanted == "build" else 0)
    assert t.phase == "dice"


def test_an_act_meant_for_another_moment_is_refused(table):
    t = opened(table)
    t.n += 1

    def asked(expect):
        effects = t.put(Command(f"x{t.n}", "kim", "referee", "pause", {}, expect))
        return next(e for e in effects if isinstance(e, Answer))

    assert asked("hand=2").key == "refused.changed"
    assert asked("tiles=4").key == "refused.expect_unknown"
    assert asked("hand=1").outcome == "accepted"


def ask(t, expect, name, **args):
    """Give a command on what a screen showed; the answer and its sentence."""
    effects = t.put(Command(f"x{t.n}", "kim", "referee", name, args, expect))
    answer = next(effect for effect in effects if isinstance(effect, Answer))
    return answer, catalog.text(answer.key, "en", **answer.data)


def shown(t):
    """What a console sends along with a decision: the version of the document it was made on."""
    return f"record={view(t.state, t.now)['record']}"


@pytest.mark.report("B051")
def test_a_decision_about_somebody_absent_is_refused_once_he_is_back(table):
    """The link is away and the referee reads what to do about it; while he reads it comes back."""
    t = opened(table)
    lost(t)
    seen = shown(t)
    assert ask(t, seen, "pause")[0].outcome == "accepted"  # nothing has happened since
    seen = shown(t)
    back(t)
    answer, sentence = ask(t, seen, "hand void", reason="nobody comes back")
    assert answer.key == "refused.outdated"
    assert answer.data["now"] == t.state.changed
    assert catalog.text(answer.data["what"], "en", **answer.data["facts"]) in sentence
    assert not t.state.pending
    assert not t.hand.over
    assert ask(t, shown(t), "resume")[0].outcome == "accepted"


@pytest.mark.report("B051")
def test_a_win_that_is_not_the_one_shown_cannot_be_confirmed(table):
    """Two call; the nearer one is rejected by another referee while the first reads his hand."""
    t = opened(table)
    t.press(3, "win")
    t.press(2, "win")
    t.wait(3)
    assert t.hand.win.side == 2
    seen = shown(t)
    t.command("win reject", actor="lee", reason="no shape")
    assert (t.phase, t.hand.win.side) == ("adjudication", 3)
    assert ask(t, seen, "win confirm")[0].key == "refused.outdated"
    assert not t.hand.over
    assert ask(t, shown(t), "win confirm", overrule="tiles nobody spelt out")[0].outcome == "accepted"


@pytest.mark.report("B051")
def test_what_changes_nothing_on_a_screen_outdates_nothing(table):
    t = opened(table)
    t.wait(3.1)
    seen = shown(t)
    t.put(Deadline("turn", 1))  # something beat it
    assert ask(t, "hand=9", "pause")[0].outcome == "refused"
    assert ask(t, seen, "pause")[0].outcome == "accepted"


def test_a_win_can_be_confirmed_only_once(table):
    t = opened(table)
    t.press(1, "win")
    assert t.command("win confirm", overrule="tiles nobody spelt out").outcome == "accepted"
    assert t.command("win confirm").outcome == "refused"
    assert len(t.state.results) == 1


@pytest.mark.parametrize(("reason", "key"), [("a look", "hold.referee"), ("", "hold.referee_unsaid")])
def test_a_pause_names_its_reason_or_none(table, reason, key):
    t = table(rules="mcr")
    t.start()
    t.command("pause", reason=reason)
    assert t.state.holds["referee"].key == key
