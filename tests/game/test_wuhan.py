"""武汉麻将 at the table: the indicator and the wild kind, one-tile kongs, the last draws."""

from __future__ import annotations

import pytest

from tablectl.rules.systems import wild_kinds
from tests.game.conftest import BOOK, COUNT

WH = BOOK["wuhan"]


@pytest.fixture
def wh(table):
    def make(*capabilities, indicator="3m"):
        made = table(*capabilities, rules="wuhan")
        made.play()
        if indicator:
            made.show(0, "indicator", indicator)
        return made

    return make


def irregular(t):
    """What was flagged, but for tiles of hands that these tests do not spell out."""
    found = t.published("event.irregular")
    return [i for i in found if i["what"] not in ("irregular.unknown_tile", "irregular.empty_claim")]


@pytest.mark.rule("WH-W2")
@pytest.mark.parametrize(
    ("indicator", "wild"),
    [("3m", "4m"), ("9p", "1p"), ("E", "S"), ("N", "F"), ("F", "P"), ("P", "E"), ("C", "F"), ("", None)],
)
def test_the_next_of_its_kind_is_wild(indicator, wild):
    assert wild_kinds(WH, indicator) == ([wild] if wild else [])


@pytest.mark.rule("WH-W2")
def test_the_indicator_opens_play_and_belongs_to_the_wall(wh):
    t = wh(indicator="")
    assert (t.phase, t.hand.wall_left) == ("indicator", 136 - 10 - 53)
    t.show(0, "indicator", "3m")
    assert (t.phase, t.hand.wild) == ("decide", ["4m"])
    assert (t.hand.wall_left, t.hand.live_left) == (136 - 10 - 53 - 1, 136 - 14 - 53 - 1)
    assert irregular(t) == []


@pytest.mark.rule("WH-W2")
def test_where_nobody_reads_it_a_person_enters_the_indicator(wh):
    t = wh(COUNT, indicator="")
    t.command("deal done")
    assert t.phase == "indicator"
    answer = t.command("indicator", tile="9s")
    assert (answer.outcome, answer.data["wild"]) == ("accepted", ["1s"])


@pytest.mark.rule("WH-W2")
def test_or_play_goes_on_without_it(wh):
    t = wh(COUNT, indicator="")
    t.press(0, "discard")
    assert (t.phase, t.hand.wild, t.hand.turned) == ("claims", [], 1)


@pytest.mark.rule("WH-W4", "WH-W5")
@pytest.mark.parametrize("tile", ["C", "4m"])
def test_zhong_and_laizi_are_kongs_of_one_tile(wh, tile):
    t = wh()
    left = t.hand.wall_left
    t.show(0, "single_kong", tile)
    assert (t.phase, t.hand.draw_from) == ("draw", "tail")
    t.draw(0, "1s", "tail")
    t.show(0, "single_kong", "C")
    t.draw(0, "2s", "tail")
    assert t.phase == "decide"
    assert (t.hand.tail, t.hand.wall_left) == (2, left - 2)
    t.discard(0, "2s")
    assert irregular(t) == []


@pytest.mark.rule("WH-W4")
def test_any_other_tile_is_no_kong_by_itself(wh):
    t = wh()
    t.show(0, "single_kong", "9m")
    assert irregular(t)[-1]["what"] == "irregular.no_single_kong"


@pytest.mark.rule("WH-W4")
def test_a_one_tile_kong_needs_an_own_draw(wh):
    t = wh()
    t.discard(0, "E")
    t.press(2, "pung")
    t.wait(3)
    t.show(2, "pung", "EEE")
    t.show(2, "single_kong", "C")
    assert irregular(t)[-1]["rule"] == "WH-C15"


@pytest.mark.rule("WH-W4")
def test_zhong_may_not_be_discarded(wh):
    t = wh()
    t.discard(0, "C")
    assert irregular(t)[-1]["what"] == "irregular.forbidden_discard"
    assert t.phase == "claims"


