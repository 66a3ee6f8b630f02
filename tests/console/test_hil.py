"""What the command says of a board: in words, as data, as JUnit XML, as a page."""

from __future__ import annotations

import ast
import json
import xml.etree.ElementTree as xml
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from protocols.atp.requirements import requirements
from protocols.conformance import bench
from protocols.conformance.settings import NoBoard
from protocols.conformance.suite import Report
from protocols.transports.listing import Found
from sim.faulty.planted import PLANTED
from tablectl.api.errors import BadArgument
from tablectl.console import hil
from tablectl.console.cli import main
from tablectl.console.hil_junit import junit
from tablectl.console.hil_page import page
from tablectl.console.hil_words import as_data
from tablectl.locale import catalog
from tests.protocols.conformance.rig import examine

SUITE = Path(bench.__file__).parent
EVIL = "\x1b[31m<script>alert(1)</script>"
MADE = {"Broken": "broke", "NotApplicable": "na", "saw": "saw", "expect": "broke"}
PLACE = {"expect": 1}  # of the key among the arguments
SPREAD = {"field", "before", "after"}  # what `**difference(…)` fills in
FROM_ROWS = {"na.host", "na.unobserved"}  # made by the suite itself


def evidence() -> Iterator[tuple[str, set[str]]]:
    """Every key of evidence in the suite, and the facts it is given."""
    for path in SUITE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            kind, at = MADE.get(node.func.id), PLACE.get(node.func.id, 0)
            if kind is None or len(node.args) <= at:
                continue
            facts = {name for word in node.keywords for name in ([word.arg] if word.arg else SPREAD)}
            for key in ast.walk(node.args[at]):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield f"{kind}.{key.value}", facts


@pytest.mark.parametrize("lang", catalog.LANGUAGES)
def test_all_evidence_has_words_that_are_filled(lang: str) -> None:
    texts = catalog.keys(lang)
    for key, facts in evidence():
        template = texts.get(f"hil.{key}")
        assert template, key
        assert {name for _, name, _, _ in Formatter().parse(template) if name} <= facts, key


def test_no_words_of_evidence_are_left_over() -> None:
    used = {f"hil.{key}" for key, _ in evidence()} | {f"hil.{key}" for key in FROM_ROWS}
    kinds = ("hil.saw.", "hil.broke.", "hil.na.")
    assert {key for key in catalog.keys("en") if key.startswith(kinds)} - used == set()


@pytest.fixture(scope="module")
def report() -> Report:
    fault = next(fault for fault in PLANTED if fault.name == "wrong-hash")
    return examine(1, motion=False, speaks=fault.speaks)


def test_the_data_has_three_lists_and_every_requirement_once(report: Report) -> None:
    data = as_data(report, "/dev/null", "en")
    lists = [data["passed"], data["failed"], data["not_applicable"]]
    named = [row["requirement"] for rows in lists for row in rows]
    assert sorted(named) == sorted(requirements())
    assert [row["requirement"] for row in data["failed"]] == ["ATP-R27"]
    assert all(row["evidence"] and "{" not in row["evidence"] for rows in lists for row in rows)
    assert (data["port"], data["board"]["vendor"], data["board"]["profiles"]) == (
        "/dev/null",
        "tablectl",
        [136, 144],
    )
    assert data["timings"]["run"] > 0
    json.dumps(data)


def test_junit_has_a_case_a_requirement(report: Report) -> None:
    suite = xml.fromstring(junit(report, EVIL, "en"))
    assert len(suite.findall("testcase")) == int(suite.get("tests", 0)) == len(requirements())
    (failure,) = suite.iter("failure")
    assert "dictionary hash" in (failure.text or "")
    assert int(suite.get("skipped", 0)) == len(report.not_applicable)


def test_the_page_tells_all_in_both_languages_and_needs_nothing(report: Report) -> None:
    text = page(report, EVIL)
    assert all(id in text for id in requirements())
    assert "不符合" in text
    assert "Not kept" in text
    assert "<script" not in text
    assert "\x1b" not in text
    assert "http" not in text.replace('"', "")


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        ("", set()),
        ("ATP-R02", {"ATP-R02"}),
        ("2, atp-r44 R7", {"ATP-R02", "ATP-R07", "ATP-R44"}),
    ],
)
def test_requirements_are_named_by_id_or_number(given: str, ids: set[str]) -> None:
    assert hil.chosen_ids(given) == ids


@pytest.mark.parametrize("given", ["0", "ATP-R999", "x", "\x1b[31m"])
def test_a_requirement_there_is_not_is_refused(given: str) -> None:
    with pytest.raises(BadArgument):
        hil.chosen_ids(given)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_command_shows_what_is_not_kept_and_says_so_in_its_exit_code(
    report: Report, lang: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check(address: str, baud: int, settings: Any) -> Report:
        assert not settings.motion
        for result in report.results:
            settings.about_to(result.requirement, 1, 2)
            settings.told(result)
        return report

    monkeypatch.setattr(hil, "check", check)
    assert main(["hil", "/dev/null", "--no-motion", "--lang", lang]) == 1
    out = capsys.readouterr().out
    assert all(out.count(f" {id} ") >= 1 for id in requirements())
    assert "✕ ATP-R27" in out
    assert main(["hil", "/dev/null", "--no-motion", "--json", "--lang", lang]) == 1
    assert [row["requirement"] for row in json.loads(capsys.readouterr().out)["failed"]] == ["ATP-R27"]


def test_a_report_that_cannot_be_written_is_said(
    report: Report, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def check(address: str, baud: int, settings: Any) -> Report:
        return report

    monkeypatch.setattr(hil, "check", check)
    assert main(["hil", "/dev/null", "--no-motion", "--report", str(tmp_path), "--lang", "en"]) == 2
    assert f"{tmp_path} cannot be written" in capsys.readouterr().err


def test_a_port_where_nobody_answers_is_no_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check(address: str, baud: int, settings: Any) -> Report:
        raise NoBoard(3.0)

    monkeypatch.setattr(hil, "check", check)
    assert main(["hil", "/dev/null", "--yes", "--lang", "zh"]) == 5
    assert "3 秒内没有回答问候" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([], 2, "name the port of the board"),
        (["/dev/ttyNONE9"], 5, "there is no port /dev/ttyNONE9"),
        (["usb:1"], 2, "usb:1 names no port"),
    ],
    ids=["none", "not there", "no address"],
)
@pytest.mark.parametrize("ports", [(), ("/dev/ttyS3", "usb:1209:7a01:T9")], ids=["nothing", "two"])
def test_without_a_port_of_this_computer_those_it_has_are_named(
    words: list[str],
    code: int,
    said: str,
    ports: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hil.listing, "devices", lambda: [Found(port, port) for port in ports])
    monkeypatch.setattr(hil, "_agreed", lambda terminal: pytest.fail("asked whether the table may move"))
    assert main(["hil", *words, "--lang", "en"]) == code
    err = capsys.readouterr().err
    assert said in err
    assert ("plugged in here: /dev/ttyS3, usb:1209:7a01:T9. `tablectl devices" in err) == bool(ports)
    assert ("nothing is plugged in here" in err) == (not ports)
