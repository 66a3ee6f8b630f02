"""Each setting with a value that is not the default: what it changes."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest

from tablectl.rules.data import read
from tablectl.rules.wuhan import HandError, Laid, Win, laizi_of, settle
from tablectl.rules.wuhan.catalog import FROM_OTHERS, ONE_SUIT, PUNGS, ROBBED
from tablectl.rules.wuhan.factors import own_factor
from tablectl.rules.wuhan.score import WuhanScore
from tablectl.rules.wuhan.settings import SOURCE, packed
from tablectl.tomlfile import TomlError

SMALL = "[123m,1][456m,1][789p,1]234s5p5p"
BIG = Win(0, 3, "discard", 1, (Laid(chow=1), Laid(), Laid(), Laid()), (PUNGS,), False)
GOLD = replace(BIG, hard=True, laid=(Laid(pung=4), Laid(pung=1), Laid(), Laid()))  # 960, 320, 320


def test_every_setting_is_named_after_its_field() -> None:
    score = tomllib.loads(read(SOURCE))["score"]
    assert set(score) == {"judge", *WuhanScore.__struct_fields__}
    assert all(rule["setting"] == f"wh.{field}" for field, rule in score.items() if field != "judge")


@pytest.mark.report("B072")
@pytest.mark.parametrize(
    "change", ["wh.gold=high", "wh.min_points=21", "wh.pi=2", "wh.laizi_max_used=3", "wh.cap=much"]
)
def test_value_a_setting_cannot_have_is_refused(change) -> None:
    with pytest.raises(TomlError, match=SOURCE):
        packed([change])


def test_unknown_setting_is_refused() -> None:
    with pytest.raises(ValueError, match=r"wh\.golden"):
        packed(["wh.golden=flat"])


@pytest.mark.rule("WH-W2")
def test_laizi_next_and_kinds(under) -> None:
    assert laizi_of("N", under("wh.laizi_next=cycle_all")) == ("C",)
    assert laizi_of("8m", under("wh.laizi_kinds=2")) == ("9m", "1m")
    assert laizi_of("N", under("wh.laizi_kinds=2")) == ("F", "P")


@pytest.mark.rule("WH-W2")
def test_hongzhong_as_laizi_is_wild_and_nothing_else(under, judge) -> None:
    settings = under("wh.laizi_next=cycle_all")
    counted = judge("[123m,1][456m,1][789p,1]24s5pC5p", "C", by=settings, indicator="N")
    assert (counted.legal, counted.hard, counted.stands_for) == (True, False, ("3s",))
    assert judge("[123m,1][456m,1][789p,1]CCC5p5p", "C", by=settings).reason == "two_laizi"
    big = judge("[111m,1][444m,1][789p,1]CCC5p5p", "C", by=settings, way="last_four")
    assert "C" not in {tile for group in big.reading for tile in group}


@pytest.mark.rule("WH-W3")
def test_pi(under, judge) -> None:
    settings = under("wh.pi=true")
    assert judge(SMALL, "7s", indicator="6s").legal
    assert judge(SMALL, "7s", by=settings, indicator="6s").legal
    assert judge(SMALL, "5s", by=settings, indicator="4s").reason == "pi_in_hand"
    assert judge(SMALL, "6s", by=settings, indicator="5s").reason == "pi_in_hand"
    with pytest.raises(HandError) as caught:
        judge(SMALL, "7m", by=settings, indicator="6m")
    assert caught.value.key == "hand.not_melded"
    assert own_factor(Laid(pi_kong=2), settings) == 4


@pytest.mark.rule("WH-W5")
def test_laizi_kong_and_discard(under) -> None:
    laid = Laid(laizi_kong=1, laizi_discard=1)
    assert own_factor(laid, under()) == 4 * 2
    assert own_factor(laid, under("wh.laizi_kong=2")) == 2 * 2
    assert own_factor(laid, under("wh.laizi_discard=kong")) == 4 * 4
    assert own_factor(laid, under("wh.laizi_kong=2", "wh.laizi_discard=kong")) == 2 * 2


@pytest.mark.rule("WH-W5")
def test_wild_fifth_copy(under, judge) -> None:
    settings = under("wh.wild_fifth_copy=false")
    text = "[5555p,2][123m,1][456m,1]46pP88s"
    assert judge(text, "P").stands_for == ("5p",)
    assert judge(text, "P", by=settings).reason == "no_shape"
    fourth = "[555p,2][123m,1][456m,1]46pP88s"
    assert judge(fourth, "P", by=settings).stands_for == ("5p",)
    pairs = "[222m,1][555m,1]888m5m5s5s5s8m"
    assert [judge(pairs, "5s", by=by).hard for by in (under(), settings)] == [False, True]


@pytest.mark.rule("WH-C1")
def test_open_by_kong(under, judge) -> None:
    settings = under("wh.open_by_kong=false")
    for meld, reason in (("[1111m,2]", "not_opened"), ("[1111m,2+]", ""), ("[111m,2]", "")):
        assert judge(f"{meld}456m789p234s55p", "P", by=settings).reason == reason


@pytest.mark.rule("WH-C5")
@pytest.mark.parametrize(
    ("text", "laizi"),
    [("[123m,1]456m789p234s55p", "5p"), ("[123m,1]456m789p35s5pPP", "P")],
    ids=["at face value", "the winning tile"],
)
def test_laizi_count_face(text, laizi, under, judge) -> None:
    settings = under("wh.laizi_count_face=false")
    assert judge(text, laizi, way="self_draw").reason == "two_laizi"
    assert judge(text, laizi, way="self_draw", by=settings).legal


@pytest.mark.rule("WH-C5")
def test_two_wild_laizi_stay_too_many(under, judge) -> None:
    settings = under("wh.laizi_count_face=false")
    assert judge("[123m,1]456m789p5pPP3s5s", "P", by=settings).reason == "two_laizi"


@pytest.mark.rule("WH-C5")
def test_laizi_max_used(under, judge) -> None:
    settings = under("wh.laizi_max_used=2")
    text = "[111m,1]444m77pEEPPP5p"
    assert judge(text, "P").legal
    assert judge(text, "P", by=settings).reason == "two_laizi"
    assert judge("[111m,1]444m777pEEPP5p", "P", by=settings).legal
    with_face = judge("[EEE,1]SSSWWFNPPPN", "P", by=settings)
    assert (with_face.legal, with_face.hard) == (True, True)


@pytest.mark.rule("WH-C7")
def test_min_points_and_rule(under, judge) -> None:
    others = (Laid(chow=1), Laid(), Laid())  # raw 16, 8, 8
    text = "[123m,1]456m789p234s55p"

    def legal(*changes: str) -> bool:
        return judge(text, "P", dealer=2, others=others, by=under(*changes)).legal

    assert judge(text, "P", dealer=2, others=others).raw == (0, 16, 8, 4)
    assert [legal(f"wh.min_points={least}") for least in (0, 16, 20, 32, 64)] == [
        True,
        True,
        False,
        False,
        False,
    ]
    smallest = "wh.min_rule=smallest_loser"
    assert [legal(f"wh.min_points={least}", smallest) for least in (0, 16)] == [True, False]


@pytest.mark.rule("WH-C10")
def test_rob_value_of_the_konger(under) -> None:
    """As if the konger, with a chow and the robbed kong, had won on the replacement: 10 x 8 x 1.5."""
    win = Win(
        0, 2, "rob_kong", 1, (Laid(chow=3), Laid(chow=1, pung=1), Laid(), Laid(pung=1)), (ROBBED,), False
    )
    assert settle(win, under()).raw == (0, 10 * 8 * 4 * 3 // 2, 80, 160)
    paid = settle(win, under("wh.rob_value=konger"))
    assert paid.raw == (0, 120 * 8, 120, 240)  # the konger owes what the winner would have paid him
    assert paid.deltas == (400 + 120 + 240, -760, 0, 0)


@pytest.mark.rule("WH-C11")
def test_kong_ready(under, judge, named) -> None:
    text = "[1111m,1]456m789p234s55p"
    counted = judge(text, "P", way="kong_draw", ready_before_kong=False, by=under("wh.kong_ready=any"))
    assert named(counted.big) == ["杠上花"]


@pytest.mark.rule("WH-C13")
def test_quanqiuren_selfdraw(under, judge, named) -> None:
    settings = under("wh.quanqiuren_selfdraw=true")
    counted = judge("[123m,1][456m,1][7777s,2][789p,1]5s5s", "P", way="self_draw", by=settings)
    assert (named(counted.big), counted.payment.payer) == (["全求人"], None)


@pytest.mark.rule("WH-S2")
def test_big_sum(under) -> None:
    settings = under("wh.big_sum=doubling")
    bases = [
        settle(replace(BIG, big=big), settings).base for big in ((PUNGS,), (PUNGS,) * 2, (PUNGS,) * 3, ())
    ]
    assert bases == [10, 20, 40, 1]


@pytest.mark.rule("WH-S3")
def test_open_mode_and_kong_opening(under) -> None:
    laid = Laid(chow=2, pung=1, direct_kong=1)
    assert own_factor(laid, under()) == 2**4 * 2
    assert own_factor(laid, under("wh.open_mode=kaikou")) == 2 * 2
    assert own_factor(laid, under("wh.kong_opening=once")) == 2**3 * 2
    assert own_factor(Laid(added_kong=1), under("wh.kong_opening=once")) == 4
    assert own_factor(Laid(direct_kong=1), under("wh.open_mode=kaikou", "wh.kong_opening=once")) == 2


@pytest.mark.rule("WH-S6")
@pytest.mark.parametrize(
    ("changes", "shares"),
    [
        ((), (400, 400, 400)),
        (("wh.gold=raise_cap",), (400, 320, 320)),
        (("wh.gold_cap=500",), (500, 500, 500)),
        (("wh.gold_cap=500", "wh.gold=raise_cap"), (500, 320, 320)),
        (("wh.cap=350",), (350, 320, 320)),
        (("wh.cap_base=hand",), (960, 320, 320)),
        (("wh.cap_base=hand", "wh.cap=32"), (4000, 4000, 4000)),
    ],
)
def test_caps_and_gold(changes, shares, under) -> None:
    assert settle(GOLD, under(*changes)).shares == (0, *shares)


@pytest.mark.rule("WH-S6")
def test_gold_before_liable(under) -> None:
    robbed = replace(GOLD, way="rob_kong", big=(ROBBED,))
    paid = settle(robbed, under("wh.gold_before_liable=false"))
    assert (paid.shares, paid.gold) == ((0, 400, 320, 320), False)
    assert settle(GOLD, under("wh.gold_before_liable=false")).gold


@pytest.mark.rule("WH-S6")
def test_liable_cap_and_what_it_caps(under) -> None:
    robbed = replace(BIG, way="rob_kong", big=(ROBBED,), laid=GOLD.laid)  # 480, 160, 160
    assert settle(robbed, under("wh.liable_cap=450")).deltas == (770, -770, 0, 0)
    assert settle(robbed, under("wh.bao_cap=total")).deltas == (400, -400, 0, 0)


@pytest.mark.rule("WH-S8")
@pytest.mark.parametrize(
    ("feeders", "payer"), [((3, 3, 2), None), ((3, 3, 3), 3), ((3, 3, 2, 3), 3), ((2, 3, 2, 3), None)]
)
def test_bao_third(feeders, payer, under) -> None:
    win = replace(BIG, big=(ONE_SUIT,), feeders=feeders)
    assert settle(win, under("wh.bao_third=all_three")).payer == payer


@pytest.mark.rule("WH-S8")
def test_quanqiuren_bao(under) -> None:
    settings = under("wh.quanqiuren_bao=not_ready")
    win = replace(BIG, big=(FROM_OTHERS,), feeders=(3, 3, 2, 3), jiang_fed=True)
    assert settle(win, settings).payer == 1
    ready = replace(win, discarder_ready=True)
    assert settle(ready, settings).payer is None
    assert settle(replace(ready, big=(FROM_OTHERS, ONE_SUIT)), settings).payer == 2
    assert settle(ready, under()).payer == 1


@pytest.mark.rule("WH-S8")
def test_robbed_kong_pays_all(under) -> None:
    robbed = replace(BIG, way="rob_kong", big=(ROBBED,), laid=GOLD.laid)
    paid = settle(robbed, under("wh.robbed_kong_pays_all=false"))
    assert (paid.payer, paid.deltas) == (None, (720, -400, -160, -160))
