"""Kongs, 追牌 and penalties: paid at once, never below zero, and not so that the wrong player ends it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.rules.ccm import HandError
from tablectl.rules.ccm.chips import NOTHING
from tablectl.rules.ccm.flowers import Laid, laid
from tablectl.rules.ccm.immediate import Discarded, chase, chased, kong, may_discard_flower, penalty

HUNDRED = (100, 100, 100, 100)


@pytest.mark.rule("CJ-S6")
@pytest.mark.rule("CJ-D1")
@pytest.mark.parametrize(
    ("kind", "giver", "paid"),
    [
        ("melded", 3, (0, 0, 0, 12)),
        ("small", 3, (4, 0, 4, 4)),
        ("small", None, (4, 0, 4, 4)),
        ("concealed", None, (6, 0, 6, 6)),
        ("flower", None, (8, 0, 8, 8)),
    ],
)
def test_kong_is_paid_at_once(kind, giver, paid, settings) -> None:
    plain = kong(HUNDRED, kind, 1, giver, False, settings)
    assert (plain.payments[0].paid, plain.chips[1]) == (paid, 100 + sum(paid))
    doubled = kong(HUNDRED, kind, 1, giver, True, settings)
    assert doubled.payments[0].paid == tuple(2 * one for one in paid)


@pytest.mark.rule("CJ-S6")
def test_feeder_of_the_pung_pays_a_small_kong_where_so_ruled(settings) -> None:
    other = replace(settings, small_kong_payer="feeder")
    assert kong(HUNDRED, "small", 1, 3, False, other).payments[0].paid == (0, 0, 0, 12)
    with pytest.raises(HandError):
        kong(HUNDRED, "small", 1, None, False, other)


@pytest.mark.rule("CJ-S8")
def test_kong_is_paid_as_far_as_the_chips_go(settings) -> None:
    assert kong((100, 100, 198, 2), "concealed", 1, None, False, settings).chips == (94, 114, 192, 0)


@pytest.mark.rule("CJ-S9")
@pytest.mark.rule("CJ-F4")
@pytest.mark.parametrize("ruled", ["off_table", "void"])
def test_kong_that_would_end_the_session_is_not_paid_on_the_table(ruled, settings) -> None:
    """The full raw amounts are booked, though one of the payers holds less."""
    chips = (0, 4, 150, 246)
    result = kong(chips, "concealed", 2, None, False, replace(settings, blocked_kong=ruled))
    assert (result.chips, result.end) == (chips, False)
    assert (result.payments[0].raw, result.payments[0].paid) == ((6, 6, 0, 6), NOTHING)
    assert result.off_table == ((-6, -6, 18, -6) if ruled == "off_table" else NOTHING)


@pytest.mark.rule("CJ-S9")
def test_kong_of_the_first_player_may_end_the_session(settings) -> None:
    result = kong((0, 4, 150, 246), "concealed", 3, None, False, settings)
    assert (result.chips, result.end, result.off_table) == ((0, 0, 144, 256), True, NOTHING)


@pytest.mark.rule("CJ-S9")
def test_fourth_flower_may_be_discarded_only_where_its_kong_could_not_be_paid(settings) -> None:
    assert may_discard_flower((0, 8, 150, 242), 2, False, settings)
    assert not may_discard_flower((0, 8, 150, 242), 3, False, settings)
    assert not may_discard_flower((0, 10, 150, 240), 2, False, settings)
    assert may_discard_flower((0, 10, 150, 240), 2, True, settings)


@pytest.mark.rule("CJ-S6")
@pytest.mark.parametrize(
    ("flowers", "ruled", "kongs", "scoring"),
    [
        (("f1", "f2", "f3", "f4"), "set", 1, 0),
        (("f1", "f2", "f3", "f5"), "set", 0, 4),
        (("f1", "f2", "f3", "f5"), "any_four", 1, 0),
        (("f5", "f6", "f1", "f7", "f8"), "set", 1, 1),
        (tuple(f"f{number}" for number in range(1, 9)), "set", 2, 0),
        ((), "set", 0, 0),
    ],
)
def test_flower_kong(flowers, ruled, kongs, scoring, settings) -> None:
    assert laid(flowers, replace(settings, flower_kong=ruled)) == Laid(kongs, scoring)


@pytest.mark.rule("CJ-S6")
@pytest.mark.rule("CJ-D1")
@pytest.mark.parametrize(
    ("chips", "doubled", "after"),
    [
        (HUNDRED, False, (104, 88, 104, 104)),
        (HUNDRED, True, (108, 76, 108, 108)),
        ((100, 6, 194, 100), False, (100, 0, 198, 102)),
    ],
    ids=["plain", "doubled", "too little, counter-clockwise from himself"],
)
def test_first_of_four_equal_discards_pays(chips, doubled, after, settings) -> None:
    assert chase(chips, 1, doubled, settings).chips == after


@pytest.mark.rule("CJ-S9")
@pytest.mark.parametrize("ruled", ["off_table", "void"])
def test_chase_that_would_end_the_session_is_booked(ruled, settings) -> None:
    result = chase((100, 12, 0, 288), 1, False, replace(settings, blocked_kong=ruled, players_out=1))
    assert (result.off_table, result.chips) == ((4, -12, 4, 4), (100, 12, 0, 288))


@pytest.mark.rule("CJ-S6")
@pytest.mark.parametrize(
    ("discards", "payer"),
    [
        ([(1, "E"), (2, "E"), (3, "E"), (0, "E")], 1),
        ([(0, "5m"), (1, "E"), (2, "E"), (3, "E"), (0, "E")], 1),
        ([(1, "E"), (2, "E"), (3, "E"), (0, "S")], None),
        ([(1, "E"), (2, "E", True), (3, "E"), (0, "E")], None),
        ([(1, "E"), (2, "E"), (0, "E"), (1, "E")], None),
        ([(2, "E"), (3, "E"), (0, "E")], None),
    ],
    ids=["four in turn", "after others", "another kind", "claim between", "out of turn", "three"],
)
def test_chase_is_four_in_turn_of_one_kind(discards, payer) -> None:
    assert chased([Discarded(*one) for one in discards]) == payer


@pytest.mark.rule("CJ-P1")
@pytest.mark.rule("CJ-P10")
@pytest.mark.parametrize(
    ("payee", "points", "doubled", "double", "after"),
    [
        (2, 20, False, False, (100, 80, 120, 100)),
        (2, 20, True, False, (100, 80, 120, 100)),
        (2, 20, True, True, (100, 60, 140, 100)),
        (2, 40, True, True, (100, 50, 150, 100)),
        (None, 30, False, False, (100, 70, 100, 100)),
    ],
    ids=[
        "to the damaged side",
        "not doubled",
        "doubled where so ruled",
        "never above the most",
        "off the table",
    ],
)
def test_penalty(payee, points, doubled, double, after, settings) -> None:
    ruled = replace(settings, double_penalties=double)
    assert penalty(HUNDRED, 1, payee, points, doubled, ruled).chips == after


@pytest.mark.rule("CJ-S9")
def test_penalty_that_would_end_the_session_is_booked(settings) -> None:
    chips = (0, 10, 150, 240)
    assert penalty(chips, 1, 2, 20, False, settings).off_table == (0, -20, 20, 0)
    assert penalty(chips, 1, None, 20, False, settings).off_table == (0, -20, 0, 0)
    assert penalty(chips, 1, 3, 20, False, settings).end


@pytest.mark.rule("CJ-P1")
@pytest.mark.parametrize("points", [0, 5, 15, 60, -10])
def test_penalty_is_ten_to_fifty_in_tens(points, settings) -> None:
    with pytest.raises(HandError) as caught:
        penalty(HUNDRED, 1, 2, points, False, settings)
    assert caught.value.key == "penalty.points"


@pytest.mark.parametrize(
    ("refused", "key"),
    [
        (lambda settings: kong(HUNDRED, "melded", 1, None, False, settings), "kong.no_feeder"),
        (lambda settings: kong(HUNDRED, "melded", 1, 1, False, settings), "kong.own_tile"),
        (lambda settings: kong(HUNDRED, "flower", 4, None, False, settings), "chips.no_player"),
        (lambda settings: chase((1, 2, 3), 1, False, settings), "chips.impossible"),
        (lambda settings: penalty(HUNDRED, 1, 1, 10, False, settings), "penalty.own"),
    ],
)
def test_impossible_payment_is_refused(refused, key, settings) -> None:
    with pytest.raises(HandError) as caught:
        refused(settings)
    assert caught.value.key == key
