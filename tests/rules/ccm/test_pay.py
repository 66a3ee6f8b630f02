"""Who pays a win in chips, and which wins do not stand (CJ-S5, S8, S9, C1, D1)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.rules.ccm import HandError, settled
from tablectl.rules.ccm.bao import Liability
from tablectl.rules.ccm.pay import Win, Winner, settle

HUNDRED = (100, 100, 100, 100)
EXAMPLE = {  # 混一色 20, two flowers 4, single wait 4: raw amounts, and paid by players who hold 100
    "discard": (Win("discard", (Winner(0, 28),), 2), False, (0, 0, 56, 0), (0, 0, 56, 0)),
    "self-drawn": (Win("self_draw", (Winner(0, 28),)), False, (0, 28, 28, 28), (0, 28, 28, 28)),
    "robbed kong": (Win("rob", (Winner(0, 28),), 2), False, (0, 0, 84, 0), (0, 0, 84, 0)),
    "discard doubled": (Win("discard", (Winner(0, 28),), 2), True, (0, 0, 112, 0), (0, 0, 100, 0)),
    "self-drawn doubled": (Win("self_draw", (Winner(0, 28),)), True, (0, 56, 56, 56), (0, 56, 56, 56)),
    "robbed kong doubled": (Win("rob", (Winner(0, 28),), 2), True, (0, 0, 168, 0), (0, 0, 100, 0)),
}


def by_discard(giver: int, *winners: Winner) -> Win:
    return Win("discard", winners, giver)


@pytest.mark.rule("CJ-S5")
@pytest.mark.rule("CJ-D1")
@pytest.mark.rule("CJ-S8")
@pytest.mark.parametrize(("win", "doubled", "raw", "paid"), EXAMPLE.values(), ids=EXAMPLE.keys())
def test_worked_example(win, doubled, raw, paid, settings) -> None:
    result = settle(HUNDRED, win, doubled, settings)
    assert (result.payments[0].raw, result.payments[0].paid) == (raw, paid)
    assert result.chips == (100 + sum(paid), *(100 - one for one in paid[1:]))
    assert (result.winners, result.reason, result.end) == ((0,), "", False)


@pytest.mark.rule("CJ-C1")
def test_winners_are_paid_counter_clockwise_from_the_discarder(settings) -> None:
    result = settle(
        (100, 100, 60, 140), by_discard(2, Winner(1, 10), Winner(0, 20), Winner(3, 15)), False, settings
    )
    assert result.winners == (3, 0, 1)
    assert [one.paid[2] for one in result.payments] == [30, 30, 0]
    assert result.chips == (130, 100, 0, 170)


@pytest.mark.rule("CJ-S1")
@pytest.mark.rule("CJ-S8")
@pytest.mark.rule("CJ-P9")
@pytest.mark.parametrize(
    ("mode", "doubled", "paid"),
    [("discard", False, 40 + 30), ("rob", False, 60 + 30), ("discard", True, 80 + 30)],
)
def test_winner_off_a_player_without_points_pays(mode, doubled, paid, settings) -> None:
    result = settle((0, 130, 150, 120), Win(mode, (Winner(2, 20),), 0), doubled, settings)
    assert (result.winners, result.reason) == ((), settled.PAYER_OUT)
    assert result.payments[0].paid == (0, 0, paid, 0)
    assert result.chips == (paid - 20, 140, 150 - paid, 130)


@pytest.mark.rule("CJ-S8")
def test_fined_winner_pays_the_player_without_points_first(settings) -> None:
    result = settle((0, 150, 44, 206), by_discard(0, Winner(2, 20)), False, settings)
    assert result.payments[0].raw == (0, 0, 70, 0)
    assert result.chips == (40, 150, 0, 210)


@pytest.mark.rule("CJ-S9")
@pytest.mark.parametrize("ruled", ["off_table", "void"])
def test_fine_that_would_end_the_session_is_booked(ruled, settings) -> None:
    """Two fined winners, and neither fine may leave them both with nothing."""
    win = by_discard(0, Winner(1, 20), Winner(2, 20))
    result = settle((0, 50, 40, 310), win, False, replace(settings, blocked_kong=ruled))
    assert [one.paid for one in result.payments] == [(0, 50, 0, 0), (0, 0, 0, 0)]
    assert (result.chips, result.end, result.winners) == ((40, 0, 50, 310), False, ())
    assert result.off_table == ((50, 10, -70, 10) if ruled == "off_table" else (0, 0, 0, 0))


@pytest.mark.rule("CJ-S1")
def test_self_draw_while_an_opponent_has_nothing(settings) -> None:
    win = Win("self_draw", (Winner(2, 20),))
    assert settle((0, 130, 150, 120), win, False, settings).chips == (0, 110, 190, 100)
    strict = replace(settings, selfdraw_vs_zero=False)
    assert settle((0, 130, 150, 120), win, False, strict).reason == settled.OPPONENT_OUT
    assert settle((10, 130, 140, 120), win, False, strict).reason == ""


@pytest.mark.rule("CJ-S1")
def test_win_without_a_fan_moves_nothing(settings) -> None:
    result = settle(HUNDRED, by_discard(0, Winner(2, 20, technical=False)), False, settings)
    assert (result.reason, result.chips) == (settled.NO_FAN, HUNDRED)


@pytest.mark.rule("CJ-S9")
@pytest.mark.rule("CJ-F4")
@pytest.mark.parametrize(
    ("chips", "first_tie", "after", "end", "reason"),
    [
        ((0, 40, 180, 180), False, (0, 0, 220, 180), True, ""),
        ((0, 40, 160, 200), False, (0, 40, 160, 200), False, settled.NOT_FIRST),
        ((0, 40, 160, 200), True, (0, 0, 200, 200), True, ""),
        ((0, 40, 150, 210), True, (0, 40, 150, 210), False, settled.NOT_FIRST),
        ((0, 42, 150, 208), False, (0, 2, 190, 208), False, ""),
    ],
    ids=["first", "tie", "tie counts", "second", "session goes on"],
)
def test_win_that_ends_the_session_must_make_the_winner_first(
    chips, first_tie, after, end, reason, settings
) -> None:
    result = settle(chips, by_discard(1, Winner(2, 20)), False, replace(settings, first_tie=first_tie))
    assert (result.chips, result.end, result.reason) == (after, end, reason)
    assert sum(result.payments[0].raw) == 40


@pytest.mark.rule("CJ-S9")
def test_winner_who_may_not_win_drops_out_and_the_next_is_judged(settings) -> None:
    result = settle((40, 0, 100, 260), by_discard(0, Winner(2, 20), Winner(3, 20)), False, settings)
    assert [one.reason for one in result.payments] == [settled.NOT_FIRST, ""]
    assert (result.winners, result.reason) == ((3,), "")
    assert (result.chips, result.end) == ((0, 0, 100, 300), True)


@pytest.mark.rule("CJ-S9")
def test_winner_paid_nothing_ends_nothing(settings) -> None:
    """The first win ended the session; the later one stands with 0 (CJ-C1)."""
    result = settle((40, 0, 260, 100), by_discard(0, Winner(2, 20), Winner(3, 20)), False, settings)
    assert (result.winners, result.chips, result.end) == ((2, 3), (0, 0, 300, 100), True)


@pytest.mark.rule("CJ-C1")
def test_later_win_when_nothing_is_left(settings) -> None:
    win = by_discard(0, Winner(1, 30), Winner(2, 30))
    chips = (60, 100, 120, 120)
    assert settle(chips, win, False, settings).winners == (1, 2)
    void = settle(chips, win, False, replace(settings, multi_win_unpaid="void"))
    assert (void.winners, void.payments[1].reason) == ((1,), settled.NOTHING_LEFT)


@pytest.mark.rule("CJ-S7")
@pytest.mark.parametrize("mode", ["self_draw", "discard", "rob"])
def test_liable_player_pays_three_shares_alone(mode, settings) -> None:
    giver = None if mode == "self_draw" else 3
    win = Win(mode, (Winner(0, 20, liable=(Liability("a", 1),)),), giver)
    assert settle(HUNDRED, win, False, settings).payments[0].raw == (0, 60, 0, 0)
    assert settle(HUNDRED, win, True, settings).payments[0].raw == (0, 120, 0, 0)


@pytest.mark.rule("CJ-S7")
def test_win_stands_though_the_liable_player_has_nothing(settings) -> None:
    win = by_discard(3, Winner(2, 20, liable=(Liability("a", 1),)))
    result = settle((100, 0, 200, 100), win, False, settings)
    assert (result.winners, result.chips) == ((2,), (100, 0, 200, 100))
    assert settle((100, 100, 200, 0), win, False, settings).reason == settled.PAYER_OUT


IMPOSSIBLE = {
    "no winner": (HUNDRED, Win("discard", (), 1), "win.winners"),
    "twice the same": (HUNDRED, by_discard(1, Winner(0, 2), Winner(0, 2)), "win.winners"),
    "own discard": (HUNDRED, by_discard(0, Winner(0, 2)), "win.own_tile"),
    "nobody discarded": (HUNDRED, Win("discard", (Winner(0, 2),)), "win.no_giver"),
    "self-drawn from another": (HUNDRED, Win("self_draw", (Winner(0, 2),), 1), "win.self_draw"),
    "two drew": (HUNDRED, Win("self_draw", (Winner(0, 2), Winner(1, 2))), "win.self_draw"),
    "player five": (HUNDRED, by_discard(1, Winner(4, 2)), "chips.no_player"),
    "own liability": (HUNDRED, by_discard(1, Winner(0, 2, liable=(Liability("a", 0),))), "win.own_liability"),
    "below 0": (HUNDRED, by_discard(1, Winner(0, -2)), "win.total"),
    "three players": ((100, 100, 200), by_discard(1, Winner(0, 2)), "chips.impossible"),
    "debts": ((-10, 100, 200, 110), by_discard(1, Winner(0, 2)), "chips.impossible"),
}


@pytest.mark.parametrize(("chips", "win", "key"), IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_impossible_win_is_refused(chips, win, key, settings) -> None:
    with pytest.raises(HandError) as caught:
        settle(chips, win, False, settings)
    assert caught.value.key == key
