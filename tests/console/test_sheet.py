"""The score sheet, from a journal alone: text, JSON, CSV and PDF say the same, in both languages."""

from __future__ import annotations

import builtins
import csv
import io
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tablectl.console.cli import main
from tablectl.console.figures import parts
from tablectl.console.sheet import pdf, source
from tablectl.console.sheet.page import page
from tablectl.console.sheet.parts import Line
from tablectl.console.sheet.table import safe
from tablectl.console.sheet.text import lines
from tablectl.console.sheet.words import CHOICES, Words
from tablectl.console.typed_rules import book_with, house
from tablectl.console.width import cells
from tablectl.game.sheet import document
from tests.console.recorded import NAME, Recorded
from tests.game.conftest import tiles

NAMES = {"p0": "=1+1", "p1": "王小明", "p2": "Ana", "p3": "🀄 Ю"}


@pytest.fixture(scope="module")
def evening() -> Recorded:
    """Two hands: one with tiles, a correction, a penalty and a refusal; one drawn."""
    t = Recorded("mcr", hands=2, **NAMES)
    t.ok("score count", **t.four(500, 500, 500, 500))
    t.open()
    t.ok("discard", seat="E", tile="9s")
    t.ok("claim", word="win", seat="S")
    t.wait(4)
    t.ok("win show", seat="S", tiles=tiles("123m 456m 789m 99p 789s"), win="9s")
    t.ok("win confirm")
    entry = t.session.ledger[-1].n
    t.ok("score enter", kind="penalty", reason="a wrong word", **t.four(-30, 10, 10, 10))
    t.ok("score correct", entry=entry, reason="a flower more", **t.four(-30, 46, -8, -8))
    for wind in "ESW":
        t.ok("sign", seat=wind)
    t.ok("sign", seat="N", refuse="I count less")
    t.play(None)
    assert t.session.phase == "over"
    return t


