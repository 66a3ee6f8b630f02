"""The ledger: points are the sum of its lines, slips are named, what was wrong is made up for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.game import ledger, slips
from tests.game.evening import Evening

ENTERED = [
    ({"p0": 24, "p1": -8, "p2": -8}, "refused.not_zero_missing", ("p3", "−8")),
    ({"p0": 24, "p1": -8, "p2": -8, "p3": 8}, "refused.not_zero_sign", ("p3", "−8")),
    ({"p0": 24, "p1": 24, "p2": 0, "p3": 0}, "refused.not_zero_sign", ("p0", "−24")),
    ({"p0": 42, "p1": -8, "p2": -8, "p3": -8}, "refused.not_zero_digits", ("p0", "+24")),
    ({"p0": 24, "p1": -8, "p2": -8, "p3": 0}, "refused.not_zero_missing", ("p3", "−8")),
    ({"p0": 23, "p1": -8, "p2": -9, "p3": -3}, "refused.not_zero", None),
]


@pytest.mark.parametrize(("points", "key", "slip"), ENTERED, ids=str)
def test_points_that_do_not_add_up_are_refused_with_the_likely_slip(points, key, slip):
    t = Evening()
    t.play("S")
    answer = t.no("score enter", kind="hand", **points)
    assert answer.key == key
    if slip is not None:
        assert (answer.data["player"], answer.data["right"]) == slip


@given(
    st.permutations([24, -8, -9, -7]),
    st.integers(0, 3),
    st.sampled_from(["missing", "sign"]),
)
def test_the_named_slip_always_makes_the_sum_zero(right, at, how):
    points = {f"p{n}": delta for n, delta in enumerate(right)}
    player = f"p{at}"
    given_ = dict(points)
    given_[player] = -points[player]
    if how == "missing":
        del given_[player]
    deltas = {id_: given_.get(id_, 0) for id_ in points}
    slip = slips.likely(given_, deltas)
    assert slip is not None
    assert sum(deltas.values()) - deltas[slip.player] + slip.right == 0


def test_zeros_may_be_left_out():
    t = Evening()
    t.play("S")
    t.ok("score enter", kind="hand", p0=-36, p1=36)
    assert t.points == [464, 536, 500, 500]


@pytest.mark.report("B084")
def test_correcting_an_early_hand_changes_every_total_at_once():
    t = Evening()
    entries = []
    for _ in range(6):
        t.play("S")
        entries.append(t.score(-24, 40, -8, -8)["entry"])
    lines = [(line.n, dict(line.deltas)) for line in t.session.ledger]
    answer = t.ok("score correct", entry=entries[1], reason="misread", **t.four(-24, 20, 20, -16))
    assert (answer["old"]["p2"], answer["new"]["p2"]) == (-8, 20)
    assert t.points == [500 - 6 * 24, 500 + 5 * 40 + 20, 500 - 40 + 20, 500 - 40 - 16]
    assert [(line.n, dict(line.deltas)) for line in t.session.ledger[:6]] == lines
    assert t.session.ledger[-1].corrects == entries[1]
    again = t.ok(
        "score correct",
        entry=entries[1],
        reason="right at first",
        anyway="so it was",
        **t.four(-24, 40, -8, -8),
    )
    assert again["old"]["p2"] == 20
    assert t.points == [500 - 6 * 24, 500 + 6 * 40, 500 - 48, 500 - 48]


def test_a_hand_has_its_points_once():
    t = Evening()
    t.play("S")
    entry = t.score(-24, 40, -8, -8)["entry"]
    answer = t.no("score enter", kind="hand", **t.four(1, -1))
    assert (answer.key, answer.data["entry"]) == ("refused.scored_already", entry)
    assert t.no("score correct", entry=entry + 1, **t.four(0)).key == "refused.no_such_entry"
    assert t.no("score enter", kind="hand", hand=9, **t.four(0)).key == "refused.no_such_hand"


def test_a_hand_in_play_has_no_points_yet():
    t = Evening()
    t.open()
    assert t.no("score enter", kind="hand", **t.four(8, -8)).key == "refused.hand_running"


@pytest.mark.rule("CJ-S8")
def test_nobody_pays_more_than_lies_before_him():
    t = Evening("ccm")
    t.play("S")
    entry = t.score(-90, 90)["entry"]
    t.play("S")
    answer = t.no("score enter", kind="hand", **t.four(-12, 0, 12))
    assert (answer.key, answer.data["held"], answer.data["pays"]) == ("refused.chips", 10, 12)
    t.score(-10, 0, 10)
    assert t.points[0] == 0
    assert t.no("score correct", entry=entry, **t.four(-91, 91)).key == "refused.chips"


@pytest.mark.rule("MCR-S3")
def test_mcr_players_may_owe_more_than_they_hold():
    t = Evening("mcr")
    assert t.points == [500] * 4
    t.play("S")
    t.score(-600, 600, 0, 0)
    assert t.points[0] == -100


@pytest.mark.rule("ZJ-T1")
def test_points_to_nobody_leave_the_table():
    t = Evening("zungjung")
    t.play("S")
    t.ok("score enter", kind="bank", p2=-5, reason="overtime")
    assert t.points == [0, 0, -5, 0]


@pytest.mark.rule("CJ-S9")
def test_what_is_booked_off_the_table_counts_after_the_stage():
    t = Evening("ccm")
    t.play("S")
    t.ok("score enter", kind="off_table", **t.four(-24, 24))
    assert t.points == [100] * 4
    assert ledger.totals(t.session)["p1"] == 24


def test_equal_totals_share_a_place():
    t = Evening()
    t.play("S")
    t.score(-16, 16, 8, -8)
    t.play("S")
    t.score(0, -8, 0, 8)
    assert t.ranking == [(1, "p1"), (1, "p2"), (3, "p3"), (4, "p0")]


@pytest.mark.rule("CJ-F8")
def test_the_score_may_be_asked_twice_and_only_in_the_last_stage():
    t = Evening("ccm", hands=1, stages=2)
    assert t.no("score ask", player="p0").key == "refused.not_last_stage"
    t.play("S")
    t.lots("p1", "p2", "p3", "p0")
    for asked in (1, 2):
        assert t.ok("score ask", player="p0") == {"points": 100, "asked": asked}
    assert t.no("score ask", player="p0").key == "refused.asked_enough"
    t.ok("score ask", player="p1")


acts = st.lists(
    st.tuples(
        st.sampled_from(["hand", "kong", "penalty", "bank", "off_table", "correct", "reseat"]),
        st.tuples(*[st.integers(-60, 60)] * 3),
        st.integers(0, 9),
        st.permutations(["p0", "p1", "p2", "p3"]),
    ),
    max_size=12,
)


@pytest.mark.report("B084")
@settings(deadline=None, max_examples=40)
@given(acts, st.sampled_from(["mcr", "ccm"]))
def test_whatever_is_entered_totals_are_the_sum_of_the_lines(acts, rules):
    t = Evening(rules)
    for kind, three, at, order in acts:
        if t.session.phase != "running":
            break
        points = t.four(*three, -sum(three))
        lines = list(t.session.ledger)
        if kind == "hand":
            t.play("S")
            if not t.session.on:
                break
        if kind == "correct" and lines:
            t.command("score correct", entry=lines[at % len(lines)].n, reason="x", **points)
        elif kind == "reseat" and t.state.results:
            hand = t.state.results[at % len(t.state.results)]["hand"]
            seats = dict(zip(("east", "south", "west", "north"), order, strict=True))
            t.command("seat correct", hand=hand, reason="x", **seats)
        elif kind not in ("correct", "reseat"):
            t.command("score enter", kind=kind, **points)
        assert t.session.ledger[: len(lines)] == lines
    stage = ledger.on_table(t.session, 1)
    start = 500 if rules == "mcr" else 100
    for player in t.session.players:
        assert player.points == start + sum(line.deltas[player.id] for line in stage)
        assert ledger.totals(t.session)[player.id] == sum(li.deltas[player.id] for li in t.session.ledger)
    assert not t.broken
