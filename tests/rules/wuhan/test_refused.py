"""What cannot lie on a table is refused by name; what may not win says why (WH-C17)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.rules.wuhan import FedMeld, HandError, Laid, count
from tablectl.rules.wuhan.catalog import catalogue

SMALL = "[123m,1][456m,1][789p,1]234s5p5p"
ROBBED = {"way": "rob_kong", "others": (Laid(pung=1), Laid(), Laid())}


@pytest.mark.rule("WH-C17")
@pytest.mark.parametrize(
    ("text", "more", "key"),
    [
        ("[123m,1][456m,1][789p,1]234s5p", {}, "wrong_count"),
        ("[123m,1][456m,1][789p,1]2345s5p5p", {}, "wrong_count"),
        ("[123m,1][456m,1][555p,1]234s5p5p", {}, "five_copies"),
        (
            "[123m,1][456m,1][789p,1]999s5p5p",
            {
                "laizi": ("9s",),
                "laizi_kong": 1,
                "way": "self_draw",
                "others": (Laid(laizi_discard=1), Laid(), Laid()),
            },
            "five_copies",
        ),
        ("[3333p,1][456m,1][789p,1]234s5p5p", {"laizi": ("4p",), "indicator": "3p"}, "five_copies"),
        (
            "[123m,1][456m,1][789p,1]234sC5p",
            {"hongzhong_kong": 2, "others": (Laid(hongzhong_kong=2), Laid(), Laid())},
            "five_copies",
        ),
        ("[124m,1][456m,1][789p,1]234s5p5p", {}, "hand.no_meld"),
        ("[999s,1][456m,1][789p,1]234s5p5p", {"laizi": ("9s",)}, "hand.not_melded"),
        ("[9999s][456m,1][789p,1]234s5p5p", {"laizi": ("9s",)}, "hand.not_melded"),
        ("[CCC,1][456m,1][789p,1]234s5p5p", {}, "hand.not_melded"),
        ("[111m][456m,1][789p,1]234s5p5p", {}, "hand.feeder"),
        (SMALL, {"laizi": ("1s",), "indicator": "8s"}, "hand.laizi_indicator"),
        (SMALL, {"laizi": ("1s", "2s")}, "hand.laizi_kinds"),
        (SMALL, {"laizi": ("f1",)}, "hand.no_tile"),
        (SMALL, {"way": "kong_draw"}, "hand.no_kong"),
        (SMALL, {"discarder": None}, "hand.discarder"),
        (SMALL, {"way": "self_draw", "discarder": 2}, "hand.discarder"),
        (SMALL, {"discarder": 0}, "hand.own_tile"),
        (SMALL, {"dealer": 4}, "hand.no_player"),
        (SMALL, {"others": (Laid(laizi_discard=5), Laid(), Laid())}, "five_copies"),
        (SMALL, {"others": (Laid(hongzhong_kong=5), Laid(), Laid())}, "five_copies"),
        (SMALL, {"others": (Laid(pi_kong=1), Laid(), Laid())}, "five_copies"),
        (SMALL, {"laid": (Laid(),) * 4}, "hand.laid"),
        (SMALL, {"others": (Laid(chow=5), Laid(), Laid())}, "hand.laid"),
        (SMALL, {"others": (Laid(chow=-1), Laid(), Laid())}, "hand.laid"),
        (SMALL, {"others": (Laid(), Laid())}, "hand.players"),
        (SMALL, ROBBED, "hand.robbed_held"),
        ("[123m,1][456m,1][789p,1]55p23s4s", ROBBED | {"others": (Laid(),) * 3}, "hand.no_pung"),
        (
            "[123m,1][456m,1][789p,1]55p23s4s",
            ROBBED | {"indicator": "4s", "laizi": ("5s",)},
            "hand.robbed_held",
        ),
    ],
)
def test_impossible_hand(text, more, key, lay, settings) -> None:
    hand = lay(text, **({"laizi": "P"} | more))
    with pytest.raises(HandError) as caught:
        count(hand, settings)
    assert caught.value.key == key


@pytest.mark.rule("WH-C17")
@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"winning": "f1"}, "hand.no_tile"),
        ({"winning": "0m"}, "hand.no_tile"),
        ({"indicator": "f1"}, "hand.no_tile"),
    ],
)
def test_impossible_part(changes, key, lay, settings) -> None:
    with pytest.raises(HandError) as caught:
        count(replace(lay(SMALL, "P"), **changes), settings)
    assert caught.value.key == key


@pytest.mark.rule("WH-C15")
@pytest.mark.parametrize(
    "meld",
    [
        FedMeld("chow", ("1m", "2m", "3m"), 1),
        FedMeld("chow", ("1m", "2m", "3m"), 2),
        FedMeld("pung", ("1m", "1m", "1m"), 0),
        FedMeld("pung", ("1m", "1m", "1m"), None),
        FedMeld("concealed_kong", ("1m",) * 4, 1),
    ],
)
def test_feeder_that_cannot_be(meld, lay, settings) -> None:
    """A chow comes from the upper seat, player 3 here; nobody feeds himself."""
    hand = lay(SMALL, "P")
    laid = Laid(chow=3) if meld.kind == "chow" else Laid(chow=2, pung=1)
    if meld.kind == "concealed_kong":
        laid = Laid(chow=2, concealed_kong=1)
    hand = replace(hand, melds=(meld, *hand.melds[1:]), laid=(laid, *hand.laid[1:]))
    with pytest.raises(HandError) as caught:
        count(hand, settings)
    assert caught.value.key == "hand.feeder"


@pytest.mark.rule("WH-C17")
@pytest.mark.parametrize(
    ("text", "more", "reason"),
    [
        pytest.param(
            "[123m,1][456m,1][789p,1]234s5pC", {}, "hongzhong_in_hand", marks=pytest.mark.rule("WH-W4")
        ),
        ("[123m,1][456m,1][789p,1]23sC5p5p", {}, "hongzhong_in_hand"),
        ("[1111m]456m789p234s55p", {}, "not_opened"),
        pytest.param("[123m,1][456m,1][789p,1]234s5pP", {}, "laizi_claimed", marks=pytest.mark.rule("WH-W5")),
        ("[123m,1]456m789p55pPP2s", {}, "two_laizi"),
        ("[123m,1][456m,1][789p,1]234s6p6p", {}, "pair_not_258"),
        ("[123m,1][456m,1][789p,1]236s6p6p", {}, "no_shape"),
        ("[123m,1][456m,1][789p,1]234s5p5p", {}, ""),
        ("[123m,1]456m789p234s55p", {"others": (Laid(), Laid(), Laid()), "dealer": 2}, "minimum"),
    ],
)
def test_reason_of_a_hand_that_may_not_win(text, more, reason, judge) -> None:
    counted = judge(text, "P", **more)
    assert (counted.reason, counted.legal) == (reason, not reason)
    assert not reason or catalogue().reasons[reason].zh
    assert counted.legal or (counted.payment, counted.total) == (None, 0)


@pytest.mark.rule("WH-W4")
def test_hongzhong_laid_out_does_not_forbid_winning(judge) -> None:
    assert judge(SMALL, "P", hongzhong_kong=3).payment.factor == 8 * 8 * 2
