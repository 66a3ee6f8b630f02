"""Calls, proposals, rulings, corrections, appeals: every move on the record, nothing twice, nothing lost."""

from __future__ import annotations

import pytest

from tablectl.game.cases.story import stories
from tablectl.game.casestate import Case
from tablectl.game.view import view
from tests.game.cases import Court
from tests.game.conftest import SECOND
from tests.game.evening import Evening


@pytest.fixture
def court():
    made = Court()
    yield made
    assert made.broken == []


def phases(case: Case) -> list[str]:
    return [note.move for note in case.log]


# calls


def test_a_call_stands_from_the_press_to_the_ruling_and_every_move_has_its_actor_and_time(court):
    court.press(1, "referee")
    assert (court.case.kind, court.case.side, court.case.phase) == ("rule", 1, "raised")
    assert "call 1" in court.state.holds
    court.wait(7)
    court.ok("attend")
    court.ok("hear", seat="S", statement="he drew before me")
    court.ok("rule", article="house_dead", reason="counted")
    assert phases(court.case) == ["attend", "hear", "rule", "decide", "apply"]
    assert all(note.actor == "kim" and note.at == court.now for note in court.case.log)
    assert court.hand.seats[1].no_win == "MCR-P15"
    court.ok("resume")
    court.ok("case sign", case=1)
    assert court.case.phase == "closed"
    assert court.case.stood == 7 * SECOND


def test_a_seat_that_has_called_waits_for_its_place_and_is_not_counted_twice(court):
    court.press(2, "referee")
    court.press(3, "referee")
    court.wait(5)
    court.press(3, "referee")
    assert [case.side for case in court.cases] == [2, 3]
    assert court.published("event.called")[-1]["place"] == 2


def test_a_call_about_the_score_does_not_stop_the_clocks(court):
    court.ok("call", kind="score", seat="W")
    assert not court.state.holds


def test_a_call_that_is_taken_back_handed_over_or_merged_ends_with_who_did_it(court):
    court.ok("call", kind="score", seat="W")
    court.ok("call", kind="machine", seat="N")
    court.ok("later", case=1)
    court.ok("attend", case=2)
    court.ok("handover", case=2, referee="lee")
    assert court.cases[1].referee == "lee"
    court.ok("release", case=2)
    court.ok("case merge", case=2, into=1)
    assert [case.phase for case in court.cases] == ["queued", "merged"]
    assert "call 2" not in court.state.holds
    court.ok("case withdraw", case=1)
    assert not [case for case in court.cases if case.open]


def test_what_was_found_and_merged_into_a_call_is_about_who_did_it(court):
    court.press(1, "referee")
    court.ok("expose", seat="E", tiles=["5m"])
    court.ok("case merge", case=2, into=1)
    call = court.cases[0]
    assert (call.player, call.seat, call.by) == ("p0", "E", "side 1")
    court.ok("rule", case=1)
    assert court.hand.seats[0].penalty_tiles
    assert "call 1" in court.state.holds  # the clocks stand until play goes on


def test_play_that_goes_on_without_a_ruling_closes_the_call_with_that_reason(court):
    court.press(1, "referee")
    court.ok("resume")
    assert (court.case.phase, court.case.log[-1].text) == ("closed", "case.resumed")


@pytest.mark.report("B078")
@pytest.mark.parametrize("act", ["hand void", "hand redeal", "fault decide"])
def test_what_one_of_two_had_agreed_to_is_void_when_the_clocks_run_again(court, act):
    args: dict = {"reason": "it lies on the floor"}
    if act == "fault decide":
        court.ok("fault report", fault="wall_knocked_over")
        court.ok("fault seen", case=1, count=9)
        args |= {"case": 1, "remedy": "redeal"}
    court.ok("pause", reason="look")
    assert court.command(act, actor="kim", **args).outcome == "pending"
    court.ok("resume")
    assert court.published("event.pending_void")
    if act == "fault decide":  # its call was closed by going on
        court.ok("fault report", fault="wall_knocked_over")
        args |= {"case": 2}
    assert court.command(act, actor="lee", **args).outcome == "pending"
    assert court.phase not in ("void", "building")
    assert court.command(act, actor="kim", **args).outcome == "accepted"


