"""Repair: the good part stays the journal, the damaged file is copied, what can be read is exported."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablectl.daemon import recovery
from tablectl.daemon.errors import (
    JournalDamaged,
    JournalNewer,
    JournalNotFile,
    JournalShort,
    JournalUnreadable,
    StateDirBusy,
)
from tablectl.daemon.journal import head_path
from tablectl.daemon.lock import StateLock
from tablectl.daemon.record import Chain, canonical, read_records, verify
from tablectl.daemon.repair import repair
from tablectl.daemon.snapshot import Snapshot, encode_snapshot


@pytest.fixture
def damaged(journal_file: Path, lines: list[bytes]) -> Path:
    """Line 21 is garbage, line 33 another; a snapshot stands behind, a head beside."""
    broken = [*lines[:20], b"garbage\n", *lines[21:32], b"\xff\n", *lines[33:]]
    journal_file.write_bytes(b"".join(broken))
    record = list(read_records(lines))[29]
    snapshot = Snapshot("5e" * 16, 30, record.hash, 0, "0.1.0", {})
    journal_file.with_name("snapshot.json").write_bytes(encode_snapshot(snapshot))
    head_path(journal_file).write_bytes(canonical(verify(lines).head._asdict()))
    return journal_file


def test_a_damaged_journal_starts_again_after_repair_and_nothing_is_thrown_away(
    damaged: Path, lines: list[bytes], opening: dict[str, Any]
) -> None:
    before = damaged.read_bytes()
    with pytest.raises(JournalDamaged):
        recovery.open_or_create(damaged, **opening)
    done = repair(damaged)
    assert (done.verdict.bad_line, done.kept.n, done.lost) == (21, 20, 18)
    assert done.copy is not None
    assert done.copy.read_bytes() == before
    assert done.export is not None
    assert done.export.read_bytes() == b"".join([*lines[:20], *lines[21:32], *lines[33:]])
    assert {stat.S_IMODE(file.stat().st_mode) for file in (damaged, done.copy, done.export)} == {0o600}
    assert {file.name for file in done.set_aside} == {"snapshot.json.damaged", "journal.jsonl.head.damaged"}
    recovered = recovery.open_or_create(damaged, **opening)
    assert (recovered.head.n, recovered.torn, recovered.notes) == (20, False, [])


def test_a_second_repair_overwrites_nothing(damaged: Path) -> None:
    first = repair(damaged)
    damaged.write_bytes(damaged.read_bytes() + b"garbage\n")
    second = repair(damaged)
    assert second.copy != first.copy
    assert second.export != first.export


def test_a_whole_journal_needs_no_repair(journal_file: Path) -> None:
    before = journal_file.read_bytes()
    done = repair(journal_file)
    assert (done.verdict.ok, done.copy, done.export, done.set_aside) == (True, None, None, ())
    assert journal_file.read_bytes() == before


@pytest.mark.parametrize("witness", ["snapshot", "head"])
def test_a_lost_end_is_accepted_by_repair(
    damaged: Path, lines: list[bytes], opening: dict[str, Any], witness: str
) -> None:
    damaged.write_bytes(b"".join(lines[:10]))
    (damaged.with_name("snapshot.json") if witness == "head" else head_path(damaged)).unlink()
    with pytest.raises(JournalShort):
        recovery.open_or_create(damaged, **opening)
    repair(damaged)
    assert recovery.open_or_create(damaged, **opening).head.n == 10


def test_a_journal_in_use_is_left_alone(damaged: Path) -> None:
    with StateLock(damaged.parent), pytest.raises(StateDirBusy):
        repair(damaged)


def test_a_missing_journal_is_said(tmp_path: Path) -> None:
    with pytest.raises(JournalUnreadable, match="No such file"):
        repair(tmp_path / "journal.jsonl")


def test_a_snapshot_within_the_good_part_stays(
    damaged: Path, lines: list[bytes], make_lines: Callable[..., list[bytes]]
) -> None:
    record = list(read_records(lines))[9]
    snapshot = damaged.with_name("snapshot.json")
    snapshot.write_bytes(encode_snapshot(Snapshot("5e" * 16, 10, record.hash, 0, "0.1.0", {})))
    repair(damaged)
    assert snapshot.exists()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["a pipe", "a folder"])
def test_what_is_no_regular_file_is_not_touched(tmp_path: Path, make: Callable[..., None]) -> None:
    path = tmp_path / "journal.jsonl"
    make(path, 0o755)
    before = path.stat()
    with pytest.raises(JournalNotFile):
        repair(path)
    assert (path.stat().st_mode, list(tmp_path.iterdir())) == (before.st_mode, [path])


def test_a_journal_of_a_newer_format_is_not_repaired(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    name = {"id": "", "code": "", "format": 2, "rules": {}}
    path.write_bytes(Chain().seal({"at": 0, "unc": 0, "journal": name}))
    with pytest.raises(JournalNewer, match="install that version"):
        repair(path)
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_no_half_copies(damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: object, out: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = sorted(damaged.parent.iterdir())
    monkeypatch.setattr(shutil, "copyfileobj", refuse)
    with pytest.raises(JournalUnreadable, match="Free space on its disk"):
        repair(damaged)
    assert sorted(damaged.parent.iterdir()) == before