@pytest.fixture(scope="module")
def journal(evening: Recorded, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return evening.write(tmp_path_factory.mktemp("state") / "journal.jsonl")


def sheet(journal: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["sheet", str(journal), *options]) == 0
    return capsys.readouterr().out


def read(journal: Path) -> dict[str, Any]:
    return source.of_journal(str(journal))


def test_the_sheet_of_a_journal_is_that_of_the_daemon_that_wrote_it(evening, journal):
    made = read(journal)
    record = made.pop("record")
    assert made == json.loads(json.dumps(document(evening.state)))
    assert (record["journal"], record["head"]) == (NAME, evening.chain.head.hash)
    assert (record["short"], record["differs"]) == (record["head"][:16], [])


def test_a_folder_stands_for_the_journal_in_it(journal, capsys):
    assert sheet(journal.parent, capsys, "--hand", "1") == sheet(journal, capsys, "--hand", "1")


def test_the_text_says_all_there_is_to_say(evening, journal, capsys):
    said = sheet(journal, capsys, "--lang", "both")
    for wanted in (
        "王小明", "Ana", "清龙 Pure Straight", "MCR-S15", "reading", "123m  456m  789m",
        "#", "a wrong word", "a flower more", "I count less", evening.chain.head.hash, "mcr.mixed_kong=5",
        "MCR-S4", "standard points", "+56", "−60",
    ):  # fmt: skip
        assert wanted in said, wanted


def test_a_correction_is_a_further_line_and_penalties_stand_apart(journal):
    (first, _) = (hand for hand in read(journal)["hands"] if hand["hand"])
    (payment,), (penalty,), (correction,) = first["payments"], first["penalties"], first["corrections"]
    assert correction["corrects"] == payment["record"]
    points = payment["points"]
    assert {id_: points[id_] + correction["points"][id_] for id_ in points} == first["points"]
    assert penalty["points"] == first["fines"] == {"p0": -30, "p1": 10, "p2": 10, "p3": 10}
    assert first["totals"] == {"p0": -60, "p1": 56, "p2": 2, "p3": 2}


@pytest.mark.parametrize(
    ("choice", "has", "lacks"), [("zh", "记分表", "Score sheet"), ("en", "Score sheet", "记分表")]
)
def test_one_language_is_that_alone(journal, capsys, choice, has, lacks):
    said = sheet(journal, capsys, "--lang", choice)
    assert has in said
    assert lacks not in said


@pytest.mark.parametrize("choice", CHOICES)
def test_columns_line_up_by_display_width_and_no_line_is_too_long(journal, choice):
    shown = list(lines(page(read(journal), Words(choice)), 80))
    assert max(map(cells, shown)) <= 80
    head = next(at for at, line in enumerate(shown) if re.match(r"  .*=1\+1.*王小明 .* Ana", line))
    edges = [cells(shown[head][: shown[head].index(name) + len(name)]) for name in ("王小明", "Ana")]
    row = shown[head + 1]
    for edge in edges:
        prefix = next(row[:at] for at in range(len(row) + 1) if cells(row[:at]) == edge)
        assert prefix[-1].isdigit()


def test_json_is_one_object_of_the_documented_form(journal, capsys):
    made = json.loads(sheet(journal, capsys, "--format", "json"))
    assert made["format"] == 1
    assert made == json.loads(sheet(journal, capsys, "--json"))
    page_ = (Path(__file__).parents[2] / "docs" / "sheets.md").read_text(encoding="utf-8")
    assert [key for key in made if f"`{key}`" not in page_] == []


def rows(journal: Path, capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    assert main(["sheet", str(journal), "--format", "csv", "-o", str(journal.with_suffix(".csv"))]) == 0
    data = journal.with_suffix(".csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.count(b"\n") == data.count(b"\r\n")
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_csv_has_a_row_a_fact_and_numbers_that_add_up(journal, capsys):
    head, *found = rows(journal, capsys)
    assert head[-4:] == ["'=1+1", "王小明", "Ana", "🀄 Ю"]
    assert {len(row) for row in found} == {len(head)}
    points = [
        [int(cell) for cell in row[-4:]] for row in found if row[0] in ("payment", "penalty", "correction")
    ]
    totals = [row for row in found if row[0] == "running total"]
    assert [sum(column) for column in zip(*points, strict=True)] == [int(cell) for cell in totals[-1][-4:]]


@pytest.mark.parametrize("name", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", " =1", "\t=1", "＝1"])
def test_no_name_becomes_a_formula(name):
    assert safe(name).lstrip()[:1] not in ("=", "+", "-", "@", "＝")


def test_a_pdf_is_the_same_bytes_each_time_and_has_the_page(journal, capsys):
    out = journal.with_suffix(".pdf")
    assert main(["sheet", str(journal), "--format", "pdf", "-o", str(out)]) == 0
    first = out.read_bytes()
    assert first == pdf.pdf(page(read(journal), Words("both")))
    assert first.startswith(b"%PDF")
    assert b"STSong-Light" in first
    assert b"595.27" in first  # A4


def test_what_no_face_can_show_is_a_box_and_nothing_is_a_command():
    assert pdf.markup("🀄 a<b>&") == "□ a&lt;b&gt;&amp;"
    assert pdf.markup("王 −5") == '<font name="STSong-Light">王</font> –5'


def test_without_reportlab_a_sentence_says_how_to_get_it(journal, capsys, monkeypatch):
    real = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name.startswith(("reportlab", "tablectl.console.sheet.pdf")):
            raise ModuleNotFoundError(name="reportlab")
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    assert main(["sheet", str(journal), "--format", "pdf", "-o", "x.pdf", "--lang", "en"]) == 1
    assert "pip install tablectl[sheet]" in capsys.readouterr().err


def test_a_damaged_journal_makes_no_sheet_and_says_which_line_is_wrong(journal, tmp_path, capsys):
    bad = tmp_path / "journal.jsonl"
    content = journal.read_bytes().replace(b"a wrong word", b"a right word")
    bad.write_bytes(content)
    assert main(["sheet", str(bad), "--lang", "en"]) == 1
    assert re.search(r"line \d+|record \d+", capsys.readouterr().err)


def test_a_line_still_being_written_is_left_out(evening, tmp_path):
    torn = tmp_path / "journal.jsonl"
    torn.write_bytes(b"".join(evening.lines)[:-20])
    assert read(torn)["record"]["n"] == evening.chain.head.n - 1


@pytest.mark.parametrize("lang", ["en", "zh", "both"])
@pytest.mark.parametrize("form", ["text", "json", "csv"])
@pytest.mark.parametrize("cut", [1, 20, 150], ids=lambda cut: f"{cut} bytes short")
def test_a_torn_end_is_said_on_the_sheet_and_beside_it(evening, tmp_path, capsys, form, lang, cut):
    torn = tmp_path / "journal.jsonl"
    torn.write_bytes(b"".join(evening.lines)[:-cut])
    line = str(len(evening.lines))
    assert main(["sheet", str(torn), "--format", form, "--lang", lang]) == 0
    said = capsys.readouterr()
    assert line in said.err
    match form:
        case "json":
            assert json.loads(said.out)["record"]["torn"] == int(line)
        case "csv":
            assert [row[3] for row in csv.reader(io.StringIO(said.out)) if row[0] == "torn"] == [line]
        case _:
            assert [shown for shown in said.out.splitlines() if shown.startswith("!") and line in shown]


def test_a_journal_torn_in_its_first_line_makes_no_sheet(evening, tmp_path, capsys):
    torn = tmp_path / "journal.jsonl"
    torn.write_bytes(evening.lines[0][:-9])
    assert main(["sheet", str(torn), "--lang", "en"]) == 1
    assert re.search(r"line 1\b", capsys.readouterr().err)


HOUSE = """id = "club"
extends = "mcr"
name = { en = "Club night", zh = "俱乐部" }

[turn]
discard_s = 30
"""


@pytest.fixture
def club(tmp_path: Path) -> tuple[Path, Path]:
    """A session of a house ruleset: its journal and the file of its rules."""
    file = tmp_path / "club.toml"
    file.write_text(HOUSE, encoding="utf-8")

    class Club(Recorded):
        book, _ = house(str(file))

    t = Club("club", hands=2, **NAMES)
    t.play(None)
    return t.write(tmp_path / "journal.jsonl"), file


TOLD_FROM = [["sheet"], ["journal", "replay"], ["journal", "cases"]]


@pytest.mark.parametrize("words", TOLD_FROM, ids=" ".join)
def test_a_session_by_house_rules_asks_for_their_file(club, capsys, words):
    journal, file = club
    assert main([*words, str(journal), "--lang", "en"]) == 1
    said = capsys.readouterr().err
    assert "rules club" in said
    assert "--rules" in said
    assert main([*words, str(journal), "--rules", str(file), "--lang", "en"]) == 0
    assert not capsys.readouterr().err


@pytest.mark.parametrize("words", TOLD_FROM, ids=" ".join)
def test_an_evening_by_house_rules_upon_house_rules_takes_both_files(tmp_path, capsys, words):
    files = [tmp_path / "club.toml", tmp_path / "late.toml"]
    late = HOUSE.replace('"mcr"', '"club"').replace('id = "club"', 'id = "late"')
    for file, content in zip(files, (HOUSE, late), strict=True):
        file.write_text(content, encoding="utf-8")

    class Late(Recorded):
        book = book_with([str(file) for file in files])

    t = Late("late", hands=1)
    t.play(None)
    journal = str(t.write(tmp_path / "journal.jsonl"))
    both = [word for file in files for word in ("--rules", str(file))]
    assert main([*words, journal, *both, "--lang", "en"]) == 0
    assert not capsys.readouterr().err


@pytest.mark.parametrize("words", TOLD_FROM, ids=" ".join)
def test_a_pipe_of_rules_is_not_waited_for(journal, tmp_path, capsys, words):
    os.mkfifo(tmp_path / "rules.toml")
    assert main([*words, str(journal), "--rules", str(tmp_path / "rules.toml"), "--lang", "en"]) == 2
    assert "rules.toml" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["text", "json", "csv"])
def test_a_whole_one_says_nothing_of_it(journal, capsys, form):
    assert main(["sheet", str(journal), "--format", form, "--lang", "en"]) == 0
    said = capsys.readouterr()
    assert not said.err
    assert "torn:" not in said.out.replace('"torn": 0', "")


def test_no_such_file_hand_or_session_is_said(journal, tmp_path, capsys):
    assert main(["sheet", str(tmp_path / "none.jsonl")]) == 2
    assert main(["sheet", str(journal), "--hand", "9"]) == 2
    assert "9" in capsys.readouterr().err
    empty = tmp_path / "journal.jsonl"
    empty.write_bytes(Recorded().lines[0])
    assert main(["sheet", str(empty), "--lang", "en"]) == 1
    assert "no session" in capsys.readouterr().err


def test_the_hand_in_play_is_not_on_the_sheet():
    t = Recorded("mcr")
    t.play(None)
    t.open()
    t.ok("score enter", kind="penalty", reason="late", **t.four(-30, 10, 10, 10))
    assert [hand["hand"] for hand in document(t.state)["hands"]] == [1]


@pytest.mark.parametrize(
    ("number", "per", "written"),
    [(48, 12, "4"), (6, 12, "0.5"), (28, 12, "7/3"), (-949, 100, "−9.49"), (0, 12, "0"), (700, 100, "7")],
)
def test_standard_points_are_written_without_a_false_digit(number, per, written):
    assert parts(number, per) == written


@pytest.mark.rule("ZJ-C19")
@pytest.mark.parametrize(
    ("shown", "laid"),
    [
        ("EE 88p 2m 66p 44m CC 11s 2m", "22m  44m  66p  88p  11s  EE  CC"),
        ("ESWN CFP 19s 19p 9m 1m 1m", "119m19p19sESWNCFP"),
        ("55p 789s 123m EEE 456m", "123m  456m  789s  EEE  55p"),
    ],
    ids=["pairs", "thirteen", "sets"],
)
def test_the_sheet_lays_a_winning_hand_out_as_the_rules_want_it(shown, laid):
    t = Recorded("zungjung")
    t.open()
    t.ok("claim", word="win", seat="E")
    t.ok("win show", seat="E", tiles=tiles(shown))
    t.ok("win confirm")
    made = {
        **document(t.state),
        "record": {"journal": "", "n": 1, "head": "0" * 64, "short": "0", "differs": []},
    }
    said = [part.text for part in page(made, Words("en")).parts if isinstance(part, Line)]
    assert f"reading: {laid}" in said
