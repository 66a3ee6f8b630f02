"""Opening the record of an earlier life: check it, cut a torn end, find where to replay from.

A write that a power cut tore was never acknowledged, so it is cut off and a copy kept. Damage anywhere
else would lose acknowledged acts, so it is refused with the line and what to do. Knows nothing of the game:
replaying is done by a callable that takes records.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, BinaryIO

import msgspec

from tablectl.daemon.answers import Answers
from tablectl.daemon.errors import (
    FLAW_SENTENCES,
    DaemonError,
    HeadDamaged,
    JournalBegunAnew,
    JournalDamaged,
    JournalNewer,
    JournalNotFile,
    JournalShort,
    JournalTorn,
    ReplayFailed,
    SnapshotDamaged,
    SnapshotForeign,
    unreadable,
)
from tablectl.daemon.filelayer import FileLayer, free_name, read_help
from tablectl.daemon.journal import head_path
from tablectl.daemon.record import (
    GENESIS,
    Chain,
    Flaw,
    Head,
    JournalName,
    LineCheck,
    Record,
    journal_body,
    read_line,
    read_lines,
    read_records,
)
from tablectl.daemon.snapshot import FILE_NAME, Snapshot, decode_snapshot


@dataclass(slots=True)
class Recovered:
    """A journal that is fit to go on from ``head``.

    ``last_at`` is the latest table time in it: the table's clock starts there. ``notes`` are for people.
    ``size`` counts the bytes of the good records, ``torn`` says that there were more.
    """

    name: JournalName
    head: Head
    last_at: int
    size: int
    torn: bool
    created: bool
    snapshot: Snapshot | None
    answers: Answers
    notes: list[DaemonError]
    _open: Callable[[], BinaryIO]
    _tail_offset: int

    def records(self, whole: bool = False) -> Iterator[Record]:
        """The records since the snapshot, or the ``whole`` journal for a state that it does not fit."""
        with self._open() as stream:
            stream.seek(0 if whole else self._tail_offset)
            yield from read_records(read_lines(stream))


@dataclass(slots=True)
class _Scan:
    """One pass over a journal: how much of it is good, and what the good part says."""

    check: LineCheck = field(default_factory=LineCheck)
    size: int = 0
    last_at: int = 0
    name: JournalName | None = None
    answers: Answers = field(default_factory=Answers)
    flaw: Flaw | None = None
    torn: bool = False

    def run(self, stream: BinaryIO, marks: Container[Head | None]) -> dict[Head, int]:
        """Read to the end or the first flaw. Returns the offsets behind those ``marks`` it came by."""
        offsets: dict[Head, int] = {}
        for line in read_lines(stream):
            self.flaw = self.check.flaw(line)
            if self.flaw is not None:
                self.torn = self._is_torn(line, stream)
                break
            self._learn(line)
            if self.check.head in marks:
                offsets[self.check.head] = self.size
        return offsets

    def _learn(self, line: bytes) -> None:
        record = self.check.record
        assert record is not None
        self.size += len(line)
        self.last_at = max(self.last_at, record.at)
        self.name = record.journal or self.name
        self.answers.learn(record)

    def _is_torn(self, line: bytes, rest: BinaryIO) -> bool:
        """Whether a bad line is the end of a write that never finished.

        Such a line has no end, or holds the zeros of a block that was never written; and no record stands
        behind it. The first record is made in one piece, so a file without one is something else.
        """
        if self.check.head.n == 0 or self.flaw in (Flaw.NUMBER, Flaw.PREVIOUS):
            return False
        unfinished = self.flaw is Flaw.TORN or b"\0" in line
        return unfinished and all(read_line(later) is None for later in read_lines(rest))


def open_or_create(
    path: Path,
    *,
    code: str,
    rules: Mapping[str, str],
    new_id: Callable[[], str],
    snapshot: Path | None = None,
    layer: FileLayer | None = None,
) -> Recovered:
    """Open the journal at ``path``, or make one with id ``new_id()``, by version ``code`` under ``rules``.

    Cuts a torn end (the copy is named in ``notes``) and syncs the file: whatever it returns is durable.
    ``snapshot`` is by default the one beside the journal. It and ``FILE.head`` are only a help: damaged ones
    are renamed. Raises ``JournalDamaged``, ``JournalNewer``, ``JournalNotFile``, ``JournalShort``,
    ``JournalUnreadable``.
    """
    layer = layer or FileLayer()
    snapshot = snapshot or path.with_name(FILE_NAME)
    try:
        refuse_irregular(path)
        notes: list[DaemonError] = []
        data = read_help(snapshot)
        expected = read_head(path, notes)
        empty = path.exists() and path.stat().st_size == 0
        created = empty or not path.exists()
        if created:
            _refuse_loss(path, snapshot, data, expected)
            layer.write_new(path, Chain().seal(journal_body(new_id(), code, rules)))
        recovered = _recover(lambda: path.open("rb"), path, snapshot, data, expected)
        recovered.created = created
        recovered.notes += notes
        for note in recovered.notes:
            if isinstance(note, HeadDamaged | SnapshotDamaged):
                aside = Path(note.fields["path"])
                layer.rename(aside, free_name(aside, "damaged"))
        if empty:
            recovered.notes.append(JournalBegunAnew(path=str(path)))
        if recovered.torn:
            recovered.notes.append(_keep_copy(path, recovered, layer))
        descriptor = layer.open_append(path)
        try:
            if recovered.torn:
                layer.truncate(descriptor, recovered.size)
            layer.sync(descriptor)  # a killed daemon leaves lines that only the system's memory holds
        finally:
            layer.close(descriptor)
    except OSError as error:
        raise unreadable(path, error) from error
    return recovered


def recover_bytes(data: bytes, snapshot: bytes | None = None) -> Recovered:
    """The same for a journal in memory; go on with ``data[:recovered.size]``."""
    memory = Path("in memory")
    return _recover(lambda: io.BytesIO(data), memory, memory, snapshot, None)


def replay(records: Iterable[Record], step: Callable[[Record], object]) -> int:
    """Give ``step`` each record with an input that did not raise; count them. Raises ``ReplayFailed``."""
    replayed = 0
    for record in records:
        if record.has_input and record.raised is None:
            try:
                step(record)
            except DaemonError:
                raise
            except Exception as error:
                raise ReplayFailed(n=record.n, reason=f"{type(error).__name__}: {error}") from error
            replayed += 1
    return replayed


class _HeadFile(msgspec.Struct, frozen=True):
    n: Annotated[int, msgspec.Meta(ge=1)]
    hash: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


def read_head(path: Path, notes: list[DaemonError] | None = None) -> Head | None:
    """The head the journal at ``path`` was closed with, or None where no readable one is beside it.

    An unreadable one is a ``HeadDamaged`` among the ``notes``.
    """
    data = read_help(head_path(path))
    if data is None:
        return None
    try:
        file = msgspec.json.decode(data, type=_HeadFile)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        if notes is not None:
            notes.append(HeadDamaged(path=str(head_path(path))))
        return None
    return Head(file.n, file.hash)


def refuse_irregular(path: Path) -> None:
    """Raise ``JournalNotFile`` for a folder, pipe or device, before anything is done to it."""
    if path.exists() and not path.is_file():
        raise JournalNotFile(path=str(path))


def _recover(
    open_: Callable[[], BinaryIO], path: Path, snapshot_path: Path, data: bytes | None, expected: Head | None
) -> Recovered:
    notes: list[DaemonError] = []
    snapshot: Snapshot | None = None
    if data is not None:
        try:
            snapshot = decode_snapshot(data, str(snapshot_path))
        except SnapshotDamaged as note:
            notes.append(note)
    scan = _Scan()
    with open_() as stream:
        mark = Head(snapshot.n, snapshot.hash) if snapshot else GENESIS
        offsets = scan.run(stream, (mark, expected))
    head = scan.check.head
    if scan.flaw is not None and not scan.torn:
        raise damaged(path, scan.check, scan.flaw)
    if scan.name is None:
        scan.check.data["line"] = 1
        raise damaged(path, scan.check, Flaw.EMPTY)
    if expected and expected.n > head.n:
        raise JournalShort(path=str(path), n=head.n, witness=head_path(path).name, expected=expected.n)
    if expected and expected not in offsets:
        scan.check.data["line"] = expected.n
        raise damaged(path, scan.check, Flaw.HEAD_DIFFERS)
    if snapshot and snapshot.journal == scan.name.id and snapshot.n > head.n:
        raise JournalShort(path=str(path), n=head.n, witness=snapshot_path.name, expected=snapshot.n)
    if snapshot and (snapshot.journal != scan.name.id or mark not in offsets):
        notes.append(SnapshotForeign(path=str(snapshot_path)))
        snapshot = None
    return Recovered(
        name=scan.name,
        head=head,
        last_at=scan.last_at,
        size=scan.size,
        torn=scan.torn,
        created=False,
        snapshot=snapshot,
        answers=scan.answers,
        notes=notes,
        _open=open_,
        _tail_offset=offsets[mark] if snapshot else 0,
    )


def damaged(path: Path, check: LineCheck, flaw: Flaw) -> JournalDamaged | JournalNewer:
    """The error that names what ``check`` met."""
    if flaw is Flaw.NEWER_FORMAT:
        return JournalNewer(path=str(path), format=check.data["format"], known=check.data["known"])
    return JournalDamaged(
        path=str(path),
        n=check.head.n,
        line=check.head.n + 1,
        flaw=FLAW_SENTENCES[flaw].format(**check.data),
        flaw_key=flaw.value,
        data=check.data,
    )


def _refuse_loss(path: Path, snapshot: Path, data: bytes | None, expected: Head | None) -> None:
    """A journal that is not there must not be begun anew where another file proves that it was."""
    if expected is not None:
        raise JournalShort(path=str(path), n=GENESIS.n, witness=head_path(path).name, expected=expected.n)
    if data is not None:
        try:
            n = decode_snapshot(data, str(snapshot)).n
        except SnapshotDamaged:
            return
        raise JournalShort(path=str(path), n=GENESIS.n, witness=snapshot.name, expected=n)


def _keep_copy(path: Path, recovered: Recovered, layer: FileLayer) -> JournalTorn:
    with path.open("rb") as stream:
        stream.seek(recovered.size)
        tail = stream.read()
    copy = path.with_name(f"{path.name}.torn-{recovered.head.n + 1}")
    layer.write_new(copy, tail)
    return JournalTorn(path=str(path), bytes=len(tail), copy=copy.name)