@pytest.mark.report("B051")
def test_two_referees_act_on_one_case_and_the_second_is_told_who_was_first(court):
    court.press(1, "referee")
    shown = f"case=1:{len(court.case.log)}"
    assert court.expecting("attend", shown, case=1).outcome == "accepted"
    court.wait(3)
    refused = court.expecting("attend", shown, case=1)
    assert (refused.key, refused.data["actor"], refused.data["ago_s"]) == ("refused.case_changed", "kim", 3)


def test_the_exact_time_of_a_call_is_given_back_to_the_session_once(court):
    court.press(1, "referee")
    court.wait(42.5)
    court.ok("resume")
    limit = view(court.state, court.now)["session"]["clock"]
    assert court.ok("case credit", case=1)["change_us"] == 42_500_000
    assert view(court.state, court.now)["session"]["clock"] != limit
    assert court.no("case credit", case=1).key == "refused.nothing_to_credit"


# proposals


def test_what_the_record_shows_is_proposed_and_costs_nothing_before_somebody_rules(court):
    case = court.draws_early("W")
    assert (case.finding.offence, case.finding.place, case.phase) == ("early_draw", 1, "raised")
    assert not court.state.holds
    court.end_hand()
    assert court.won() == {"p0": 0, "p1": 0, "p2": 0, "p3": 0}


def test_the_ladder_climbs_with_what_stands_against_the_same_player_in_the_hand(court):
    for points in (0, 5, 10):
        case = court.draws_early("W")
        court.ok("rule", case=case.no)
        assert case.decision.points == points
    other = court.draws_early("N")
    assert other.finding.place == 1


def test_a_waived_case_is_no_step_of_the_ladder(court):
    court.ok("waive", case=court.draws_early("W").no, reason="the seat before had discarded")
    assert court.case.phase == "closed"
    assert not court.published("event.ruled")
    assert len(court.published("event.waived")) == 1
    assert court.draws_early("W").finding.place == 1


def test_points_at_the_end_of_the_hand_are_lines_of_their_own(court):
    for _ in range(2):
        court.ok("rule", case=court.draws_early("W").no)
    assert court.won()["p2"] == 0
    court.end_hand()
    assert court.won() == {"p0": 0, "p1": 0, "p2": -5, "p3": 0}
    line = next(line for line in court.session.ledger if line.case)
    assert (line.kind, line.case, line.hand) == ("bank", 2, 1)
    court.hand_on()
    assert court.won()["p2"] == -5


def test_two_referees_who_saw_one_act_give_one_penalty(court):
    court.ok("penalty add", seat="W", article="house_automatic")
    court.wait(3)
    answer = court.command("penalty add", actor="lee", seat="W", article="house_automatic")
    assert (answer.outcome, answer.key) == ("refused", "refused.penalty_given")
    assert (answer.data["by"], answer.data["ago_s"], answer.data["case"]) == ("kim", 3, court.case.no)
    assert len(court.state.cases) == 1
    court.command("penalty add", actor="lee", seat="W", article="house_automatic", anyway="his other tile")
    assert len(court.state.cases) == 2
    assert (
        court.command("penalty add", actor="lee", seat="N", article="house_automatic").outcome == "accepted"
    )


@pytest.mark.parametrize("undone", ["waive", "penalty cancel"])
def test_a_penalty_that_does_not_stand_keeps_nobody_from_giving_it(court, undone):
    if undone == "waive":
        case = court.draws_early("W")
        article = case.finding.offence
        court.command("waive", actor="lee", case=case.no, reason="the seat before had discarded")
    else:
        article = "house_automatic"
        court.command("penalty add", actor="lee", seat="W", article=article)
        court.command("penalty cancel", actor="lee", case=court.case.no, reason="a slip")
    answer = court.command("penalty add", seat="W", article=article)
    assert (answer.outcome, answer.key) == ("accepted", "answer.ruled")


