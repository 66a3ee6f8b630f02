"""Whole wins at a table that reads tiles: what the record knows is judged, booked, and refused where it is no
win. Every number was added up by hand from the rule files."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.game.view import view
from tests.game.conftest import BOOK, COUNT, Table

THROWS = {"mcr": 2, "zungjung": 2, "ccm": 1, "wuhan": 2}


@pytest.fixture
def dealt(table):
    """A hand with known tiles, dealer first, at the dealer's first turn."""

    def make(rules: str, *hands: str, **session: Any) -> Table:
        made = table(rules=rules)
        made.start(**session)
        made.throw(*[(3, 4)] * BOOK[rules].wall.throws.value)
        made.deal(*hands)
        return made

    return make


def points(t: Table) -> list[int]:
    """What each side has won and lost in the newest hand, by its entries in the ledger."""
    session = t.state.session
    entries = [entry for entry in session.ledger if entry.hand == session.hand_no]
    return [sum(e.deltas[session.at(side).id] for e in entries) for side in range(4)]


def fans(t: Table) -> list[str]:
    return [line["id"] for line in t.hand.result["score"]["lines"]]


def go_round(t: Table, *turns: tuple[int, str]) -> None:
    """Sides draw and discard a tile, nobody claiming it."""
    for side, tile in turns:
        t.wait(6)
        t.draw(side, tile)
        t.discard(side, tile)


# 国标麻将


def mcr(dealt, south: str) -> Table:
    """South holds a flower and the upper two of a chow, which East feeds him."""
    t = dealt(
        "mcr", "11m 3m 44m 66m 88m 44p 66p P", south, "77m 99m 55p 88p 77s N N C", "22m 55m 77p 88s 99s S S F"
    )
    t.show(1, "flower", "f1")
    t.draw(1, "N", "tail")
    t.discard(0, "3m")
    t.press(1, "chow")
    t.wait(4)
    t.show(1, "chow", "123m")
    t.discard(1, "N")
    return t


@pytest.mark.report("B069")
@pytest.mark.rule("MCR-S2")
def test_eleven_fan_and_a_flower_by_discard_are_paid_by_the_discarder_and_eight_by_the_others(dealt):
    t = mcr(dealt, "12m 123p 123s 45s 99p f1")
    go_round(t, (2, "C"))
    t.wait(6)
    t.draw(3, "6s")
    t.discard(3, "6s")
    t.press(1, "win")
    t.wait(4)
    assert t.hand.win.verdict.total == 12
    assert t.command("win confirm").outcome == "accepted"
    assert fans(t) == ["mcr-39", "mcr-63", "mcr-70", "mcr-81"] or t.hand.result["score"]["total"] == 12
    assert points(t) == [-8, 36, -8, -20]
    assert t.hand.result["score"]["deltas"] == {"p0": -8, "p1": 36, "p2": -8, "p3": -20}
    assert t.state.session.ledger[-1].kind == "hand"


@pytest.mark.report("B069")
@pytest.mark.rule("MCR-S2")
def test_the_same_self_drawn_is_paid_by_all_alike(dealt):
    t = mcr(dealt, "12m 123p 123s 56p 99s f1")
    go_round(t, (2, "C"), (3, "F"), (0, "P"))
    t.wait(6)
    t.draw(1, "7p")
    t.press(1, "win")
    assert t.command("win confirm").outcome == "accepted"
    assert t.hand.result["score"]["total"] == 12
    assert points(t) == [-20, 60, -20, -20]


@pytest.mark.rule("MCR-S1", "MCR-P7")
def test_a_win_below_eight_is_refused_by_the_rule_book_and_the_hand_goes_on(dealt):
    t = mcr(dealt, "12m 234p 678s 45s 99p f1")
    go_round(t, (2, "C"))
    t.wait(6)
    t.draw(3, "6s")
    t.discard(3, "6s")
    t.press(1, "win")
    t.wait(4)
    refused = t.command("win confirm")
    assert (refused.key, refused.data["reason"], refused.data["rule"]) == (
        "refused.no_win_by_rule",
        "verdict.below_minimum",
        "MCR-S1",
    )
    assert t.command("win reject", reason="three fan").outcome == "accepted"
    assert not t.hand.over
    assert t.hand.seats[1].no_win == "MCR-P7"
    assert t.state.session.ledger == []


def test_a_referee_may_decide_against_the_rule_book_and_enters_the_points_himself(dealt):
    t = mcr(dealt, "12m 234p 678s 45s 99p f1")
    go_round(t, (2, "C"))
    t.wait(6)
    t.draw(3, "6s")
    t.discard(3, "6s")
    t.press(1, "win")
    t.wait(4)
    assert t.command("win confirm", overrule="a tile was misread").outcome == "accepted"
    assert t.hand.result["overruled"] == "a tile was misread"
    assert "score" not in t.hand.result
    assert t.command("score enter", p0=-8, p1=33, p2=-8, p3=-17).outcome == "accepted"


@pytest.mark.report("B084")
def test_a_hand_scored_by_the_record_is_corrected_by_a_further_line_and_not_entered_twice(dealt):
    t = mcr(dealt, "12m 123p 123s 56p 99s f1")
    go_round(t, (2, "C"), (3, "F"), (0, "P"))
    t.wait(6)
    t.draw(1, "7p")
    t.press(1, "win")
    t.command("win confirm")
    assert t.command("score enter", p0=-8, p1=24, p2=-8, p3=-8).key == "refused.scored_already"
    entry = t.state.session.ledger[-1].n
    right = {"p0": -19, "p1": 57, "p2": -19, "p3": -19}
    assert t.command("score correct", entry=entry, reason="no flower", **right).outcome == "accepted"
    assert points(t) == [-19, 57, -19, -19]
    assert [p.points for p in t.state.session.players] == [481, 557, 481, 481]


def test_the_verdict_is_on_every_screen_while_the_win_is_before_the_referee(dealt):
    t = mcr(dealt, "12m 123p 123s 56p 99s f1")
    go_round(t, (2, "C"), (3, "F"), (0, "P"))
    t.wait(6)
    t.draw(1, "7p")
    t.press(1, "win")
    verdict = view(t.state, t.now)["hand"]["win"]["verdict"]
    assert (verdict["legal"], verdict["total"], verdict["deltas"]) == (True, 12, [-20, 60, -20, -20])
    assert t.published("event.verdict")[-1]["total"] == 12
    assert t.command("win reject", reason="he showed other tiles").outcome == "accepted"
    assert t.published("event.overruled")[-1]["reason"] == "he showed other tiles"
