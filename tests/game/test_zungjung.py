"""中庸麻雀 at the table: walls, claims that end by what the next player does, the lifted tile."""

from __future__ import annotations

import pytest

from tablectl.game import clocks
from tablectl.game.effects import Publish
from tablectl.game.view import view
from tablectl.game.wall import wall_break
from tablectl.game.watch.counting import own_size
from tests.game.conftest import BOOK, COUNT, SECOND

ZJ = BOOK["zungjung"]


@pytest.fixture
def zj(table):
    def make(*capabilities):
        made = table(*capabilities, rules="zungjung")
        made.play()
        return made

    return make


def irregular(t):
    """What was flagged, but for tiles of hands that these tests do not spell out."""
    found = t.published("event.irregular")
    return [i for i in found if i["what"] not in ("irregular.unknown_tile", "irregular.empty_claim")]


@pytest.mark.rule("ZJ-W3")
@pytest.mark.parametrize(
    ("total", "opener"),
    [(5, 0), (9, 0), (2, 1), (6, 1), (10, 1), (3, 2), (7, 2), (11, 2), (4, 3), (8, 3), (12, 3)],
)
def test_the_first_throw_names_the_opener(table, total, opener):
    t = table(rules="zungjung")
    t.start()
    t.throw((total // 2, total - total // 2))
    assert t.hand.thrower == opener


@pytest.mark.rule("ZJ-W5")
@pytest.mark.parametrize(
    ("throws", "side", "stacks"),
    [
        ([(1, 1), (1, 1)], 1, 4),
        ([(4, 5), (4, 4)], 3, 0),  # 17 of the dealer's own wall: between it and that of his left neighbour
        ([(6, 6), (6, 6)], 2, 7),  # 24 from side 3: no. 18 is the first of side 2
    ],
)
def test_a_count_past_the_wall_goes_on_at_the_left_neighbour(throws, side, stacks):
    place = wall_break(ZJ, 0, throws)
    assert (place.side, place.stacks) == (side, stacks)


@pytest.mark.rule("ZJ-W7")
def test_sixty_nine_draws_after_the_deal_however_many_are_replacements(zj):
    t = zj()
    assert t.hand.live_left == 69
    t.discard(0, "E")
    t.draw(1)
    t.show(1, "concealed_kong", "1111m")
    assert t.hand.live_left == 68
    t.draw(1, "", "tail")
    assert t.hand.live_left == 67


@pytest.mark.rule("ZJ-W1", "ZJ-W2")
def test_a_shown_flower_is_out_of_place(zj):
    t = zj()
    t.show(0, "flower", "f1")
    assert irregular(t)[-1]["rule"] == "ZJ-W1"


@pytest.mark.rule("ZJ-W6")
def test_a_right_deal_is_said_to_be_right(table):
    t = table(rules="zungjung")
    t.start()
    t.throw((1, 1), (1, 1))
    for side in range(4):
        for _ in range(13):
            t.draw(side)
    assert not t.published("event.deal_right")
    t.draw(0)
    assert t.published("event.deal_right")


@pytest.mark.rule("ZJ-C3")
def test_nothing_ends_a_claim_but_what_the_next_player_does(zj):
    t = zj()
    t.discard(0, "E")
    t.wait(60)
    assert t.phase == "claims"
    t.press(2, "pung")
    t.wait(1)
    assert (t.phase, t.hand.turn) == ("decide", 2)


@pytest.mark.rule("ZJ-C2")
def test_a_call_waits_a_second_for_a_better_one(zj):
    t = zj()
    t.discard(0, "E")
    t.press(1, "chow")
    t.wait(0.5)
    t.press(3, "pung")
    t.wait(0.6)
    assert t.hand.turn == 3
    assert t.hand.seats[3].melds[-1].kind == "pung"


@pytest.mark.rule("ZJ-C2")
def test_pung_right_ends_with_the_shown_chow_and_win_right_does_not(zj):
    t = zj()
    t.discard(0, "3m")
    t.press(1, "chow")
    t.wait(1)
    t.show(1, "chow", "234m")
    t.press(2, "pung")
    assert t.published("event.refused")[-1]["reason"] == "refused.not_claimable"
    t.press(3, "win")
    t.wait(1)
    assert t.phase == "adjudication"


@pytest.mark.rule("ZJ-C3")
@pytest.mark.parametrize("word", ["pung", "kong", "win"])
def test_a_lifted_tile_goes_back_when_the_discard_is_claimed(zj, word):
    t = zj()
    t.discard(0, "E")
    left = t.hand.live_left
    t.draw(1, "5p")
    assert t.hand.live_left == left - 1
    t.press(3, word)
    t.wait(1)
    if word == "win":
        assert t.phase == "adjudication"
    else:
        assert t.hand.turn == 3
        assert t.hand.live_left == left
        assert t.hand.lifted.tile == "5p"


def lifted(zj):
    """South lifted 5p, North took the discard by pung and discarded: East is to draw."""
    t = zj()
    t.discard(0, "E")
    t.draw(1, "5p")
    t.press(3, "pung")
    t.wait(1)
    t.show(3, "pung", "EEE")
    t.discard(3, "9m")
    assert t.hand.turn == 0
    return t


@pytest.mark.rule("ZJ-C3")
def test_the_next_to_draw_may_take_the_lifted_tile(zj):
    t = lifted(zj)
    t.draw(0, "5p")
    assert t.hand.lifted is None
    t.discard(0, "5p")
    t.draw(1)
    assert irregular(t) == []


@pytest.mark.rule("ZJ-C3")
def test_or_leave_it_as_the_next_draw_of_who_lifted_it(zj):
    t = lifted(zj)
    left = t.hand.live_left
    assert t.command("wall leave").outcome == "accepted"
    assert t.command("wall leave").outcome == "refused"
    assert t.hand.live_left == left - 1  # it lies before South, no longer in the wall
    t.draw(0, "1s")
    t.discard(0, "1s")
    assert t.hand.live_left == left - 2
    t.draw(1, "5p")
    assert t.hand.live_left == left - 2
    assert "5p" in t.hand.seats[1].tiles
    t.discard(1, "5p")
    t.draw(2)
    assert t.hand.live_left == left - 3
    assert irregular(t) == []


@pytest.mark.rule("ZJ-C4")
def test_who_draws_gives_up_his_claims_unless_another_claims(zj):
    t = zj()
    t.discard(0, "E")
    t.draw(1)
    t.press(1, "pung")
    assert t.published("event.refused")[-1]["reason"] == "refused.given_up_by_drawing"
    t.press(1, "win")
    assert t.published("event.refused")[-1]["reason"] == "refused.given_up_by_drawing"
    t.press(2, "pung")
    t.press(1, "win")
    t.wait(1)
    assert t.phase == "adjudication"
    assert t.hand.win.side == 1


@pytest.mark.rule("ZJ-W8")
def test_the_last_discard_may_only_be_won(zj):
    t = zj()
    t.hand.total -= t.hand.live_left
    t.discard(0, "E")
    t.press(2, "pung")
    assert t.published("event.refused")[-1]["reason"] == "refused.not_claimable"
    t.wait(15)
    assert t.hand.result["result"] == "draw"


@pytest.mark.rule("ZJ-W8")
def test_no_kong_on_the_seabed_tile(zj):
    t = zj()
    t.hand.total -= t.hand.live_left
    t.show(0, "concealed_kong", "1111m")
    assert irregular(t)[-1]["rule"] == "ZJ-W8"


@pytest.mark.rule("ZJ-C6")
def test_no_kong_in_the_turn_of_a_claim(zj):
    t = zj()
    t.discard(0, "E")
    t.press(1, "pung")
    t.wait(1)
    t.show(1, "pung", "EEE")
    t.show(1, "concealed_kong", "1111m")
    assert irregular(t)[-1]["rule"] == "ZJ-C6"


@pytest.mark.rule("ZJ-C7")
def test_only_an_added_kong_can_be_robbed(zj):
    t = zj()
    t.show(0, "concealed_kong", "1111m")
    assert t.phase == "draw"
    t.press(2, "win")
    assert t.phase == "draw"


@pytest.mark.rule("ZJ-T5")
def test_nobody_is_timed_in_the_first_fifteen_seconds(zj):
    t = zj()
    t.wait(10)
    t.discard(0, "E")
    t.wait(4)
    assert clocks.spent(t.state, t.now) == 0
    t.wait(3)
    assert clocks.spent(t.state, t.now) == 2 * SECOND


@pytest.mark.rule("ZJ-P19")
def test_a_false_win_bars_nobody_from_winning(zj):
    t = zj()
    t.discard(0, "E")
    t.press(1, "win")
    assert t.command("win reject", reason="no shape").outcome == "accepted"
    assert t.hand.seats[1].no_win == ""
    assert irregular(t)[-1]["rule"] == "ZJ-P19"


@pytest.mark.rule("ZJ-P25")
def test_a_throw_can_be_taken_back_until_a_tile_is_taken(table):
    t = table(rules="zungjung")
    t.start()
    t.event("dice_result", 2, 1 | 1 << 4)
    assert irregular(t)[-1]["rule"] == "ZJ-P25"
    assert t.command("throw void", reason="wrong thrower").outcome == "accepted"
    assert (t.hand.throws, t.hand.thrower) == ([], 0)
    t.throw((1, 1), (1, 1))
    assert t.command("throw void", reason="again").outcome == "accepted"
    assert t.phase == "dice"
    t.throw((1, 1))
    t.draw(0)
    answer = t.command("throw void", reason="too late")
    assert (answer.outcome, answer.data["rule"]) == ("refused", "ZJ-P25")


@pytest.mark.rule("ZJ-P26")
def test_a_break_can_be_mended_until_each_has_four_tiles(table):
    t = table(rules="zungjung")
    t.start()
    t.throw((1, 1), (1, 1))
    for side in (0, 1, 2):
        for _ in range(4):
            t.draw(side)
    assert t.command("wall break", side=2, stack=5).outcome == "accepted"
    assert (t.hand.break_side, t.hand.break_stack) == (2, 5)
    for _ in range(4):
        t.draw(3)
    answer = t.command("wall break", side=1, stack=5)
    assert (answer.outcome, answer.data["rule"]) == ("refused", "ZJ-P26")


@pytest.mark.rule("ZJ-P27")
def test_the_wrong_dealer_is_noticed_and_may_be_made_the_dealer(table):
    t = table(rules="zungjung")
    t.start()
    t.throw((1, 1), (1, 1))
    t.draw(1)
    assert irregular(t)[-1]["rule"] == "ZJ-P27"
    assert t.command("deal dealer", seat="S", reason="tiles 9 to 12 are taken").outcome == "accepted"
    assert (t.hand.dealer, t.hand.seats[1].wind, t.state.session.dealer) == (1, "E", 1)


@pytest.mark.rule("ZJ-C1")
def test_one_winner_the_nearest_to_the_discarder(zj):
    t = zj()
    t.discard(0, "E")
    t.press(3, "win")
    t.press(2, "win")
    t.wait(1)
    assert t.hand.win.side == 2
    t.command("win confirm")
    assert [w["side"] for w in t.hand.result["winners"]] == [2]


@pytest.mark.rule("ZJ-C12")
def test_chow_from_the_upper_seat_only(zj):
    t = zj()
    t.discard(0, "3m")
    t.press(2, "chow")
    refused = t.published("event.refused")[-1]
    assert (refused["reason"], refused["facts"]["rule"]) == ("refused.chow_not_from_left", "ZJ-C12")


def test_at_a_table_that_counts_only_the_next_key_is_the_next_draw(zj):
    t = zj(COUNT)
    t.command("deal done")
    t.press(0, "discard")
    t.press(1, "discard")
    t.press(2, "discard")
    assert t.hand.live_left == 69 - 2
    assert irregular(t) == []


@pytest.mark.rule("ZJ-W8")
def test_a_wall_corrected_to_nothing_ends_the_hand(zj):
    t = zj()
    t.discard(0, "E")
    t.wait(60)
    assert t.command("wall correct", left=0, reason="counted").outcome == "accepted"
    t.wait(15)
    assert t.hand.result["result"] == "draw"


# at a table that only knows keys


def counting(table):
    """East has discarded; nobody senses draws or tiles."""
    t = table(COUNT, rules="zungjung")
    t.start()
    t.throw((3, 4), (3, 4))
    t.command("deal done")
    t.discard(0)
    return t


@pytest.mark.rule("ZJ-C4")
@pytest.mark.rule("ZJ-C17")
@pytest.mark.parametrize(("after", "how"), [(1.5, "discard"), (4.0, "self_drawn")])
def test_the_next_seat_wins_the_discard_or_what_it_has_drawn_by_then(table, after, how):
    t = counting(table)
    left = t.hand.wall_left
    t.wait(after)
    t.press(1, "win")
    t.wait(1.5)
    assert (t.phase, t.hand.win.how) == ("adjudication", how)
    assert t.hand.wall_left == left - (how == "self_drawn")


@pytest.mark.rule("ZJ-C3")
def test_a_hold_closes_no_window_that_is_open_until_somebody_plays_on(zj):
    t = zj()
    t.discard(0, "E")
    t.command("pause", reason="look")
    t.wait(30)
    t.command("resume")
    assert t.hand.window.until == 0
    t.wait(30)
    t.press(2, "pung")
    t.wait(0.5)
    t.press(3, "win")
    t.wait(1)
    assert t.phase == "adjudication"


# calls


@pytest.mark.rule("ZJ-C15")
@pytest.mark.report("B055")
def test_an_earlier_caller_may_change_his_call_when_another_calls_higher(zj):
    t = zj()
    t.discard(0, "E")
    t.press(2, "pung")
    t.press(3, "win")
    t.press(2, "win")
    t.wait(1)
    assert (t.phase, t.hand.win.side) == ("adjudication", 2)


@pytest.mark.rule("ZJ-C14")
def test_a_call_found_illegal_loses_its_rank(zj):
    t = zj()
    t.discard(0, "E")
    t.press(3, "win")
    t.press(2, "pung")
    t.wait(1)
    assert t.command("win reject", reason="no shape").outcome == "accepted"
    t.wait(1)
    assert (t.phase, t.hand.turn) == ("decide", 2)


@pytest.mark.rule("ZJ-C5")
def test_only_the_last_discard_can_be_claimed(zj):
    t = zj()
    t.discard(0, "E")
    t.draw(1)
    t.discard(1, "9m")
    t.press(0, "pung")
    t.wait(1)
    meld = t.hand.seats[0].melds[-1]
    assert (meld.claimed, meld.origin) == ("9m", 1)
    assert [discard.claimed for discard in t.hand.seats[0].discards] == [False]


@pytest.mark.rule("ZJ-C11")
def test_a_meld_shown_is_never_regrouped(zj):
    t = zj()
    t.discard(0, "E")
    t.press(2, "pung")
    t.wait(1)
    t.show(2, "pung", "EEE")
    before = list(t.hand.seats[2].melds)
    t.show(2, "chow", "123m")
    assert t.hand.seats[2].melds == before
    assert irregular(t)[-1]["what"] == "irregular.meld_without_claim"


@pytest.mark.rule("ZJ-C13")
def test_a_chow_laid_without_a_call_leaves_the_others_their_rights(zj):
    t = zj()
    t.discard(0, "3m")
    t.show(1, "chow", "234m")
    t.press(2, "pung")
    t.wait(1)
    assert (t.phase, t.hand.turn) == ("decide", 2)


@pytest.mark.rule("ZJ-C13")
@pytest.mark.parametrize(("after", "granted"), [(0.3, True), (1.0, False)])
def test_a_chow_laid_too_soon_after_its_call_does_too(zj, after, granted):
    t = zj()
    t.discard(0, "3m")
    t.press(1, "chow")
    t.wait(after)
    t.show(1, "chow", "234m")
    t.press(2, "pung")
    t.wait(1)
    assert (t.hand.turn == 2) is granted


@pytest.mark.rule("ZJ-C16")
def test_robbing_ends_with_the_replacement_draw(zj):
    t = zj()
    t.discard(0, "E")
    t.press(2, "pung")
    t.wait(1)
    t.show(2, "pung", "EEE")
    t.discard(2, "9m")
    for side in (3, 0, 1):
        t.draw(side)
        t.discard(side, "9m")
    t.draw(2)
    t.show(2, "added_kong", "EEEE")
    assert t.phase == "robbing"
    t.draw(2, "", "tail")
    t.press(3, "win")
    assert t.phase == "decide"
    assert t.published("event.refused")


@pytest.mark.rule("ZJ-C18")
def test_thirteen_tiles_off_turn_fourteen_before_the_discard_a_kong_as_three(zj):
    t = zj()
    sizes = [own_size(seat) for seat in t.hand.seats]
    assert sizes == [14, 13, 13, 13]
    t.show(0, "concealed_kong", "1111m")
    assert own_size(t.hand.seats[0]) == 13
    t.draw(0, "", "tail")
    assert own_size(t.hand.seats[0]) == 14


@pytest.mark.rule("ZJ-C23")
def test_nothing_shown_tells_whether_a_discard_was_just_drawn(zj):
    def seen(tile):
        t = zj()
        t.discard(0, "E")
        t.draw(1, "5p")
        t.effects.clear()
        t.hand.seats[1].tiles.append("7p")
        t.discard(1, tile)
        events = [str(e.data) for e in t.effects if isinstance(e, Publish)]
        return str([events, view(t.state, t.now)]).replace(tile, "?")

    assert seen("5p") == seen("7p")


@pytest.mark.rule("ZJ-W9")
def test_the_dice_of_the_table_stand_for_the_throws_of_the_opening(table):
    t = table(rules="zungjung")
    t.start()
    t.event("dice_result", 0, 3 | 4 << 4)
    t.event("dice_result", 2, 2 | 2 << 4)
    assert (t.phase, t.hand.break_side) == ("dealing", 2)
    assert not irregular(t)


@pytest.mark.rule("ZJ-C10")
@pytest.mark.rule("MCR-C3")
def test_discards_lie_in_their_order_before_who_discarded_them(zj):
    t = zj()
    t.discard(0, "E")
    t.draw(1)
    t.discard(1, "9m")
    rivers = [seat["discards"] for seat in view(t.state, t.now)["hand"]["seats"]]
    assert rivers == [["E"], ["9m"], [], []]
