"""What a hand with penalty tiles may still win by (ZJ-P8)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from tablectl.rules.zungjung import count
from tablectl.rules.zungjung.readings import readings

DRAGONS = "[RRR] B11 D77788899 D9*"
SETS = "C123 D456 B789 EEE R R*"
PAIRS = "C11 C33 D22 D55 B77 EE R R*"
TERMINALS = "C19 D19 B19 ESWN RGO C1*"
MISSING = "C19 D19 B1 ESWN RGOO B9*"

REFUSED = [
    (SETS, ["C"], "the single tile of the pair"),
    (PAIRS, ["C"], "the single tile of seven pairs"),
    ("C123 D456 B78 EEE D55 B9*", ["8s"], "a chow the claimed tile completes"),
    ("C123 D456 B77 EEE D55 B7*", ["7s"], "a pung the claimed tile completes"),
    (TERMINALS, ["1m"], "thirteen terminals on the same kind"),
    (MISSING, ["E", "S", "9m"], "thirteen terminals with three"),
]
ALLOWED = [
    (SETS, ["4p", "E", "E", "E"], "concealed sets"),
    (PAIRS, ["1m", "E"], "pairs that were there"),
    ("C123 D456 B777 EEE D5 D5*", ["7s"], "a concealed triplet"),
    ("C123 D456 B888 EEE D5 D5*", ["8s"], "a set that was there"),
    ("[C123] D456 B7778 D555 B9*", ["7s"], "an equal tile that is none"),
    (MISSING, ["E", "S"], "thirteen terminals with two of other kinds"),
]


@pytest.mark.rule("ZJ-P8", "ZJ-P9")
@pytest.mark.parametrize(("text", "limited", "what"), REFUSED, ids=[what for *_, what in REFUSED])
def test_a_claimed_tile_does_not_win_with_it(text, limited, what, judge) -> None:
    assert judge(text).legal
    assert judge(text, penalty_tiles=tuple(limited)).refusal == "win.penalty_tile"


@pytest.mark.rule("ZJ-P8")
@pytest.mark.parametrize(("text", "limited", "what"), REFUSED, ids=[what for *_, what in REFUSED])
def test_a_drawn_tile_does(text, limited, what, judge) -> None:
    plain = judge(text, self_drawn=True)
    assert judge(text, self_drawn=True, penalty_tiles=tuple(limited)) == plain


@pytest.mark.rule("ZJ-P8")
@pytest.mark.parametrize(("text", "limited", "what"), ALLOWED, ids=[what for *_, what in ALLOWED])
def test_where_the_claimed_tile_does_not_touch_it_the_hand_wins(text, limited, what, judge) -> None:
    assert judge(text, penalty_tiles=tuple(limited)) == judge(text)


@pytest.mark.rule("ZJ-P8", "ZJ-S3")
def test_the_best_reading_that_breaks_no_limit_is_chosen(judge) -> None:
    assert judge(DRAGONS).total == 170  # three chows, one of them with the claimed nine
    assert judge(DRAGONS, penalty_tiles=("7p", "7p", "7p")).total == 145  # nor may any seven be in it


@pytest.mark.rule("ZJ-P8")
def test_a_limit_never_makes_a_hand_worth_more_nor_one_that_is_none_a_win(random_win, settings) -> None:
    random = Random(8)
    for _ in range(200):
        hand = replace(random_win(random), heaven=False, earth=False)
        if not hand.concealed:
            continue
        limited = random.sample(hand.concealed, random.randint(1, min(3, len(hand.concealed))))
        plain, bound = count(hand, settings), count(replace(hand, penalty_tiles=tuple(limited)), settings)
        assert bound.total <= plain.total
        if bound.legal and not hand.self_drawn and bound.won >= 0:
            used = Counter(bound.reading[bound.won])
            used[hand.winning] -= 1
            free = Counter(hand.concealed) - Counter(limited)
            assert used <= free
        if not bound.legal:
            assert list(readings(hand, settings))
