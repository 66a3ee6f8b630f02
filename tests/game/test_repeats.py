"""One act told twice within a moment is one act, and the second time says so."""

from __future__ import annotations

import pytest

from tablectl.game.inputs import BoardEvent
from tablectl.locale import catalog
from tests.game.conftest import COUNT, IDENTITY, SECOND
from tests.game.test_claims import opened

MOMENT = 0.05


def refusals(t):
    return [(told["word"], told["reason"]) for told in t.published("event.refused")]


def flower_drawn(make, capabilities):
    """South has drawn a flower in play; it is East's discard before that."""
    t = make(capabilities, "mcr")
    t.start()
    t.throw((1, 4), (2, 3))
    if capabilities is IDENTITY:
        t.deal("123456789m 9s 5p EEE", "46p 55p 1289s CC FFP", "1234s 3334567s SS", "123p 789p 678s WWNN")
    t.discard(0, "5p" if capabilities is IDENTITY else "")
    t.wait(3.1)
    if capabilities is IDENTITY:
        t.draw(1, "f1")
    return t


@pytest.mark.report("B043")
@pytest.mark.parametrize("by_hand_first", [True, False], ids=["by hand first", "sensed first"])
def test_a_flower_told_by_hand_and_by_the_table_is_replaced_once(table, by_hand_first):
    t = flower_drawn(table, IDENTITY)

    def by_hand():
        return t.command("flower", seat="S", tile="f1")

    def sensed():
        t.show(1, "flower", "f1")

    (by_hand if by_hand_first else sensed)()
    t.wait(MOMENT)
    answer = (sensed if by_hand_first else by_hand)()
    if by_hand_first:
        assert refusals(t) == [("flower", "refused.already_done")]
    else:
        assert answer.key == "refused.already_done"
        assert "already done" in catalog.text(answer.key, "en", **answer.data)
    assert (t.hand.seats[1].flowers, t.hand.seats[1].concealed) == (["f1"], 13)
    left = t.hand.wall_left
    t.draw(1, "7p", "tail")
    assert (t.phase, t.hand.wall_left) == ("decide", left - 1)
    t.discard(1, "P")
    assert (t.phase, t.hand.turn) == ("claims", 2)
    assert not t.hand.irregularities


@pytest.mark.report("B043")
@pytest.mark.parametrize("first", ["key", "command"])
@pytest.mark.parametrize("second", ["key", "command"])
def test_a_flower_pressed_twice_is_replaced_once(table, first, second):
    """Nobody reads tiles here: only the time tells that it is the same flower."""
    t = flower_drawn(table, COUNT)
    told = {"key": lambda: t.press(1, "flower"), "command": lambda: t.command("flower", seat="S")}
    left = t.hand.wall_left
    told[first]()
    t.wait(MOMENT)
    answer = told[second]()
    reasons = [answer.key] if answer else [reason for _, reason in refusals(t)]
    assert reasons == ["refused.already_done"]
    t.wait(0.5)
    t.press(1, "discard")
    assert (t.phase, t.hand.turn) == ("claims", 2)
    assert t.hand.wall_left == left - 2  # the flower itself, and its one replacement
    assert not t.hand.irregularities


@pytest.mark.report("B043")
def test_a_second_flower_is_another_flower(table):
    t = flower_drawn(table, COUNT)
    for _ in range(2):
        t.press(1, "flower")
        t.wait(0.5)
    assert len(t.hand.seats[1].flowers) == 2
    assert not refusals(t)


@pytest.mark.report("B043")
@pytest.mark.parametrize("key", ["kong", "discard", "win", "referee"])
def test_a_key_that_bounces_is_pressed_once(table, key):
    once, twice = opened(table, COUNT), opened(table, COUNT)
    for t, presses in ((once, 1), (twice, 2)):
        t.wait(3.1)
        for _ in range(presses):
            t.press(1, key)
            t.wait(MOMENT)
        t.wait(MOMENT * (2 - presses))
    assert [told["reason"] for told in twice.published("event.refused")] == ["refused.already_done"]
    assert twice.hand.phase == once.hand.phase
    assert twice.hand.wall_left == once.hand.wall_left
    assert twice.hand.irregularities == once.hand.irregularities
    assert [seat.melds for seat in twice.hand.seats] == [seat.melds for seat in once.hand.seats]


@pytest.mark.report("B043")
def test_what_was_pressed_while_nobody_listened_was_pressed_as_often(table):
    """After an outage all of it comes at one moment of table time; the board's clock tells it apart."""
    t = flower_drawn(table, COUNT)
    for board_us in (t.now, t.now + 2 * SECOND, t.now + 2 * SECOND + 50_000):
        t.number += 1
        t.put(BoardEvent("table", "seat_key", t.number, t.boot, board_us, 1, value=5))
    assert len(t.hand.seats[1].flowers) == 2
    assert refusals(t) == [("flower", "refused.already_done")]
