"""A ruleset as rows, and two side by side: nothing of the model is missing, every value can be read."""

from __future__ import annotations

import re

import pytest

from tablectl.console.rule_words import shown, what
from tablectl.locale import catalog
from tablectl.rules.book import load_book
from tablectl.rules.show import Row, differences, rows
from tests.rules.fields import ARTICLES, FIELDS, TYPES, words

BOOK = load_book()
ZH = "zh-Hans"
# A program's way of writing, or a word of the model that got through.
RAW = re.compile(r"[\[\]{}'\"_]|\b(?:True|False|None|null)\b")


def row(path: str, value: object) -> Row:
    section, field = path.split(".")
    return Row(section, field, value, "MCR-W1", False, "")


@pytest.mark.parametrize("lang", catalog.LANGUAGES)
def test_every_field_of_the_model_has_a_text(lang: str) -> None:
    keys = [f"rules.{section}.{field}" for section, field in FIELDS]
    keys += [f"section.{section}" for section, _ in FIELDS]
    assert [key for key in keys if key not in catalog.keys(lang)] == []


def test_no_text_is_of_a_field_that_is_gone() -> None:
    sections = {section for section, _ in FIELDS} | {"offences", "machine"}
    told = [tuple(key.split(".")[1:]) for key in catalog.keys("en") if re.fullmatch(r"rules\.\w+\.\w+", key)]
    assert sorted(told) == sorted(FIELDS)
    assert {key.partition(".")[2] for key in catalog.keys("en") if key.startswith("section.")} == sections


@pytest.mark.parametrize("lang", catalog.LANGUAGES)
def test_every_word_of_the_model_is_read_in_words(lang: str) -> None:
    for (section, field), type_ in TYPES:
        for word in words(type_):
            if isinstance(word, str):
                value = [[word]] if field == "priority" else [word] if field in LISTS else word
                value = {word: 1} if field in ("fan_values", "standard_points") else value
                said = shown(row(f"{section}.{field}", value), lang)
                assert said, (section, field, word)
                assert not RAW.search(said), (section, field, said)
                known = catalog.known(f"value.{field}.{word}") or catalog.known(f"word.{word}")
                assert known, (section, field, word)


LISTS = {"words", "draw_closes", "claim_reopens", "last_discard", "robbable", "dealer_keeps",
         "shapes", "bao_order"}  # fmt: skip


def test_no_text_is_of_a_word_that_is_gone() -> None:
    there = {f"value.{field}.{word}" for (_, field), type_ in TYPES for word in words(type_)}
    there |= {
        "value.bool.true",
        "value.bool.false",
        "value.list.empty",
        "value.tile.wild",
        "value.tile.flower",
    }
    special = re.compile(r"value\.(?:\w+\.)?\w+\.(?:0|empty)")
    texts = [key for key in catalog.keys("en") if key.startswith("value.")]
    assert [key for key in texts if key not in there and not special.fullmatch(key)] == []


@pytest.mark.parametrize("lang", catalog.LANGUAGES)
@pytest.mark.parametrize("id_", BOOK)
def test_no_value_is_printed_as_a_program_writes_it(id_: str, lang: str) -> None:
    for one in rows(BOOK[id_]):
        said = shown(one, lang)
        assert not RAW.search(said), (one.section, one.field, said)
        assert what(one, lang) != f"rules.{one.section}.{one.field}"


READ = [
    ("deal.jump", True, "yes", "是"),
    ("deal.blocks", [4, 4, 4], "4, 4, 4", "4、4、4"),
    ("claims.window_s", 3, "3 s", "3 秒"),
    ("claims.window_s", 0, "no limit: until the next player has acted", "不限：至下家行动为止"),
    ("flowers.window_s", 0, "no limit of its own", "不另设时限"),
    ("session.time_s", 10800, "3 h", "3 小时"),
    ("session.time_s", 5400, "90 min", "90 分钟"),
    ("session.break_s", 900, "15 min", "15 分钟"),
    ("turn.bank_s", 100, "100 s", "100 秒"),
    ("session.rounds", ["E", "S", "W", "N"], "East, South, West, North", "东、南、西、北"),
    ("claims.priority", [["win"], ["kong", "pung"], ["chow"]], "win > kong, pung > chow", "和 > 杠、碰 > 吃"),
    ("claims.unclaimable", ["C", "wild"], "Red, the wild kind", "红中、癞子"),
    ("discards.forbidden", ["flower"], "flowers", "花牌"),
    ("discards.forbidden", [], "none", "无"),
    ("session.dealer_keeps", [], "never", "从不"),
    ("session.dealer_keeps", ["win", "draw"], "his own win, a drawn hand", "庄家和牌、荒牌"),
    ("session.chips", [[50, 1], [10, 4]], "1 × 50, 4 × 10", "1 × 50、4 × 10"),
    ("session.seat_changes", [{"E": "S"}, {"S": "N"}], "East→South; South→North", "东→南; 南→北"),
    ("session.redraw_after", 8, "8 hands", "8 盘"),
    ("session.redraw_after", 0, "never", "从不"),
    ("session.break_after", 2, "round 2", "第 2 圈"),
    ("score.standard_points", {"elite": 8}, "elite 8", "精英赛 8"),
    ("score.fan_values", {"ccm-01": 20}, "Mixed Straight 20", "花龙 20"),
    ("wall.tiles", 144, "144", "144"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "en", "zh"), READ, ids=lambda value: str(value)[:30])
def test_a_value_is_read_as_people_read_it(path: str, value: object, en: str, zh: str) -> None:
    assert (shown(row(path, value), "en"), shown(row(path, value), ZH)) == (en, zh)


def test_rows_name_every_article() -> None:
    cited = [(one.section, one.field) for one in rows(BOOK["wuhan"]) if one.value is None]
    assert cited == ARTICLES


def test_rows_hold_plain_data_only() -> None:
    plain = (bool, int, str, list, dict, type(None))
    assert all(isinstance(one.value, plain) for id_ in BOOK for one in rows(BOOK[id_]))


def test_between_systems_values_tell_not_articles() -> None:
    found = {f"{one.section}.{one.field}": one for one in differences(BOOK["mcr"], BOOK["zungjung"])}
    assert (found["wall.dead_tiles"].left.value, found["wall.dead_tiles"].right.value) == (0, 14)
    assert "wall.throws" not in found  # two in both, under articles of their own
    assert not any(path.startswith("articles.") for path in found)


def test_a_field_of_one_judge_has_no_other_side() -> None:
    found = {f"{one.section}.{one.field}": one for one in differences(BOOK["mcr"], BOOK["zungjung"])}
    assert found["score.minimum"].right is None
    assert found["score.match_points"].left is None
    order = [*dict(FIELDS), "offences", "machine"]
    assert [one.section for one in found.values()] == sorted(
        (one.section for one in found.values()), key=order.index
    )


def test_a_ruleset_does_not_differ_from_itself() -> None:
    assert differences(BOOK["ccm"], BOOK["ccm"], origins=True) == []


def test_of_a_house_ruleset_the_origin_tells_too() -> None:
    own = '[claims]\nchow_s = { rule = "CLUB-1", provisional = false }\n'
    club = load_book([("club.toml", f'id = "club"\nextends = "mcr"\n{own}')])["club"]
    assert differences(BOOK["mcr"], club) == []
    (found,) = differences(BOOK["mcr"], club, origins=True)
    assert (found.field, found.right.rule, found.right.provisional) == ("chow_s", "CLUB-1", False)
