"""Making a damaged journal usable again, by a person's order: nothing is thrown away.

The good records before the damage stay as the journal; the whole damaged file is copied, and every record
that can still be read is exported for people. A snapshot from behind the damage is set aside.
"""

from __future__ import annotations

import shutil
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from tablectl.daemon.errors import JournalUnreadable, SnapshotDamaged
from tablectl.daemon.filelayer import FileLayer
from tablectl.daemon.journal import head_path
from tablectl.daemon.lock import FILE_NAME as LOCK_NAME
from tablectl.daemon.lock import StateLock
from tablectl.daemon.record import Head, Verdict, read_line, verify
from tablectl.daemon.recovery import read_head
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

    Raises ``StateDirBusy``, ``JournalUnreadable``.
    """
    layer = layer or FileLayer()
    in_use = (path.parent / LOCK_NAME).exists()
    try:
        with StateLock(path.parent) if in_use else nullcontext():
            return _repair(path, layer)
    except OSError as error:
        raise JournalUnreadable(path=str(path), reason=error.strerror or str(error)) from error


def _repair(path: Path, layer: FileLayer) -> Repaired:
    with path.open("rb") as lines:
        verdict = verify(lines, read_head(path))
    lost, copy, export = 0, None, None
    if verdict.bad_line is not None:
        copy = _free_name(path, "damaged")
        shutil.copyfile(path, copy)
        copy.chmod(0o600)
        export = _free_name(path, "readable")
        lost, size = _export(path, export, verdict.records)
        for written in (copy, export):
            _sync(layer, written)
        descriptor = layer.open_append(path)
        try:
            layer.truncate(descriptor, size)
        finally:
            layer.close(descriptor)
    aside = _set_aside(path, verdict, layer)
    return Repaired(verdict, verdict.head, lost, copy, export, aside)


def _export(path: Path, export: Path, good: int) -> tuple[int, int]:
    """Write all readable records. Returns how many stand behind the good ones, and the good ones' size."""
    lost = size = 0
    export.touch(0o600)
    with path.open("rb") as lines, export.open("wb") as out:
        for number, line in enumerate(lines, 1):
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
        names.append(_free_name(file, "damaged"))
        layer.rename(file, names[-1])
    return tuple(names)


def _is_ahead(snapshot: Path, n: int) -> bool:
    try:
        return decode_snapshot(snapshot.read_bytes(), str(snapshot)).n > n
    except SnapshotDamaged:
        return False


def _free_name(path: Path, word: str) -> Path:
    candidate, number = path.with_name(f"{path.name}.{word}"), 1
    while candidate.exists():
        number += 1
        candidate = path.with_name(f"{path.name}.{word}-{number}")
    return candidate


def _sync(layer: FileLayer, path: Path) -> None:
    descriptor = layer.open_append(path)
    try:
        layer.sync(descriptor)
    finally:
        layer.close(descriptor)
