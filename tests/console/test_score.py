"""``tablectl score`` from words to exit codes: four systems, both languages, plain, JSON, batches."""

from __future__ import annotations

import ast
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import tablectl
from tablectl.console.cli import main
from tablectl.console.local import LOCAL
from tablectl.console.score import OPTIONS, sentence
from tablectl.console.width import cells
from tablectl.locale import catalog
from tablectl.rules.errors import HandError
from tablectl.rules.wuhan.catalog import catalogue as wuhan_catalogue

Output = pytest.CaptureFixture[str]
STRAIGHT = "123m 456m 789m EEE 55p"
HANDS = {
    "mcr": [STRAIGHT, "--from", "S", "--flowers", "1"],
    "mcr-136": [STRAIGHT],
    "zungjung": [STRAIGHT, "--self-draw"],
    "ccm": [STRAIGHT, "--from", "W", "--chips", "100,250,30,20"],
    "wuhan": ["[123m,1][456p,1]789m234s55p", "--indicator", "E", "--from", "S", "--laid", "S chow 2 pung"],
}


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TABLECTL_LANG", "en")


def said(capsys: Output, *words: str, code: int = 0) -> str:
    assert main(["score", *words]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def of(rules: str, *more: str) -> list[str]:
    return ["--rules", rules, *HANDS[rules], *more]


@pytest.mark.parametrize("lang", catalog.LANGUAGES)
@pytest.mark.parametrize("rules", HANDS)
def test_a_sheet_fits_a_terminal_and_has_all_parts(rules: str, lang: str, capsys: Output) -> None:
    lines = said(capsys, *of(rules, "--lang", lang, "--explain")).splitlines()
    assert all(cells(line) <= 80 for line in lines)
    titles = [line for line in lines if line and not line.startswith(" ")][2:]
    for part in ("fans", "reading", "payments", "others", "settings"):
        assert catalog.text(f"score.{part}", lang) in titles
    assert not any("{" in line or "score." in line for line in lines)


@pytest.mark.parametrize("rules", HANDS)
def test_names_stand_there_in_both_languages(rules: str, capsys: Output) -> None:
    data = json.loads(said(capsys, *of(rules, "--json")))
    text = said(capsys, *of(rules))
    for fan in data["fans"]:
        assert fan["zh"] in text
        assert fan["en"] in text
        assert fan["id"] in text
        assert fan["rule"] in text


@pytest.mark.parametrize("lang", catalog.LANGUAGES)
@pytest.mark.parametrize("rules", HANDS)
def test_a_plain_line_says_what_it_is_of(rules: str, lang: str, capsys: Output) -> None:
    lines = said(capsys, *of(rules, "--plain", "--lang", lang)).splitlines()
    titles = {catalog.text(f"score.{part}", lang) for part in (
        "fans", "reading", "not_counted", "payments", "details", "settings"
    )}  # fmt: skip
    assert {line.partition(":")[0] for line in lines[2:]} <= titles
    assert all(line == " ".join(line.split()) for line in lines)


@pytest.mark.report("B069")
@pytest.mark.rule("MCR-S2")
def test_the_payments_of_a_discard_and_of_a_draw(capsys: Output) -> None:
    hand = ["--rules", "mcr", "[EEE,3][123p,1] 456p 78p 2p 2p 9p", "--round", "S", "--flowers", "1"]
    claimed = json.loads(said(capsys, *hand, "--from", "S", "--json"))
    drawn = json.loads(said(capsys, *hand, "--self-draw", "--json"))
    assert claimed["payments"] == {
        "E": claimed["total"] + 24, "S": -8 - claimed["total"], "W": -8, "N": -8
    }  # fmt: skip
    assert drawn["payments"]["E"] == 3 * (8 + drawn["total"])
    lines = said(capsys, *hand, "--from", "S").splitlines()
    place = lines.index("payments")
    amounts = [int(line.split()[-1].replace("−", "-")) for line in lines[place + 1 : place + 5]]
    assert amounts == [*claimed["payments"].values()]
    assert sum(amounts) == 0


@pytest.mark.report("B072")
def test_the_sheet_prints_the_edition_and_what_was_chosen(capsys: Output) -> None:
    hand = ["--rules", "mcr", "[1111m][2222p,1] 345s 678s 5m 5m", "--plain"]
    assert "mcr.mixed_kong=5" in said(capsys, *hand)
    lines = said(capsys, *hand, "--setting", "mcr.mixed_kong=6, mcr.two_concealed_kongs=8").splitlines()
    assert "(mcr)" in lines[0]
    assert "mcr.mixed_kong=6, mcr.two_concealed_kongs=8" in lines[-1]
    assert any("mcr-mixed-kong" in line and " 6 " in line for line in lines)


def test_provisional_values_are_marked(capsys: Output) -> None:
    settings = said(capsys, *of("ccm", "--plain")).splitlines()[-1]
    assert "ccm.dihe=0(provisional)" in settings.replace(" (", "(")
    assert "（暂定）" in said(capsys, *of("ccm", "--plain", "--lang", "zh")).splitlines()[-1]


REFUSALS = [
    (["--rules", "mcr", "11111m 456m 789m EEE"], "5 of 1m", "一万 有 5 张"),
    (["--rules", "mcr", "123m 456m 789m EEE 5x5p"], "“5x”", "“5x”"),
    (["--rules", "mcr", STRAIGHT, "--win", "1s"], "1s cannot", "一条 不能"),
    (["--rules", "zungjung", STRAIGHT, "--seat", "W", "--heaven", "--self-draw"], "not West", "不是西家"),
    (["--rules", "mcr", STRAIGHT, "--from", "W", "--self-draw"], "--from W", "--from W"),
    (["--rules", "mcr", STRAIGHT, "--setting", "mcr.kong=5"], "mcr.kong", "mcr.kong"),
]


@pytest.mark.parametrize(("words", "en", "zh"), REFUSALS)
def test_a_refusal_is_a_sentence_that_names_the_tile(
    words: list[str], en: str, zh: str, capsys: Output
) -> None:
    assert en in said(capsys, *words, code=3)
    assert zh in said(capsys, *words, "--lang", "zh", code=3)
    main(["score", *words, "--json"])
    data = json.loads(capsys.readouterr().out)
    assert en in data["text"]["en"]
    assert zh in data["text"]["zh-Hans"]
    assert "." in data["error"]


def test_what_the_command_needs_and_does_not_know(capsys: Output) -> None:
    assert "--rules" in said(capsys, STRAIGHT, code=2)
    assert "tiles" in said(capsys, "--rules", "mcr", code=2)
    assert "zungjung" in said(capsys, "--rules", "zungjun", STRAIGHT, code=2)
    assert "100,100" in said(capsys, "--rules", "ccm", STRAIGHT, "--chips", "1,2,x", code=2)
    assert "nothere" in said(capsys, "--batch", "nothere", code=2)
    assert STRAIGHT in said(capsys, "--batch", "x", STRAIGHT, code=2)


def test_the_command_beside_its_group(capsys: Output) -> None:
    text = said(capsys, "--help")
    assert "score enter" in text
    assert "--self-draw" in text


def test_chinese_tiles_and_named_notations(capsys: Output) -> None:
    own = said(capsys, "--rules", "mcr", STRAIGHT, "--win", "E", "--json")
    chinese = ["一二三万 四五六万 七八九万 東東東 五饼五饼", "--win", "東"]
    theirs = ["W1W2W3W4W5W6W7W8W9F1F1F1B5B5", "--win", "F1", "--notation", "mahjonggb"]
    for words in (chinese, theirs):
        assert said(capsys, "--rules", "mcr", *words, "--json") == own


def test_every_field_of_a_question_is_an_option() -> None:
    (spec,) = [one for one in LOCAL if one.name == "score"]
    fields = set(OPTIONS) - {"id", "why", "expected"}
    assert fields | {"explain", "batch"} == {arg.name for arg in spec.args}


# ---- batches ---------------------------------------------------------------------------------------------


def batch(capsys: Output, path: Path, *more: str) -> list[Any]:
    return [json.loads(line) for line in said(capsys, "--batch", str(path), *more).splitlines()]


CASES = Path(__file__).parent.parent / "rules"


def test_all_lists_of_cases_in_one_file_are_answered_in_order(tmp_path: Path, capsys: Output) -> None:
    lines = [
        json.loads(line)
        for path in sorted(CASES.glob("*/cases/*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    lines = [line for line in lines if isinstance(line.get("expected"), dict)]
    assert len(lines) > 150
    asked = [{k: v for k, v in line.items() if k not in ("expected", "equal_reading")} for line in lines]
    path = tmp_path / "all.jsonl"
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in asked), "utf-8")
    assert batch(capsys, path) == [line["expected"] for line in lines]


def test_a_broken_line_is_answered_and_the_rest_goes_on(tmp_path: Path, capsys: Output) -> None:
    good = json.dumps({"rules": "mcr", "tiles": STRAIGHT, "seat": "E"}).encode()
    path = tmp_path / "batch.jsonl"
    deep = b"[" * 100_000
    huge = b'{"tiles": 1' + b"0" * 5000 + b"}"
    lines = [good, b"{", b"", b"\xff", deep, huge, b"7", good.replace(b'"E"', b'"X"'), good]
    path.write_bytes(b"\n".join(lines))
    answers = batch(capsys, path)
    errors = [one.get("error") for one in answers]
    assert errors == [None, *["line.json"] * 4, errors[5], "line.form", "line.field", None]
    assert errors[5] in ("line.json", "line.field")
    assert answers[0] == answers[-1]
    assert answers[1]["text"]["zh-Hans"].startswith("这一行不是 JSON")


def test_the_command_gives_what_the_lines_leave_out(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "batch.jsonl"
    path.write_text(json.dumps({"tiles": "123m 456m 789m 111z 55p"}) + "\n", "utf-8")
    (said_,) = batch(capsys, path, "--rules", "mcr", "--notation", "mpsz", "--self-draw", "--explain")
    assert (said_["total"], said_["payments"]["S"], said_["others"]) == (26, -34, [])


def test_a_batch_may_come_by_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    line = json.dumps({"rules": "mcr", "tiles": STRAIGHT}).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line + b"\n" + line)))
    assert len(said(capsys, "--batch", "-").splitlines()) == 2


