"""The formula of the payments, the caps and who is liable (WH-S)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.rules.wuhan import Laid, Win, settle
from tablectl.rules.wuhan.catalog import (
    FROM_OTHERS,
    HONOURS,
    JIANG,
    LAST_FOUR,
    ONE_SUIT,
    PUNGS,
    REPLACEMENT,
    ROBBED,
)
from tablectl.rules.wuhan.factors import own_factor
from tablectl.rules.wuhan.pay import at_draw

PLAIN = (Laid(chow=1), Laid(), Laid(), Laid())
SMALL = Win(0, 3, "discard", 1, PLAIN, (), False)
BIG = replace(SMALL, big=(PUNGS,))


@pytest.mark.rule("WH-S2")
@pytest.mark.parametrize(
    ("big", "base"), [((), 1), ((PUNGS,), 10), ((PUNGS, JIANG), 20), ((PUNGS, JIANG, ONE_SUIT), 30)]
)
def test_base(big, base, settings) -> None:
    assert settle(replace(SMALL, big=big), settings).base == base


@pytest.mark.rule("WH-S3")
@pytest.mark.rule("WH-S10")
@pytest.mark.parametrize(
    ("laid", "factor"),
    [
        (Laid(), 1),
        (Laid(chow=1), 2),
        (Laid(pung=1), 2),
        (Laid(direct_kong=1), 4),
        (Laid(added_kong=1), 4),
        (Laid(concealed_kong=1), 4),
        (Laid(hongzhong_kong=1), 2),
        (Laid(hongzhong_kong=3), 8),
        (Laid(laizi_kong=1), 4),
        (Laid(laizi_discard=1), 2),
        (Laid(chow=2, pung=1, direct_kong=1, laizi_discard=2), 128),
    ],
)
def test_own_factor_of_winner_and_loser(laid, factor, settings) -> None:
    assert own_factor(laid, settings) == factor
    as_loser = settle(replace(SMALL, laid=(*PLAIN[:2], laid, PLAIN[3])), settings)
    assert as_loser.raw[2] == settle(SMALL, settings).raw[2] * factor
    as_winner = settle(replace(SMALL, laid=(replace(laid, chow=laid.chow + 1), *PLAIN[1:])), settings)
    assert as_winner.factor == 2 * factor


@pytest.mark.rule("WH-S4")
@pytest.mark.parametrize(
    ("win", "raw"),
    [
        (SMALL, (0, 4, 2, 4)),
        (replace(SMALL, dealer=0), (0, 8, 4, 4)),
        (replace(SMALL, hard=True), (0, 8, 4, 8)),
        (replace(SMALL, way="self_draw", discarder=None), (0, 4, 4, 8)),
        (BIG, (0, 30, 20, 20)),
        (replace(BIG, dealer=0), (0, 30, 20, 20)),
        (replace(BIG, way="self_draw", discarder=None), (0, 30, 30, 30)),
        (replace(BIG, way="kong_draw", discarder=None, big=(REPLACEMENT,)), (0, 30, 30, 30)),
        (replace(BIG, way="last_four", discarder=None, big=(LAST_FOUR,)), (0, 30, 30, 30)),
        (replace(BIG, way="rob_kong", big=(ROBBED,)), (0, 30, 20, 20)),
    ],
    ids=[
        "small",
        "dealer wins",
        "hard",
        "self-draw",
        "big",
        "big dealer",
        "big self-draw",
        "replacement",
        "last four",
        "robbed",
    ],
)
def test_factors_of_a_win(win, raw, settings) -> None:
    assert settle(win, settings).raw == raw


@pytest.mark.rule("WH-S5")
@pytest.mark.rule("WH-S7")
@pytest.mark.parametrize("way", ["self_draw", "discard"])
def test_half_points_never_remain(way, settings) -> None:
    win = replace(BIG, way=way, discarder=1 if way == "discard" else None)
    for kongs in range(5):
        paid = settle(replace(win, laid=(Laid(pung=1, hongzhong_kong=kongs), *PLAIN[1:])), settings)
        assert all(isinstance(amount, int) for amount in (*paid.raw, *paid.shares, *paid.deltas))
        # By discard the factor 1.5 is the loser's: 10 x W x 3 / 2.
        assert paid.raw[1] == 15 * 2 ** (kongs + 1)
        assert sum(paid.deltas) == 0


RICH = (Laid(pung=4), Laid(pung=1), Laid(), Laid())  # x16


@pytest.mark.rule("WH-S6")
@pytest.mark.parametrize(
    ("win", "raw", "shares", "gold"),
    [
        (
            replace(BIG, laid=(Laid(pung=4), Laid(pung=1), Laid(), Laid())),
            (0, 480, 160, 160),
            (0, 300, 160, 160),
            False,
        ),
        (
            replace(BIG, laid=(Laid(pung=4), Laid(pung=1), Laid(), Laid(pung=1))),
            (0, 480, 160, 320),
            (0, 300, 160, 300),
            False,
        ),
        (replace(BIG, hard=True, laid=RICH), (0, 960, 320, 320), (0, 400, 400, 400), True),
        (
            replace(BIG, big=(ROBBED,), way="rob_kong", laid=RICH),
            (0, 480, 160, 160),
            (0, 400, 160, 160),
            False,
        ),
        (
            replace(BIG, big=(ROBBED,), way="rob_kong", hard=True, laid=RICH),
            (0, 960, 320, 320),
            (0, 400, 400, 400),
            True,
        ),
    ],
    ids=["one over", "two over", "gold", "robbed", "gold before the liable cap"],
)
def test_caps(win, raw, shares, gold, settings) -> None:
    paid = settle(win, settings)
    assert (paid.raw, paid.shares, paid.gold) == (raw, shares, gold)


ONE_SUIT_WIN = replace(BIG, big=(ONE_SUIT,), feeders=(3, 3, 2))


@pytest.mark.rule("WH-S8")
@pytest.mark.parametrize(
    ("win", "payer"),
    [
        (ONE_SUIT_WIN, 2),
        (replace(ONE_SUIT_WIN, way="self_draw", discarder=None), 2),
        (replace(ONE_SUIT_WIN, feeders=(3, 3, 2, 1)), 2),
        (replace(ONE_SUIT_WIN, feeders=(3, 3)), None),
        (replace(ONE_SUIT_WIN, big=(PUNGS,)), None),
        (replace(BIG, big=(FROM_OTHERS,), feeders=(3, 3, 2, 3), jiang_fed=True), 1),
        (replace(BIG, big=(FROM_OTHERS, ONE_SUIT), feeders=(3, 3, 2, 3), jiang_fed=True), 1),
        (replace(BIG, big=(FROM_OTHERS, ONE_SUIT), feeders=(3, 3, 2, 3)), 2),
        (replace(BIG, big=(FROM_OTHERS, PUNGS), feeders=(3, 3, 2, 3)), None),
        (replace(BIG, big=(ROBBED,), way="rob_kong"), 1),
        (replace(BIG, big=(ROBBED, ONE_SUIT), way="rob_kong", feeders=(3, 3, 2)), 1),
    ],
    ids=[
        "third meld",
        "third meld, self-draw",
        "third of four",
        "two melds",
        "not one suit",
        "jiang fed to 全求人",
        "jiang fed, before the third meld",
        "no jiang: the third meld",
        "no jiang, no suit",
        "robbed kong",
        "robbed kong, before the third meld",
    ],
)
def test_who_pays_all(win, payer, settings) -> None:
    paid = settle(win, settings)
    assert paid.payer == payer
    if payer is not None:
        assert paid.deltas[payer] == -sum(paid.shares) == -paid.deltas[0]


@pytest.mark.rule("WH-S8")
def test_liable_player_pays_the_factor_of_the_self_draw(settings) -> None:
    paid = settle(replace(ONE_SUIT_WIN, way="self_draw", discarder=None), settings)
    assert (paid.raw, paid.deltas) == ((0, 30, 30, 30), (90, 0, -90, 0))


@pytest.mark.rule("WH-S9")
@pytest.mark.rule("wh-04")
def test_all_honours_double_once_more(settings) -> None:
    assert settle(replace(BIG, big=(HONOURS,)), settings).raw == (0, 60, 40, 40)
    assert settle(replace(BIG, big=(HONOURS, PUNGS)), settings).raw == (0, 120, 80, 80)


@pytest.mark.rule("WH-D2")
def test_draw_costs_nothing_unless_the_unready_pay(under, settings) -> None:
    winnable = [(0, 4, 8, 4), None, None, (16, 8, 8, 0)]
    assert at_draw(winnable, settings) == (0, 0, 0, 0)
    assert at_draw(winnable, under("wh.chadajiao=true")) == (12, -12, -16, 16)
