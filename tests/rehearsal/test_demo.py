"""The demo command: the one object it prints, the journals it keeps and who may read them."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tablectl.daemon.record import read_records
from tablectl.rehearsal import demo
from tablectl.rehearsal.store import KEPT
from tablectl.rules.book import load_book
from tests.rehearsal.conftest import Said

KEYS = {
    "ok": bool,
    "hands": list,
    "inputs": int,
    "frames": int,
    "retries": int,
    "crc_errors": int,
    "violations": int,
    "digest": str,
    "journal": str,
    "virtual_s": float,
    "wall_s": float,
}
HAND = {"result": str, "winner": (str, type(None)), "turns": int, "wall_left": int}
MAX = ("demo", "--speed", "max", "--json")


@pytest.fixture
def _open_umask() -> Iterator[None]:
    """A user whose files everybody may read unless the program says otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("options", [("--seed", 1), ("--hands", 2, "--seed", 2, "--fidelity", "count")])
def test_the_object_has_every_field(
    command: Callable[..., Said], state_home: Path, options: tuple[object, ...]
) -> None:
    said = command(*MAX, *options)
    assert said.code == 0
    assert said.err == ""
    assert said.out.count("\n") == 1
    outcome = said.json
    assert {key: type(outcome[key]) for key in KEYS} == KEYS
    assert outcome["ok"] is True
    assert outcome["violations"] == 0
    assert len(outcome["hands"]) == (options[1] if options[0] == "--hands" else 1)
    for hand in outcome["hands"]:
        assert all(isinstance(hand[key], kind) for key, kind in HAND.items())
        assert hand["result"] in ("win", "draw")
        assert (hand["winner"] is None) == (hand["result"] == "draw")
        assert hand["turns"] > 0
    assert re.fullmatch(r"[0-9a-f]{64}", outcome["digest"])
    assert outcome["frames"] > outcome["inputs"] > 100
    assert outcome["virtual_s"] > 60 > outcome["wall_s"] > 0
    records = list(read_records(Path(outcome["journal"]).read_bytes().splitlines(keepends=True)))
    assert sum(record.has_input for record in records) == outcome["inputs"]
    assert records[-1].hash == outcome["head"]


def test_a_seed_gives_the_same_digest_and_the_same_file(
    command: Callable[..., Said], state_home: Path
) -> None:
    first, again, other = (command(*MAX, "--seed", seed).json for seed in (5, 5, 6))
    assert first["digest"] == again["digest"] != other["digest"]
    assert first["journal"] != again["journal"]
    assert Path(first["journal"]).read_bytes() == Path(again["journal"]).read_bytes()


def test_the_last_five_journals_are_kept(command: Callable[..., Said], state_home: Path) -> None:
    root = state_home / "tablectl" / "demo"
    journals = [Path(command(*MAX, "--seed", seed).json["journal"]) for seed in range(KEPT + 2)]
    assert KEPT == 5
    assert [path.exists() for path in journals] == [False, False, *[True] * KEPT]
    assert sorted(path.parent for path in journals[2:]) == sorted(root.iterdir())


def test_other_files_in_the_folder_are_let_alone(command: Callable[..., Said], state_home: Path) -> None:
    root = state_home / "tablectl" / "demo"
    (root / "mine").mkdir(parents=True)
    (root / "note.txt").write_text("keep me")
    for seed in range(KEPT + 1):
        assert command(*MAX, "--seed", seed).code == 0
    assert (root / "note.txt").read_text() == "keep me"
    assert (root / "mine").is_dir()


@pytest.mark.usefixtures("_open_umask")
def test_nobody_else_may_read_the_tiles(command: Callable[..., Said], state_home: Path) -> None:
    journal = Path(command(*MAX).json["journal"])
    assert mode(journal) == 0o600
    assert mode(journal.parent) == mode(journal.parent.parent) == 0o700
    assert {mode(path) for path in journal.parent.iterdir()} == {0o600}


@pytest.mark.process
def test_the_journal_is_there_after_the_process(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tablectl", *MAX],
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    [journal] = tmp_path.glob("tablectl/demo/*/journal.jsonl")
    assert str(journal).encode() in done.stdout
    assert next(read_records(journal.read_bytes().splitlines(keepends=True))).journal is not None


def test_the_page_for_people_says_the_same(command: Callable[..., Said], state_home: Path) -> None:
    outcome = command(*MAX, "--seed", 1).json
    page = command("demo", "--speed", "max", "--seed", 1, "--plain").out
    assert f"after {outcome['hands'][0]['turns']} discards" in page
    assert outcome["digest"][:16] in page
    assert str(outcome["frames"]) in page
    assert "/tablectl/demo/" in page
    chinese = command("--lang", "zh", "demo", "--speed", "max", "--seed", 1, "--plain").out
    assert outcome["digest"][:16] in chinese
    assert "discards" not in chinese


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--rules", "nope"), "mcr"),
        (("--hands", 0), "--hands"),
        (("--hands", "many"), "--hands"),
        (("--seed", "x"), "--seed"),
        (("--speed", 7), "--speed"),
        (("--sped", "max"), "--speed"),
        (("--fidelity", "none"), "identity"),
        (("now",), "now"),
    ],
)
def test_bad_options_are_said(
    command: Callable[..., Said], state_home: Path, options: tuple[object, ...], words: str
) -> None:
    said = command(*MAX, *options)
    assert said.code == 2
    assert words in said.err
    assert said.out == ""
    assert not state_home.exists()


def test_a_state_folder_that_cannot_be_used_is_said(
    command: Callable[..., Said], state_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    said = command(*MAX)
    assert said.code == 1
    assert "Not a directory" in said.err
    assert "Traceback" not in said.err


def test_a_whole_session_is_played_with_progress_and_a_ranking(
    command: Callable[..., Said], state_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = 4
    monkeypatch.setattr(demo, "load_book", lambda: load_book([("short", SHORT.format(hands=hands))]))
    said = command("demo", "--rules", "short", "--session", "--speed", "max", "--plain")
    assert said.code == 0
    assert re.findall(r"(\d+) hands played", said.err) == [str(n) for n in range(1, hands + 1)]
    line = r"^  (\d)\. (p\d): ([+-]?\d+) points, (\d+) hands won; standard points \d$"
    ranks = re.findall(line, said.out.replace("−", "-"), re.MULTILINE)
    assert sorted(name for _, name, _, _ in ranks) == ["p0", "p1", "p2", "p3"]
    assert sum(int(number) for _, _, number, _ in ranks) == 0
    assert [int(number) for _, _, number, _ in ranks] == sorted((int(r[2]) for r in ranks), reverse=True)


SHORT = """
id = "short"
extends = "mcr"
[session]
hands = {hands}
rounds = ["E"]
seat_changes = []
"""


@pytest.mark.parametrize("more", [("--hands", 2), ("--script", "hands.jsonl")])
def test_a_session_has_its_own_number_of_hands(
    command: Callable[..., Said], state_home: Path, more: tuple[object, ...]
) -> None:
    said = command("demo", "--session", *more)
    assert said.code == 2
    assert "--session" in said.err
    assert not state_home.exists()
