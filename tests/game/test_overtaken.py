"""A key heard only after the limit it beat had been decided: recorded, told to the referee, never dropped."""

from __future__ import annotations

import pytest

from tablectl.game import clocks
from tests.game.conftest import COUNT, IDENTITY

SYSTEMS = ("mcr", "zungjung", "ccm", "wuhan")
NUMBERED = ("mcr", "ccm", "wuhan")  # a number closes the window
MS = 1_000


def flagged(t):
    """What was flagged, but for tiles nobody spelt out."""
    found = t.published("event.irregular")
    return [i for i in found if i["what"] not in ("irregular.unknown_tile", "irregular.empty_claim")]


def opened(make, rules):
    """The dealer's discard lies open."""
    t = make(COUNT, rules)
    t.play()
    if rules == "wuhan":
        t.show(0, "indicator", "3m")
    t.wait(20)
    t.discard(0)
    return t


@pytest.mark.parametrize("rules", NUMBERED)
@pytest.mark.parametrize("early_ms", [5, 0], ids=["before", "at the limit"])
def test_a_call_heard_after_its_window_was_closed_is_told_to_the_referee(table, rules, early_ms):
    t = opened(table, rules)
    until = t.hand.window.until
    t.wait(3.5)
    before = (t.phase, t.hand.turn)
    t.press(2, "pung", at=until - early_ms * MS)
    assert [(i["what"], i["side"], i["facts"]["early_ms"]) for i in flagged(t)] == [
        ("irregular.claim_overtaken", 2, early_ms)
    ]
    assert t.hand.irregularities[-1].key == "irregular.claim_overtaken"
    assert t.published("event.refused")[-1]["reason"] == "refused.claim_overtaken"
    assert (t.phase, t.hand.turn) == before


@pytest.mark.parametrize("rules", NUMBERED)
def test_it_is_told_once(table, rules):
    t = opened(table, rules)
    until = t.hand.window.until
    t.wait(3.5)
    t.press(2, "pung", at=until - 500 * MS)
    t.press(2, "pung", at=until - 100 * MS)
    assert len(flagged(t)) == 1


@pytest.mark.parametrize("rules", NUMBERED)
def test_a_hold_between_changes_nothing_of_it(table, rules):
    """The key lay in the board while the link was down, and the table stood for it."""
    t = opened(table, rules)
    until = t.hand.window.until
    t.wait(3.5)
    t.command("pause", reason="the link")
    t.wait(100)
    t.command("resume")
    t.wait(1)
    t.press(2, "pung", at=until - 5 * MS)
    assert [(i["what"], i["facts"]["early_ms"]) for i in flagged(t)] == [("irregular.claim_overtaken", 5)]


def test_who_was_heard_and_beaten_is_not_overtaken(table):
    t = opened(table, "mcr")
    until = t.hand.window.until
    t.wait(1)
    t.press(1, "chow")
    t.wait(0.5)
    t.press(2, "pung")
    t.wait(2)
    assert t.hand.turn == 2
    t.press(1, "chow", at=until - 100 * MS)
    assert flagged(t) == []


@pytest.mark.parametrize("rules", NUMBERED)
def test_after_the_limit_it_is_too_late_as_ever(table, rules):
    t = opened(table, rules)
    until = t.hand.window.until
    t.wait(3.5)
    t.press(2, "pung", at=until + 5 * MS)
    assert [i["what"] for i in flagged(t)] == ["irregular.late_claim"]


@pytest.mark.parametrize("rules", SYSTEMS)
def test_it_is_no_call_for_the_next_tile(table, rules):
    t = opened(table, rules)
    pressed = t.now + 500 * MS
    t.wait(3.5)
    t.discard(1)
    t.wait(0.2)
    t.press(3, "pung", at=pressed)
    assert not t.hand.window.claims
    assert [i["what"] for i in flagged(t)] == ["irregular.claim_overtaken"]
    t.wait(1)
    t.press(3, "pung")
    assert [claim.word for claim in t.hand.window.claims] == ["pung"]