def test_who_sits_there_now_answers_for_himself_alone(court):
    court.command("penalty add", actor="lee", seat="W", article="house_automatic")
    court.end_hand()
    court.ok("seat swap", player="p2", other="p3", reason="sat down wrongly")
    wind = court.hand.seats[court.session.player("p3").side].wind
    assert court.command("penalty add", seat=wind, article="house_automatic").outcome == "accepted"


def test_who_calls_the_referee_is_no_offender(court):
    court.command("call", actor="p1", role="player", kind="rule", seat="S")
    answer = court.command("penalty add", seat="S", article="?", points=10, reason="is looked up")
    assert answer.outcome == "accepted"


def test_a_provisional_penalty_is_filled_by_an_article_or_not_at_all(court):
    court.ok("penalty add", seat="S", article="?", points=20, reason="is looked up")
    assert len(court.published("event.ruled_later")) == 1
    refused = court.no("penalty fill", case=court.case.no, reason="later")
    assert refused.key == "refused.which_article"
    assert court.case.phase == "provisional"


def test_what_the_table_has_seen_too_is_ruled_on_there(court):
    case = court.draws_early("W")
    answer = court.command("penalty add", actor="lee", seat="W", article=case.finding.offence)
    assert (answer.key, answer.data["case"]) == ("refused.penalty_waits", case.no)
    assert len(court.state.cases) == 1
    court.ok("rule", case=case.no)
    court.wait(121)
    answer = court.command("penalty add", actor="lee", seat="W", article=case.finding.offence)
    assert answer.outcome == "accepted"


def test_a_ladder_of_the_session_goes_on_in_the_next_hand(court):
    court.ok("penalty add", seat="W", article="house_automatic")
    court.end_hand()
    court.hand_on()
    wind = court.hand.seats[court.session.player("p2").side].wind
    court.ok("penalty add", seat=wind, article="house_automatic")
    assert court.case.decision.points == 30
    court.end_hand()
    assert court.won() == {"p0": 30, "p1": 30, "p2": -90, "p3": 30}


@pytest.mark.rule("MCR-P1")
@pytest.mark.parametrize(
    ("minutes", "points", "effects"),
    [(10, 10, []), (15, 20, []), (16, 0, ["forfeit_session"])],
    ids=["up to ten minutes", "up to fifteen", "later"],
)
def test_how_late_a_player_comes_decides_what_is_proposed(minutes, points, effects):
    evening = Evening("mcr")
    evening.ok("player late", player="p2")
    evening.wait(minutes * 60)
    evening.ok("player arrive", player="p2")
    shown = view(evening.state, evening.now)["cases"][0]["finding"]
    assert (shown["offence"], shown["proposed"]["points"]) == ("late", points)
    assert list(shown["proposed"]["effects"]) == effects
    evening.ok("rule")
    assert evening.points[2] == 500 - points
    assert evening.session.player("p2").status == ("forfeited" if effects else "present")


# rulings


def test_the_referee_chooses_within_the_scale_and_who_was_damaged(court):
    refused = court.no("penalty add", seat="S", article="house_scale", points=7, to="p3")
    assert (refused.key, refused.data["allowed"]) == ("refused.points_beyond", "5, 10, 25, 60")
    court.ok("penalty add", seat="S", article="house_scale", points=25, to="p3")
    court.end_hand()
    assert court.won() == {"p0": 0, "p1": -25, "p2": 0, "p3": 25}


def test_a_choice_of_the_article_may_be_due_at_once(court):
    court.ok("penalty add", seat="S", article="house_scale", choice=1)
    assert court.won() == {"p0": 10, "p1": -30, "p2": 10, "p3": 10}


def test_what_the_chief_decides_a_referee_escalates(court):
    court.press(1, "referee")
    assert court.no("rule", article="house_out").key == "refused.for_the_chief"
    court.ok("escalate", reason="he shouts")
    assert court.command("rule", role="chief", actor="lee", case=1, article="house_out").outcome == "accepted"
    assert court.session.player("p1").status == "forfeited"


