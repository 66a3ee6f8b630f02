"""The count of the wall where draws are not sensed: what people have drawn follows from what they do."""

from __future__ import annotations

import pytest

from tests.game.conftest import COUNT, KEYS

SYSTEMS = ("mcr", "zungjung", "ccm", "wuhan")


def claimed_kong(table, rules):
    """The seat across from the dealer has claimed his first discard for a kong, and has been given it."""
    t = table(COUNT, rules)
    t.play()
    if rules == "wuhan":
        t.show(0, "indicator", "3m")
    t.wait(20)
    t.discard(0)
    t.wait(0.5)
    t.press(2, "kong")
    while not t.hand.seats[2].melds:
        t.wait(0.1)
    return t


@pytest.mark.parametrize("rules", SYSTEMS)
def test_a_key_pressed_again_to_be_sure_is_no_second_kong(table, rules):
    t = claimed_kong(table, rules)
    drawn = t.hand.head + t.hand.tail
    for _ in range(3):  # each a while after the last, all within a second
        t.wait(0.3)
        t.press(2, "kong")
        assert t.published("event.refused")[-1]["reason"] == "refused.already_done"
    t.wait(3.5)
    t.press(2, "discard")
    assert [meld.kind for meld in t.hand.seats[2].melds] == ["kong"]
    assert t.hand.head + t.hand.tail - drawn == 1
    assert t.broken == []


@pytest.mark.parametrize("rules", SYSTEMS)
@pytest.mark.parametrize("tries", [[0.9, 0.8], [0.5, 0.4, 0.3]], ids=str)
def test_a_second_kong_is_heard_a_second_after_the_first_however_often_it_was_tried(table, rules, tries):
    t = claimed_kong(table, rules)
    for pause in tries:
        t.wait(pause)
        t.press(2, "kong")
    t.wait(3.5)
    t.press(2, "discard")
    assert [meld.kind for meld in t.hand.seats[2].melds] == ["kong", "concealed_kong"]


@pytest.mark.parametrize("rules", SYSTEMS)
def test_a_board_that_starts_anew_between_two_kongs_makes_no_one_kong_of_them(table, rules):
    t = claimed_kong(table, rules)
    t.wait(3)
    t.online(boot=t.boot + 1, top="walls_up", hand=t.hand.deal)
    for name in list(t.state.holds):
        t.command("hold clear", hold=name, reason="looked")
    t.number = 0
    t.event("seat_key", 2, KEYS["kong"], board_us=1)
    t.wait(3.5)
    t.press(2, "discard")
    assert [meld.kind for meld in t.hand.seats[2].melds] == ["kong", "concealed_kong"]


@pytest.mark.parametrize("rules", SYSTEMS)
def test_a_kong_out_of_the_replacement_of_a_claimed_kong_takes_a_tile_of_its_own(table, rules):
    t = claimed_kong(table, rules)
    t.wait(3.5)
    assert t.hand.turn == 2
    left = t.hand.live_left
    t.press(2, "kong")
    t.wait(3.5)  # in some systems it may be robbed
    t.press(2, "discard")
    assert [meld.kind for meld in t.hand.seats[2].melds] == ["kong", "concealed_kong"]
    assert left - t.hand.live_left == 2
    assert t.broken == []
