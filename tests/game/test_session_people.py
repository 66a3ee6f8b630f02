"""Who is there: late, gone, replaced, played for by nobody; and what an official session asks for."""

from __future__ import annotations

import pytest

from tablectl.game import official
from tablectl.rules.show import rows
from tests.game.conftest import BOOK
from tests.game.evening import Evening


@pytest.mark.rule("CJ-F6")
def test_two_absent_players_give_the_others_a_bye():
    t = Evening("ccm", draw=True)
    t.ok("player withdraw", player="p1", reason="ill")
    assert t.session.phase == "seating"
    assert t.ok("player withdraw", player="p3", reason="ill")["byes"] == ["p0", "p2"]
    assert (t.session.phase, t.session.ended) == ("over", "bye")
    assert [bye["player"] for bye in t.published("event.bye")] == ["p0", "p2"]


@pytest.mark.rule("CJ-F6")
def test_three_players_left_play_with_a_mechanical_partner():
    t = Evening("ccm")
    t.play("S")
    t.open()
    t.ok("player withdraw", player="p2", reason="ill")
    assert [bool(seat.mechanical) for seat in t.hand.seats] == [False, False, True, False]
    t.ok("claim", word="win", seat="E")
    t.ok("win confirm")
    t.open()
    assert [bool(seat.mechanical) for seat in t.hand.seats] == [False, False, True, False]


def test_elsewhere_the_referee_says_whether_a_seat_is_played_mechanically():
    t = Evening("mcr")
    t.play("S")
    t.ok("player withdraw", player="p2", reason="ill")
    assert t.no("hand start").key == "refused.player_missing"
    t.ok("substitute in", player="p2", substitute="Eve", person="77", reason="reserve")
    t.open()
    assert not t.hand.seats[2].mechanical


def test_a_hand_waits_for_who_is_late():
    t = Evening()
    t.ok("player late", player="p1")
    answer = t.no("hand start")
    assert (answer.key, answer.data["player"]) == ("refused.player_missing", "p1")
    t.ok("player arrive", player="p1")
    t.open()
    assert t.no("player arrive", player="p1").key == "refused.player_is"


def test_points_stay_with_the_player_of_record():
    t = Evening()
    t.play("S")
    t.ok("substitute in", player="p1", substitute="Eve", person="77", reason="ill")
    assert t.no("substitute in", player="p1", substitute="Zoe", reason="x").key == "refused.substituted"
    t.play("S")
    t.score(-24, 40, -8, -8)
    t.ok("substitute out", player="p1")
    assert t.no("substitute out", player="p1").key == "refused.no_substitute"
    (line,) = t.session.substitutions
    assert (line.name, line.id, line.since, line.until) == ("Eve", "77", 2, 2)
    assert t.points[1] == 540


def test_who_forfeits_is_ranked_last():
    t = Evening()
    t.play("S")
    t.score(-24, 40, -8, -8)
    t.ok("player forfeit", player="p1", reason="left")
    assert t.ranking[-1] == (4, "p1")
    assert t.no("player arrive", player="p1").key == "refused.forfeited"


# official sessions


@pytest.mark.rule("ZJ-T8")
def test_an_official_session_lists_what_nobody_has_confirmed():
    t = Evening()
    t.ok("session stop")
    answer = t.no("session start", rules="zungjung", official=True)
    assert answer.key == "refused.unconfirmed"
    listed = answer.data["unconfirmed"]
    assert {"key": "session.redraw_after", "value": 8, "rule": "ZJ-F4"} in listed
    assert len(listed) == answer.data["count"] == len(rows(BOOK["zungjung"], provisional_only=True))


def confirm_all(t: Evening, rules: str) -> None:
    for row in rows(BOOK[rules], provisional_only=True):
        t.ok("rules confirm", rules=rules, key=official.key_of(row))


@pytest.mark.parametrize("rules", ["zungjung", "ccm", "wuhan", "mcr"])
def test_once_all_is_confirmed_an_official_session_starts(rules):
    t = Evening()
    t.ok("session stop")
    confirm_all(t, rules)
    t.ok("session start", rules=rules, official=True)
    assert t.session.official


@pytest.mark.rule("ZJ-F4")
def test_a_replaced_value_is_played_and_makes_another_ruleset():
    t = Evening()
    t.ok("session stop")
    t.ok("session start", rules="zungjung")
    plain = t.session.rules_hash
    t.ok("session stop")
    t.ok("rules confirm", rules="zungjung", key="session.redraw_after", value="4")
    answer = t.ok("session start", rules="zungjung")
    assert t.state.ruleset.session.redraw_after.value == 4
    assert not t.state.ruleset.session.redraw_after.provisional
    assert answer["rules_hash"] == t.session.rules_hash != plain
    assert BOOK["zungjung"].session.redraw_after.value == 8


def test_a_setting_confirms_all_its_values():
    t = Evening()
    answer = t.ok("rules confirm", rules="zungjung", key="zj.session_clock")
    assert "session.time_s" in answer["confirmed"]
    assert "session.warning_s" in answer["confirmed"]


@pytest.mark.rule("ZJ-T7")
def test_a_penalty_no_book_gives_is_confirmed_like_any_value():
    t = Evening()
    t.ok("session stop")
    listed = t.no("session start", rules="zungjung", official=True).data["unconfirmed"]
    assert "offences.overtime_forfeit" in [one["key"] for one in listed]
    t.ok("rules confirm", rules="zungjung", key="zj.forfeit_scope")
    listed = t.no("session start", rules="zungjung", official=True).data["unconfirmed"]
    assert "offences.overtime_forfeit" not in [one["key"] for one in listed]


@pytest.mark.rule("MCR-T3")
@pytest.mark.parametrize("value", ['["warning", 15, 30]', '{"ladder": ["warning", 15, 30]}'])
def test_the_organiser_may_put_another_ladder_in_its_place(value):
    t = Evening()
    t.ok("session stop")
    t.ok("rules confirm", rules="mcr", key="offences.overtime", value=value)
    t.ok("session start", rules="mcr")
    overtime = t.state.ruleset.offences["overtime"]
    assert [measure.points for measure in overtime.ladder] == [0, 15, 30]
    assert overtime.ladder[0].warning
    assert (overtime.rule, overtime.signs, overtime.provisional) == ("MCR-T3", ("overtime",), False)


@pytest.mark.parametrize(
    ("key", "value", "refused"),
    [
        ("offences.overtime_forfeit", '["warnin"]', "refused.value_does_not_fit"),
        ("offences.overtime_forfeit", '[{"points": 20, "up_to": 10}]', "contradiction.up_to"),
        ("session.hands", "", "refused.not_provisional"),
        ("session.redraw_after", "often", "refused.value_does_not_fit"),
        ("session.time_s", "-5", "contradiction.bounds"),
        ("zj.session_clock", "3600", "refused.several_values"),
    ],
)
def test_what_cannot_be_confirmed_is_refused(key, value, refused):
    t = Evening()
    t.ok("session stop")
    assert t.no("rules confirm", rules="zungjung", key=key, value=value).key == refused
    assert not t.state.confirmed
