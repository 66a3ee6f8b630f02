"""Claims: who may call, until when, and who gets the tile."""

from __future__ import annotations

import pytest

from tablectl.game.view import view
from tests.game.conftest import COUNT, IDENTITY

# E discards 5p: S may chow or pung, W may pung, N may kong nothing but wins by calling.
EAST = "123456789m 9s 5p EEE"
SOUTH = "46p 55p 1289s CC FFP"
WEST = "1234s 3334567s SS"
NORTH = "123p 789p 678s WWNN"


def opened(make, capabilities=IDENTITY):
    t = make(capabilities, "mcr-136")
    t.start()
    t.throw((1, 4), (2, 3))
    if capabilities is IDENTITY:
        t.deal(EAST, SOUTH, WEST, NORTH)
    t.discard(0, "5p" if capabilities is IDENTITY else "")
    return t


def state_of(t, side):
    return [c.state for c in t.hand.window.claims if c.side == side]


@pytest.mark.rule("MCR-T2")
@pytest.mark.report("B048")
def test_a_window_that_passes_is_a_pass(table):
    t = opened(table)
    t.wait(3.1)
    assert (t.phase, t.hand.turn) == ("draw", 1)
    assert not t.hand.irregularities


@pytest.mark.report("B048")
@pytest.mark.rule("MCR-C1")
def test_after_a_pung_the_claimer_discards_and_his_right_neighbour_draws(table):
    t = opened(table)
    t.wait(3.1)
    t.draw(1, "7p")
    t.discard(1, "P")
    t.wait(3.1)
    t.draw(2, "W")
    t.discard(2, "W")
    t.wait(0.5)
    t.press(3, "pung")
    t.wait(3)
    assert (t.phase, t.hand.turn) == ("decide", 3)
    t.show(3, "pung", "WWW")
    t.discard(3, "1p")
    t.wait(3.1)
    assert t.hand.turn == 0


@pytest.mark.report("B034")
@pytest.mark.rule("MCR-C1")
def test_a_win_goes_before_a_pung_called_first(table):
    t = opened(table)
    t.wait(0.4)
    t.press(1, "pung")
    t.wait(0.6)
    t.press(2, "win")
    t.wait(2.1)
    assert t.phase == "adjudication"
    assert t.hand.win.side == 2


@pytest.mark.report("B034")
def test_a_pung_goes_before_the_chow_of_a_seat_that_could_have_won(table):
    t = opened(table)
    t.press(1, "chow")
    t.wait(0.2)
    t.press(2, "pung")
    t.wait(3)
    assert t.hand.turn == 2
    assert t.hand.seats[2].melds[0].kind == "pung"
    assert not t.hand.seats[1].melds


@pytest.mark.rule("MCR-C1")
def test_the_nearest_of_two_winners_wins(table):
    t = opened(table)
    t.press(3, "win")
    t.wait(0.3)
    t.press(2, "win")
    t.wait(3)
    assert t.hand.win.side == 2
    t.command("win reject", reason="no shape")
    assert (t.phase, t.hand.win.side) == ("adjudication", 3)


@pytest.mark.rule("MCR-C1")
def test_a_win_of_the_next_seat_cannot_be_beaten_and_needs_no_window(table):
    t = opened(table)
    t.press(1, "win")
    assert (t.phase, t.hand.win.side, t.hand.win.how) == ("adjudication", 1, "discard")


@pytest.mark.report("B053")
@pytest.mark.parametrize(
    ("side", "granted"), [(1, True), (2, False), (3, False)], ids=["left", "opposite", "right"]
)
def test_a_chow_comes_only_from_the_left_neighbour(table, side, granted):
    t = opened(table)
    t.press(side, "chow")
    refused = t.published("event.refused")
    assert (not refused) is granted
    if refused:
        assert refused[0]["reason"] == "refused.chow_not_from_left"


@pytest.mark.report("B055")
def test_the_last_valid_call_before_the_window_is_decided_counts(table):
    t = opened(table)
    t.press(1, "pung")
    t.wait(0.5)
    t.press(1, "chow")
    assert t.published("event.claimed")[-1]["changed_from"] == "pung"
    t.wait(3)
    assert t.hand.seats[1].melds[0].kind == "chow"


@pytest.mark.report("B034")
@pytest.mark.rule("MCR-T2")
def test_a_pung_called_in_time_takes_the_tile_from_a_chow_already_laid(table):
    t = table(IDENTITY, "mcr-136")
    t.start()
    t.throw((1, 4), (2, 3))
    t.deal(EAST, "46p 1112289s CC FF", "55p 12344s 334567s", NORTH)
    t.discard(0, "5p")
    t.wait(0.5)
    t.press(1, "chow")
    t.show(1, "chow", "456p")
    t.wait(1)
    t.press(2, "pung")
    t.show(2, "pung", "555p")
    assert (t.phase, t.hand.turn) == ("decide", 2)
    assert [len(seat.melds) for seat in t.hand.seats] == [0, 0, 1, 0]
    assert sorted(t.hand.seats[1].tiles)[:13].count("4p") == 1
    assert t.hand.seats[1].concealed == 13
    assert [data["side"] for data in t.published("event.award_undone")] == [1]
    t.discard(2, "1s")
    t.wait(3.1)
    assert (t.phase, t.hand.turn) == ("draw", 3)
    assert not t.hand.irregularities


