"""中国竞技麻将 at the table: one throw, several winners, mechanical play, the dealer who goes on."""

from __future__ import annotations

import pytest

from tablectl.game.view import view
from tablectl.game.wall import wall_break
from tests.game.conftest import BOOK, COUNT, IDENTITY

CCM = BOOK["ccm"]


@pytest.fixture
def ccm(table):
    def make(*capabilities):
        made = table(*capabilities, rules="ccm")
        made.play()
        made.discard(0, "9m")
        return made

    return make


def irregular(t):
    found = t.published("event.irregular")
    return [i for i in found if i["what"] not in ("irregular.unknown_tile", "irregular.empty_claim")]


@pytest.mark.rule("CJ-W1")
@pytest.mark.parametrize(("total", "side", "stacks"), [(7, 2, 6), (5, 0, 4), (2, 1, 1), (12, 3, 11)])
def test_one_throw_names_the_wall_and_the_stack(total, side, stacks):
    place = wall_break(CCM, 0, [(total // 2, total - total // 2)])
    assert (place.side, place.stacks) == (side, stacks)


@pytest.mark.rule("CJ-W1")
def test_the_deal_follows_the_one_throw(table):
    t = table(rules="ccm")
    t.start()
    t.throw((3, 4))
    assert t.phase == "dealing"


@pytest.mark.rule("CJ-C1")
def test_a_robbed_kong_ends_the_hand_when_nobody_else_wins_it(table):
    t = table(IDENTITY, rules="ccm")
    t.play()
    t.discard(0, "5p")
    t.press(1, "pung")
    t.wait(3)
    t.show(1, "pung", "555p")
    t.discard(1, "P")
    for side, tile in ((2, "W"), (3, "E"), (0, "N")):
        t.wait(3.1)
        t.draw(side, tile)
        t.discard(side, tile)
    t.wait(3.1)
    t.draw(1, "5p")
    t.show(1, "added_kong", "5555p")
    t.press(3, "win")
    t.wait(3.1)
    t.command("win confirm", overrule="tiles nobody spelt out")
    t.wait(3.1)
    assert t.phase == "closed"
    assert (t.hand.result["how"], t.hand.result["winner"]) == ("robbed_kong", "p3")
    assert not [entry for entry in t.state.session.ledger if entry.kind == "kong"]


@pytest.mark.rule("CJ-C1")
def test_all_who_win_the_same_discard_win_in_turn(ccm):
    t = ccm()
    for side in (3, 1, 2):
        t.press(side, "win")
    t.wait(3)
    order = []
    while t.phase == "adjudication":
        order.append(t.hand.win.side)
        t.command("win confirm")
    assert order == [1, 2, 3]
    assert t.hand.result["result"] == "win"
    assert [w["side"] for w in t.hand.result["winners"]] == [1, 2, 3]
    assert {w["from"] for w in t.hand.result["winners"]} == {"p0"}


@pytest.mark.rule("CJ-C1")
def test_after_the_first_others_are_waited_for_until_their_time_is_over(ccm):
    t = ccm()
    t.press(2, "win")
    t.wait(3)
    t.command("win confirm")
    assert [w["side"] for w in t.hand.result["winners"]] == [2]


@pytest.mark.rule("CJ-C1")
def test_a_rejected_win_leaves_the_others_theirs(ccm):
    t = ccm()
    t.press(1, "win")
    t.press(3, "win")
    t.wait(3)
    t.command("win reject", reason="no technical fan")
    assert (t.phase, t.hand.win.side) == ("adjudication", 3)
    t.command("win confirm")
    assert [w["side"] for w in t.hand.result["winners"]] == [3]


@pytest.mark.rule("CJ-C1")
def test_a_pung_is_worth_nothing_once_somebody_has_won(ccm):
    t = ccm()
    t.press(1, "win")
    t.press(2, "pung")
    t.wait(3)
    t.command("win confirm")
    assert t.hand.result["result"] == "win"
    assert t.hand.seats[2].melds == []


@pytest.mark.rule("CJ-C1")
def test_who_passed_by_drawing_may_not_win_any_more_and_later_ones_may(ccm):
    t = ccm()
    t.draw(1, "1s")
    assert "win" in t.hand.window.given_up
    t.press(2, "win")
    t.wait(3)
    assert (t.hand.win.side, t.hand.win.origin) == (2, 0)
    t.command("win confirm")
    assert [w["side"] for w in t.hand.result["winners"]] == [2]


@pytest.mark.rule("CJ-P4", "CJ-C5")
def test_after_a_false_win_he_draws_and_discards(ccm):
    t = ccm()
    t.press(1, "win")
    t.wait(3)
    t.command("win reject", reason="no fan")
    seat = t.hand.seats[1]
    assert (seat.no_win, seat.mechanical) == ("CJ-P4", "CJ-P4")
    t.wait(3)
    t.draw(1, "5p")
    t.discard(1, "E")
    assert irregular(t)[-1]["what"] == "irregular.mechanical"
    t.wait(3)
    t.draw(2, "5s")
    t.discard(2, "5s")
    for word in ("pung", "kong", "win"):
        t.press(1, word)
        assert t.published("event.refused")[-1]["reason"] == "refused.mechanical"
    t.wait(3)


@pytest.mark.rule("CJ-C5")
def test_in_mechanical_play_there_is_no_kong(ccm):
    t = ccm()
    t.press(1, "win")
    t.wait(3)
    t.command("win reject", reason="no fan")
    t.wait(3)
    t.draw(1, "5p")
    t.show(1, "concealed_kong", "5555p")
    assert irregular(t)[-1]["what"] == "irregular.mechanical"


@pytest.mark.rule("CJ-P5")
def test_a_flower_may_not_be_discarded(ccm):
    t = ccm()
    t.wait(3)
    t.draw(1, "f1")
    t.discard(1, "f1")
    assert irregular(t)[-1]["rule"] == "CJ-P5"


@pytest.mark.rule("CJ-D1")
def test_the_dealer_who_wins_deals_again_for_twice_the_points(table):
    t = table(rules="ccm")
    t.play()
    assert not t.state.session.doubled
    t.press(0, "win")
    t.command("win confirm")
    t.command("hand start", anyway="counted later")
    assert (t.hand.dealer, t.state.session.doubled) == (0, True)


@pytest.mark.rule("CJ-D1")
def test_a_drawn_hand_moves_the_deal_and_ends_the_doubling(table):
    t = table(COUNT, rules="ccm")
    t.play()
    t.press(0, "win")
    t.command("win confirm")
    t.command("hand start", anyway="counted later")
    t.done(144)
    t.event("walls_up", value=t.hand.deal)
    t.done()
    t.throw((3, 4))
    t.command("wall correct", left=1, reason="")
    t.press(0, "discard")
    t.wait(3)
    t.press(1, "discard")
    t.wait(60)
    assert t.hand.result["result"] == "draw"
    t.command("hand start")
    assert (t.hand.dealer, t.state.session.doubled) == (1, False)


@pytest.mark.rule("CJ-W2", "CJ-W3")
def test_a_flower_is_replaced_from_the_tail_also_in_a_chain(ccm):
    t = ccm()
    t.wait(3)
    t.draw(1, "f1")
    for tile in ("f1", "f2", "f3"):
        t.show(1, "flower", tile)
        assert t.hand.draw_from == "tail"
        t.draw(1, f"f{int(tile[1]) + 1}" if tile != "f3" else "1m", "tail")
    t.discard(1, "1m")
    assert t.hand.seats[1].flowers == ["f1", "f2", "f3"]


@pytest.mark.rule("CJ-C4")
def test_a_win_is_called_approved_and_then_nothing_is_added(ccm):
    t = ccm()
    t.press(1, "win")
    t.wait(3)
    assert t.phase == "adjudication"
    assert t.command("win confirm").outcome == "accepted"
    t.wait(3)
    assert t.hand.over
    points = {"p0": -56, "p1": 56}
    assert t.command("score enter", kind="hand", **points).outcome == "accepted"
    assert t.command("score enter", kind="hand", **points).key == "refused.scored_already"


@pytest.mark.rule("CJ-W4")
def test_a_concealed_kong_is_shown_to_all(table):
    t = table(rules="ccm")
    t.play()
    t.show(0, "concealed_kong", "1111m")
    assert view(t.state, t.now)["hand"]["seats"][0]["melds"][0]["tiles"] == ["1m"] * 4