def test_the_article_may_come_later(court):
    court.ok("penalty add", seat="S", article="?", reason="something with a tile")
    assert (court.case.phase, court.case.decision.offence) == ("provisional", "")
    court.ok("penalty fill", case=1, article="house_dead")
    assert (court.case.phase, court.hand.seats[1].no_win) == ("applied", "MCR-P15")


def test_under_reserve_the_seat_is_barred_and_the_points_wait(court):
    court.ok("penalty add", seat="S", article="house_scale", points=10, to="p3", reserve=True)
    court.end_hand()
    assert court.won()["p1"] == 0
    court.ok("case decide", case=1)
    assert court.won()["p1"] == -10


def test_an_article_that_is_none_says_where_to_look(court):
    refused = court.no("penalty add", seat="S", article="MCR-P99")
    assert (refused.key, refused.data["rules"]) == ("refused.no_such_offence", "house")


@pytest.mark.rule("CJ-P1", "CJ-P10")
@pytest.mark.parametrize(("to", "others"), [("p3", 20), (None, 0)], ids=["who was damaged", "out of play"])
def test_in_the_chip_game_points_go_to_who_was_damaged_or_out_of_play(to, others):
    court = Evening("ccm")
    court.ok("hand start")
    court.ok("penalty add", seat="S", article="foul", points=20, **({"to": to} if to else {}))
    assert court.points == [100, 80, 100, 100 + others]
    assert court.state.session.ledger[-1].table
    assert not court.broken


@pytest.mark.rule("CJ-S9")
def test_a_penalty_that_would_end_the_stage_is_booked_beside_the_table(court):
    court = Evening("ccm")
    court.ok("hand start")
    court.ok("score enter", kind="kong", hand=1, p0=190, p1=-90, p2=-100)
    court.ok("penalty add", seat="S", article="foul", points=30, to="p3")
    assert court.points == [290, 10, 0, 100], "nobody ends the game by a penalty, but for who is first then"
    line = court.state.session.ledger[-1]
    assert (line.table, line.deltas["p1"], line.deltas["p3"]) == (False, -30, 30)
    assert court.session.phase == "running"
    assert not court.broken


@pytest.mark.rule("MCR-P14", "ZJ-P5", "ZJ-P6")
def test_who_answers_for_a_win_pays_what_the_others_lost_by_it(court):
    court.ok("penalty add", seat="S", article="house_name")
    court.press(3, "win")
    court.wait(4)
    court.ok("win confirm")
    court.ok("score enter", kind="hand", p0=-20, p1=-8, p2=-8, p3=36)
    assert court.won() == {"p0": 0, "p1": -36, "p2": 0, "p3": 36}
    court.command("ruling correct", role="chief", case=1, reason="he had not spoken")
    assert court.won() == {"p0": -20, "p1": -8, "p2": -8, "p3": 36}


# corrections


def test_a_corrected_ruling_is_as_if_it_had_never_been(court):
    cases = [court.draws_early("W") for _ in range(3)]
    for case in cases:
        court.ok("rule", case=case.no)
    court.end_hand()
    assert court.won()["p2"] == -15
    preview = court.ok("ruling preview", case=1)
    assert preview["points"] == {"p2": [-15, -5]}
    assert [line["now"]["points"] for line in preview["rulings"]] == [0, 0, 5]
    assert court.won()["p2"] == -15
    answer = court.command("ruling correct", role="chief", actor="lee", case=1, reason="the table shook")
    assert answer.outcome == "accepted"
    assert court.won()["p2"] == -5
    assert [case.decision.points for case in cases] == [0, 0, 5]
    assert len(cases[0].decisions) == 2, "nothing is deleted"


def test_a_dead_hand_lives_again(court):
    court.ok("penalty add", seat="S", article="house_dead")
    court.ok("penalty cancel", case=1, reason="counted again: thirteen")
    assert court.hand.seats[1].no_win == ""
    assert court.case.decision.waived
    assert [said["side"] for said in court.published("event.unbarred")] == [1], (
        "whoever told him tells him again"
    )


