"""`journal show|verify|replay|repair` on a small journal."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablectl.console.cli import main
from tablectl.game.effects import HandClosed
from tests.console.recorded import Recorded


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLECTL_LANG", "en")
    evening = Recorded("mcr", hands=1)
    evening.play(None)
    return evening.write(tmp_path / "journal.jsonl")


def test_show_prints_a_line_a_record(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = len(journal.read_bytes().splitlines())
    assert main(["journal", "show", str(journal)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == records
    assert any("session start" in line for line in lines)
    assert main(["journal", "show", str(journal), "--json"]) == 0
    keys = [json.loads(line)["key"] for line in capsys.readouterr().out.splitlines()]
    assert len(keys) == records
    assert "session start" in keys


def test_verify_says_whole_or_the_first_bad_line(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = journal.read_bytes().splitlines(keepends=True)
    assert main(["journal", "verify", str(journal)]) == 0
    assert f"{len(lines)} records, chain unbroken" in capsys.readouterr().out
    journal.write_bytes(b"".join([lines[0], lines[2], lines[1], *lines[3:]]))
    assert main(["journal", "verify", str(journal)]) == 1
    assert "line 2 " in capsys.readouterr().out
    assert main(["journal", "verify", str(journal), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["bad_line"] == 2


def test_replay_agrees(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "replay", str(journal)]) == 0
    inputs = int(
        re.findall(r"(\d+) inputs replayed, every result and every digest", capsys.readouterr().out)[0]
    )
    assert main(["journal", "replay", str(journal), "--json"]) == 0
    agreed = {"ok": True, "inputs": inputs, "results_only": [], "differences": []}
    assert json.loads(capsys.readouterr().out) == agreed


OTHERWISE: dict[str, tuple[dict[str, str], int, str]] = {
    "a word of the result": ({"result": "win"}, 1, "would end differently with this version: result was win"),
    "the state": ({"digest": "d"}, 1, "ends the same with this version, but the state"),
    "a state of another form": (
        {"digest": "d", "form": "f"},
        0,
        "have in the result was compared: 1",
    ),
}


@pytest.mark.parametrize(("told", "code", "words"), OTHERWISE.values(), ids=OTHERWISE)
def test_replay_says_what_is_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], told: dict[str, str], code: int, words: str
) -> None:
    class Told(Recorded):
        def result(self, closed: HandClosed) -> dict[str, Any]:
            return super().result(closed) | told

    evening = Told("mcr", hands=1)
    evening.play(None)
    path = str(evening.write(tmp_path / "journal.jsonl"))
    assert main(["journal", "replay", path, "--lang", "en"]) == code
    assert words in capsys.readouterr().out


FLAWED: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "empty": lambda lines: [],
    "with a BOM": lambda lines: [b"\xef\xbb\xbf", *lines],
    "with CRLF": lambda lines: [line[:-1] + b"\r\n" for line in lines],
    "a line dropped": lambda lines: [*lines[:1], *lines[2:]],
    "the first line dropped": lambda lines: lines[1:],
    "a line doubled": lambda lines: [*lines[:2], *lines[1:]],
    "the last line doubled": lambda lines: [*lines, lines[-1]],
    "an endless line": lambda lines: [*lines, b"x" * (1 << 21)],
    "cut off": lambda lines: [*lines[:-1], lines[-1][:-1]],
}


@pytest.mark.parametrize("change", FLAWED.values(), ids=FLAWED)
def test_a_flawed_journal_is_never_said_to_agree(
    journal: Path, capsys: pytest.CaptureFixture[str], change: Callable[[list[bytes]], list[bytes]]
) -> None:
    journal.write_bytes(b"".join(change(journal.read_bytes().splitlines(keepends=True))))
    assert main(["journal", "replay", str(journal)]) == 1
    out = capsys.readouterr().out
    assert "line " in out
    assert "agrees" not in out


@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero"])
@pytest.mark.parametrize("verb", ["verify", "replay", "repair"])
def test_a_device_is_no_journal(device: str, verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    mode = Path(device).stat().st_mode
    assert main(["journal", verb, device, "--lang", "en"]) == 1
    printed = capsys.readouterr()
    assert ("line 1 " in printed.out) != ("folder, pipe or device" in printed.err)
    assert Path(device).stat().st_mode == mode


@pytest.mark.parametrize("verb", ["replay", "repair"])
def test_a_pipe_is_not_waited_for(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert main(["journal", verb, str(tmp_path / "pipe"), "--lang", "en"]) == 1
    assert "folder, pipe or device" in capsys.readouterr().err


def test_verify_says_that_an_unreadable_head_vouches_for_nothing(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.with_name("journal.jsonl.head").mkdir()
    assert main(["journal", "verify", str(journal)]) == 0
    assert "head is damaged: the end of the journal cannot be vouched for" in capsys.readouterr().out


def test_repair_leaves_a_whole_journal_alone(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = journal.read_bytes()
    assert main(["journal", "repair", str(journal)]) == 0
    assert journal.read_bytes() == before
    journal.write_bytes(before + b"junk\n")
    assert main(["journal", "repair", str(journal)]) == 0
    assert journal.read_bytes() == before
    assert "damaged file is kept as" in capsys.readouterr().out


@pytest.mark.parametrize("verb", ["show", "verify", "replay", "repair"])
def test_a_missing_file_is_usage(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", verb, str(tmp_path / "none")]) == 2
    assert "none cannot be read" in capsys.readouterr().err
