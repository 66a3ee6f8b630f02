"""What rules speak of and no sensor sees is told, never refused, and stands on the sheet with its article."""

from __future__ import annotations

import pytest

from tablectl.game.sheet import document
from tablectl.game.view import view
from tablectl.rules.articles import articles
from tablectl.rules.book import load_book
from tests.game.conftest import tiles
from tests.game.evening import Evening

MINUTE = 60


def before_the_referee(rules: str = "zungjung") -> Evening:
    """A win of South on East's discard, declared and not judged yet."""
    t = Evening(rules)
    t.open()
    t.ok("discard", seat="E")
    t.ok("claim", word="win", seat="S")
    t.wait(4)
    assert t.phase == "adjudication"
    return t


def noted(t: Evening) -> list[tuple[str, str, str]]:
    """Fact, article and player of every note on the sheet."""
    return [
        (one["fact"], one["rule"], one["player"])
        for hand in document(t.state)["hands"]
        for one in hand["notes"]
    ]


def closed(t: Evening) -> None:
    t.ok("win confirm")
    t.score(-20, 20)


@pytest.mark.rule("MCR-W7")
def test_a_forbidden_throw_is_noted_and_can_be_thrown_again():
    t = Evening("mcr")
    t.ok("hand start")
    t.ok("walls ready")
    assert t.ok("note", fact="forbidden_throw", seat="E", text="blew on the dice")["rule"] == "MCR-W7"
    t.throw((6, 6))
    t.ok("throw void", reason="a forbidden throw")
    t.throw((3, 4), (3, 4))
    t.press(0, "win")
    closed(t)
    assert noted(t) == [("forbidden_throw", "MCR-W7", "p0")]


@pytest.mark.rule("MCR-C8")
@pytest.mark.parametrize("fact", ["win_apart", "win_mixed"])
def test_whether_a_self_drawn_tile_was_kept_apart_is_noted_with_the_win(fact):
    t = before_the_referee("mcr")
    t.ok("note", fact=fact, seat="S")
    assert t.hand.win.mixed == (fact == "win_mixed")
    closed(t)
    assert noted(t) == [(fact, "MCR-C8", "p1")]


@pytest.mark.rule("ZJ-W12")
def test_a_tile_turned_up_while_building_is_noted_and_the_hand_goes_on():
    t = Evening("zungjung")
    t.ok("hand start")
    assert t.ok("note", fact="tile_turned_up", seat="W", text="5m")["rule"] == "ZJ-W12"
    t.ok("walls ready")  # built again
    assert t.phase == "dice"
    assert t.hand.irregularities == []


@pytest.mark.rule("ZJ-C19", "ZJ-C20", "ZJ-C22")
@pytest.mark.parametrize(
    ("fact", "rule"),
    [
        ("laid_out", "ZJ-C19"),
        ("help_asked", "ZJ-C20"),
        ("points_short", "ZJ-C20"),
        ("readings_compared", "ZJ-C22"),
        ("readings_mixed", "ZJ-C22"),
    ],
)
def test_what_happens_while_a_hand_is_counted_is_noted_and_punishes_nobody(fact, rule):
    t = before_the_referee()
    ledger = list(t.session.ledger)
    assert t.ok("note", fact=fact, seat="S")["rule"] == rule
    assert (t.phase, t.session.ledger, t.hand.irregularities) == ("adjudication", ledger, [])
    closed(t)
    assert noted(t) == [(fact, rule, "p1")]


@pytest.mark.rule("ZJ-C21")
def test_a_ruling_on_a_score_is_due_once_two_different_counts_are_on_the_table():
    t = before_the_referee()
    for seat in "SEW":
        assert not t.ok("win count", seat=seat, points=25)["ruling_due"]
    assert not view(t.state, t.now)["hand"]["win"]["ruling_due"]
    assert t.published("event.counts_differ") == []
    assert t.ok("win count", seat="N", points=20)["ruling_due"]
    assert view(t.state, t.now)["hand"]["win"]["ruling_due"]
    assert t.published("event.counts_differ")[0]["rule"] == "ZJ-C21"
    assert not t.ok("win count", seat="N", points=25)["ruling_due"]  # he has counted again
    closed(t)
    (winner,) = document(t.state)["hands"][0]["results"][0]["winners"]
    assert winner["counts"] == {"p1": 25, "p0": 25, "p2": 25, "p3": 25}


@pytest.mark.rule("ZJ-C20")
def test_a_count_beside_the_rule_books_is_said_by_how_much():
    t = before_the_referee()
    t.ok("win show", seat="S", tiles=tiles("123m 456p 789s EEE 55s"))
    total = t.hand.win.verdict.total
    t.ok("win count", seat="S", points=total)
    assert t.published("event.count_is_off") == []
    t.ok("win count", seat="S", points=total + 5)
    assert t.published("event.count_is_off")[0]["total"] == total


def test_nobody_counts_a_win_that_was_not_declared():
    t = Evening("zungjung")
    t.open()
    assert t.no("win count", seat="S", points=5).key == "refused.no_win_declared"


@pytest.mark.rule("ZJ-F5")
@pytest.mark.parametrize(("minutes", "late"), [(29, False), (31, True)])
def test_an_appeal_is_taken_for_half_an_hour_after_the_session_and_flagged_later(minutes, late):
    t = Evening("zungjung", hands=1)
    t.play("S")
    t.score(-20, 20)
    ended = t.session.closed_at
    assert view(t.state, t.now)["session"]["appeal_until"] == ended + 30 * MINUTE * 1_000_000
    t.wait(minutes * MINUTE)
    assert t.ok("note", fact="appeal", text="the count of hand 1") == {"rule": "ZJ-F5", "late": late}
    assert document(t.state)["hands"][-1]["notes"][0]["late"] is late


def test_a_fact_no_article_speaks_of_is_recorded_all_the_same():
    t = Evening("wuhan")
    assert t.ok("note", fact="forbidden_throw")["rule"] == ""
    assert noted(t) == [("forbidden_throw", "", "")]


def test_every_article_of_a_note_exists():
    cited = {rule for id_ in ("mcr", "zungjung", "ccm", "wuhan") for rule in load_book()[id_].notes.values()}
    assert cited <= set(articles())


@pytest.mark.rule("CJ-C2")
def test_a_tile_that_was_mixed_in_costs_the_points_of_its_single_wait_until_it_is_said_otherwise():
    t = Evening("ccm")
    t.open()
    t.ok("claim", word="win", seat="E")
    t.ok("win show", seat="E", tiles=tiles("123m 456m 789m EEE 55p"), win="5p")
    apart = t.hand.win.verdict
    assert "ccm-wait" in {line.id for line in apart.lines}
    t.ok("note", fact="win_mixed", seat="E")
    mixed = t.hand.win.verdict
    assert "ccm-wait" not in {line.id for line in mixed.lines}
    assert mixed.total < apart.total
    t.ok("note", fact="win_apart", seat="E")
    assert t.hand.win.verdict == apart