# ---- texts -----------------------------------------------------------------------------------------------


def refusals() -> list[str]:
    """The key of every `HandError` that a hand told in words can meet, read from the source."""
    found = set()
    folder = Path(tablectl.__file__).parent / "rules"
    aside = {"immediate.py", "told.py", "lines.py", "pay.py"}  # events of lists, not hands
    for path in folder.rglob("*.py"):
        if path.name in aside and path.parent.name != "scoring":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "HandError":
                key = node.args[0]
                assert isinstance(key, ast.Constant)
                found.add(str(key.value))
    return sorted(found)


@pytest.mark.parametrize("key", refusals())
def test_every_refusal_has_its_sentence(key: str) -> None:
    name = key if "." in key else f"hand.{key}"
    if name not in (
        "hand.players",
        "hand.discarder",
        "hand.no_player",
        "chips.no_player",
    ):  # impossible by construction
        assert catalog.known(name)


def test_every_reason_of_no_win_has_its_words() -> None:
    reasons = [f"win.{reason}" for reason in wuhan_catalogue().reasons]
    assert [reason for reason in reasons if not catalog.known(reason)] == []


def test_a_refusal_without_a_text_says_what_it_says() -> None:
    assert sentence(HandError("pay.nothing", "nothing is paid\x1b"), "zh-Hans") == "nothing is paid␛"
