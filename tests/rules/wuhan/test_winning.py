"""What a win needs, and which 大胡 it has (WH-C)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.rules.wuhan import Laid, wins

SMALL = "[123m,1][456m,1][789p,1]234s5p5p"
SOFT = "[123m,1][456m,1][789p,1]24s5pP5p"
JIANG = "[222m,1]5528m258p588s5s"
WINDS = "[EEE,1]SSWWNNFFPPF"
ROBBED_PUNG = (Laid(pung=1), Laid(), Laid())


@pytest.mark.rule("WH-C1")
@pytest.mark.parametrize(
    ("meld", "reason"),
    [
        ("[123m,1]", ""),
        ("[111m,2]", ""),
        ("[1111m,2]", ""),
        ("[1111m,2+]", ""),
        ("[1111m]", "not_opened"),
    ],
)
def test_opening(meld, reason, judge) -> None:
    """One-tile kongs and concealed kongs open nothing."""
    assert judge(f"{meld}456m789p234s5p5p", "P", hongzhong_kong=1, laizi_kong=1).reason == reason


@pytest.mark.rule("WH-C2")
@pytest.mark.rule("wh-00")
@pytest.mark.parametrize(
    ("pair", "reason"),
    [("2p2p", ""), ("5m5m", ""), ("8s8s", ""), ("1p1p", "pair_not_258"), ("EE", "pair_not_258")],
)
def test_pair_of_a_small_win(pair, reason, judge) -> None:
    counted = judge(f"[123m,1][456m,1][789p,1]234s{pair}", "P")
    assert (counted.reason, counted.big) == (reason, ())


@pytest.mark.rule("WH-C2")
@pytest.mark.rule("WH-C14")
@pytest.mark.parametrize(
    ("text", "big"),
    [
        pytest.param("[111m,1]333p666p77s444s", "碰碰胡", marks=pytest.mark.rule("wh-01")),
        pytest.param("[123m,1]456m789m333m99m", "清一色", marks=pytest.mark.rule("wh-02")),
        pytest.param(JIANG, "将一色", marks=pytest.mark.rule("wh-03")),
        pytest.param(WINDS, "风一色", marks=pytest.mark.rule("wh-04")),
    ],
    ids=["pungs", "one suit", "258", "honours"],
)
def test_four_kinds_take_any_pair(text, big, judge, named) -> None:
    assert named(judge(text, "1p").big) == [big]


@pytest.mark.rule("WH-C2")
@pytest.mark.parametrize("way", ["kong_draw", "last_four", "rob_kong"])
def test_other_ways_to_a_big_win_leave_the_pair_as_it_is(way, judge) -> None:
    for pair, reason in (("55p", ""), ("66p", "pair_not_258")):
        text = f"[1111m,1][456m,1][789p,1]{pair}34s2s"
        assert judge(text, "P", way=way, others=ROBBED_PUNG).reason == reason


@pytest.mark.rule("WH-C2")
@pytest.mark.parametrize("way", ["kong_draw", "last_four"])
def test_pungs_free_the_pair_of_such_a_win(way, judge) -> None:
    counted = judge("[1111m,1][777m,1][999p,1]66pEEE", "P", way=way)
    assert (counted.legal, len(counted.big)) == (True, 2)


@pytest.mark.rule("WH-C3")
@pytest.mark.parametrize(
    ("text", "way", "big"),
    [
        (JIANG, "discard", ["将一色"]),
        (JIANG, "last_four", ["将一色", "海底捞"]),
        (WINDS, "discard", ["风一色"]),
        (JIANG[:-2] + "6s", "discard", []),
        (WINDS[:-1] + "3m", "discard", []),
    ],
)
def test_tiles_of_one_kind_need_no_sets(text, way, big, judge, named) -> None:
    counted = judge(text, "1p", way=way)
    assert named(counted.big) == big
    assert counted.reason == ("" if big else "no_shape")


@pytest.mark.rule("WH-C3")
def test_tiles_of_one_kind_must_open_too(judge) -> None:
    assert judge("[2222m]5528m258p588s5s".replace("5528m", "5558m"), "1p").reason == "not_opened"


@pytest.mark.rule("WH-C3")
@pytest.mark.rule("WH-W5")
def test_laizi_is_any_tile_of_the_kind(judge, named) -> None:
    counted = judge(JIANG, "5s", way="self_draw")
    assert (named(counted.big), counted.hard) == (["将一色"], True)
    counted = judge("[222m,1]5528m258p588s1p", "1p", way="self_draw")
    assert (named(counted.big), counted.hard) == (["将一色"], False)


@pytest.mark.rule("WH-C4")
def test_seven_pairs_and_concealment_are_nothing(judge) -> None:
    assert judge("1133m2255p77s99sEE", "F").reason == "not_opened"
    assert judge("[111m,1]3355p77s99sEEN", "F").reason == "no_shape"


@pytest.mark.rule("WH-C5")
@pytest.mark.parametrize(
    ("text", "way", "reason"),
    [
        ("[123m,1]456m789p55pPP2s", "discard", "two_laizi"),
        ("[123m,1]456m789p55pP2s3s", "discard", ""),
        ("[123m,1]456m789p55p2sPP", "self_draw", "two_laizi"),
        ("[123m,1]456m789p234sPP", "self_draw", "two_laizi"),
        ("[111m,1]444m777pEEPP5p", "discard", ""),
        ("[1111m,1]456m789p55pPP2s", "kong_draw", ""),
    ],
    ids=["two held", "one", "the second drawn", "as a wild pair", "all pungs", "on a replacement"],
)
def test_two_laizi_in_hand(text, way, reason, judge) -> None:
    assert judge(text, "P", way=way).reason == reason


@pytest.mark.rule("WH-C6")
@pytest.mark.parametrize(
    ("text", "laizi", "hard", "stands_for"),
    [
        (SMALL, "P", True, ()),
        (SMALL, "3s", True, ()),
        (SOFT, "P", False, ("3s",)),
        (SOFT.replace("P", "9s"), "9s", False, ("3s",)),
    ],
    ids=["none held", "at face value", "wild", "wild number"],
)
def test_hard_and_soft(text, laizi, hard, stands_for, judge) -> None:
    counted = judge(text, laizi)
    assert (counted.hard, counted.stands_for) == (hard, stands_for)


@pytest.mark.rule("WH-C6")
def test_hard_is_worth_twice_as_much(judge) -> None:
    assert [2 * share for share in judge(SOFT, "P").raw] == [*judge(SMALL, "P").raw]


@pytest.mark.rule("WH-C7")
@pytest.mark.parametrize(("openings", "reason"), [(0, "minimum"), (1, "minimum"), (2, "")])
def test_one_loser_must_reach_the_minimum(openings, reason, judge) -> None:
    others = (Laid(chow=openings), Laid(), Laid())
    counted = judge("[123m,1]456m789p234s55p", "P", dealer=2, others=others)
    assert max(counted.raw) == 8 * 2**openings
    assert (counted.reason, counted.legal) == (reason, not reason)


@pytest.mark.rule("WH-C9")
def test_a_win_passed_before_is_no_matter(lay, settings) -> None:
    """Nothing a judge is told of a hand speaks of it: the tile wins from whoever gives it next."""
    hand = lay(SMALL, "P")
    assert wins(hand, settings)
    assert wins(replace(hand, discarder=2, dealer=2), settings)


@pytest.mark.rule("WH-C10")
@pytest.mark.rule("wh-08")
def test_robbed_kong_is_a_big_win_by_discard(judge, named) -> None:
    counted = judge("[123m,1][456m,1][789p,1]55p23s4s", "P", way="rob_kong", others=ROBBED_PUNG)
    assert named(counted.big) == ["抢杠"]
    assert counted.raw == (0, 480, 160, 160)
    assert counted.payment.payer == 1


@pytest.mark.rule("WH-C11")
@pytest.mark.rule("WH-W4")
@pytest.mark.rule("wh-06")
@pytest.mark.parametrize(
    ("meld", "more"),
    [("[1111m,1]", {}), ("[123m,1]", {"hongzhong_kong": 1}), ("[123m,1]", {"laizi_kong": 1})],
    ids=["kong", "hongzhong", "laizi"],
)
def test_replacement_after_any_kong(meld, more, judge, named) -> None:
    text = f"{meld}456m789p234s55p"
    ready = judge(text, "P", way="kong_draw", **more)
    assert named(ready.big) == ["杠上花"]
    late = judge(text, "P", way="kong_draw", ready_before_kong=False, **more)
    assert late.big == ()
    # 10 x 1.5 against 1 x 2 (self-draw) x 2 (dealer)
    assert late.raw[1] * 15 == ready.raw[1] * 4
    assert late.not_counted == (("wh-06", "WH-C11"),)


@pytest.mark.rule("WH-C5")
@pytest.mark.rule("WH-C11")
def test_one_of_four_laizi_laid_out_wins_on_the_replacement(judge, named) -> None:
    counted = judge("[123m,1]456m789p2sPPP5p", "P", way="kong_draw", laizi_kong=1)
    assert named(counted.big) == ["杠上花"]


@pytest.mark.rule("WH-C12")
def test_concealed_kong_neither_opens_nor_is_an_opening(judge) -> None:
    assert judge("[1111m]456m789p234s55p", "P").reason == "not_opened"
    assert judge("[1111m][456m,1]789p234s55p", "P").payment.factor == 2 * 4 * 2


FOUR_OPENINGS = "[123m,1][456m,1][7777s,2][789p,1]"


@pytest.mark.rule("WH-C13")
@pytest.mark.rule("wh-05")
@pytest.mark.parametrize(
    ("text", "more", "big"),
    [
        (FOUR_OPENINGS + "5s5s", {}, ["全求人"]),
        ("[123p,1][345p,1][8888p,2][567p,1]6p6p", {}, ["清一色", "全求人"]),
        ("[111p,1][444s,1][7777p,2][EEE,1]6p6p", {}, ["碰碰胡", "全求人"]),
        ("[222p,1][555s,1][8888p,2][222m,1]5m8m", {}, ["将一色", "全求人"]),
        ("[EEE,1][SSS,1][WWWW,2][NNN,1]FP", {"as_laizi": "1s"}, ["风一色", "全求人"]),
        (FOUR_OPENINGS.replace(",2", "") + "5s5s", {}, []),
        (FOUR_OPENINGS + "5s5s", {"way": "self_draw"}, []),
        (FOUR_OPENINGS + "P5s", {}, []),
    ],
    ids=["258", "one suit", "pungs", "any 258", "any honour", "concealed kong", "self-drawn", "laizi left"],
)
def test_all_from_others(text, more, big, judge, named) -> None:
    laizi = more.get("as_laizi", "P")
    counted = judge(text, laizi, way=more.get("way", "discard"))
    assert (counted.legal, named(counted.big)) == (True, big)


@pytest.mark.rule("WH-C13")
def test_all_from_others_waits_for_a_jiang_tile(judge) -> None:
    assert judge(FOUR_OPENINGS + "6s6s", "P").reason == "pair_not_258"


@pytest.mark.rule("WH-C13")
def test_self_drawn_from_four_openings_says_what_is_not_counted(judge) -> None:
    counted = judge(FOUR_OPENINGS + "5s5s", "P", way="self_draw")
    assert counted.not_counted == (("wh-05", "WH-C13"),)


@pytest.mark.rule("WH-W6")
@pytest.mark.rule("wh-07")
def test_win_in_the_last_four(judge, named) -> None:
    assert named(judge(SMALL, "P", way="last_four").big) == ["海底捞"]


@pytest.mark.rule("WH-C16")
def test_big_wins_of_two_readings_do_not_add_up(judge, named) -> None:
    """将一色 hard with the laizi 5s at face value, or 将一色碰碰胡 soft with it wild: 10x2 = 20x1."""
    counted = judge("[222m,1]555m888m22p5s8s2p", "5s")
    assert (named(counted.big), counted.hard) == (["将一色"], True)
    assert counted.payment.base * counted.payment.factor == 10 * 4
    assert counted.not_counted == (("wh-01", "WH-C16"),)


@pytest.mark.rule("WH-C16")
@pytest.mark.rule("WH-W5")
def test_reading_that_brings_most_counts(judge, named) -> None:
    """Soft 30 against hard 10x2: a triplet or pair of its laizi has more than four of a kind."""
    counted = judge("[222m,1][555m,1]888m5m5s5s5s8m", "5s")
    assert (named(counted.big), counted.hard) == (["碰碰胡", "清一色", "将一色"], False)
    assert set(counted.stands_for) == {"5m", "8m"}
    assert {tile for group in counted.reading for tile in group} == {"2m", "5m", "8m"}