@pytest.mark.rule("WH-W5")
@pytest.mark.parametrize("word", ["pung", "kong", "win"])
def test_a_discarded_laizi_is_nobodys(wh, word):
    t = wh()
    t.wait(1)
    t.discard(0, "4m")
    t.press(2, word)
    assert t.published("event.refused")[-1]["reason"] == "refused.not_claimable"
    t.wait(0.001)
    assert t.phase == "draw"


def at_the_end(wh, *capabilities):
    """The last normal draw has been made: 13 tiles behind the discard, none of them for ordinary play."""
    t = wh(*capabilities)
    t.hand.total -= t.hand.live_left
    assert (t.hand.live_left, t.hand.wall_left) == (0, 4)
    return t


@pytest.mark.rule("WH-W6")
@pytest.mark.parametrize("word", ["chow", "pung", "win"])
def test_the_last_discards_may_still_be_claimed_but_not_for_a_kong(wh, word):
    t = at_the_end(wh)
    t.discard(0, "3m")
    t.press(2, "kong")
    assert t.published("event.refused")[-1]["reason"] == "refused.not_claimable"
    t.press(1, word)
    t.wait(3)
    assert t.phase == ("adjudication" if word == "win" else "decide")


@pytest.mark.rule("WH-W6")
def test_then_each_draws_one_tile_and_only_a_self_drawn_win_counts(wh):
    t = at_the_end(wh)
    t.discard(2, "3m") if t.hand.turn == 2 else t.discard(0, "3m")
    t.wait(3)
    assert (t.phase, t.hand.turn) == ("last_draws", 1)
    for side in (1, 2, 3):
        t.draw(side, "5p")
        t.show(side, "concealed_kong", "5555p")
        assert irregular(t)[-1]["side"] == side
    t.draw(0, "5p")
    t.press(0, "win")
    assert (t.phase, t.hand.win.how, t.hand.win.tile) == ("adjudication", "self_drawn", "5p")
    t.command("win reject", reason="not ready")
    assert t.phase == "last_draws"
    t.wait(15.1)
    assert t.hand.result["result"] == "draw"
    assert t.hand.wall_left == 0


@pytest.mark.rule("WH-W6")
@pytest.mark.parametrize("word", ["", "pung", "win"])
def test_a_quick_draw_begins_them_and_takes_nothing_from_the_others(wh, word):
    t = at_the_end(wh)
    t.discard(0, "3m")
    left = t.hand.wall_left
    t.draw(1, "5p")
    assert (t.phase, t.hand.turn, t.hand.last_drawn, t.hand.wall_left) == ("last_draws", 1, 1, left - 1)
    if word:
        t.press(2, word)
        t.wait(3)
    if word == "pung":
        assert (t.phase, t.hand.turn, t.hand.wall_left) == ("decide", 2, left)
        t.discard(2, "9s")
        t.draw(3, "5p")
        assert (t.phase, t.hand.turn, t.hand.wall_left) == ("last_draws", 3, left - 1)
        return
    if word == "win":
        assert t.phase == "adjudication"
        t.command("win reject", reason="not ready")
    for side in (2, 3, 0):
        t.draw(side, "6p")
    t.wait(15.1)
    assert (t.hand.result["result"], t.hand.wall_left) == ("draw", 0)
    assert not [one for one in t.published("event.irregular") if one["what"] == "irregular.early_draw"]


@pytest.mark.rule("WH-W6")
def test_where_draws_are_not_sensed_they_are_counted_when_their_time_is_over(wh):
    t = wh(COUNT)
    t.press(0, "discard")
    t.wait(3)
    t.press(1, "discard")
    t.hand.total -= t.hand.live_left
    t.wait(3)
    assert t.phase == "last_draws"
    t.wait(60)
    assert t.hand.result["result"] == "draw"
    assert t.hand.wall_left == 0


