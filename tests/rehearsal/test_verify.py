"""`journal verify` on the record of a real hand: it accepts it, and names the first bad line of any other."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tablectl.console.cli import main
from tablectl.rehearsal.room import Setting
from tablectl.rehearsal.virtual import rehearse
from tests.rehearsal.conftest import Said
from tests.rehearsal.played import BOOK

PLACES = 20
Lines = list[bytes]
Damage = Callable[[Lines, int], int | None]  # spoils line n (from 1) and returns the line to be named


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journal of one hand, as the demo leaves it."""
    path = tmp_path_factory.mktemp("record") / "journal.jsonl"
    rehearse(Setting(seed=11), BOOK, path, hands=1, session={"rules": "mcr"})
    return path


@pytest.fixture(scope="module")
def lines(record: Path) -> Lines:
    return record.read_bytes().splitlines(keepends=True)


@pytest.fixture
def copy(record: Path, tmp_path: Path) -> Path:
    """A copy of the journal to spoil, with the head it was closed with beside it."""
    for file in record.parent.iterdir():
        shutil.copy(file, tmp_path)
    return tmp_path / record.name


def places(count: int) -> list[int]:
    """Line numbers all over a file of ``count`` lines, its ends among them."""
    inner = random.Random(7).sample(range(3, count - 1), PLACES - 4)
    return sorted([1, 2, count - 1, count, *inner])


def flip_digit(lines: Lines, n: int) -> int:
    """One digit of the line's own time, the smallest change there is."""
    line = lines[n - 1]
    at = line.index(b'"at":') + len(b'"at":')
    lines[n - 1] = line[:at] + (b"8" if line[at : at + 1] != b"8" else b"9") + line[at + 1 :]
    return n


def flip_hash(lines: Lines, n: int) -> int:
    """One digit of the line's hash."""
    line = lines[n - 1]
    at = line.index(b'"hash":"') + len(b'"hash":"')
    lines[n - 1] = line[:at] + (b"a" if line[at : at + 1] != b"a" else b"b") + line[at + 1 :]
    return n


def add_space(lines: Lines, n: int) -> int:
    """The same JSON, other bytes."""
    lines[n - 1] = lines[n - 1].replace(b",", b", ", 1)
    return n


def remove(lines: Lines, n: int) -> int:
    del lines[n - 1]
    return n


def double(lines: Lines, n: int) -> int:
    lines.insert(n, lines[n - 1])
    return n + 1


def swap(lines: Lines, n: int) -> int:
    """With the next line, the last one with the one before."""
    first = min(n, len(lines) - 1)
    lines[first - 1 : first + 1] = reversed(lines[first - 1 : first + 1])
    return first


def truncate(lines: Lines, n: int) -> int:
    """The file ends in the middle of the line."""
    lines[n - 1 :] = [lines[n - 1][: len(lines[n - 1]) // 2]]
    return n


def cut_line(lines: Lines, n: int) -> int:
    """The line lacks its second half, the next follows at once."""
    lines[n - 1] = lines[n - 1][: len(lines[n - 1]) // 2]
    return n


def lose_rest(lines: Lines, n: int) -> int:
    """The file ends before the line."""
    del lines[n - 1 :]
    return n


def empty_line(lines: Lines, n: int) -> int:
    lines.insert(n - 1, b"\n")
    return n


DAMAGES: list[Damage] = [
    flip_digit,
    flip_hash,
    add_space,
    remove,
    double,
    swap,
    truncate,
    cut_line,
    lose_rest,
    empty_line,
]


def verdict(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, object]]:
    capsys.readouterr()
    code = main(["journal", "verify", str(path), "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_the_record_is_accepted(copy: Path, lines: Lines, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = verdict(copy, capsys)
    assert code == 0
    assert (found["ok"], found["records"], found["bad_line"], found["vouched"]) == (
        True,
        len(lines),
        None,
        True,
    )
    assert main(["journal", "replay", str(copy)]) == 0


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_the_first_bad_line_is_named(
    damage: Damage, copy: Path, lines: Lines, capsys: pytest.CaptureFixture[str]
) -> None:
    for n in places(len(lines)):
        spoilt = [*lines]
        bad_line = damage(spoilt, n)
        copy.write_bytes(b"".join(spoilt))
        code, found = verdict(copy, capsys)
        assert (code, found["ok"], found["bad_line"]) == (1, False, bad_line), (n, found)


@pytest.mark.parametrize("place", ["first", "middle", "last"])
def test_any_single_byte_counts(
    place: str, copy: Path, lines: Lines, capsys: pytest.CaptureFixture[str]
) -> None:
    n = {"first": 1, "middle": len(lines) // 2, "last": len(lines)}[place]
    dice = random.Random(3)
    for at in dice.sample(range(len(lines[n - 1])), 40):
        line = bytearray(lines[n - 1])
        line[at] ^= 1 << dice.randrange(8)
        copy.write_bytes(b"".join([*lines[: n - 1], bytes(line), *lines[n:]]))
        code, found = verdict(copy, capsys)
        assert (code, found["bad_line"]) == (1, n), (at, bytes(line))


def test_the_sentence_names_the_line(command: Callable[..., Said], copy: Path, lines: Lines) -> None:
    copy.write_bytes(b"".join([*lines[:99], *lines[100:]]))
    said = command("journal", "verify", copy)
    assert said.code == 1
    assert "line 100 holds record 101 where record 100 belongs" in said.out


def test_a_missing_end_needs_the_head(
    command: Callable[..., Said], copy: Path, lines: Lines, capsys: pytest.CaptureFixture[str]
) -> None:
    copy.write_bytes(b"".join(lines[:-1]))
    assert verdict(copy, capsys)[1]["bad_line"] == len(lines)
    copy.with_name(copy.name + ".head").unlink()
    said = command("journal", "verify", copy)
    assert said.code == 0
    assert "nothing vouches for the end" in said.out


def test_another_journal_under_the_same_head_is_no_good(
    copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.jsonl"
    rehearse(Setting(seed=12), BOOK, other, hands=1, session={"rules": "mcr"})
    copy.write_bytes(other.read_bytes())
    assert verdict(copy, capsys)[0] == 1


def test_what_is_no_journal_is_said(command: Callable[..., Said], tmp_path: Path) -> None:
    for content in (b"", b"\n", b"hello\n", b"\0" * 999, b'{"at":0}\n'):
        path = tmp_path / "journal.jsonl"
        path.write_bytes(content)
        said = command("journal", "verify", path)
        assert said.code == 1, content
        assert "line 1" in said.out
    assert command("journal", "verify", tmp_path / "none").code == 2
    assert command("journal", "verify", tmp_path).code == 2
