"""Each pattern in a hand of its own, what is not counted beside it and why, and what shapes allow."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.rules.zungjung import counts
from tablectl.rules.zungjung.catalog import catalogue

DRAWN = {"self_drawn": True}

# Position, how it was won, its patterns with their points, total.
HANDS: dict[str, tuple[str, dict[str, Any], dict[str, int], int]] = {
    "small three dragons": ("[RRR] [GGG] B234 C678 OO", {}, {"3.1": 20, "3.2.1": 40}, 60),
    "small three winds": ("[EEE] [SSS] B234 C678 W W*", {"seat_wind": "N"}, {"3.3.1": 30}, 30),
    "big three winds": ("[EEE] [SSS] [WWW] B234 C55", {"seat_wind": "W"}, {"3.1": 10, "3.3.2": 120}, 130),
    "big four winds": ("[EEE] [SSS] [WWW] NNN C55", {}, {"3.3.4": 400}, 400),
    "all honors": ("[EEE] [SSS] [RRR] GGG O O*", {}, {"3.4": 320}, 320),
    "two identical sequences": ("[C234] [C234] [D678] B456 EE", {}, {"1.1": 5, "5.1.1": 10}, 15),
    "twice two identical": ("[C234] [C234] [D678] D678 EE", {}, {"1.1": 5, "5.1.2": 60}, 65),
    "three identical": ("[C234] [C234] [C234] D678 EE", {}, {"1.1": 5, "5.1.3": 120}, 125),
    "four identical": ("[C234] [C234] [C234] C234 EE", {}, {"5.1.4": 480}, 480),
    "three similar sequences": ("[C234] [D234] [B234] D678 EE", {}, {"1.1": 5, "6.1": 35}, 40),
    "small similar triplets": ("[C444] [D444] [C678] B123 B44", {}, {"6.2.1": 30}, 30),
    "similar triplets": ("[C444] [D444] [B444] B123 EE", {}, {"6.2.2": 120}, 120),
    "nine-tile straight": ("[C123] [C456] [C789] D234 EE", {}, {"1.1": 5, "7.1": 40}, 45),
    "no straight of other sequences": ("[C123] [C345] [C678] C789 EE", {}, {"1.1": 5, "2.1.1": 40}, 45),
    "three consecutive": ("[C444] [C555] [C666] D123 EE", {"seat_wind": "S"}, {"7.2.1": 100}, 100),
    "four consecutive": ("[C444] [C555] [C666] [C777] B1 B1*", {}, {"4.1": 30, "7.2.2": 200}, 230),
    "mixed lesser terminals": ("[C123] [D789] [D999] EEE B1 B1*", {"seat_wind": "S"}, {"8.1.1": 40}, 40),
    "pure lesser terminals": ("[C123] [D789] [D999] B123 B11", {}, {"8.1.2": 50}, 50),
    "mixed greater terminals": (
        "[C111] [D999] [B111] EEE B9 B9*",
        {"seat_wind": "S"},
        {"4.1": 30, "8.1.3": 100},
        130,
    ),
    "pure greater terminals": ("[C111] [D999] [B111] B999 C9 C9*", {}, {"8.1.4": 400}, 400),
    "final draw": ("[C123] D456 B789 [RRR] D55", {**DRAWN, "wall_last": True}, {"3.1": 10, "9.1.1": 10}, 20),
    "final discard": ("[C123] D456 B789 [RRR] D55", {"wall_last": True}, {"3.1": 10, "9.1.2": 10}, 20),
    "seabed tile on a kong": (
        "[C123] D456 B789 {RRRR} D55",
        {**DRAWN, "wall_last": True, "kong": True},
        {"3.1": 10, "4.3.1": 5, "9.1.1": 10, "9.2": 10},
        35,
    ),
    "robbing": ("[C123] D46 B789 [RRR] B55 D5*", {"kong": True}, {"3.1": 10, "9.3": 10}, 20),
    "heaven": ("C123 D456 B789 RRR D55", {**DRAWN, "heaven": True}, {"1.2": 5, "3.1": 10, "9.4.1": 155}, 170),
    "thirteen terminals": ("C19 D19 B19 ESWN RGO R", {}, {"10.1": 160}, 160),
    "robbing for thirteen terminals": (
        "C19 D19 B19 ESWN RG R O*",
        {"kong": True},
        {"9.3": 10, "10.1": 160},
        170,
    ),
    "heaven with thirteen terminals": (
        "C19 D19 B19 ESWN RGO R",
        {**DRAWN, "heaven": True},
        {"9.4.1": 155, "10.1": 160},
        315,
    ),
    "seven pairs of one suit and honours": ("C113355 C7799 EE RR", {}, {"2.1.1": 40, "10.2": 30}, 70),
    "seven pairs without terminals": ("C2244 D3355 B6688 C77", {}, {"1.3": 5, "10.2": 30}, 35),
    "seven pairs of terminals": ("C1199 D1199 B11 EE RR", {}, {"8.1.3": 100, "10.2": 30}, 130),
    "seven pairs on the last discard": (
        "C2244 D3355 B6688 EE",
        {"wall_last": True},
        {"9.1.2": 10, "10.2": 30},
        40,
    ),
    "one kong": ("[C4444 big] [D678] [B123] B678 EE", {}, {"4.3.1": 5}, 5),
    "two kong": ("[C4444 small] {D6666} [B123] B678 EE", {}, {"4.3.2": 20}, 20),
    "four equal tiles are no kong": ("C4444 C56 B789 D123 R R*", {}, {"1.2": 5}, 5),
}


@pytest.mark.rule("ZJ-S2")
@pytest.mark.rule("ZJ-S7")
@pytest.mark.rule("ZJ-S15")
@pytest.mark.parametrize(
    ("text", "how", "points", "total"),
    [
        pytest.param(*row, id=name, marks=[pytest.mark.rule(f"zj-{id_}") for id_ in row[2]])
        for name, row in HANDS.items()
    ],
)
def test_pattern_in_its_hand(text, how, points, total, judge) -> None:
    counted = judge(text, **how)
    assert {line.id.removeprefix("zj-"): line.points for line in counted.patterns} == points
    assert counted.total == total


def left_out(counted) -> set[tuple[str, str]]:
    return {(pattern.removeprefix("zj-"), because) for pattern, because in counted.not_counted}


@pytest.mark.rule("ZJ-S2")
def test_lesser_pattern_of_a_series_is_left_out_for_the_greater(judge) -> None:
    assert left_out(judge("[C234] [C234] [D678] D678 EE")) == {("5.1.1", "zj-5.1.2")}
    assert left_out(judge("[C234] [C234] [C234] D678 EE")) == {("5.1.1", "zj-5.1.3")}
    assert left_out(judge("[C444] [C555] [C666] [C777] B1 B1*")) == {("7.2.1", "zj-7.2.2")}
    assert left_out(judge("[C123] [D789] [D999] B123 B11")) == {("8.1.1", "zj-8.1.2")}
    assert ("4.2.1", "zj-4.2.2") in left_out(judge("D55567 B222 C888 B99 D5*"))


@pytest.mark.rule("ZJ-S4")
def test_listed_pattern_stands_alone(judge) -> None:
    counted = judge("[EEE] [SSS] [WWW] [RRR] N N*", seat_wind="E")
    assert (counted.limit, counted.total, counted.added) == ("listed", 320, 320)
    alone = {("3.1", "ZJ-S4"), ("3.4", "ZJ-S4"), ("4.1", "ZJ-S4"), ("8.1.3", "ZJ-S4")}
    assert alone <= left_out(counted)
    assert ("3.3.1", "zj-3.3.3") not in left_out(counted)


@pytest.mark.rule("ZJ-S4")
def test_sum_is_cut_at_the_limit(judge) -> None:
    counted = judge("{B1111} {B2222} B333 B555 B77", self_drawn=True)
    assert (counted.limit, counted.total, counted.added) == ("compound", 320, 360)
    assert judge("C19 D19 B19 ESWN RGO R", self_drawn=True, heaven=True).limit == ""


@pytest.mark.rule("ZJ-S7")
def test_shapes_without_sets_add_little(judge) -> None:
    assert left_out(judge("C19 D19 B19 ESWN RGO R")) == {("8.1.3", "zj-10.1")}
    assert left_out(judge("C1199 D1199 B11 EE RR")) == set()


@pytest.mark.rule("ZJ-S8")
@pytest.mark.rule("zj-2.2")
def test_nine_gates(judge) -> None:
    gates = "C1112345678999"
    for number in range(1, 10):
        assert judge(f"{gates} C{number}*").total == 480
        assert judge(f"{gates} C{number}*", self_drawn=True).total == 480
    assert judge("C1112345678999 C5*", self_drawn=True, kept_apart=False).total == 90
    assert ("2.2", "ZJ-S8") in left_out(judge(f"{gates} C5*", self_drawn=True, kept_apart=False))
    assert judge("[C111] C2345678999 C5*").total == 80
    assert judge("C111234567899 C9 C5*").total == 480


@pytest.mark.rule("ZJ-S8")
@pytest.mark.parametrize("winning", range(1, 10))
def test_of_a_dealt_fourteen_any_tile_is_the_last(winning: int, judge) -> None:
    tiles = [*"11123455678999"]
    tiles.remove(str(winning))
    counted = judge(f"C{''.join(tiles)} C{winning}*", self_drawn=True, heaven=True)
    assert (counted.total, ("2.2", "ZJ-S8") in left_out(counted)) == (245, True)
    setting = "zj.heaven_nine_gates=heaven_only"
    assert judge(f"C{''.join(tiles)} C{winning}*", setting, self_drawn=True, heaven=True).total == 155


@pytest.mark.rule("zj-9.4.1")
def test_concealed_kong_voids_heaven(judge) -> None:
    counted = judge("{C1111} D456 B789 RRR D55", self_drawn=True, heaven=True, kong=True)
    assert counted.total == 5 + 10 + 5 + 5 + 10
    assert left_out(counted) == {("9.4.1", "ZJ-S9")}


@pytest.mark.rule("ZJ-S6")
@pytest.mark.parametrize(
    ("text", "drawn", "pattern"),
    [
        ("C222 D444 B66 D55 C789 B6*", False, "zj-4.2.1"),
        ("C222 D444 B66 D55 C789 B6*", True, "zj-4.2.2"),
        ("C222 D444 B666 D5 C789 D5*", False, "zj-4.2.2"),
        ("{C2222} D444 B66 D55 C789 B6*", False, "zj-4.2.1"),
        ("[C2222 big] D444 B66 D55 C789 B6*", False, None),
        ("C222 D44 B789 C678 EE D4*", False, None),
    ],
)
def test_concealed_triplets(text, drawn, pattern, judge) -> None:
    counted = judge(text, self_drawn=drawn)
    ours = [line.id for line in counted.patterns if line.id.startswith("zj-4.2")]
    assert ours == ([pattern] if pattern else [])


@pytest.mark.rule("ZJ-S6")
@pytest.mark.rule("zj-1.2")
@pytest.mark.parametrize(
    ("text", "concealed"),
    [
        ("C123 D456 B789 RRR D55", True),
        ("{C1111} D456 B789 RRR D55", True),
        ("[C1111 big] D456 B789 RRR D55", False),
        ("[C123] D456 B789 RRR D55", False),
        ("EE SS D11 D99 B55 B77 RR", False),
        ("C19 D19 B19 ESWN RGO R", False),
    ],
)
def test_concealed_hand_is_of_regular_hands_only(text: str, concealed: bool, judge) -> None:
    for drawn in (False, True):
        counted = judge(text, self_drawn=drawn)
        assert ("zj-1.2" in {line.id for line in counted.patterns}) == concealed


@pytest.mark.rule("ZJ-S3")
def test_readings_come_highest_first_and_are_never_mixed(hand, settings, judge) -> None:
    found = counts(hand("C222 C333 C44 D555 B66 C4*"), settings)
    assert [one.total for one in found] == [170, 130]
    assert found[0].reading == (("2m",) * 3, ("3m",) * 3, ("4m",) * 3, ("5p",) * 3, ("6s",) * 2)
    assert (found[0].won, found[1].reading[found[1].won]) == (2, ("2m", "3m", "4m"))
    assert found[0] == judge("C222 C333 C44 D555 B66 C4*")


@pytest.mark.rule("ZJ-S9")
@pytest.mark.rule("ZJ-C17")
def test_replacement_tile_of_any_kong_is_a_self_draw(judge) -> None:
    for kong in ("{C1111}", "[C1111 big]", "[C1111 small]"):
        counted = judge(f"{kong} D456 B789 RRR D55", self_drawn=True, kong=True)
        assert "zj-9.2" in {line.id for line in counted.patterns}


@pytest.mark.rule("ZJ-C7")
def test_robbed_tile_is_claimed_and_counts_no_last_tile(judge) -> None:
    counted = judge("C123 D46 B789 RRR B55 D5*", kong=True)
    assert {line.id for line in counted.patterns} == {"zj-1.2", "zj-3.1", "zj-9.3"}


def test_every_pattern_has_its_hand() -> None:
    shown = {f"zj-{id_}" for _, _, points, _ in HANDS.values() for id_ in points}
    elsewhere = {"zj-2.2", "zj-2.1.2", "zj-3.2.2", "zj-3.3.3", "zj-4.2.1", "zj-4.2.2", "zj-4.2.3"}
    elsewhere |= {"zj-4.3.3", "zj-4.3.4", "zj-9.4.2"}  # positions of the rule file, lines of the case files
    assert shown | elsewhere == set(catalogue())