def test_a_penalty_of_an_earlier_hand_is_for_the_chief(court):
    court.ok("penalty add", seat="S", article="house_dead")
    court.end_hand()
    court.hand_on()
    assert court.no("penalty cancel", case=1, reason="?").key == "refused.for_the_chief"


def test_points_that_were_booked_come_back_by_a_line_of_their_own(court):
    court.ok("penalty add", seat="S", article="house_scale", choice=1)
    lines = len(court.session.ledger)
    court.ok("penalty cancel", case=1, reason="the wrong seat")
    assert court.won() == {"p0": 0, "p1": 0, "p2": 0, "p3": 0}
    assert len(court.session.ledger) == lines + 1


def test_who_was_sent_away_by_a_wrong_ruling_sits_there_again(court):
    chief = {"role": "chief", "actor": "lee"}
    assert court.command("penalty add", seat="S", article="house_out", **chief).outcome == "accepted"
    assert court.session.player("p1").status == "forfeited"
    assert court.hand.seats[1].mechanical
    assert court.command("ruling correct", case=1, reason="it was another", **chief).outcome == "accepted"
    assert (court.session.player("p1").status, court.hand.seats[1].mechanical) == ("present", "")
    assert [told["side"] for told in court.published("event.plays_again")] == [1]
    again = court.command("ruling correct", case=1, reason="again", **chief)
    assert again.key == "refused.waived_already"


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ({"article": "house_scale", "points": 7}, "refused.points_beyond"),
        ({"article": "early_draw", "points": 45}, "refused.points_beyond"),
        ({"article": "house_scale", "points": 5, "to": "p1"}, "refused.pays_himself"),
        ({"article": "house_scale", "choice": 2}, "refused.no_such_choice"),
        ({}, "refused.article_missing"),
    ],
)
def test_a_penalty_that_is_refused_leaves_no_case_behind(court, asked, key):
    assert court.no("penalty add", seat="S", **asked).key == key
    assert court.cases == []


def test_what_was_escalated_the_chief_decides(court):
    case = court.draws_early("W")
    court.ok("escalate", case=case.no, reason="for the third time")
    assert court.no("rule", case=case.no).key == "refused.for_the_chief"
    assert court.no("waive", case=case.no, reason="it was nothing").key == "refused.for_the_chief"
    assert court.command("rule", case=case.no, role="chief", actor="lee").outcome == "accepted"


def test_who_refuses_to_sign_is_told_from_who_signs(court):
    for seat in "SW":
        court.ok("penalty add", seat=seat, article="house_dead")
    court.ok("case sign", case=1, refuse="我不同意")
    court.ok("case sign", case=2)
    told = [[(line.word, line.text) for line in story.lines][-2] for story in stories(court.state)]
    assert told == [("case.not_signed", "我不同意"), ("case.sign", "")]


def test_the_step_that_is_shown_is_the_one_that_was_decided(court):
    for number, points in ((1, 0), (2, 5)):
        court.ok("penalty add", seat="S", article="early_draw")
        shown = view(court.state, court.now)["cases"][-1]
        assert (shown["finding"]["place"], shown["decision"]["points"]) == (number, points)
        assert shown["finding"]["proposed"]["points"] == points


def test_after_a_correction_the_player_signs_anew(court):
    court.ok("penalty add", seat="S", article="house_scale", choice=1)
    court.ok("case sign", case=1)
    answer = court.command(
        "ruling correct", role="chief", actor="lee", case=1, article="house_dead", reason="x"
    )
    assert answer.outcome == "accepted"
    assert (court.case.phase, court.case.answers) == ("applied", {})


def test_a_ruled_case_is_corrected_not_ruled_again(court):
    case = court.draws_early("W")
    court.ok("rule", case=case.no)
    assert court.no("rule", case=case.no).key == "refused.ruled_already"


