"""Nothing is built before the last hand is settled: it has its points, and the chips agree with them."""

from __future__ import annotations

import pytest

from tablectl.game import ledger, slips
from tablectl.game.settlement import standing_difference
from tablectl.game.sheet import document
from tablectl.game.view import view
from tests.game.evening import Evening


def due(t: Evening) -> list[str]:
    return view(t.state, t.now)["session"]["counts_due"]


def test_a_won_hand_without_points_blocks_the_next_and_is_named():
    t = Evening()
    t.play("S")
    answer = t.no("hand start")
    assert (answer.key, answer.data) == ("refused.hand_owes", {"hand": 1, "player": "p1"})
    assert t.no("walls ready").key == "refused.hand_owes"
    assert t.no("sign", seat="E").key == "refused.sheet_owing"
    t.score(-24, 40, -8, -8)
    t.ok("hand start")


@pytest.mark.parametrize("rules", ["mcr", "zungjung", "ccm", "wuhan"])
@pytest.mark.parametrize("given", [(0, 0, 0, 0), (), (None, 0, None, 0)], ids=["noughts", "nothing", "some"])
class TestAWonHandIsWorthSomething:
    """Noughts for a won hand are numbers somebody forgot: who means them says why."""

    def given(self, points):
        return {f"p{n}": value for n, value in enumerate(points) if value is not None}

    def test_noughts_are_not_entered_without_a_reason(self, rules, given):
        t = Evening(rules)
        t.play("S")
        answer = t.no("score enter", kind="hand", **self.given(given))
        assert (answer.key, answer.data) == ("refused.won_for_nothing", {"hand": 1, "player": "p1"})
        assert t.no("hand start").key == "refused.hand_owes"
        t.ok("score enter", kind="hand", **self.given(given), reason="table 3", anyway="for practice")
        assert t.session.ledger[-1].reason == "table 3; for practice"
        t.ok("hand start")

    def test_nor_corrected_to(self, rules, given):
        t = Evening(rules)
        t.play("S")
        entry = t.score(-24, 40, -8, -8)["entry"]
        refused = t.no("score correct", entry=entry, reason="wrong", **self.given(given))
        assert refused.key == "refused.won_for_nothing"
        t.ok("score correct", entry=entry, reason="wrong", anyway="no win after all", **self.given(given))
        assert ledger.effective(t.session, entry) == dict.fromkeys(("p0", "p1", "p2", "p3"), 0)


@pytest.mark.parametrize(
    ("points", "slip", "facts"),
    [
        ((24, -40, 8, 8), "_turned", {"was": "−40"}),
        ((40, -24, -8, -8), "_exchanged", {"was": "−24", "other": "p0"}),
        ((8, 0, -8, 0), "_exchanged", {"was": "0", "other": "p0"}),
        ((20, -40, -10, 30), "", {"was": "−40"}),
    ],
)
def test_a_winner_does_not_pay_unless_somebody_says_why(points, slip, facts):
    t = Evening()
    t.play("S")
    answer = t.no("score enter", kind="hand", **t.four(*points))
    assert answer.key == f"refused.winner_pays{slip}"
    assert answer.data == {"hand": 1, "player": "p1", **facts}
    t.ok("score enter", kind="hand", anyway="penalties are in it", **t.four(*points))
    entry = t.session.ledger[-1]
    assert (entry.reason, [entry.deltas[f"p{n}"] for n in range(4)]) == ("penalties are in it", list(points))


def test_nor_is_an_entry_corrected_to_that():
    t = Evening()
    t.play("S")
    entry = t.score(-24, 40, -8, -8)["entry"]
    refused = t.no("score correct", entry=entry, reason="misread", **t.four(40, -24, -8, -8))
    assert refused.key == "refused.winner_pays_exchanged"
    t.ok("score correct", entry=entry, reason="misread", **t.four(-8, 24, -8, -8))


def test_what_a_winner_pays_for_something_else_is_no_slip():
    t = Evening()
    t.play("S")
    t.score(-24, 40, -8, -8)
    t.ok("score enter", kind="penalty", **t.four(10, -10, 0, 0))


@pytest.mark.parametrize(
    ("points", "winners", "kind"),
    [
        ((-20, 12, 8, 0), ["p1", "p2"], None),
        ((-8, 8, 0, 0), ["p1", "p2"], None),  # the discarder had nothing left for the second (CJ-S8)
        ((8, 12, -20, 0), ["p1", "p2"], "pays"),
        ((20, -12, -8, 0), ["p1", "p2"], "turned"),
        ((0, 0, 0, 0), ["p1"], None),
    ],
)
def test_of_several_winners_none_pays(points, winners, kind):
    slip = slips.of_winners({f"p{n}": points[n] for n in range(4)}, winners)
    assert (slip and slip.kind) == kind


@pytest.mark.parametrize("rules", ["mcr", "ccm", "wuhan"])
def test_a_drawn_hand_may_be_worth_nothing(rules):
    t = Evening(rules)
    t.play(None)
    t.score(0, 0, 0, 0)


def test_a_drawn_hand_owes_nothing():
    t = Evening()
    t.play(None)
    t.ok("hand start")


def test_points_that_stand_at_a_hand_nobody_won_are_the_likely_slip():
    t = Evening()
    t.play(None)
    t.play("S")
    entry = t.score(-24, 40, -8, -8, hand=1)["entry"]
    answer = t.no("hand start")
    assert (answer.key, answer.data["other"], answer.data["entry"]) == ("refused.hand_owes_astray", 1, entry)
    t.ok("score correct", entry=entry, reason="wrong hand", **t.four(0, 0, 0, 0))
    t.score(-24, 40, -8, -8)
    t.ok("hand start")


