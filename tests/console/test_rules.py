"""``tablectl rules`` from words to exit codes: list, show, diff, check, article, in both languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tablectl.console.cli import main
from tablectl.console.width import cells
from tablectl.rules.articles import articles
from tablectl.rules.book import load_book
from tablectl.rules.show import rows

Output = pytest.CaptureFixture[str]
BOOK = load_book()
HOUSE = """\
id = "thursday"
extends = "mcr"

[name]
zh = "周四"
en = "Thursday"

[turn]
discard_s = 20
"""


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TABLECTL_LANG", "en")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(HOUSE, encoding="utf-8")
    return path


def said(capsys: Output, *words: str, code: int = 0) -> str:
    assert main(["rules", *words]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def data(capsys: Output, *words: str, code: int = 0) -> Any:
    assert main(["rules", *words, "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_list_names_every_ruleset_and_its_base(capsys: Output) -> None:
    lines = said(capsys, "list").splitlines()
    assert [line.split(" ")[0] for line in lines] == list(BOOK)
    assert "extends mcr" in lines[1]
    assert "provisional: 6" in lines[0]
    assert "扩展 mcr" in said(capsys, "list", "--lang", "zh")
    assert [one["id"] for one in data(capsys, "list")["rulesets"]] == list(BOOK)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("id_", BOOK)
def test_show_fits_a_terminal_and_names_every_value(id_: str, lang: str, capsys: Output) -> None:
    lines = said(capsys, "show", id_, "--lang", lang).splitlines()
    assert all(cells(line) <= 80 for line in lines[1:])
    fields = [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]
    assert fields == [row.field for row in rows(BOOK[id_])]
    heading = "[wall] the wall" if lang == "en" else "[wall] 牌墙"
    assert next(line for line in lines if line.startswith("[")) == heading


@pytest.mark.parametrize(("lang", "mark"), [("en", "(provisional)"), ("zh", "（暂定）")])
def test_what_no_book_gives_is_marked(lang: str, mark: str, capsys: Output) -> None:
    lines = said(capsys, "show", "mcr", "--provisional", "--plain", "--lang", lang).splitlines()[1:]
    assert len(lines) == len(rows(BOOK["mcr"], provisional_only=True))
    assert all(mark in line for line in lines)
    whole = said(capsys, "show", "mcr", "--plain", "--lang", lang)
    assert whole.count(mark) == len(lines)


def test_plain_is_a_line_a_value(capsys: Output) -> None:
    lines = said(capsys, "show", "mcr", "--plain").splitlines()
    assert len(lines) == 1 + len(rows(BOOK["mcr"]))
    assert "wall.break_at: first stack taken: the one after the counted stack [mcr.break]; MCR-W2" in lines
    assert "claims.priority: which claim goes first: win > kong, pung > chow; MCR-C1" in lines
    plain = said(capsys, "show", "mcr", "--plain", "--lang", "zh").splitlines()
    assert "claims.priority: 叫牌先后：和 > 杠、碰 > 吃; MCR-C1" in plain


def test_json_has_the_value_and_both_languages(capsys: Output) -> None:
    shown = data(capsys, "show", "mcr")
    (row,) = [one for one in shown["values"] if one["field"] == "time_s"]
    assert (shown["id"], row["value"], row["rule"], row["provisional"]) == ("mcr", 10800, "MCR-T4", False)
    assert row["text"] == {
        "en": {"what": "time of a session", "value": "3 h"},
        "zh-Hans": {"what": "每场时限", "value": "3 小时"},
    }


@pytest.mark.parametrize(("name", "written"), [("noext", "./noext"), ("noext.toml", "noext.toml")])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_file_of_that_name_is_pointed_at(
    capsys: Output, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, written: str, lang: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(HOUSE, encoding="utf-8")
    assert f"`{written}`" in said(capsys, "show", "noext", "--lang", lang, code=2)
    assert "thursday" in said(capsys, "show", written)


def test_an_unknown_ruleset_is_usage_and_names_the_nearest(capsys: Output) -> None:
    assert "“mcr”" in said(capsys, "show", "mcx", code=2)
    assert "“wuhan”" in said(capsys, "diff", "mcr", "wuhn", code=2)


def test_diff_shows_what_differs_side_by_side(capsys: Output) -> None:
    lines = said(capsys, "diff", "mcr", "mcr-136").splitlines()
    assert lines[0].split() == ["mcr", "mcr-136"]
    at = lines.index("tiles: tiles in the set")
    assert lines[at + 1].split() == ["144", "(MCR-W1)", "136", "(MCR-W1)"]
    assert len([line for line in lines if line and line[0] not in " ["]) == 3
    assert all(
        cells(line) <= 80 for line in said(capsys, "diff", "mcr", "wuhan", "--lang", "zh").splitlines()
    )


def test_diff_says_where_a_system_has_no_such_value(capsys: Output) -> None:
    lines = said(capsys, "diff", "mcr", "zungjung", "--plain").splitlines()
    (line,) = [line for line in lines if line.startswith("score.minimum:")]
    assert line.endswith("mcr: 8 (MCR-S1); zungjung: – (not in this system)")
    (found,) = [
        one for one in data(capsys, "diff", "mcr", "zungjung")["differences"] if one["field"] == "minimum"
    ]
    assert (found["left"]["value"], found["right"]) == (8, None)


def test_diff_of_a_ruleset_with_itself(capsys: Output) -> None:
    assert said(capsys, "diff", "ccm", "ccm") == "ccm and ccm say the same.\n"


def test_check_shows_what_a_house_ruleset_changes(house: Path, capsys: Output) -> None:
    lines = said(capsys, "check", str(house), "--plain").splitlines()
    assert lines == [
        f"{house} is a ruleset. Values that differ from mcr: 1",
        "turn.discard_s: time for each later turn; mcr: 15 s (MCR-T1); thursday: 20 s (MCR-T1)",
    ]
    answer = data(capsys, "check", str(house))
    assert (answer["ok"], answer["id"], answer["extends"]) == (True, "thursday", "mcr")
    assert [(one["field"], one["right"]["value"]) for one in answer["changes"]] == [("discard_s", 20)]


def test_check_of_a_file_that_changes_nothing(house: Path, capsys: Output) -> None:
    house.write_text('id = "same"\nextends = "ccm"\n', encoding="utf-8")
    assert said(capsys, "check", str(house)) == f"{house} is a ruleset. It changes nothing in ccm.\n"
    assert "没有不同" in said(capsys, "check", str(house), "--lang", "zh")


WRONG = [
    ("discard_s = 20", "discrad_s = 20", 9, 1, "Did you mean “discard_s”?", "没有键 turn.discrad_s"),
    ("discard_s = 20", "discard_s = '20'", 9, 1, "must be a whole number, not a text", "须为 整数"),
    ("discard_s = 20", "discard_s = 0", 9, 1, "0 is not between 1 and 600", "0 不在 1 与 600 之间"),
    ("discard_s = 20", "discard_s 20", 9, 11, "an = must follow the key", "键之后须有 ="),
    ('"mcr"', '"mrc"', 2, 1, "no ruleset “mrc” to extend. Did you mean “mcr”?", "没有可供扩展的规则“mrc”"),
    ('"thursday"', '"Thursday"', 1, 1, "cannot be the id of a ruleset", "不能作规则的 id"),
    ("[turn]\n", "[session]\nhands = 8\n[turn]\n", 9, 1, "4 rounds make 16 hands, not 8", "4 圈共 16 盘"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "column", "en", "zh"), WRONG, ids=[row[1] for row in WRONG])
def test_check_names_place_reason_and_nearest_key(
    old: str, new: str, line: int, column: int, en: str, zh: str, house: Path, capsys: Output
) -> None:
    house.write_text(HOUSE.replace(old, new), encoding="utf-8")
    english = said(capsys, "check", str(house), code=2)
    assert english.startswith(f"tablectl: {house}, line {line}, column {column}: ")
    assert en in english
    chinese = said(capsys, "check", str(house), "--lang", "zh", code=2)
    assert chinese.startswith(f"tablectl: {house} 第 {line} 行第 {column} 列：")
    assert zh in chinese
    answer = data(capsys, "check", str(house), code=2)
    assert (answer["ok"], answer["line"], answer["column"]) == (False, line, column)
    assert en in answer["text"]["en"]
    assert zh in answer["text"]["zh-Hans"]


def test_a_file_that_is_not_there_is_usage(tmp_path: Path, capsys: Output) -> None:
    assert "cannot be read" in said(capsys, "check", str(tmp_path / "house.toml"), code=2)


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "line 2: this is not UTF-8 text"), ("zh", "第 2 行：不是 UTF-8 文本")]
)
def test_bytes_that_are_no_text_are_placed(lang: str, words: str, tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "house.toml"
    path.write_bytes(b'id = "club"\n\xff\xfe')
    said_ = said(capsys, "check", str(path), "--lang", lang, code=2)
    assert words in said_
    assert "codec" not in said_


def test_what_a_file_says_moves_no_cursor(house: Path, capsys: Output) -> None:
    house.write_text(HOUSE.replace("discard_s", '"\\u001b[2J"'), encoding="utf-8")
    assert "\x1b" not in said(capsys, "check", str(house), code=2)
    house.write_text(
        HOUSE.replace("discard_s = 20", 'discard_s = { value = 20, rule = "\\u001b[2J" }'), encoding="utf-8"
    )
    assert "\x1b" not in said(capsys, "check", str(house))


def test_an_article_in_a_line(capsys: Output) -> None:
    assert said(capsys, "article", "zj-w4") == f"ZJ-W4  {articles()['ZJ-W4'].en}\n"
    assert said(capsys, "article", "ZJ-W4", "--lang", "zh") == f"ZJ-W4  {articles()['ZJ-W4'].zh}\n"
    assert set(data(capsys, "article", "ZJ-W4")["text"]) == {"en", "zh-Hans"}
    assert "There is no rule “ZJ-W44”. Did you mean “ZJ-W4”?" in said(capsys, "article", "ZJ-W44", code=2)


def test_offences_lists_what_may_go_wrong_and_what_it_costs(capsys: Output) -> None:
    lines = said(capsys, "offences", "mcr", "--plain").splitlines()
    assert len(lines) == len(BOOK["mcr"].offences)
    whole = "early_draw: MCR-P5; draws before the upper seat has discarded; "
    assert whole + "warning → 5 → 10 → 20 → 30 → 40 → 50 → 60 …" in lines
    plain = said(capsys, "offences", "ccm", "--plain", "--lang", "zh").splitlines()
    assert "short_hand: CJ-P3; 少牌（相公）; 机械出牌" in plain
    (overtime,) = [line for line in plain if line.startswith("overtime:")]
    assert overtime.endswith("合计至多 50 分 （暂定）")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("id_", BOOK)
def test_offences_fit_a_terminal(id_: str, lang: str, capsys: Output) -> None:
    lines = said(capsys, "offences", id_, "--lang", lang).splitlines()
    assert all(cells(line) <= 80 for line in lines)
    assert [line.split()[0] for line in lines if line[0] != " "] == list(BOOK[id_].offences)


def test_offences_are_found_by_what_was_seen(capsys: Output) -> None:
    assert said(capsys, "offences", "mcr", "drew before").split()[0] == "early_draw"
    assert said(capsys, "offences", "zungjung", "摸牌早", "--lang", "zh").split()[0] == "early_draw"
    assert (
        said(capsys, "offences", "mcr", "xyzzy") == "Nothing fits “xyzzy”. Try other words, or the article.\n"
    )
    found = data(capsys, "offences", "mcr", "MCR-P7")["offences"]
    assert [one["id"] for one in found] == ["false_win", "false_win_low"]
    assert found[1]["ladder"] == [{"points": 10, "to": "each", "effects": ["no_win"]}]
    assert found[1]["text"]["zh-Hans"]["name"].startswith("错和")


def test_show_and_diff_and_check_speak_of_offences(house: Path, capsys: Output) -> None:
    assert "early_draw" in said(capsys, "show", "mcr")
    assert "lift_dropped" in said(capsys, "show", "mcr")
    found = data(capsys, "diff", "mcr", "ccm")["differences"]
    (early,) = [one for one in found if one["section"] == "offences" and one["field"] == "early_draw"]
    assert (early["left"]["rule"], early["right"]["rule"]) == ("MCR-P5", "CJ-P6")
    house.write_text(
        HOUSE + "[offences.early_draw]\nladder = ['warning', 8]\n[offences.named_tile]\noff = true\n"
    )
    lines = said(capsys, "check", str(house), "--plain").splitlines()
    changed = (
        "offences.early_draw: draws before the upper seat has discarded; mcr: warning → 5 → 10 → 20 → 30 → "
    )
    assert changed + "40 → 50 → 60 … (MCR-P5); thursday: warning → 8 … (MCR-P5)" in lines
    assert any(line.startswith("offences.named_tile:") and "– (not in this system)" in line for line in lines)


def test_penalties_no_book_gives_are_shown_with_the_other_values(capsys: Output) -> None:
    lines = said(capsys, "show", "ccm", "--provisional", "--plain").splitlines()
    assert any(line.startswith("offences.overtime:") and "[ccm.overtime]" in line for line in lines)
    assert not any(line.startswith("machine.") for line in lines)


def test_a_house_ruleset_is_read_from_its_file(house: Path, capsys: Output) -> None:
    assert said(capsys, "show", str(house)).startswith("thursday · ")
    assert "20" in said(capsys, "diff", "mcr", str(house))
    assert said(capsys, "offences", str(house)) == said(capsys, "offences", "mcr")


def test_the_articles_of_a_house_are_listed_with_what_they_cost_there(house: Path, capsys: Output) -> None:
    house.write_text(
        HOUSE + '\n[offences.late_phone]\nrule = "HOUSE-1"\nzh = "手机响"\nen = "phone rings"\n'
        '[[offences.late_phone.ladder]]\npoints = 7\nto = "bank"\n',
        encoding="utf-8",
    )
    out = said(capsys, "offences", str(house), "phone")
    assert "HOUSE-1" in out
    assert "7" in out


def test_a_file_that_is_wrong_is_told_with_its_line_everywhere(house: Path, capsys: Output) -> None:
    house.write_text(HOUSE.replace("discard_s", "discrad_s"), encoding="utf-8")
    for words in (["show"], ["offences"], ["diff", "mcr"], ["check"]):
        error = said(capsys, *words, str(house), code=2)
        assert "discard_s" in error
        assert "line 9" in error or ":9" in error
