"""Positions Z1 to Z22 of the rule file; Z13 is a penalty tile's, not the judge's."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.rules.tiles import WINDS
from tablectl.rules.zungjung.pay import Discard, Win, payments, responsible
from tablectl.rules.zungjung.settings import changed

DRAWN = {"self_drawn": True}
EARTH = {"seat_wind": "S", "earth": True}
HEAVEN = {"self_drawn": True, "heaven": True}

# Position, how it was won, the points of its patterns by id, total.
HANDS: dict[str, tuple[str, dict[str, Any], dict[str, int], int]] = {
    "Z1": ("B234567 C345 D456 D88", {}, {"1.1": 5, "1.2": 5, "1.3": 5}, 15),
    "Z2": ("B222 C444 D666 D888 W W*", DRAWN, {"4.2.3": 125, "1.2": 5, "4.1": 30}, 160),
    "Z2 on a discard": ("B222 C444 D666 D888 W W*", {}, {"4.2.3": 125, "1.2": 5, "4.1": 30}, 160),
    "Z3 sequence": ("[RRR] [GGG] OOO B23 C55 B4*", {}, {"3.2.2": 130, "3.1": 30}, 160),
    "Z3 pair": ("[RRR] [GGG] OOO B234 C5 C5*", {}, {"3.2.2": 130, "3.1": 30}, 160),
    "Z4": ("[RRR] D11122233 C99 D3*", {}, {"5.1.3": 120, "8.1.1": 40, "3.1": 10}, 170),
    "Z5": (
        "{B1111} [B3333 big] [B5555 small] B777 B9 B9*",
        {},
        {"2.1.2": 80, "4.1": 30, "4.3.3": 120, "4.2.1": 5},
        235,
    ),
    "Z6": (
        "{B1111} {B2222} B333 B555 B77",
        DRAWN,
        {"2.1.2": 80, "4.1": 30, "4.2.3": 125, "4.3.2": 20, "7.2.1": 100, "1.2": 5},
        320,
    ),
    "Z7": ("EE SS WW NN RR GG OO", DRAWN, {"3.4": 320}, 320),
    "Z8 South": ("[SSS] B234 C67 D55 [D789] C8*", {"seat_wind": "S"}, {"3.1": 10}, 10),
    "Z8 West": ("[SSS] B234 C67 D55 [D789] C8*", {"seat_wind": "W"}, {}, 1),
    "Z14": ("[RRR] B11 D77788899 D9*", {}, {"5.1.3": 120, "8.1.1": 40, "3.1": 10}, 170),
    "Z14 pair": ("[RRR] B11 D77788899 B1*", {}, {"4.1": 30, "3.1": 10, "4.2.1": 5}, 45),
    "Z14 edge": ("[RRR] B11 D77788899 D6*", {}, {"3.1": 10, "5.1.1": 10}, 20),
    "Z15": ("D55567 B222 C888 B99 D5*", {}, {"4.2.2": 30, "1.2": 5}, 35),
    "Z16": (
        "C222 C333 C44 D555 B66 C4*",
        {},
        {"1.2": 5, "1.3": 5, "4.1": 30, "4.2.2": 30, "7.2.1": 100},
        170,
    ),
    "Z17": (
        "C1112345678999 C5*",
        HEAVEN,
        {"9.4.1": 155, "1.2": 5, "2.1.2": 80, "4.2.1": 5},
        245,
    ),
    "Z17 later": ("C1112345678999 C5*", DRAWN, {"2.2": 480}, 480),
    "Z17 no nine-way wait": ("C1112345567899 C9*", DRAWN, {"1.2": 5, "2.1.2": 80, "4.2.1": 5}, 90),
    "Z18": ("B234567 C345 D456 E E*", EARTH, {"9.4.2": 155, "1.1": 5, "1.2": 5}, 165),
    "Z20": ("[EEE] [SSS] [WWW] [RRR] N N*", {}, {"3.3.3": 320}, 320),
    "Z20 kongs": ("{EEEE} {SSSS} {WWWW} {NNNN} RR", DRAWN, {"4.3.4": 480}, 480),
    "Z21": ("D1199 C99 B1199 C1111", DRAWN, {"8.1.4": 400}, 400),
    "Z22": (
        "B22334455667788",
        DRAWN,
        {"5.1.2": 60, "1.1": 5, "1.2": 5, "1.3": 5, "2.1.2": 80},
        155,
    ),
}


@pytest.mark.rule("ZJ-S9")
@pytest.mark.parametrize(
    ("text", "how", "points", "total"),
    [
        pytest.param(*row, id=name, marks=[pytest.mark.rule(f"zj-{id_}") for id_ in row[2]])
        for name, row in HANDS.items()
    ],
)
def test_position_is_counted_as_the_rule_file_says(text, how, points, total, judge) -> None:
    counted = judge(text, **how)
    assert {line.id.removeprefix("zj-"): line.points for line in counted.patterns} == points
    assert (counted.total, counted.legal) == (total, True)


@pytest.mark.rule("ZJ-S3")
def test_z14_self_drawn_is_worth_the_same_both_ways(judge) -> None:
    counted = judge("[RRR] B11 D77788899 D9*", self_drawn=True)
    added = {line.id for line in counted.patterns}
    assert counted.total == 170
    assert added in (
        {"zj-3.1", "zj-5.1.3", "zj-8.1.1"},
        {"zj-3.1", "zj-4.1", "zj-4.2.2", "zj-7.2.1"},
    )


@pytest.mark.rule("ZJ-S8")
def test_z17_heaven_alone(judge) -> None:
    setting = "zj.heaven_nine_gates=heaven_only"
    counted = judge("C1112345678999 C5*", setting, **HEAVEN)
    assert (counted.total, [line.id for line in counted.patterns]) == (155, ["zj-9.4.1"])
    assert judge("B222 C444 D666 D888 W W*", setting, **HEAVEN).total == 315
    assert judge("C1112345678999 C5*", setting, self_drawn=True).total == 480


# What a hand of this value is worth to winner, responsible player, the two others.
SHARES = {
    "Z1": (15, 45, -15, -15),
    "Z2": (160, 480, -430, -25),
    "Z4": (170, 510, -460, -25),
    "Z5": (235, 705, -655, -25),
    "Z8 South": (10, 30, -10, -10),
    "Z8 West": (1, 3, -1, -1),
    "Z12 up to the share": (25, 75, -25, -25),
    "Z12 above the share": (30, 90, -40, -25),
    "Z14 pair": (45, 135, -85, -25),
    "Z15": (35, 105, -55, -25),
    "a round example": (70, 210, -160, -25),
    "the compound limit": (320, 960, -910, -25),
    "the greatest listed": (480, 1440, -1390, -25),
}


@pytest.mark.rule("ZJ-S10")
@pytest.mark.rule("ZJ-S12")
@pytest.mark.parametrize(("value", "winner", "payer", "other"), SHARES.values(), ids=SHARES.keys())
def test_payments_on_a_discard(value: int, winner: int, payer: int, other: int) -> None:
    assert payments(value, 0, 2) == (winner, other, payer, other)


@pytest.mark.rule("ZJ-S11")
@pytest.mark.rule("ZJ-C17")
@pytest.mark.parametrize(
    "value", [160, 320, 170, 245], ids=["Z2", "Z6 and Z7", "Z14 self-drawn", "Z17 dealt"]
)
def test_each_pays_a_drawn_tile(value: int) -> None:
    assert payments(value, 3, None) == (-value, -value, -value, 3 * value)


def discards(text: str) -> list[Discard]:
    """``S 5p, W 5p!``: who discarded what, ``!`` if it was claimed."""
    pairs = (one.split() for one in text.split(","))
    return [Discard(WINDS.index(seat), tile.rstrip("!"), tile.endswith("!")) for seat, tile in pairs]


SOUTH, EAST, NORTH = 1, 0, 3
NINTH = "S 5p, W 5p, N 3m, E 5p"
TENTH = "S 9m, W 5p, N 2s, E 5p"
NINETEENTH = "S 9m, W 5p!, N 2s!, W 8m"

# Discards, how South won on 5p, changed setting, value, what E S W N gain.
PAYERS: dict[str, tuple[str, Win, str, int, tuple[int, int, int, int]]] = {
    "Z9": (NINTH, Win(SOUTH, "discard", "5p", EAST), "", 40, (-40, 120, -40, -40)),
    "Z10": (TENTH, Win(SOUTH, "discard", "5p", EAST), "", 40, (-25, 120, -70, -25)),
    "Z11": (TENTH, Win(SOUTH, "discard", "5p", EAST, invoked=False), "", 40, (-70, 120, -25, -25)),
    "Z18": ("E E", Win(SOUTH, "discard", "E", EAST), "", 165, (-445, 495, -25, -25)),
    "Z19": (NINETEENTH, Win(SOUTH, "robbed_kong", "5p", NORTH), "", 55, (-25, 165, -115, -25)),
    "Z19 under the setting": (
        NINETEENTH,
        Win(SOUTH, "robbed_kong", "5p", NORTH),
        "zj.immunity_robbed_kong=false",
        55,
        (-25, 165, -25, -115),
    ),
}


@pytest.mark.rule("ZJ-S13")
@pytest.mark.rule("ZJ-S14")
@pytest.mark.rule("ZJ-C9")
@pytest.mark.parametrize(("text", "win", "setting", "value", "gains"), PAYERS.values(), ids=PAYERS.keys())
def test_position_is_paid_as_the_rule_file_says(text, win, setting, value, gains, settings) -> None:
    chosen = changed(settings, setting) if setting else settings
    payer = responsible(discards(text), win, chosen)
    assert payments(value, win.winner, payer) == gains