def test_play_may_go_on_with_a_reason_that_stays_on_the_sheet_and_the_debt_stays_open():
    t = Evening()
    t.play("S")
    t.ok("hand start", anyway="the calculator is away")
    assert t.published("event.unsettled_start") == [{"reason": "the calculator is away", "hands": [1]}]
    assert view(t.state, t.now)["session"]["missing_points"] == [1]
    t.ok("hand cancel")
    t.ok("hand start")  # once is enough
    (hand,) = document(t.state)["hands"]
    assert (hand["waived"], hand["signatures"]["state"]) == ("the calculator is away", "owing")


def test_a_hand_goes_from_its_result_over_corrections_to_four_answers():
    t = Evening()
    t.play("S")
    (sheet,) = t.session.sheets
    seen = [sheet.phase]
    entry = t.score(-24, 40, -8, -8)["entry"]
    seen.append(sheet.phase)
    for wind in "ESW":
        t.ok("sign", seat=wind)
    seen.append(sheet.phase)
    t.ok("sign", seat="N", refuse="I count less")
    seen.append(sheet.phase)
    t.ok("score correct", entry=entry, reason="a flower more", **t.four(-25, 41, -8, -8))
    seen.append(sheet.phase)
    assert seen == ["owing", "unsigned", "signing", "closed", "unsigned"]


def test_where_points_are_kept_elsewhere_no_hand_owes_any():
    t = Evening(unscored=True)
    t.play("S")
    t.ok("hand start")


# chips


@pytest.mark.rule("CJ-F9")
def test_chips_are_asked_for_at_the_start_and_at_the_end_of_a_stage():
    t = Evening("ccm", hands=1)
    assert due(t) == ["start"]
    assert t.ok("score count", p0=100, p1=100, p2=100, p3=100) == {"differs": {}, "slip": ""}
    assert due(t) == []
    t.play("S")
    t.score(-20, 20)
    assert due(t) == ["end"]
    answer = t.ok("score count", p0=80, p1=110, p2=100, p3=100)
    assert (answer["differs"], answer["slip"]) == ({"p1": -10}, "count_slip.missing")
    assert due(t) == []
    assert t.published("event.count_differs")[0]["rule"] == "CJ-F9"


@pytest.mark.rule("MCR-C9")
def test_before_a_session_seats_dealer_and_score_cards_are_checked():
    t = Evening("mcr")
    assert due(t) == ["start"]
    t.ok("score count", **t.four(500, 500, 500, 500))
    assert due(t) == []
    counted = document(t.state)["hands"][0]["counts"][0]
    assert (counted["moment"], counted["differs"]) == ("start", {})
    assert due(Evening("zungjung")) == []


def won_twice() -> Evening:
    t = Evening("ccm")
    for points in ((-12, 12), (20, 0, -20, 0)):
        t.play("S")
        t.score(*points, *[0] * (4 - len(points)))
    return t


SLIPS = [
    ((108 + 20, 112, 80 - 20, 100), "twice", {"entry": 1}),
    ((108 - 20, 112, 80 + 20, 100), "unpaid", {"entry": 1}),
    ((108 + 24, 112 - 24, 80, 100), "reversed", {"entry": 0}),
    ((108, 121, 80, 100), "digits", {"player": "p1", "right": 112}),
    ((108, 112, 80, 98), "missing", {"points": 2}),
    ((108, 112, 80, 101), "extra", {"points": 1}),
    ((108 + 7, 112 - 3, 80 - 4, 100), "unentered", {}),
]


@pytest.mark.parametrize(("counted", "slip", "facts"), SLIPS, ids=[slip for _, slip, _ in SLIPS])
def test_chips_that_do_not_agree_are_told_with_the_likely_slip(counted, slip, facts):
    t = won_twice()
    entries = [entry.n for entry in t.session.ledger]
    answer = t.ok("score count", **t.four(*counted))
    assert answer["slip"] == f"count_slip.{slip}"
    told = t.published("event.count_differs")[0]["facts"]
    wanted = {**facts, **({"entry": entries[facts["entry"]]} if "entry" in facts else {})}
    assert {name: told[name] for name in wanted} == wanted


def test_chips_that_differ_block_the_next_hand_until_corrected_counted_again_or_explained():
    t = won_twice()
    t.ok("score count", **t.four(108 - 20, 112, 80 + 20, 100))
    assert t.no("hand start").key == "refused.count_differs"
    entry = t.session.ledger[-1].n
    t.ok("score correct", entry=entry, reason="never paid", anyway="it was a misdeal", **t.four(0, 0, 0, 0))
    assert standing_difference(t.session) is None
    t.ok("hand start")
    t.ok("hand cancel")
    t.ok("score count", p0=1)
    assert t.no("hand start").key == "refused.count_differs"
    t.ok("score count", p0=88)
    t.ok("hand start")
    t.ok("hand cancel")
    t.ok("score count", p3=90)
    t.ok("hand start", anyway="ten are under the table")
    assert t.session.counts[-1].waived == "ten are under the table"


def test_nobody_counts_while_a_hand_is_played_or_counts_nothing():
    t = Evening("ccm")
    assert t.no("score count").key == "refused.nothing_counted"
    t.open()
    assert t.no("score count", p0=100).key == "refused.hand_running"
