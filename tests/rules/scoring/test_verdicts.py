"""Hands in words before the four judges: what comes out, who pays, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.rules.book import load_book
from tablectl.rules.errors import HandError
from tablectl.rules.scoring.asked import Asked
from tablectl.rules.scoring.choices import changed
from tablectl.rules.scoring.plain import plain, settings
from tablectl.rules.scoring.verdict import Verdict
from tablectl.rules.systems import score

BOOK = load_book()
STRAIGHT = "123m 456m 789m EEE 55p"
OPENED = "[123m,1][456p,1]789m234s55p"
WON = {
    "mcr": {"tiles": STRAIGHT},
    "zungjung": {"tiles": STRAIGHT},
    "ccm": {"tiles": STRAIGHT},
    "wuhan": {"tiles": OPENED, "indicator": "E", "laid": "S chow 2 pung"},
}


def judged(rules: str, giver: str | None = None, **how: Any) -> Verdict:
    asked = Asked(rules=rules, giver=giver, **({} if "tiles" in how else WON[rules]), **how)
    return score(asked, changed(BOOK[rules], asked.settings))


def refused(rules: str, giver: str | None = None, **how: Any) -> str:
    with pytest.raises(HandError) as caught:
        judged(rules, giver, **how)
    return caught.value.key


PAID = [
    ("mcr", {"self_draw": True}, {"E": 102, "S": -34, "W": -34, "N": -34}),
    ("mcr", {"giver": "W"}, {"E": 48, "S": -8, "W": -32, "N": -8}),
    ("mcr", {"giver": "E", "seat": "S"}, {"E": -30, "S": 46, "W": -8, "N": -8}),
    ("mcr", {}, {"winner": 48, "discarder": -32, "others": -8}),
    ("zungjung", {"self_draw": True}, {"E": 165, "S": -55, "W": -55, "N": -55}),
    ("zungjung", {"giver": "W"}, {"E": 165, "S": -25, "W": -115, "N": -25}),
    ("zungjung", {"giver": "W", "liable": "N"}, {"E": 165, "S": -25, "W": -25, "N": -115}),
    ("zungjung", {"giver": "W", "liable": "none"}, {"E": 165, "S": -55, "W": -55, "N": -55}),
    ("zungjung", {}, {"winner": 165, "discarder": -115, "others": -25}),
    ("ccm", {"self_draw": True}, {"E": 126, "S": -42, "W": -42, "N": -42}),
    ("ccm", {"giver": "W"}, {"E": 84, "S": 0, "W": -84, "N": 0}),
    ("ccm", {"giver": "W", "chips": (100, 250, 30, 20)}, {"E": 30, "S": 0, "W": -30, "N": 0}),
    ("ccm", {"giver": "W", "doubled": True}, {"E": 100, "S": 0, "W": -100, "N": 0}),
    ("ccm", {"giver": "W", "liable": "N"}, {"E": 100, "S": 0, "W": 0, "N": -100}),
    ("ccm", {}, {"winner": 84, "discarder": -84, "others": 0}),
    ("wuhan", {"giver": "S"}, {"E": 288, "S": -256, "W": -16, "N": -16}),
    ("wuhan", {"self_draw": True}, {"E": 320, "S": -256, "W": -32, "N": -32}),
]


@pytest.mark.rule("MCR-S2")
@pytest.mark.rule("ZJ-S12")
@pytest.mark.rule("CJ-S5")
@pytest.mark.rule("WH-S4")
@pytest.mark.parametrize(("rules", "how", "payments"), PAID)
def test_who_pays(rules, how, payments) -> None:
    verdict = judged(rules, **how)
    assert verdict.legal
    assert verdict.payments == payments
    others = 2 if "others" in payments else 1
    weighed = {who: points * (others if who == "others" else 1) for who, points in payments.items()}
    assert sum(weighed.values()) == 0


@pytest.mark.report("B069")
@pytest.mark.rule("MCR-S2")
def test_a_flower_is_paid_too() -> None:
    """Eleven fan and a flower."""
    hand = {"tiles": "[EEE,2][PPP,1] 123m 456m 5p 5p", "flowers": 1}
    drawn, claimed = judged("mcr", self_draw=True, **hand), judged("mcr", "S", **hand)
    assert sum(drawn.payments.values()) == sum(claimed.payments.values()) == 0
    assert drawn.payments["S"] == -(drawn.total + 8)
    assert claimed.payments == {"E": claimed.total + 24, "S": -(claimed.total + 8), "W": -8, "N": -8}
    assert [one.count for one in claimed.best.fans if one.name.id == "mcr-81"] == [1]


@pytest.mark.report("B072")
def test_every_difference_of_editions_is_a_setting_that_the_answer_names() -> None:
    hand = "[1111m][2222p,1] 345s 678s 5m 5m"
    values = [judged("mcr", "S", tiles=hand, setting=f"mcr.mixed_kong={value}").total for value in (5, 6)]
    assert values[1] - values[0] == 1
    six = settings(changed(BOOK["mcr"], ["mcr.mixed_kong=6"]))
    assert six["values"]["mcr.mixed_kong"] == 6
    assert settings(BOOK["mcr"])["values"]["mcr.mixed_kong"] == 5
    assert set(six["values"]) == {
        "mcr.mixed_kong", "mcr.two_concealed_kongs", "mcr.knitted_wait", "mcr.knitted_in_unrelated",
        "mcr.seven_pairs_selfdraw", "mcr.nine_gates_terminal", "mcr.standard_points",
    }  # fmt: skip


def test_a_setting_may_be_a_word_a_number_or_a_truth() -> None:
    rules = changed(BOOK["wuhan"], ["wh.laizi_max_used=2", "wh.pi=true", "wh.gold=raise_cap", "wh.cap=200"])
    values = settings(rules)["values"]
    picked = [values[f"wh.{name}"] for name in ("laizi_max_used", "pi", "gold", "cap")]
    assert picked == [2, True, "raise_cap", 200]
    assert (
        settings(changed(BOOK["mcr"], ["mcr.standard_points=ema"]))["values"]["mcr.standard_points"] == "ema"
    )
    assert "ccm.fan_values" in settings(BOOK["ccm"])["provisional"]


@pytest.mark.parametrize(
    ("setting", "key"),
    [
        ("mcr.mixed_kong=7", "score.no_value"),
        ("mcr.mixed_kong", "score.no_value"),
        ("mcr.mixed=5", "score.no_setting"),
        ("wh.cap=200", "score.no_setting"),
        ("mcr.mixed_kong=" + "9" * 5000, "score.no_value"),
    ],
)
def test_a_setting_that_is_none_is_refused(setting, key) -> None:
    assert refused("mcr", setting=setting) == key


REFUSED = [
    ("mcr", {"tiles": "11111m 456m 789m EEE"}, "hand.too_many_alike"),
    ("mcr", {"tiles": "123m 456m 789m EEE 5p"}, "hand.wrong_number"),
    ("mcr", {"tiles": "[135m,1] 456m 789m EEE 55p"}, "hand.no_meld"),
    ("mcr", {"tiles": "f1 123m 456m 789m EEE 5p"}, "hand.flower_held"),
    ("mcr", {"tiles": "[123m,1][EEE,1]456m789m55p", "win": "E"}, "hand.win_not_there"),
    ("mcr", {"flowers": 9}, "hand.flowers"),
    ("mcr-136", {"tiles": STRAIGHT, "flowers": 1}, "hand.no_flowers"),
    ("zungjung", {"flowers": 1}, "hand.no_flowers"),
    ("wuhan", {"flowers": 1, "giver": "S"}, "hand.no_flowers"),
    ("mcr", {"self_draw": True, "giver": "S"}, "hand.drawn_from"),
    ("mcr", {"giver": "E"}, "hand.own_discard"),
    ("mcr", {"liable": "S"}, "hand.nobody_liable"),
    ("zungjung", {"liable": "E"}, "hand.own_liable"),
    ("mcr", {"last_of_kind": True}, "hand.not_last_of_kind"),
    ("mcr", {"kong": True, "self_draw": True}, "hand.no_kong"),
    ("mcr", {"kong": True, "wall_last": True}, "hand.kong_on_last"),
    ("mcr", {"kong": True}, "hand.robbed_held"),
    ("zungjung", {"heaven": True}, "hand.heaven_on_discard"),
    ("zungjung", {"heaven": True, "self_draw": True, "seat": "S"}, "hand.heaven_not_east"),
    ("zungjung", {"earth": True, "seat": "S", "giver": "W"}, "hand.earth_from"),
    ("ccm", {"flower_win": True}, "hand.flower_not_drawn"),
    ("ccm", {"mixed": True}, "hand.mixed_not_drawn"),
    ("ccm", {"flowers": 7, "self_draw": True}, "hand.flower_kong"),
    ("ccm", {"chips": (1, 2, 3, 4)}, "hand.from_missing"),
    ("ccm", {"chips": (-1, 2, 3, 4), "giver": "S"}, "chips.impossible"),
    ("wuhan", {}, "hand.from_missing"),
    ("wuhan", {"tiles": OPENED, "giver": "S"}, "hand.laizi_missing"),
    ("wuhan", {"giver": "S", "wall_last": True}, "hand.last_discarded"),
    ("wuhan", {"self_draw": True, "wall_last": True, "kong": True}, "hand.kong_among_last"),
    ("wuhan", {"liable": "S"}, "hand.nobody_liable"),
    ("wuhan", {"tiles": OPENED, "indicator": "E", "laid": "X pung", "giver": "S"}, "hand.laid_form"),
    ("wuhan", {"tiles": OPENED, "indicator": "E", "laid": "S", "giver": "S"}, "hand.laid_form"),
    ("wuhan", {"tiles": OPENED, "indicator": "E", "laid": "S pong", "giver": "S"}, "hand.laid_word"),
    ("wuhan", {"tiles": OPENED, "indicator": "E", "laid": "S 2", "giver": "S"}, "hand.laid_word"),
    ("wuhan", {"tiles": OPENED, "indicator": "E", "laid": "S pung 99", "giver": "S"}, "hand.laid_word"),
    ("wuhan", {"tiles": OPENED, "indicator": "E", "laizi": "1p", "giver": "S"}, "hand.laizi_indicator"),
    ("wuhan", {"tiles": "[EEE]456p789m234s55p", "laizi": "1p", "giver": "S"}, "hand.feeder"),
    ("wuhan", {"tiles": "[111s,1]11s456p789m55p", "laizi": "1p", "giver": "S"}, "wrong_count"),
    ("wuhan", {"tiles": "[111s,1]11s456p789m555p", "laizi": "1p", "giver": "S"}, "five_copies"),
]


@pytest.mark.rule("WH-C17")
@pytest.mark.parametrize(("rules", "how", "key"), REFUSED)
def test_what_cannot_be_is_refused_before_anything_is_counted(rules, how, key) -> None:
    assert refused(rules, **how) == key


NO_WIN = [
    ("mcr", {"tiles": "[123m,1][456m,1]789p 22s 345s"}, "win.below_minimum", False),
    ("mcr", {"tiles": "123m 456m 789m EEE 5p 6p"}, "win.no_shape", False),
    ("zungjung", {"tiles": "123m 456m 789m EEE 5p 6p"}, "win.no_shape", False),
    ("zungjung", {"tiles": "[123m,1][456s,1][888p,1]22s 345s", "setting": "zj.min_points=5"},
     "win.below_minimum", False),
    ("ccm", {"tiles": "[123m,1][567s,1][789p,1]22s 345s"}, "win.no_fan", False),
    ("ccm", {"giver": "S", "chips": (200, 0, 100, 100)}, "win.payer_out", True),
    ("ccm", {"giver": "S", "chips": (100, 10, 0, 290)}, "win.not_first", True),
    ("wuhan", {"tiles": "123m456p789m234s55p", "laizi": "E", "giver": "S"}, "win.not_opened", False),
    ("wuhan", {"tiles": "[123m,1]456p789m234s55p", "laizi": "E", "giver": "S"}, "win.minimum", False),
]  # fmt: skip


@pytest.mark.rule("MCR-S1")
@pytest.mark.rule("CJ-S1")
@pytest.mark.parametrize(("rules", "how", "refusal", "met"), NO_WIN)
def test_what_is_no_win_says_why(rules, how, refusal, met) -> None:
    verdict = judged(rules, **how)
    assert (verdict.legal, verdict.refusal, verdict.minimum_met) == (False, refusal, met)
    assert (verdict.payments is None) == (refusal not in ("win.payer_out", "win.not_first"))


@pytest.mark.rule("CJ-S7")
def test_the_melds_tell_who_is_liable() -> None:
    fed = "[EEE,2][SSS,2][WWW,2] 11m 55m 5m"
    assert judged("ccm", "S", tiles=fed).payments["W"] == -100
    unknown = "[EEE,2][SSS][WWW,2] 11m 55m 5m"
    assert judged("ccm", "S", tiles=unknown).payments["W"] == 0


@pytest.mark.rule("CJ-S7")
def test_a_hung_tile_warns() -> None:
    single = "[123m,1][456p,1][EEE,3][777s,2] 5p 5p"
    assert judged("ccm", "S", tiles=single).details["owed"]["S"] == 40
    assert judged("ccm", "S", tiles=single, hung="6p").details["owed"]["S"] == 60


@pytest.mark.rule("WH-C10")
def test_a_robbed_kong_lay_on_a_pung() -> None:
    verdict = judged("wuhan", "S", tiles="[123m,1][456p,1]789m 55p 34s 2s", laizi="E", kong=True)
    assert [one.name.id for one in verdict.best.fans] == ["wh-08"]
    assert verdict.details["payer"] == "S"


@pytest.mark.parametrize("rules", ["mcr", "zungjung", "ccm", "wuhan"])
def test_what_a_system_has_no_fan_for_is_named(rules: str) -> None:
    told = {"zungjung": "last_of_kind", "ccm": "heaven"}.get(rules, "heaven")
    hand = {"tiles": "[EEE,1][123m,1]456m78m 55p 9m"} if rules == "zungjung" else {}
    verdict = judged(rules, **{told: True, "self_draw": True, **hand})
    assert told in [one.name.id for one in verdict.not_counted]


def test_a_runner_up_is_another_reading() -> None:
    verdict = judged("mcr", tiles="111222333m 789p 55s", self_draw=True)
    assert verdict.others
    assert all(one.total <= verdict.total for one in verdict.others)
    assert len({*verdict.others, verdict.best}) == len(verdict.others) + 1
    shown = plain(verdict, BOOK["mcr"], explain=True)
    assert [one["total"] for one in shown["others"]] == [one.total for one in verdict.others]
    assert "others" not in plain(verdict, BOOK["mcr"])


@pytest.mark.parametrize("rules", ["mcr", "zungjung", "ccm"])
def test_points_of_the_fans_add_up(rules: str) -> None:
    verdict = judged(rules, "S")
    assert sum(one.points * one.count for one in verdict.best.fans) == verdict.total
    assert sorted(tile for group in verdict.best.reading for tile in group) == sorted(
        (*(f"{number}m" for number in range(1, 10)), "E", "E", "E", "5p", "5p")
    )


@pytest.mark.rule("CJ-S8")
def test_without_chips_named_everybody_holds_what_the_session_hands_out() -> None:
    club = 'id = "rich"\nextends = "ccm"\n[session]\nstart_points = 20\nchips = [[10, 2]]\n'
    rules = load_book([("rich.toml", club)])["rich"]
    asked = Asked("123m 456m 789m EEE 5p 5p", rules="rich", giver="S")
    verdict = score(asked, rules)
    assert (verdict.details["chips"]["S"], verdict.payments["S"]) == (0, -20)