@pytest.mark.rule("MCR-T2")
def test_a_late_pung_is_refused_with_how_late(table):
    t = opened(table)
    t.wait(3.4)
    answer = t.command("claim", seat="S", word="pung")
    assert answer.key == "refused.nothing_to_claim"


@pytest.mark.rule("MCR-T2")
def test_the_next_seat_gives_up_its_chow_by_drawing_but_others_keep_their_pung(table):
    t = opened(table)
    t.wait(1)
    t.draw(1, "7p")
    assert (t.phase, t.hand.turn) == ("decide", 1)
    left = t.hand.wall_left
    t.press(2, "pung")
    t.wait(2.1)
    assert t.hand.turn == 2
    assert t.hand.wall_left == left + 1
    assert t.published("event.tile_returned")[0]["side"] == 1


@pytest.mark.rule("MCR-T2")
def test_a_claimer_who_plays_on_before_the_window_ends_has_acted_on_his_claim(table):
    t = opened(table, COUNT)
    t.wait(0.5)
    t.press(1, "pung")
    t.wait(1)
    t.press(1, "discard")
    assert t.hand.seats[1].melds[0].kind == "pung"
    assert (t.phase, t.hand.turn) == ("claims", 2)


def test_a_call_in_time_goes_before_a_discard_of_the_next_seat(table):
    t = opened(table, COUNT)
    t.wait(0.5)
    t.press(3, "pung")
    t.wait(0.5)
    t.press(1, "discard")
    assert t.hand.turn == 3
    assert t.hand.irregularities[-1].key == "irregular.out_of_turn"


@pytest.mark.rule("MCR-P4")
def test_an_empty_call_is_flagged(table):
    t = opened(table)
    t.press(3, "pung")
    assert t.hand.irregularities[-1].rule == "MCR-P4"


@pytest.mark.report("B037")
@pytest.mark.rule("MCR-W5")
def test_riverbed_tile_can_only_be_won(table):
    t = opened(table, COUNT)
    side = 1
    while t.hand.wall_left:
        t.wait(3.5)
        t.press(side, "discard")
        side = (side + 1) % 4
    last = t.hand.window.side
    for offset, word in ((1, "chow"), (2, "pung"), (3, "kong")):
        t.press((last + offset) % 4, word)
    assert [r["reason"] for r in t.published("event.refused")[-3:]] == ["refused.not_claimable"] * 3
    assert not t.hand.irregularities
    t.press((last + 2) % 4, "win")
    t.wait(3)
    assert t.phase == "adjudication"


@pytest.mark.rule("MCR-C2")
@pytest.mark.report("B046")
def test_only_an_added_kong_opens_a_robbing_window_and_who_declared_it_is_responsible(table):
    t = opened(table)
    t.press(1, "pung")
    t.wait(3)
    t.show(1, "pung", "555p")
    t.discard(1, "P")
    for side, tile in ((2, "W"), (3, "E"), (0, "N")):
        t.wait(3.1)
        t.draw(side, tile)
        t.discard(side, tile)
    t.wait(3.1)
    t.draw(1, "5p")  # cannot be: the pung took one, E's first discard; flagged copies are the reader's
    t.show(1, "added_kong", "5555p")
    assert t.phase == "robbing"
    assert t.hand.window.kind == "kong"
    t.press(3, "win")
    t.wait(3)
    assert (t.hand.win.how, t.hand.win.origin) == ("robbed_kong", 1)
    t.command("win confirm", overrule="tiles nobody spelt out")
    result = t.state.results[-1]
    assert (result["how"], result["winner"], result["from"]) == (
        "robbed_kong",
        "p3",
        "p1",
    )  # not p0, who discarded last


@pytest.mark.rule("MCR-C2")
@pytest.mark.report("B041")
def test_a_concealed_kong_draws_from_the_tail_and_cannot_be_robbed(table):
    t = opened(table)
    t.wait(3.1)
    t.draw(1, "9p")
    t.discard(1, "P")
    t.wait(3.1)
    t.draw(2, "8m")
    t.show(2, "concealed_kong", "3333s")
    assert (t.phase, t.hand.draw_from, t.hand.window) == ("draw", "tail", None)
    t.press(3, "win")
    assert t.published("event.refused")[-1]["reason"] == "refused.not_your_turn"
    head, tail = t.hand.head, t.hand.tail
    t.draw(2, "W", "tail")
    assert (t.hand.head, t.hand.tail) == (head, tail + 1)
    assert not t.hand.irregularities


@pytest.mark.rule("MCR-C2")
def test_no_kong_in_the_turn_of_an_own_chow_or_pung(table):
    t = opened(table, COUNT)
    t.press(1, "pung")
    t.wait(3.1)
    t.press(1, "kong")
    assert t.published("event.refused")[-1]["reason"] == "refused.kong_after_claim"


