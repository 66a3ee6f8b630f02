"""The worked examples of the rules: who pays what, with the unit 1 and 口口翻 unless said."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tablectl.rules.wuhan import Laid, Win, settle
from tablectl.rules.wuhan.catalog import FROM_OTHERS, ONE_SUIT, PUNGS, ROBBED
from tablectl.rules.wuhan.pay import reaches_minimum

NONE = Laid()


def opened(times: int) -> Laid:
    return Laid(chow=times)


class Example(NamedTuple):
    """Player 0 wins from 1, 2, 3."""

    win: Win
    raw: tuple[int, ...]
    shares: tuple[int, ...]
    deltas: tuple[int, ...]
    changes: tuple[str, ...] = ()


def by_discard(
    dealer: int, laid: tuple[Laid, ...], big: tuple[str, ...] = (), hard: bool = True, **more
) -> Win:
    return Win(0, dealer, "discard", 1, laid, big, hard, **more)


def self_drawn(
    dealer: int, laid: tuple[Laid, ...], big: tuple[str, ...] = (), hard: bool = True, **more
) -> Win:
    return Win(0, dealer, "self_draw", None, laid, big, hard, **more)


W1 = by_discard(1, (opened(3), opened(1), NONE, opened(2)), hard=False)
W1_HARD = by_discard(1, (opened(3), opened(1), NONE, opened(2)))
W5 = by_discard(2, (opened(4), opened(1), NONE, NONE), (PUNGS, ONE_SUIT, FROM_OTHERS), feeders=(3, 3, 2, 3))
W5B = by_discard(
    2,
    (opened(4), opened(1), NONE, NONE),
    (PUNGS, ONE_SUIT, FROM_OTHERS),
    feeders=(3, 3, 2, 3),
    jiang_fed=True,
)
W9 = self_drawn(1, (opened(3), opened(1), Laid(chow=2, concealed_kong=1), Laid(direct_kong=1)))

EXAMPLES = {
    "W1": Example(W1, (0, 64, 8, 32), (64, 8, 32), (104, -64, -8, -32)),
    "W1''": Example(W1_HARD, (0, 32, 4, 8), (32, 4, 8), (44, -32, -4, -8), ("wh.open_mode=kaikou",)),
    "W2": Example(
        self_drawn(0, (Laid(pung=2, hongzhong_kong=1), NONE, opened(1), Laid(concealed_kong=1))),
        (0, 64, 128, 256),
        (64, 128, 256),
        (448, -64, -128, -256),
    ),
    "W3": Example(
        self_drawn(3, (Laid(pung=2), opened(1), NONE, Laid(hongzhong_kong=1)), (PUNGS,)),
        (0, 240, 120, 240),
        (240, 120, 240),
        (600, -240, -120, -240),
    ),
    "W4": Example(
        by_discard(2, (opened(1), opened(2), NONE, NONE), (PUNGS, ONE_SUIT), feeders=(3,)),
        (0, 480, 80, 80),
        (300, 80, 80),
        (460, -300, -80, -80),
    ),
    "W5": Example(W5, (0, 2880, 960, 960), (400, 400, 400), (1200, 0, -1200, 0)),
    "W5 doubling": Example(
        W5, (0, 3840, 1280, 1280), (400, 400, 400), (1200, 0, -1200, 0), ("wh.big_sum=doubling",)
    ),
    "W5b": Example(W5B, (0, 2880, 960, 960), (400, 400, 400), (1200, -1200, 0, 0)),
    "W6": Example(
        self_drawn(
            2, (Laid(pung=3, concealed_kong=1), opened(1), opened(2), NONE), (PUNGS,), feeders=(1, 2, 3)
        ),
        (0, 1920, 3840, 960),
        (400, 400, 400),
        (1200, -400, -400, -400),
    ),
    "W7": Example(
        self_drawn(
            2, (opened(1), Laid(chow=3, hongzhong_kong=1), NONE, opened(1)), (ONE_SUIT,), False, feeders=(3,)
        ),
        (0, 480, 30, 60),
        (300, 30, 60),
        (390, -300, -30, -60),
    ),
    "W9": Example(W9, (0, 128, 512, 128), (128, 300, 128), (556, -128, -300, -128)),
    "W9 once": Example(
        W9, (0, 128, 512, 64), (128, 300, 64), (492, -128, -300, -64), ("wh.kong_opening=once",)
    ),
    "W10": Example(
        Win(0, 2, "rob_kong", 1, (opened(3), Laid(pung=2), NONE, NONE), (ROBBED,), True),
        (0, 960, 160, 160),
        (400, 160, 160),
        (720, -720, 0, 0),
    ),
}


@pytest.mark.rule("WH-S1")
@pytest.mark.rule("WH-S3")
@pytest.mark.rule("WH-S4")
@pytest.mark.rule("WH-S7")
@pytest.mark.parametrize("example", [pytest.param(one, id=id_) for id_, one in EXAMPLES.items()])
def test_worked_example(example, under) -> None:
    paid = settle(example.win, under(*example.changes))
    assert (paid.raw, paid.shares[1:], paid.deltas) == (example.raw, example.shares, example.deltas)
    assert reaches_minimum(paid.raw, (1, 2, 3), under(*example.changes))


@pytest.mark.rule("WH-C7")
def test_w1_with_one_opening_counted_is_no_win(under, judge) -> None:
    """W1': the same under 开口翻: 16, 2 and 4; nobody reaches 20."""
    kaikou = under("wh.open_mode=kaikou")
    assert settle(W1, kaikou).raw == (0, 16, 2, 4)
    text = "[123m,1][456m,1][789p,1]2p2p3sP4s"
    others = (opened(1), NONE, opened(2))
    refused = judge(text, "P", by=kaikou, others=others)
    assert (refused.legal, refused.reason, refused.total) == (False, "minimum", 0)
    assert (refused.hard, refused.raw, refused.payment) == (False, (0, 16, 2, 4), None)
    assert judge(text, "P", others=others).total == 104  # W1


@pytest.mark.rule("WH-S3")
def test_w8_openings_of_both_sides_multiply(settings) -> None:
    """Two chows and a pung of the winner, one chow of a loser: x8 x2 before all other factors."""
    laid = (Laid(chow=2, pung=1), opened(1), NONE, NONE)
    paid = settle(Win(0, 2, "discard", 2, laid, (), False), settings)
    assert (paid.raw[1], paid.raw[3]) == (16, 8)