@pytest.mark.parametrize("rules", NUMBERED)
@pytest.mark.parametrize("word", ["pung", "win"])
def test_nor_is_one_that_was_too_late_already(table, rules, word):
    """Pressed after the first tile was decided and before the second lay there, heard after both."""
    t = opened(table, rules)
    t.wait(30)
    pressed = t.now
    t.wait(1)
    t.discard(1)
    t.wait(0.2)
    t.press(3, word, at=pressed)
    assert t.published("event.refused")[-1]["reason"] == "refused.nothing_to_claim"
    assert not t.hand.window.claims
    assert t.phase == "claims"
    t.wait(0.5)
    t.press(3, word)
    assert t.phase == "adjudication" or [claim.word for claim in t.hand.window.claims] == [word]


@pytest.mark.parametrize("rules", NUMBERED)
def test_who_was_heard_and_beaten_and_calls_the_same_again_does_nothing_new(table, rules):
    t = opened(table, rules)
    t.press(1, "chow")
    t.press(2, "pung")
    t.wait(3.5)
    assert t.hand.turn == 2
    t.press(1, "chow")
    assert flagged(t) == []
    assert t.published("event.refused")


@pytest.mark.parametrize("rules", NUMBERED)
def test_a_key_that_calls_nothing_is_heard_whenever_it_was_pressed(table, rules):
    t = opened(table, rules)
    t.wait(30)
    pressed = t.now
    t.wait(1)
    t.discard(1)
    t.press(3, "referee", at=pressed)
    assert [hold.key for hold in t.state.holds.values()] == ["hold.call"]


@pytest.mark.parametrize("rules", SYSTEMS)
def test_a_press_as_near_as_the_clocks_are_known_is_for_the_tile_that_lies_there(table, rules):
    t = opened(table, rules)
    t.press(2, "pung", at=t.hand.window.opened - MS, unc=2 * MS)
    assert t.hand.seats[2].melds or [claim.side for claim in t.hand.window.claims] == [2]


@pytest.mark.parametrize("rules", NUMBERED)
def test_nor_takes_it_the_tile_from_another(table, rules):
    t = opened(table, rules)
    until = t.hand.window.until
    t.press(1, "chow")
    t.wait(3.5)
    assert (t.phase, t.hand.turn) == ("decide", 1)
    t.press(2, "pung", at=until - 5 * MS)
    assert (t.phase, t.hand.turn) == ("decide", 1)
    assert [i["side"] for i in flagged(t)] == [2]


@pytest.mark.parametrize("rules", NUMBERED)
def test_a_win_called_in_time_is_told_even_after_the_hand(table, rules):
    t = opened(table, rules)
    t.hand.total -= t.hand.wall_left
    until = t.hand.window.until
    t.wait(60)
    assert t.hand.over
    t.press(2, "win", at=until - 5 * MS)
    assert [i["what"] for i in flagged(t)] == ["irregular.claim_overtaken"]


@pytest.mark.parametrize("rules", SYSTEMS)
def test_a_kong_that_could_no_longer_be_robbed_too(table, rules):
    t = table(IDENTITY, rules)
    t.play()
    if rules == "wuhan":
        t.show(0, "indicator", "3m")
    t.wait(20)
    t.discard(0, "E")
    t.press(2, "pung")
    t.wait(3.1)
    t.show(2, "pung", "EEE")
    t.discard(2, "9m")
    for side in (3, 0, 1, 2):
        t.wait(3.1)
        t.draw(side)
        if side != 2:
            t.discard(side, "9m")
    t.show(2, "added_kong", "EEEE")
    until = t.hand.window.until
    t.wait(3.5)
    t.press(3, "win", at=until - 5 * MS)
    assert ("irregular.claim_overtaken", 3) in [(i["what"], i["side"]) for i in flagged(t)]
    assert t.phase == "draw"


@pytest.mark.parametrize("rules", SYSTEMS)
@pytest.mark.parametrize("early_ms", [5, 0], ids=["before", "at the limit"])
def test_an_overtime_that_was_none_is_taken_back(table, rules, early_ms):
    t = opened(table, rules)
    t.wait(4)
    limit = clocks.due(t.hand, t.hand.clock)
    t.wait((limit - t.now) / 1_000_000 + 0.4)
    assert t.published("event.overtime")
    t.press(1, "discard", at=limit - early_ms * MS)
    assert [e["side"] for e in t.published("event.overtime_lifted")] == [1]
    assert t.hand.measurements[-1].found == "in_time"
    assert not flagged(t)