@pytest.mark.rule("WH-W6")
def test_a_win_by_the_third_of_the_last_tiles_counts_the_draws_before_it(wh):
    t = wh(COUNT)
    t.press(0, "discard")
    t.hand.total -= t.hand.live_left
    t.wait(3.1)
    t.press(3, "win")
    assert (t.phase, t.hand.win.side, t.hand.last_drawn) == ("adjudication", 3, 3)


@pytest.mark.rule("WH-W6")
@pytest.mark.parametrize(("replacements", "remain"), [(0, 10), (1, 9), (2, 10), (3, 9)])
def test_ten_tiles_remain_or_nine_after_an_odd_number_of_replacements(wh, replacements, remain):
    t = wh()
    for number in range(replacements):
        t.show(0, "single_kong", "C")
        t.draw(0, f"{number + 1}s", "tail")
    ordinary = t.hand.live_left
    drawn = 53 + 1 + replacements + ordinary + 4
    assert 136 - drawn == remain
    assert t.hand.wall_left == ordinary + 4


@pytest.mark.rule("WH-C8")
@pytest.mark.parametrize(("discarder", "callers", "winner"), [(1, (2, 3), 2), (1, (2, 0), 0), (2, (3, 1), 1)])
def test_of_several_wins_the_first_from_the_dealer_counts(wh, discarder, callers, winner):
    t = wh()
    t.discard(0, "9m")
    t.wait(3)
    t.draw(1, "1s")
    t.discard(1, "E")
    if discarder == 2:
        t.wait(3)
        t.draw(2, "1s")
        t.discard(2, "E")
    for side in callers:
        t.press(side, "win")
    t.wait(3)
    assert t.hand.win.side == winner


@pytest.mark.rule("WH-D1")
def test_the_dealer_deals_again_after_a_draw_and_after_his_own_win(wh):
    t = wh()
    t.press(0, "win")
    t.command("win confirm")
    t.command("hand start")
    assert t.hand.dealer == 0


@pytest.mark.rule("WH-C10")
def test_an_added_kong_can_be_robbed(wh):
    t = wh()
    t.discard(0, "E")
    t.press(2, "pung")
    t.wait(3)
    t.show(2, "pung", "EEE")
    t.discard(2, "1m")
    t.wait(3)
    for side, tile in ((3, "2m"), (0, "2m"), (1, "2m")):
        t.draw(side, tile)
        t.discard(side, tile)
        t.wait(3)
    t.draw(2, "E")
    t.show(2, "added_kong", "EEEE")
    assert t.phase == "robbing"
    t.press(3, "win")
    t.wait(3)
    assert (t.hand.win.how, t.hand.win.origin) == ("robbed_kong", 2)


@pytest.mark.rule("WH-W1")
def test_a_set_without_flowers_opened_by_two_throws(table):
    t = table(rules="wuhan")
    t.start()
    assert t.state.table.profile == 136
    t.throw((1, 1), (2, 3))  # 2: the lower seat throws; 7 stacks off its wall
    assert (t.phase, t.hand.break_side, t.hand.break_stack) == ("dealing", 1, 7)
    assert t.hand.total == 136 - BOOK["wuhan"].wall.dead_tiles.value


@pytest.mark.rule("WH-W6")
@pytest.mark.parametrize("caller", [2, 3])
def test_a_claim_after_two_quick_draws_sends_both_tiles_back(wh, caller):
    t = at_the_end(wh)
    t.discard(0, "3m")
    left, held = t.hand.wall_left, [seat.concealed for seat in t.hand.seats]
    t.draw(1, "5p")
    t.draw(2, "6p")
    t.press(caller, "pung")
    t.wait(3)
    held[caller] -= 2
    assert (t.hand.turn, t.hand.last_drawn, t.hand.wall_left) == (caller, 0, left)
    assert [seat.concealed for seat in t.hand.seats] == held
    assert [said["side"] for said in t.published("event.tile_returned")] == [2, 1]
    assert not {"5p", "6p"} & {*t.hand.seats[1].tiles[-1:], *t.hand.seats[2].tiles[-1:]}
    assert t.broken == []
