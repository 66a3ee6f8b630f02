"""中国竞技麻将: kongs, flower kongs and 追牌 are paid in mid-hand, by what the table reads (CJ-S6)."""

from __future__ import annotations

import pytest

from tests.game.conftest import BOOK, COUNT, Table

EAST = "11m 44m 66m 88m 44p 66p S P"
SOUTH = "123m 456m 999m E E S S"
WEST = "22s 33s 55p 88p 77s N N C"
NORTH = "22m 55m 77p 88s 99s W W F"


@pytest.fixture
def dealt(table):
    def make(*hands: str, capabilities=None) -> Table:
        made = table(capabilities, rules="ccm") if capabilities else table(rules="ccm")
        made.start()
        made.throw((3, 4))
        made.deal(*hands)
        return made

    return make


def chips(t: Table) -> list[int]:
    return [t.state.session.at(side).points for side in range(4)]


def pung_of_south(t: Table) -> None:
    t.discard(0, "S")
    t.press(1, "pung")
    t.wait(3)
    t.show(1, "pung", "SSS")
    t.discard(1, "1m")


@pytest.mark.rule("CJ-S6")
def test_the_feeder_alone_pays_a_melded_kong_when_it_lies_open(dealt):
    t = dealt(EAST, "123m 456m 999m E S S S", WEST, NORTH)
    t.discard(0, "S")
    t.press(1, "kong")
    t.wait(3)
    assert chips(t) == [100, 100, 100, 100]
    t.show(1, "kong", "SSSS")
    assert chips(t) == [88, 112, 100, 100]
    assert [entry.kind for entry in t.state.session.ledger] == ["kong"]


@pytest.mark.rule("CJ-S6")
def test_a_small_kong_is_paid_once_nobody_can_rob_it(dealt):
    t = dealt(EAST, SOUTH, WEST, NORTH)
    pung_of_south(t)
    for side, tile in ((2, "N"), (3, "W"), (0, "P")):
        t.wait(6)
        t.draw(side, tile)
        t.discard(side, tile)
    t.wait(6)
    t.draw(1, "S")
    t.show(1, "added_kong", "SSSS")
    assert (t.phase, chips(t)) == ("robbing", [100, 100, 100, 100])
    t.wait(6)
    assert chips(t) == [96, 112, 96, 96]


@pytest.mark.rule("CJ-S6")
def test_a_concealed_kong_is_paid_by_all_and_twice_where_all_is_doubled(dealt):
    t = dealt("1111m 66m 88m 44p 66p S P", SOUTH.replace("123m", "23m 7p"), WEST, NORTH)
    t.state.session.doubled = True
    t.show(0, "concealed_kong", "1111m")
    assert chips(t) == [136, 88, 88, 88]


@pytest.mark.rule("CJ-S6")
def test_four_flowers_of_a_set_are_a_kong_and_paid_once(dealt):
    t = dealt("11m 44m 66m 88m 44p f1 f2 f3 f4", SOUTH, WEST, NORTH)
    for number in range(1, 5):
        t.show(0, "flower", f"f{number}")
        t.draw(0, f"{number}s", "tail")
    assert chips(t) == [124, 92, 92, 92]
    t.discard(0, "1s")
    assert len(t.state.session.ledger) == 1


@pytest.mark.rule("CJ-S6")
def test_four_alike_in_a_row_are_paid_by_the_first(dealt):
    t = dealt(EAST, SOUTH.replace("E E S S", "E E S C"), WEST, NORTH)
    t.discard(0, "P")
    for side in (1, 2, 3):
        t.wait(6)
        t.draw(side, "P")
        t.discard(side, "P")
    assert chips(t) == [88, 104, 104, 104]


@pytest.mark.rule("CJ-S9", "CJ-S8")
def test_a_kong_that_would_end_the_stage_for_another_than_the_first_is_booked_off_the_table(dealt):
    """South and West hold 0 and 6; East's concealed kong takes 6 from West: two have nothing, and East with
    116 is not first beside North."""
    t = dealt("1111m 66m 88m 44p 66p S P", SOUTH.replace("123m", "23m 7p"), WEST, NORTH)
    given = {"p0": 10, "p1": -100, "p2": -94, "p3": 184}
    assert t.command("score enter", kind="penalty", reason="to begin with", **given).outcome == "accepted"
    t.show(0, "concealed_kong", "1111m")
    assert chips(t) == [110, 0, 6, 284]
    entry = t.state.session.ledger[-1]
    assert (entry.kind, entry.table, entry.deltas) == (
        "off_table",
        False,
        {"p0": 18, "p1": -6, "p2": -6, "p3": -6},
    )


def test_what_was_paid_in_a_hand_that_is_void_goes_back(dealt):
    t = dealt("1111m 66m 88m 44p 66p S P", SOUTH.replace("123m", "23m 7p"), WEST, NORTH)
    t.show(0, "concealed_kong", "1111m")
    assert chips(t) == [118, 94, 94, 94]
    for actor in ("kim", "lee"):
        t.command("hand void", actor=actor, reason="the machine broke", confirm=True)
    assert chips(t) == [100, 100, 100, 100]
    assert [entry.kind for entry in t.state.session.ledger] == ["kong", "correction"]


def test_where_tiles_are_not_read_the_referee_enters_kongs(table):
    t = table(COUNT, rules="ccm")
    t.start()
    t.throw((3, 4))
    t.press(0, "kong")
    assert t.state.session.ledger == []


@pytest.mark.parametrize("rules", ["mcr", "zungjung", "wuhan"])
def test_other_systems_pay_nothing_in_mid_hand(table, rules):
    t = table(rules=rules)
    t.start()
    t.throw(*[(3, 4)] * BOOK[rules].wall.throws.value)
    t.deal("1111m 66m 88m 44p 66p S P", "23m 456m 999m E E S S 7p", WEST, NORTH)
    t.show(0, "concealed_kong", "1111m")
    assert t.state.session.ledger == []