def test_cases_of_different_players_are_not_merged_nor_into_one_that_is_over(court):
    first, other = court.draws_early("W"), court.draws_early("N")
    assert court.no("case merge", case=other.no, into=first.no).key == "refused.other_matter"
    court.ok("waive", case=first.no, reason="he had not")
    assert court.no("case merge", case=other.no, into=first.no).key == "refused.case_over"


def test_a_call_of_an_earlier_session_keeps_nobody_from_calling(court):
    court.ok("call", kind="score")
    court.end_hand()
    court.ok("session stop")
    assert court.cases[0].log[-1].text == "case.lapsed"
    court.ok("session start", rules="house")
    court.ok("call", kind="score")


def test_before_the_first_hand_a_seat_is_who_will_sit_there():
    evening = Evening("mcr")
    evening.ok("penalty add", seat="W", article="late")
    assert (evening.state.cases[0].player, evening.points[2]) == ("p2", 490)


# appeals


def test_votes_are_hidden_until_all_are_there(court):
    court.ok("penalty add", seat="S", article="house_scale", choice=1)
    court.ok("appeal open", case=1, player="p1", jury=3, reason="it was not mine")
    for actor in ("a", "b"):
        assert court.command("appeal vote", actor=actor, case=1, ballot="overturn").outcome == "accepted"
    shown = view(court.state, court.now)["cases"][0]["appeal"]
    assert (shown["votes"], shown["ballots"]) == (2, {})
    decide = {"case": 1, "outcome": "overturn", "reason": "two to one"}
    assert court.command("appeal decide", role="chief", **decide).key == "refused.votes_missing"
    assert court.command("appeal vote", actor="a", case=1, ballot="uphold").key == "refused.voted_already"
    assert court.command("appeal vote", actor="c", case=1, ballot="uphold").outcome == "accepted"
    assert view(court.state, court.now)["cases"][0]["appeal"]["ballots"] == {
        "a": "overturn",
        "b": "overturn",
        "c": "uphold",
    }
    assert court.command("appeal decide", role="chief", **decide).outcome == "accepted"
    assert court.won()["p1"] == 0
    assert "uphold" not in phases(court.case)


@pytest.mark.parametrize("role", ["referee", "chief"])
@pytest.mark.parametrize("act", ["rule", "waive"])
def test_what_is_under_appeal_nobody_rules_on_beside_it(court, act, role):
    court.ok("penalty add", seat="S", article="house_scale", choice=1)
    court.ok("appeal open", case=1, player="p1", reason="it was not mine")
    args = {"article": "house_dead"} if act == "rule" else {"reason": "x"}
    refused = court.command(act, role=role, case=1, **args)
    assert (refused.outcome, refused.key) == ("refused", "refused.under_appeal")
    assert court.won()["p1"] == -30


def test_who_ruled_has_no_vote(court):
    court.ok("penalty add", seat="S", article="house_scale", choice=1)
    court.ok("appeal open", case=1, player="p1", reason="it was not mine")
    assert court.no("appeal vote", case=1, ballot="uphold").key == "refused.own_ruling"


def test_an_overturned_ruling_may_become_a_milder_step(court):
    court.ok("rule", case=court.draws_early("W").no)
    court.ok("rule", case=court.draws_early("W").no)
    court.ok("appeal open", case=2, player="p2", reason="the first was none")
    decide = {"case": 2, "outcome": "overturn", "step": 1, "reason": "as a first one"}
    assert court.command("appeal decide", role="chief", **decide).outcome == "accepted"
    assert (court.case.decision.waived, court.case.decision.points) == (False, 0)


def test_an_appeal_that_is_not_decided_in_time_is_said(court):
    court.ok("penalty add", seat="S", article="house_dead")
    court.ok("appeal open", case=1, player="p1", reason="I have thirteen")
    court.wait(31 * 60)
    assert court.published("event.appeal_late") == [{"case": 1}]


def test_a_case_nobody_ruled_on_is_closed_with_the_session(court):
    court.draws_early("W")
    court.end_hand()
    court.ok("session stop")
    assert (court.case.phase, court.case.log[-1].text) == ("closed", "case.lapsed")