@pytest.mark.report("B039")
def test_the_wall_count_is_right_through_kongs_and_flowers(table):
    t = table(COUNT, "mcr")
    t.start()
    t.throw((1, 4), (2, 3))
    t.press(2, "flower")
    t.press(0, "discard")
    drawn = 53 + 1
    assert t.hand.wall_left == 144 - drawn
    t.wait(3.1)
    t.press(1, "flower")  # the drawn tile was a flower
    t.press(1, "kong")  # its replacement made a concealed kong
    t.press(1, "discard")
    drawn += 3
    assert t.hand.wall_left == 144 - drawn
    assert (t.hand.head, t.hand.tail) == (54, 3)


@pytest.mark.rule("MCR-P9")
def test_a_rejected_win_bars_the_seat_and_play_goes_on_where_it_was(table):
    t = opened(table)
    t.wait(1)
    t.press(2, "win")
    t.wait(2)
    assert t.phase == "adjudication"
    t.wait(40)  # the referee takes his time: nobody is charged
    t.command("win reject", reason="seven fan")
    assert t.phase in ("claims", "draw")
    assert t.hand.seats[2].no_win == "MCR-P9"  # it was ready, but not for this tile
    t.wait(0.1)
    t.press(2, "win")
    assert t.published("event.refused")
    assert not [i for i in t.hand.irregularities if i.key == "irregular.overtime"]


@pytest.mark.rule("MCR-P5")
def test_an_early_draw_is_recorded_flagged_and_counted(table):
    t = opened(table)
    t.wait(3.1)
    t.draw(2, "W")  # south has not drawn yet
    assert t.hand.irregularities[-1].rule == "MCR-P5"
    t.draw(1, "C")
    t.discard(1, "C")
    t.wait(3.1)
    assert t.hand.turn == 2
    t.discard(2, "W")
    assert (t.phase, t.hand.turn) == ("claims", 3)


@pytest.mark.rule("MCR-P4")
@pytest.mark.parametrize("word", ["chow", "pung"])
def test_a_call_that_is_not_taken_up_is_empty_and_play_goes_on(table, word):
    t = opened(table)
    t.press(1, word)
    t.wait(3.1)
    assert (t.phase, t.hand.turn) == ("decide", 1)
    t.draw(1, "7p")  # he draws instead of showing the meld
    assert (t.phase, t.hand.turn) == ("decide", 1)
    assert not t.hand.seats[1].melds
    assert not t.hand.seats[0].discards[0].claimed
    assert t.hand.irregularities[-1].rule == "MCR-P4"
    t.discard(1, "7p")
    assert t.phase == "claims"


@pytest.mark.rule("MCR-P4")
def test_an_empty_kong_call_leaves_the_draw_to_the_next_seat(table):
    t = opened(table)
    t.press(3, "kong")
    t.wait(3.1)
    assert (t.phase, t.hand.turn, t.hand.draw_from) == ("draw", 3, "tail")
    t.draw(1, "7p")
    assert (t.phase, t.hand.turn) == ("decide", 1)
    assert not t.hand.seats[3].melds


@pytest.mark.rule("MCR-C5")
def test_the_tiles_of_a_concealed_kong_are_shown_when_the_hand_ends(table):
    t = opened(table)
    t.wait(3.1)
    t.draw(1, "9p")
    t.discard(1, "P")
    t.wait(3.1)
    t.draw(2, "8m")
    t.show(2, "concealed_kong", "3333s")

    def shown():
        return view(t.state, t.now)["hand"]["seats"][2]["melds"][0]["tiles"]

    assert shown() == []
    assert "3s" not in str(t.published("event.kong"))
    for actor in ("kim", "lee"):
        t.command("hand void", actor=actor, reason="enough")
    assert shown() == ["3s"] * 4


@pytest.mark.rule("MCR-C6")
def test_what_was_just_claimed_may_be_discarded(table):
    t = opened(table)
    t.press(1, "pung")
    t.wait(3)
    t.show(1, "pung", "555p")
    t.discard(1, "P")
    assert (t.phase, t.hand.turn) == ("claims", 2)
    assert not t.hand.irregularities


@pytest.mark.rule("MCR-C7")
def test_a_meld_other_than_the_one_called_is_flagged(table):
    t = opened(table)
    t.press(1, "chow")
    t.wait(3)
    t.show(1, "pung", "555p")
    flagged = t.hand.irregularities[0]
    assert (flagged.key, flagged.side, flagged.rule) == ("irregular.other_meld", 1, "MCR-C7")


@pytest.mark.report("B055")
@pytest.mark.parametrize("calls", [("pung", "kong"), ("kong", "pung")], ids="->".join)
def test_who_may_pung_or_kong_may_change_until_it_is_decided(table, calls):
    t = opened(table, COUNT)
    for word in calls:
        t.press(1, word)
        t.wait(0.5)
    assert t.published("event.claimed")[-1]["changed_from"] == calls[0]
    t.wait(3)
    assert [meld.kind for meld in t.hand.seats[1].melds] == [calls[-1]]
    t.press(1, calls[0])
    t.wait(0.5)
    assert t.hand.seats[1].melds[0].kind == calls[-1], "decided is decided"
