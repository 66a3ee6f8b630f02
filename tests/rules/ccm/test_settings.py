"""Where the source leaves a choice, a named setting decides (section B5)."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from tablectl.rules.ccm import HandError, ScoreSettings, count, wins
from tablectl.rules.ccm.catalog import edition
from tablectl.rules.ccm.notation import read
from tablectl.rules.ccm.score import CcmScore
from tablectl.rules.ccm.settings import SOURCE, changed, packed
from tablectl.rules.ccm.told import total
from tablectl.rules.data import read as read_data
from tablectl.tomlfile import Document, TomlError, convert

NAMED = {
    "shapes", "selfdraw_vs_zero", "multi_win_unpaid", "fan_values", "dihe", "wait_with_implied",
    "menqing_on_discard", "menqing_with_implied", "rob_is_selfdraw", "small_kong_payer", "flower_kong",
    "bao_consecutive", "bao_order", "guapai", "first_tie", "blocked_kong", "double_penalties",
}  # fmt: skip
PROVISIONAL = {"shapes", "fan_values", "dihe", "small_kong_payer", "flower_kong"}

TOTALS = [
    ("wait_with_implied", True, "[123m,1][567p,1]789s22p46s5s|open", 24, "CJ-S4"),
    ("wait_with_implied", True, "[123m,1][456m,1][789s,1][EEE,2]2p2p", 24, "CJ-S4"),
    ("wait_with_implied", True, "1133m5577p99sEECC", 30, "CJ-S4"),
    ("menqing_on_discard", False, "111m555p33377s99p7s", 20, "CJ-S4"),
    ("menqing_on_discard", False, "111m555p33377s99p7s|self", 28, "CJ-S4"),
    ("menqing_on_discard", False, "456789m23m11pEEE1m|kong", 38, "CJ-S5"),
    ("menqing_with_implied", True, "1133m5577p99sEECC", 38, "CJ-S4"),
    ("menqing_with_implied", True, "147m258p369sESWNC", 28, "CJ-S4"),
    ("dihe", 30, "[111m,2][555p,2]33377s99p7s|self earth", 50, "CJ-C3"),
]


@pytest.mark.report("B072")
@pytest.mark.parametrize(
    ("setting", "value", "text", "points"),
    [
        pytest.param(*row[:4], id=f"{row[0]}={row[1]} {row[2]}", marks=pytest.mark.rule(row[4]))
        for row in TOTALS
    ],
)
def test_setting_decides_the_total(setting, value, text, points, judge) -> None:
    assert judge(text, **{setting: value}).total == points


@pytest.mark.rule("CJ-S5")
def test_robbed_kong_counts_as_self_drawn_or_not(judge) -> None:
    text = "123456789m23pEE1p|kong last"
    own = judge(text)
    assert [line.id for line in own.fans] == ["ccm-02", "ccm-last-draw", "ccm-concealed"]
    other = judge(text, rob_is_selfdraw=False)
    assert [line.id for line in other.fans] == ["ccm-02", "ccm-last-discard", "ccm-concealed"]
    strict = judge(text, rob_is_selfdraw=False, menqing_on_discard=False)
    assert (own.total, other.total, strict.total) == (46, 46, 38)


@pytest.mark.rule("CJ-S1")
@pytest.mark.parametrize(
    ("shape", "text"),
    [
        ("sets", "[111m,2][555p,2]33377s99p7s"),
        ("knitted", "[EEE,2]147m258p36s11p9s"),
        ("pairs", "1133m5577p99sEECC"),
        ("unrelated", "147m258p369sESWNC"),
    ],
)
def test_shape_that_is_not_played_does_not_win(shape, text, settings) -> None:
    fewer = replace(settings, shapes=tuple(one for one in settings.shapes if one != shape))
    hand = read(text)
    assert wins(hand, settings)
    assert not wins(hand, fewer)
    assert count(hand, fewer).form is None


@pytest.mark.rule("CJ-S3")
def test_fan_values_are_the_rulesets_but_for_the_sourced_one(judge) -> None:
    other = changed({"fan_values": {"ccm-11": 24}})
    assert judge("1133557799mEECC", fan_values=other.fan_values).total == 24 + 20
    assert edition(other)["ccm-10"].points == 40
    with pytest.raises(TomlError, match="ccm-04"):
        changed({"fan_values": {"ccm-04": 24}})
    with pytest.raises(TomlError):
        changed({"fan_values": {"ccm-01": -1}})


@pytest.mark.rule("CJ-S6")
def test_flower_kong_of_any_four_leaves_three_to_score(settings) -> None:
    hand = read("[111m,2][555p,2]33377s99p7s||4")
    assert count(hand, settings).total == 28
    with pytest.raises(HandError):
        count(hand, replace(settings, flower_kong="any_four"))


@pytest.mark.rule("CJ-S4")
def test_told_win_follows_the_settings_too(settings) -> None:
    extras = {"menqing": True, "flowers": 2}
    assert total(("ccm-04",), extras, "discard", settings).total == 32
    strict = replace(settings, menqing_on_discard=False)
    assert total(("ccm-04",), extras, "discard", strict).total == 24
    assert total(("ccm-04",), extras, "rob", strict).total == 32


def test_named_settings_stand_in_the_ruleset_with_their_marks() -> None:
    section = Document(read_data(SOURCE), SOURCE).data["score"]
    named = {field for field, rule in section.items() if isinstance(rule, dict) and rule.get("setting")}
    assert named == NAMED
    assert all(section[field]["setting"] == f"ccm.{field}" for field in NAMED)
    assert {
        field for field in section if field != "judge" and section[field].get("provisional")
    } == PROVISIONAL


def test_settings_are_the_values_of_the_section() -> None:
    document = Document(read_data(SOURCE), SOURCE)
    section = convert({"score": document.data["score"]}, dict[str, CcmScore], (document,))["score"]
    assert ScoreSettings.of(section) == packed()
    assert {field.name for field in fields(ScoreSettings)} == set(CcmScore.__struct_fields__)


@pytest.mark.parametrize("values", [{"first_tie": "yes"}, {"guapai": "facedown"}, {"no_such": 1}])
def test_value_a_setting_cannot_have(values) -> None:
    with pytest.raises(TomlError):
        changed(values)
