"""The penalty catalogues say what the articles say."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tablectl.rules.articles import articles
from tablectl.rules.book import load_book
from tablectl.rules.offences import Measure, Offence

BOOK = load_book()
WARNED: list[dict[str, Any]] = [
    {"warning": True},
    *({"points": points} for points in (5, 10, 20, 30, 40, 50, 60)),
]
TO_DAMAGED = {"to": "damaged", "else_to": "off_table", "when": "now"}
SCALE = {"points": 10, "up_to": 50, "unit": 10, **TO_DAMAGED}
TENS: list[dict[str, Any]] = [{"warning": True}, {"points": 10, **TO_DAMAGED}]
DEAD = ["no_win", "no_claims", "no_kongs"]


def offence(id_: str, name: str) -> Offence:
    return BOOK[id_].offences[name]


def said(measure: Measure) -> dict[str, Any]:
    """What a measure says, without what it leaves out."""
    plain, silent = (msgspec.json.decode(msgspec.json.encode(one)) for one in (measure, Measure()))
    return {key: value for key, value in plain.items() if value != silent[key]}


LADDERS = [
    ("mcr", "MCR-P1", "late", [{"warning": True, "points": 10, "when": "stage", "late_s": 600}]),
    ("mcr", "MCR-P2", "cheating", [{"effects": ["disqualify", "report"]}]),
    ("mcr", "MCR-P3", "wrong_meld", [{"effects": ["no_win"]}]),
    ("mcr", "MCR-P4", "empty_claim", WARNED),
    ("mcr", "MCR-P5", "early_draw", WARNED),
    ("mcr", "MCR-P6", "late_claim", [{**step, "effects": ["claim_void"]} for step in WARNED]),
    ("mcr", "MCR-P7", "false_win_low", [{"points": 10, "to": "each", "effects": ["no_win"]}]),
    ("mcr", "MCR-P8", "false_win_near", [{"points": 20, "to": "each", "effects": ["no_win"]}]),
    ("mcr", "MCR-P9", "false_win_wrong_tile", [{"points": 10, "to": "each", "effects": ["no_win"]}]),
    ("mcr", "MCR-P10", "false_win_far", [{"effects": ["no_win", "disqualify"]}]),
    ("mcr", "MCR-P11", "exposed_tile", [{"effects": ["forced_discard"]}]),
    ("mcr", "MCR-P12", "hand_laid_down", [{"warning": True}]),
    ("mcr", "MCR-P14", "named_tile", WARNED),
    ("mcr", "MCR-P14", "wrong_name", [{"effects": ["pays_all"]}]),
    ("mcr", "MCR-P15", "short_hand", [{"effects": ["no_win"]}]),
    ("mcr", "MCR-P15", "long_hand", [{"effects": ["no_win"]}]),
    ("mcr", "MCR-P17", "disturbance", [{"effects": ["disqualify", "report"]}]),
    ("mcr", "MCR-T3", "overtime", WARNED),
    ("zungjung", "ZJ-P1", "early_draw", [{"effects": DEAD}]),
    ("zungjung", "ZJ-P2", "discard_before_draw", [{"effects": ["no_win"]}]),
    ("zungjung", "ZJ-P3", "reaching", [{"warning": True}]),
    ("zungjung", "ZJ-P4", "fast_draw", [{"warning": True}, {"effects": ["benefit"]}]),
    ("zungjung", "ZJ-P5", "misplaced_discard", [{"effects": ["pays_all"]}]),
    ("zungjung", "ZJ-P6", "wrong_name", [{"effects": ["pays_all"]}]),
    ("zungjung", "ZJ-P7", "exposed_tile", [{"effects": ["penalty_tiles"]}]),
    ("zungjung", "ZJ-P9", "penalty_tile_used", [{"effects": ["correct_meld", "penalty_tiles"]}]),
    ("zungjung", "ZJ-P10", "exposed_dealing", [{"effects": ["penalty_tiles"], "free": 1}]),
    ("zungjung", "ZJ-P11", "short_hand", [{"effects": ["no_win"]}]),
    ("zungjung", "ZJ-P12", "long_hand", [{"effects": DEAD}]),
    ("zungjung", "ZJ-P13", "wrong_meld", [{"effects": ["correct_meld", "penalty_tiles"]}]),
    ("zungjung", "ZJ-P14", "changed_call", [{}]),
    ("zungjung", "ZJ-P15", "empty_claim", [{"effects": ["penalty_tiles"], "tiles": 2}]),
    ("zungjung", "ZJ-P16", "empty_kong", [{}]),
    ("zungjung", "ZJ-P17", "wrong_meld_late", [{"effects": ["no_win"]}]),
    ("zungjung", "ZJ-P17", "wrong_meld_replaced", [{"effects": DEAD}]),
    ("zungjung", "ZJ-P18", "discard_before_show", [{"effects": ["show_meld"]}]),
    ("zungjung", "ZJ-P19", "false_win", [{"effects": ["penalty_tiles"]}]),
    ("zungjung", "ZJ-P20", "win_cancelled", [{"effects": ["penalty_tiles"], "tiles": 3}]),
    ("zungjung", "ZJ-P21", "hand_laid_down", [{"effects": ["penalty_tiles"]}]),
    ("zungjung", "ZJ-P22", "replacement_before_kong", [{"effects": DEAD}]),
    ("zungjung", "ZJ-P23", "kong_unsaid", [{"effects": ["as_discard"]}]),
    ("zungjung", "ZJ-T2", "overtime", [{"by_clock": True}]),
    ("zungjung", "ZJ-T1", "overtime_bank", [{"by_clock": True}]),
    ("zungjung", "ZJ-T7", "overtime_forfeit", [{"effects": ["forfeit_hand"]}]),
    ("zungjung", "ZJ-P25", "wrong_thrower", [{"effects": ["reroll"]}]),
    ("zungjung", "ZJ-P26", "wrong_break", [{"effects": ["rebuild"]}]),
    ("zungjung", "ZJ-P27", "wrong_dealer", [{"effects": ["redeal"]}]),
    ("zungjung", "ZJ-P28", "deliberate_foul", [{"warning": True, "effects": ["referee_decides"]}]),
    ("zungjung", "ZJ-P29", "early_look", [{"warning": True}]),
    ("zungjung", "ZJ-P30", "early_build", [{"effects": ["rebuild"]}]),
    ("ccm", "CJ-P1", "foul", [SCALE]),
    ("ccm", "CJ-P2", "exposed_tile", [{"effects": ["forced_discard", "mechanical"]}]),
    ("ccm", "CJ-P3", "short_hand", [{"effects": ["mechanical"]}]),
    ("ccm", "CJ-P3", "long_hand", [{"effects": ["mechanical"]}]),
    ("ccm", "CJ-P4", "false_win", [{**SCALE, "effects": ["mechanical"]}]),
    ("ccm", "CJ-P5", "flower_discarded", [{"effects": ["mechanical", "no_win"]}]),
    ("ccm", "CJ-P6", "named_tile", TENS),
    ("ccm", "CJ-P6", "forbidden_words", TENS),
    ("ccm", "CJ-P6", "early_draw", TENS),
    ("ccm", "CJ-P7", "suspicious_movement", [{}, {"warning": True}]),
    ("ccm", "CJ-P8", "hand_laid_down", TENS),
    (
        "ccm",
        "CJ-P9",
        "win_off_zero",
        [{"points": 10, "to": "each", "when": "now", "effects": ["pays_value"]}],
    ),
    ("ccm", "CJ-T2", "overtime", TENS),
    (
        "mcr-ema",
        "MCR-E1",
        "false_win_low",
        [{"points": 10, "to": "each", "effects": ["no_win", "tiles_back"]}],
    ),
    ("mcr-ema", "MCR-E2", "late_selfdraw", WARNED),
    ("mcr-ema", "MCR-E3", "wrong_meld", [{"effects": ["correct_meld"]}]),
    ("mcr-ema", "MCR-E3", "wrong_meld_late", [{"effects": ["no_win"]}]),
    ("mcr-ema", "MCR-E4", "counted_early", [{"points": 10}]),
    ("mcr-ema", "MCR-E5", "claim_not_taken", [{"effects": ["no_win"]}]),
    ("mcr-ema", "MCR-E6", "comment", [{"warning": True}]),
    ("mcr-ema", "MCR-E7", "hidden_tiles", [{"warning": True}]),
    ("mcr-ema", "MCR-E8", "tile_mixed_in", [{"effects": ["less_fan"]}]),
]


@pytest.mark.parametrize(
    ("id_", "rule", "name", "ladder"),
    [pytest.param(*row, marks=pytest.mark.rule(row[1]), id=f"{row[0]}-{row[2]}") for row in LADDERS],
)
def test_an_article_costs_what_the_book_says(
    id_: str, rule: str, name: str, ladder: list[dict[str, Any]]
) -> None:
    found = offence(id_, name)
    assert found.rule == rule
    assert [said(measure) for measure in found.ladder] == ladder


@pytest.mark.rule("MCR-P13")
def test_who_exposes_anothers_tiles_pays_him_one_of_the_amounts_the_book_knows() -> None:
    measure = offence("mcr", "exposes_others").ladder[0]
    assert measure.to == "damaged"
    assert measure.amounts() == (5, 10, 20, 30, 40, 50, 60)


@pytest.mark.rule("MCR-P16")
def test_illegal_information_costs_points_or_the_win() -> None:
    found = offence("mcr", "illegal_information")
    assert found.ladder[0].amounts() == (5, 10, 20, 30, 40, 50, 60)
    assert found.choices[0].effects == ("no_win",)


@pytest.mark.rule("MCR-P1")
def test_who_comes_later_pays_more_and_then_forfeits() -> None:
    choices = [said(measure) for measure in offence("mcr", "late").choices]
    assert choices[0] == {"points": 20, "when": "stage", "late_s": 900}
    assert choices[1]["effects"] == ["forfeit_session"]


@pytest.mark.parametrize(
    ("id_", "prefix", "last"),
    [("mcr", "MCR", 17), ("zungjung", "ZJ", 30), ("ccm", "CJ", 10), ("wuhan", "WH", 1)],
)
def test_every_article_stands_in_its_catalogue(id_: str, prefix: str, last: int) -> None:
    told = {rule for one in BOOK[id_].offences.values() for rule in (one.rule, *one.also)}
    assert {f"{prefix}-P{number}" for number in range(1, last + 1)} <= told


def test_every_article_a_catalogue_names_is_known() -> None:
    for ruleset in BOOK.values():
        for name, one in ruleset.offences.items():
            for rule in (one.rule, *one.also, *([one.like] if one.like else [])):
                assert rule in articles(), f"{ruleset.id} {name}: {rule}"


def test_only_what_leaves_no_choice_applies_by_itself() -> None:
    automatic = {
        (id_, name)
        for id_ in ("mcr", "zungjung")
        for name, one in BOOK[id_].offences.items()
        if one.automatic
    }
    assert automatic == {
        ("mcr", "false_win_low"),
        ("mcr", "false_win_near"),
        ("mcr", "false_win_wrong_tile"),
        ("zungjung", "false_win"),
    }


@pytest.mark.rule("CJ-T2")
@pytest.mark.parametrize(
    "name", ["overtime", "named_tile", "forbidden_words", "early_draw", "hand_laid_down"]
)
def test_the_tens_of_the_chip_game_end_at_fifty_and_are_provisional(name: str) -> None:
    found = offence("ccm", name)
    assert (found.most, found.provisional) == (50, True)
    assert found.setting == ("ccm.overtime" if name == "overtime" else "ccm.foul_points")


@pytest.mark.rule("CJ-P2")
def test_the_second_form_of_the_penalty_tile_is_the_referees_choice() -> None:
    found = offence("ccm", "exposed_tile")
    assert [said(measure) for measure in found.choices] == [{"effects": ["random_discard", "mechanical"]}]
    assert found.setting == "ccm.penalty_tile_then_xianggong"


@pytest.mark.rule("CJ-D1")
def test_penalties_of_the_chip_game_are_not_doubled() -> None:
    assert not any(one.doubles for one in BOOK["ccm"].offences.values())
    assert offence("ccm", "foul").setting == "ccm.double_penalties"


@pytest.mark.rule("WH-P1")
def test_wuhan_follows_mcr_and_says_so() -> None:
    mcr, wuhan = BOOK["mcr"].offences, BOOK["wuhan"].offences
    assert list(wuhan) == list(mcr)
    for name, one in wuhan.items():
        assert (one.like, one.provisional) == (mcr[name].rule, True)
        assert one.rule == ("WH-T1" if name == "overtime" else "WH-P1")
        assert one.setting == ("wh.time" if name == "overtime" else "wh.penalties")
        assert (one.ladder, one.choices, one.signs) == (mcr[name].ladder, mcr[name].choices, mcr[name].signs)


@pytest.mark.rule("MCR-E2")
def test_ema_gives_every_claim_three_seconds_and_ten_to_look_at_a_self_drawn_hand() -> None:
    claims = BOOK["mcr-ema"].claims
    fields = ("window_s", "win_s", "chow_s", "robbing_s")
    assert {getattr(claims, field).value for field in fields} == {3}
    assert {getattr(claims, field).rule for field in (*fields, "selfdraw_s")} == {"MCR-E2"}
    assert not any(getattr(claims, field).provisional for field in fields)
    assert claims.selfdraw_s.value == 10


@pytest.mark.rule("MCR-T4")
def test_ema_finishes_the_hand_at_time() -> None:
    assert BOOK["mcr-ema"].session.end_of_time.value == "finish_hand"
    assert BOOK["mcr-ema"].session.start_points.provisional


@pytest.mark.parametrize("name", [name for name in BOOK["mcr"].offences if name != "overtime"])
def test_what_ema_could_not_verify_is_provisional(name: str) -> None:
    one = BOOK["mcr-ema"].offences[name]
    assert one.setting == "mcr.penalty_profile"
    verified = {"false_win_low", "wrong_meld"}
    assert one.provisional == (name not in verified)
