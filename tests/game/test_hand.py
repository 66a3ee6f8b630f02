"""A whole hand, phase by phase, at both fidelities."""

from __future__ import annotations

import copy

import pytest

from tablectl.game import step as game
from tablectl.game.inputs import BoardEvent
from tests.game.conftest import BOOK, COUNT, IDENTITY

HANDS = ("123456789m 1122p E", "123456789s 14p SW", "147m 147p 147s ESWN", "258m 258p 258s CFPN")


def open_hand(make, rules="mcr-136"):
    t = make(IDENTITY, rules)
    t.start()
    t.throw((1, 4), (2, 3))
    t.deal(*HANDS)
    return t


def test_a_hand_goes_from_build_to_closed(table):
    t = table()
    t.start()
    assert t.phase == "dice"
    assert t.orders("lamps") == ["build", "raise"]


def test_identity_deal_opens_the_dealers_turn(table):
    t = open_hand(table)
    assert (t.phase, t.hand.turn, t.hand.wall_left) == ("decide", 0, 136 - 53)
    assert t.hand.clock.limit == 30_000_000


@pytest.mark.rule("MCR-T1")
def test_the_next_clock_runs_from_the_discard(table):
    t = open_hand(table)
    t.wait(5)
    t.discard(0, "E")
    thrown = t.now
    t.wait(2)
    t.draw(1, "C")
    assert (t.hand.clock.side, t.hand.clock.started, t.hand.clock.limit) == (1, thrown, 15_000_000)


@pytest.mark.rule("MCR-C1")
@pytest.mark.report("B053")
def test_turns_go_counter_clockwise(table):
    t = open_hand(table)
    t.discard(0, "E")
    for side, tile in ((1, "C"), (2, "F"), (3, "P"), (0, "C")):
        t.wait(4)
        assert t.hand.turn == side
        t.draw(side, tile)
        t.discard(side, tile)


@pytest.mark.rule("MCR-W5")
@pytest.mark.parametrize("capabilities", [COUNT], ids=["count"])
def test_count_fidelity_counts_what_it_cannot_see(table, capabilities):
    t = table(capabilities)
    t.start()
    t.throw((3, 3), (2, 5))
    assert t.phase == "dealing"
    t.press(1, "flower")
    assert t.hand.wall_left == 144 - 53 - 1
    t.press(0, "discard")
    left = t.hand.wall_left
    side = 1
    while not t.hand.over:
        t.wait(3.5)
        if t.hand.over:
            break
        t.press(side, "discard")
        left -= 1
        assert t.hand.wall_left == left
        side = (side + 1) % 4
    assert t.hand.result["result"] == "draw"
    assert t.hand.wall_left == 0
    assert t.hand.turns == 1 + 144 - 54


def test_stepping_a_copy_leaves_the_original(table):
    t = open_hand(table)
    before = game.digest(t.state)
    branch = copy.deepcopy(t.state)
    game.step(
        branch,
        999,
        t.now,
        0,
        BoardEvent("table", "tile_discarded", t.number + 1, 7, 0, 0, tiles=("E",)),
        BOOK,
    )
    assert branch.hand.phase == "claims"
    assert game.digest(t.state) == before


def test_state_survives_its_json(table):
    t = open_hand(table)
    again = game.from_json(game.to_json(t.state))
    assert game.digest(again) == game.digest(t.state)


def test_a_wall_counted_wrong_is_ended_by_the_referee(table):
    t = table(COUNT, "mcr-136")
    t.start()
    t.throw((3, 3), (2, 5))
    t.press(0, "discard")
    t.wait(3.5)
    assert t.phase == "draw"
    assert t.command("wall correct", left=0, reason="counted by hand").outcome == "accepted"
    assert t.hand.result["result"] == "draw"
