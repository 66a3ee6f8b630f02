"""Penalty tiles: live, dead, forced; where they may not be used, and what becomes of an attempt."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.game import step as game
from tablectl.game.casestate import Bar, Case, PenaltyTile
from tablectl.game.context import Step
from tablectl.game.state import HandState, SeatState, from_json, to_json
from tablectl.game.view import view
from tablectl.game.watch import penalty_tiles
from tests.game.conftest import BOOK, COUNT, Table

EAST, SOUTH = 0, 1
HANDS = (
    "11m 3m 44m 66m 88m 44p 66p P",
    "12m 55m 55s 789p E E P N",
    "77m 99m 1p 88p 77s 99s N N",
    "22m 9m 77p 8s 12s S S S F F",
)


@pytest.fixture
def dealt(table):
    """East is to discard, South to play after him; `lay` gives a seat penalty tiles of case 1."""

    def make(rules: str = "zungjung", hands: tuple[str, ...] = HANDS, **session: Any) -> Table:
        made = table(rules=rules)
        made.start(**session)
        made.throw(*[(3, 4)] * BOOK[rules].wall.throws.value)
        made.deal(*hands)
        assert made.phase in ("decide", "flowers")
        made.state.cases.append(Case(1, "found", 0, made.hand.no, 1, "kim"))
        return made

    return make


def lay(t: Table, side: int, *names: str, **more: Any) -> list[PenaltyTile]:
    t.hand.seats[side].penalty_tiles += [PenaltyTile(tile, "X-P7", 1, **more) for tile in names]
    return t.hand.seats[side].penalty_tiles


def shown(t: Table, side: int) -> list[tuple[str, bool]]:
    return [(one.tile, one.live) for one in t.hand.seats[side].penalty_tiles]


def flags(t: Table) -> list[str]:
    return [i.key.removeprefix("irregular.") for i in t.hand.irregularities]


def south_to_play(t: Table, thrown: str = "3m", drawn: str = "C") -> None:
    t.discard(EAST, thrown)
    t.wait(3.1)
    t.draw(SOUTH, drawn)


@pytest.mark.rule("ZJ-P7")
def test_a_live_one_is_discarded_at_the_next_own_discard_and_is_none_any_more(dealt):
    t = dealt()
    lay(t, SOUTH, "P")
    south_to_play(t)
    assert shown(t, SOUTH) == [("P", True)]  # another's discard changes nothing
    t.discard(SOUTH, "P")
    assert shown(t, SOUTH) == []
    assert not flags(t)


@pytest.mark.rule("ZJ-P7")
def test_any_other_discard_makes_it_dead(dealt):
    t = dealt()
    lay(t, SOUTH, "P")
    south_to_play(t)
    t.discard(SOUTH, "N")
    assert shown(t, SOUTH) == [("P", False)]
    assert t.published("event.penalty_tile_dead")[-1]["tile"] == "P"


@pytest.mark.rule("ZJ-P7")
def test_even_the_discard_of_another_live_one_makes_it_dead(dealt):
    t = dealt()
    lay(t, SOUTH, "P", "N")
    south_to_play(t)
    t.discard(SOUTH, "N")
    assert shown(t, SOUTH) == [("P", False)]


@pytest.mark.rule("ZJ-P7", "ZJ-P9")
def test_a_dead_one_that_is_discarded_lies_there_and_is_flagged(dealt):
    t = dealt()
    lay(t, SOUTH, "P", live=False)
    south_to_play(t)
    t.discard(SOUTH, "P")
    assert flags(t) == ["penalty_tile_discarded"]
    assert t.hand.irregularities[-1].rule == "X-P7"
    assert t.state.cases[0].refused == [t.n]
    assert t.phase == "claims"


@pytest.mark.rule("ZJ-P7")
def test_an_equal_tile_that_is_none_may_be_discarded(dealt):
    t = dealt()
    lay(t, SOUTH, "5m", live=False)
    south_to_play(t)
    t.discard(SOUTH, "5m")
    assert not flags(t)
    assert shown(t, SOUTH) == [("5m", False)]


@pytest.mark.rule("ZJ-P8", "ZJ-P9")
@pytest.mark.parametrize("live", [True, False])
def test_a_pung_that_would_need_one_is_refused(dealt, live):
    t = dealt(hands=("11m 3m 44m 66m 88m 44p 6p P 5s", *HANDS[1:]))
    lay(t, SOUTH, "5s", live=live)
    t.discard(EAST, "5s")
    t.press(SOUTH, "pung")
    last = t.published("event.refused")[-1]
    assert (last["reason"], last["facts"]["penalty"]) == ("refused.penalty_tile", "5s")
    assert t.state.cases[0].refused == [t.n]


@pytest.mark.rule("ZJ-P8")
def test_a_chow_without_it_may_be_called_and_one_with_it_is_flagged_when_it_lies_there(dealt):
    t = dealt(hands=(HANDS[0], "124m 55m 55s 789p E E N", *HANDS[2:]))
    lay(t, SOUTH, "4m")
    t.discard(EAST, "3m")
    t.press(SOUTH, "chow")
    t.wait(1.5)
    t.show(SOUTH, "chow", "345m")
    assert flags(t) == ["penalty_tile_used"]
    assert t.hand.irregularities[-1].data["tile"] == "4m"
    assert t.state.cases[0].refused == [t.n]


@pytest.mark.rule("ZJ-P8")
def test_a_chow_there_is_only_with_it_is_refused(dealt):
    t = dealt()
    lay(t, SOUTH, "2m")
    t.discard(EAST, "3m")
    t.press(SOUTH, "chow")
    assert t.published("event.refused")[-1]["reason"] == "refused.penalty_tile"


@pytest.mark.rule("ZJ-P8")
def test_in_a_concealed_kong_it_is_none_any_more(dealt):
    t = dealt(hands=(HANDS[0], "12m 555m 55s 789p E E P", *HANDS[2:]))
    lay(t, SOUTH, "5m", "P")
    south_to_play(t, drawn="5m")
    t.show(SOUTH, "concealed_kong", "5555m")
    assert shown(t, SOUTH) == [("P", True)]
    assert not flags(t)


@pytest.mark.rule("ZJ-P8", "ZJ-P9")
def test_added_to_an_open_pung_it_is_flagged(dealt):
    t = dealt(hands=("11m 3m 44m 66m 88m 44p 6p P 5s", "12m 55m 555s 789p E P N", *HANDS[2:]))
    t.discard(EAST, "5s")
    t.press(SOUTH, "pung")
    t.wait(1.5)
    t.show(SOUTH, "pung", "555s")
    t.discard(SOUTH, "P")
    lay(t, SOUTH, "5s")
    for side, tile in ((2, "C"), (3, "F"), (0, "P")):
        t.wait(3.1)
        t.draw(side, tile)
        t.discard(side, tile)
    t.wait(3.1)
    t.draw(SOUTH, "W")
    t.show(SOUTH, "added_kong", "5555s")
    assert flags(t)[-1] == "penalty_tile_used"


@pytest.mark.rule("MCR-P11", "CJ-P2")
@pytest.mark.parametrize("rules", ["mcr", "ccm"])
def test_a_forced_one_must_be_the_next_own_discard(dealt, rules):
    t = dealt(rules)
    t.discard(EAST, "3m")
    t.wait(3.1)
    lay(t, SOUTH, "P", forced=True)
    t.draw(SOUTH, "C")
    t.discard(SOUTH, "N")
    assert flags(t) == ["forced_discard_ignored"]
    assert shown(t, SOUTH) == [("P", True)]  # it still must
    for side, tile in ((2, "C"), (3, "F"), (0, "P")):
        t.wait(3.1)
        t.draw(side, tile)
        t.discard(side, tile)
    t.wait(3.1)
    t.draw(SOUTH, "W")
    t.discard(SOUTH, "P")
    assert flags(t) == ["forced_discard_ignored"]
    assert shown(t, SOUTH) == []


@pytest.mark.rule("CJ-P2", "CJ-C5")
def test_in_mechanical_play_the_forced_tile_goes_before_the_drawn_one(dealt):
    t = dealt("ccm")
    t.discard(EAST, "3m")
    t.wait(3.1)
    lay(t, SOUTH, "P", forced=True)
    t.hand.seats[SOUTH].bars.append(Bar("mechanical", "CJ-C5", 1))
    t.draw(SOUTH, "C")
    t.discard(SOUTH, "P")
    assert not flags(t)


def test_where_tiles_are_not_read_what_is_said_of_them_counts(table):
    t = table(COUNT, "zungjung")
    t.play()
    lay(t, SOUTH, "5s", "5s")
    t.command("discard", seat="E", tile="5s")
    refused = t.command("claim", word="pung", seat="S")
    assert (refused.key, refused.data["penalty"]) == ("refused.penalty_tile", "5s")
    t.wait(2.1)
    t.press(SOUTH, "discard")  # nobody says which
    assert shown(t, SOUTH) == [("5s", True), ("5s", True)]
    assert t.command("tile read", seat="S", tile="5s").outcome == "accepted"
    assert shown(t, SOUTH) == [("5s", False)]
    assert t.command("tile read", seat="S", tile="6s").key == "refused.other_tile"
    assert t.command("tile read", seat="S", tile="5s").outcome == "accepted"  # said already
    assert shown(t, SOUTH) == [("5s", False)]
    assert t.command("tile read", seat="N", tile="6s").key == "refused.no_discard"


def test_the_document_shows_them_and_they_survive_a_snapshot(dealt):
    t = dealt()
    lay(t, SOUTH, "P", live=False)
    assert view(t.state, t.now)["hand"]["seats"][SOUTH]["penalty_tiles"] == [
        {"tile": "P", "live": False, "forced": False, "rule": "X-P7"}
    ]
    assert to_json(from_json(to_json(t.state))) == to_json(t.state)


@pytest.mark.rule("ZJ-P7")
@given(
    laid=st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["P", "N", "C", "5m"])), max_size=4),
    thrown=st.lists(st.sampled_from(["P", "N", "C", "5m", "9s"]), min_size=6, max_size=6),
)
def test_live_and_dead_as_the_rule_says_over_any_discards(laid, thrown):
    """The rule in ten lines: what is discarded is none any more, the rest of the live ones is dead."""
    state = game.new_state()
    state.hand = HandState(1, 1, 0, "E", 136, seats=[SeatState(wind) for wind in "ESWN"])
    state.ruleset = BOOK["zungjung"]
    seat = state.hand.seats[SOUTH]
    step = Step(state, BOOK, 1, 0, 0)
    live: list[str] = []
    dead: list[str] = []
    fouls = 0
    for turn, tile in enumerate(thrown):
        for moment, name in laid:
            if moment == turn:
                seat.penalty_tiles.append(PenaltyTile(name, "ZJ-P7", 0))
                live.append(name)
        penalty_tiles.discarded(step, SOUTH, tile)
        if tile in live:
            live.remove(tile)
        elif tile in dead:  # nobody reads what else he holds
            dead.remove(tile)
            fouls += 1
        dead, live = dead + live, []
        assert sorted(one.tile for one in seat.penalty_tiles if not one.live) == sorted(dead)
        assert not [one for one in seat.penalty_tiles if one.live]
    flagged = [one.key for one in state.hand.irregularities]
    assert flagged == ["irregular.penalty_tile_discarded"] * fouls
