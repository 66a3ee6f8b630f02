"""`journal show|verify|replay|repair` on a small journal."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tablectl.console.cli import main
from tablectl.daemon.record import Chain, journal_body
from tablectl.game import step as game
from tablectl.game.inputs import Command
from tablectl.rules.book import load_book


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLECTL_LANG", "en")
    chain, state, book = Chain(), game.new_state(), load_book()
    lines = [chain.seal(journal_body("0" * 32, "test", {}))]
    for n, name in enumerate(("session start", "session stop"), 2):
        command = Command(str(n), "kim", "referee", name, {"rules": "mcr"} if n == 2 else {})
        game.step(state, n, n, 0, command, book)
        lines.append(chain.seal({"at": n, "unc": 0, "in": command}))
    lines.append(chain.seal({"at": 9, "unc": 0, "result": {"hand": 0, "digest": game.digest(state)}}))
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"".join(lines))
    return path


def test_show_prints_a_line_a_record(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "show", str(journal)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert "session start" in lines[1]
    assert main(["journal", "show", str(journal), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[1])["key"] == "session start"


def test_verify_says_whole_or_the_first_bad_line(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "verify", str(journal)]) == 0
    assert "4 records, chain unbroken" in capsys.readouterr().out
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([lines[0], lines[2], lines[1], lines[3]]))
    assert main(["journal", "verify", str(journal)]) == 1
    assert "line 2 " in capsys.readouterr().out
    assert main(["journal", "verify", str(journal), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["bad_line"] == 2


def test_replay_agrees_or_names_the_record(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "replay", str(journal)]) == 0
    assert "2 inputs replayed" in capsys.readouterr().out
    assert main(["journal", "replay", str(journal), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"ok": True, "inputs": 2, "differences": []}


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
