"""What a ruling bars a seat from is refused, flagged where it has happened, and noted on its case."""

from __future__ import annotations

import pytest

from tablectl.game.casestate import Bar, Case
from tablectl.game.view import view
from tests.game.conftest import COUNT, IDENTITY

SOUTH = 1
RULES = ("mcr", "zungjung", "ccm", "wuhan")


@pytest.fixture
def barred(table):
    """A hand in which South is barred from something by case 1 before East's first discard."""

    def make(effect: str, rules: str = "mcr", capabilities: tuple[str, ...] = COUNT):
        made = table(capabilities, rules)
        made.play()
        made.state.cases.append(Case(1, "found", 0, made.hand.no, 1, "kim"))
        made.hand.seats[SOUTH].bars.append(Bar(effect, "X-P1", 1))
        return made

    return make


def refusal(t) -> tuple[str, str]:
    last = t.published("event.refused")[-1]
    return last["reason"], last["facts"]["rule"]


@pytest.mark.rule("MCR-P3", "ZJ-P11", "ZJ-P17", "MCR-P15")
@pytest.mark.parametrize("rules", RULES)
def test_a_dead_hand_cannot_win_and_the_case_keeps_the_attempt(barred, rules):
    t = barred("no_win", rules)
    t.press(0, "discard")
    t.wait(0.5)
    t.press(SOUTH, "win")
    assert refusal(t) == ("refused.no_win", "X-P1")
    assert t.state.cases[0].refused == [t.n]
    assert t.hand.win is None
    assert not t.hand.window.claims


@pytest.mark.rule("ZJ-P11")
def test_a_dead_hand_still_claims(barred):
    t = barred("no_win")
    t.press(0, "discard")
    t.press(SOUTH, "chow")
    assert [claim.word for claim in t.hand.window.claims] == ["chow"]


@pytest.mark.rule("ZJ-P12", "ZJ-P17")
@pytest.mark.parametrize("word", ["chow", "pung", "kong"])
def test_a_hand_without_claims_calls_nothing_but_a_win(barred, word):
    t = barred("no_claims")
    t.press(0, "discard")
    t.press(SOUTH, word)
    assert refusal(t) == ("refused.no_claims", "X-P1")
    assert t.state.cases[0].refused == [t.n]
    t.wait(0.5)
    t.press(SOUTH, "win")
    assert [claim.word for claim in t.hand.window.claims] == ["win"]


@pytest.mark.rule("ZJ-P12", "ZJ-P17")
def test_a_hand_without_kongs_may_pung(barred):
    t = barred("no_kongs")
    t.press(0, "discard")
    t.press(SOUTH, "kong")
    assert refusal(t) == ("refused.no_kongs", "X-P1")
    t.wait(0.5)
    t.press(SOUTH, "pung")
    assert [claim.word for claim in t.hand.window.claims] == ["pung"]


@pytest.mark.rule("ZJ-P12", "ZJ-P17")
def test_a_kong_key_in_the_own_turn_is_a_request_and_refused(barred):
    t = barred("no_kongs")
    t.press(0, "discard")
    t.wait(3.1)
    t.press(SOUTH, "kong")
    assert refusal(t) == ("refused.no_kongs", "X-P1")
    assert not t.hand.seats[SOUTH].melds


@pytest.mark.rule("ZJ-P12", "CJ-C5")
@pytest.mark.parametrize("effect", ["no_kongs", "mechanical"])
def test_a_kong_that_lies_there_is_a_fact_and_flagged(barred, effect):
    t = barred(effect, capabilities=IDENTITY)
    t.discard(0, "E")
    t.wait(3.1)
    t.draw(SOUTH, "5p")
    t.show(SOUTH, "concealed_kong", "5555p")
    assert [i.rule for i in t.hand.irregularities if i.key == f"irregular.{effect}"] == ["X-P1"]
    assert t.hand.seats[SOUTH].melds
    assert t.state.cases[0].refused == [t.n]


@pytest.mark.rule("CJ-C5", "CJ-P3")
@pytest.mark.parametrize("word", ["chow", "pung", "kong", "win"])
def test_mechanical_play_calls_nothing(barred, word):
    t = barred("mechanical", "ccm")
    t.press(0, "discard")
    t.press(SOUTH, word)
    assert refusal(t) == ("refused.mechanical", "X-P1")


@pytest.mark.rule("CJ-C5", "CJ-P3")
def test_mechanical_play_discards_what_it_drew(barred):
    t = barred("mechanical", "ccm", IDENTITY)
    t.discard(0, "E")
    t.wait(3.1)
    t.draw(SOUTH, "5p")
    t.discard(SOUTH, "9s")
    flags = [i for i in t.hand.irregularities if i.key == "irregular.mechanical"]
    assert [(i.rule, i.data["tile"]) for i in flags] == [("X-P1", "9s")]
    assert t.state.cases[0].refused == [t.n]


def test_the_document_shows_the_bars_of_each_seat(barred):
    t = barred("no_claims")
    seat = view(t.state, t.now)["hand"]["seats"][SOUTH]
    assert seat["bars"] == [{"effect": "no_claims", "rule": "X-P1", "case": 1}]


@pytest.mark.rule("ZJ-P11", "MCR-P15")
def test_a_hand_found_dead_while_its_win_is_looked_at_is_not_confirmed(table):
    t = table(COUNT, "mcr")
    t.play()
    t.press(0, "discard")
    t.press(SOUTH, "win")
    t.wait(3.1)
    t.hand.seats[SOUTH].bars.append(Bar("no_win", "MCR-P15", 0))
    refused = t.command("win confirm")
    assert (refused.key, refused.data["rule"]) == ("refused.no_win", "MCR-P15")
    assert t.command("win confirm", overrule="counted wrongly").outcome == "accepted"
    assert t.hand.result["overruled"] == "counted wrongly"
