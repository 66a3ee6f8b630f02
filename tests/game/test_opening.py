"""From the deal to the first act of play, above all where nobody senses how far it is."""

from __future__ import annotations

import pytest

from tests.game.conftest import COUNT, IDENTITY

BARE = ("dice",)  # no keys, no sensors: a referee enters what happens


def dealing(make, capabilities=COUNT, rules="mcr"):
    t = make(capabilities, rules)
    t.start()
    t.throw((1, 4), (2, 3))
    assert t.phase == "dealing"
    return t


@pytest.mark.rule("MCR-C2")
@pytest.mark.parametrize("flower_first", [False, True])
def test_a_kong_may_be_the_dealers_first_act(table, flower_first):
    t = dealing(table)
    if flower_first:
        t.press(2, "flower")
    left = t.hand.wall_left if flower_first else 144 - 53
    t.press(0, "kong")
    assert (t.phase, t.hand.draw_from) == ("draw", "tail")
    t.press(0, "flower")
    t.press(0, "discard")
    assert (t.phase, t.hand.wall_left, t.hand.tail) == ("claims", left - 2, 2 + flower_first)
    assert not t.hand.irregularities


@pytest.mark.rule("MCR-C4")
@pytest.mark.parametrize("capabilities", [COUNT, BARE], ids=["keys", "bare"])
def test_a_hand_may_be_won_as_it_was_dealt(table, capabilities):
    t = dealing(table, capabilities)
    if capabilities is COUNT:
        t.press(0, "win")
    else:
        assert t.command("claim", word="win", seat="E").outcome == "accepted"
    assert (t.phase, t.hand.win.how) == ("adjudication", "self_drawn")
    assert t.command("win confirm").outcome == "accepted"
    assert t.hand.result["turns"] == 0


def test_nobody_else_opens_play(table):
    t = dealing(table)
    t.press(1, "win")
    t.press(2, "kong")
    assert t.phase == "dealing"
    assert [data["reason"] for data in t.published("event.refused")] == ["refused.not_your_turn"] * 2


def test_where_tiles_are_read_a_deal_is_not_ended_by_a_key(table):
    t = dealing(table, IDENTITY)
    t.press(0, "win")
    t.press(0, "kong")
    assert t.phase == "dealing"


@pytest.mark.report("B039")
@pytest.mark.rule("MCR-W5")
def test_the_wall_is_never_less_than_empty(table):
    t = dealing(table)
    for _ in range(144):
        t.press(1, "flower")
        t.wait(0.2)  # else it is the same press
    assert t.hand.wall_left == 0
    assert {fact.key for fact in t.hand.irregularities} == {"irregular.draw_past_end"}


@pytest.mark.rule("MCR-W4")
def test_a_draw_that_replaces_nothing_is_flagged(table):
    t = dealing(table, IDENTITY)
    t.deal("123456789m 1122p f1", "123456789s 14p SW", "147m 147p 147s ESWN", "258m 258p 258s CFPN")
    assert t.phase == "flowers"
    t.draw(2, "C", "tail")
    assert [fact.key for fact in t.hand.irregularities] == ["irregular.needless_draw"]


@pytest.mark.parametrize(
    ("event", "side", "value"),
    [
        ("tile_drawn", 7, 0),
        ("tile_drawn", 1, 9),
        ("tile_discarded", 4, 0),
        ("tile_discarded", None, 0),
        ("meld_shown", 0, 0),
        ("meld_shown", 0, 9),
        ("seat_key", 0, 0),
        ("seat_key", 0, 200),
        ("seat_key", 200, 1),
        ("side_done", 9, 18),
        ("dice_result", 0, 0),
        ("dice_result", 0, 0x71),
    ],
)
def test_numbers_without_a_meaning_are_recorded_and_change_nothing(table, event, side, value):
    t = dealing(table, IDENTITY)
    before = t.phase, t.hand.wall_left, [seat.concealed for seat in t.hand.seats]
    t.event(event, side, value, ("E",))
    assert t.published("event.not_understood") == [{"event": event, "number": t.number, "value": value}]
    assert before == (t.phase, t.hand.wall_left, [seat.concealed for seat in t.hand.seats])
    assert t.state.devices["table"].last_event == t.number


def test_a_meld_is_shown_at_a_table_that_reads_no_tiles(table):
    t = dealing(table, (*COUNT, "discard_sense"))
    t.event("tile_discarded", 0)
    t.press(2, "pung")
    t.show(2, "pung", "")
    assert (t.phase, t.hand.turn, len(t.hand.seats[2].melds)) == ("decide", 2, 1)
