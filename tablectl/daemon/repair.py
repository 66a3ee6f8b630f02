"""Making a damaged journal usable again, by a person's order: nothing is thrown away.

The good records before the damage stay as the journal; the whole damaged file is copied, and every record
that can still be read is exported for people. A snapshot from behind the damage is set aside.
"""

from __future__ import annotations

import os
import shutil
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from tablectl.daemon.errors import JournalNewer, SnapshotDamaged, unreadable
from tablectl.daemon.filelayer import PRIVATE, FileLayer, free_name, read_help
from tablectl.daemon.journal import head_path
from tablectl.daemon.lock import FILE_NAME as LOCK_NAME
from tablectl.daemon.lock import StateLock
from tablectl.daemon.record import Flaw, Head, Verdict, read_line, read_lines, verify
from tablectl.daemon.recovery import read_head, refuse_irregular
from tablectl.daemon.snapshot import FILE_NAME as SNAPSHOT_NAME
from tablectl.daemon.snapshot import decode_snapshot


@dataclass(frozen=True, slots=True)
class Repaired:
    """What was done. ``copy`` and ``export`` are None where the journal was whole.

    ``lost`` counts the readable records behind the damage: they are in ``export``, no longer in the journal.
    """

    verdict: Verdict
    kept: Head
    lost: int
    copy: Path | None
    export: Path | None
    set_aside: tuple[Path, ...]


def repair(path: Path, layer: FileLayer | None = None) -> Repaired:
    """Repair the journal at ``path``, which no daemon may be using.

    Raises ``StateDirBusy``, ``JournalNewer``, ``JournalNotFile``, ``JournalUnreadable``.
    """
    layer = layer or FileLayer()
    refuse_irregular(path)
    in_use = (path.parent / LOCK_NAME).exists()
    try:
        with StateLock(path.parent) if in_use else nullcontext():
            return _repair(path, layer)
    except OSError as error:
        raise unreadable(path, error) from error


def _repair(path: Path, layer: FileLayer) -> Repaired:
    with path.open("rb") as stream:
        verdict = verify(read_lines(stream), read_head(path))
    if verdict.key == Flaw.NEWER_FORMAT:
        raise JournalNewer(path=str(path), format=verdict.data["format"], known=verdict.data["known"])
    lost, copy, export = 0, None, None
    if verdict.bad_line is not None:
        copy, export = free_name(path, "damaged"), free_name(path, "readable")
        try:
            _copy(path, copy)
            lost, size = _export(path, export, verdict.records)
            for written in (copy, export):
                _sync(layer, written)
        except OSError:
            for written in (copy, export):
                written.unlink(missing_ok=True)
            raise
        descriptor = layer.open_append(path)
        try:
            layer.truncate(descriptor, size)
        finally:
            layer.close(descriptor)
    aside = _set_aside(path, verdict, layer)
    return Repaired(verdict, verdict.head, lost, copy, export, aside)


def _create(path: Path) -> BinaryIO:
    """A new file that nobody else can read at any time."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE), "wb")


def _copy(path: Path, copy: Path) -> None:
    with path.open("rb") as source, _create(copy) as out:
        shutil.copyfileobj(source, out)


def _export(path: Path, export: Path, good: int) -> tuple[int, int]:
    """Write all readable records. Returns how many stand behind the good ones, and the good ones' size."""
    lost = size = 0
    with path.open("rb") as stream, _create(export) as out:
        for number, line in enumerate(read_lines(stream), 1):
            if number <= good:
                size += len(line)
            elif read_line(line) is not None:
                lost += 1
            else:
                continue
            out.write(line)
    return lost, size


def _set_aside(path: Path, verdict: Verdict, layer: FileLayer) -> tuple[Path, ...]:
    """Rename what proves that the journal was longer; the next start would refuse because of it."""
    snapshot = path.with_name(SNAPSHOT_NAME)
    moved = []
    if verdict.bad_line is not None and head_path(path).exists():
        moved.append(head_path(path))
    if snapshot.exists() and _is_ahead(snapshot, verdict.head.n):
        moved.append(snapshot)
    names = []
    for file in moved:
        names.append(free_name(file, "damaged"))
        layer.rename(file, names[-1])
    return tuple(names)


def _is_ahead(snapshot: Path, n: int) -> bool:
    try:
        return decode_snapshot(read_help(snapshot) or b"", str(snapshot)).n > n
    except SnapshotDamaged:
        return False


def _sync(layer: FileLayer, path: Path) -> None:
    descriptor = layer.open_append(path)
    try:
        layer.sync(descriptor)
    finally:
        layer.close(descriptor)
