"""The state at the end of a hand, kept beside the journal so that a restart replays one hand.

``{"snapshot":{…},"sum":hex}``: the sum is the SHA-256 of the snapshot's bytes. A snapshot is a shortcut and
never the truth: one that is damaged or of another journal is set aside and the whole journal replayed.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any, Protocol

import msgspec

from tablectl import __version__
from tablectl.daemon.errors import SnapshotDamaged
from tablectl.daemon.record import Head, canonical, too_deep

FILE_NAME = "snapshot.json"


class Snapshot(msgspec.Struct, frozen=True):
    """``state`` after record ``n``, whose hash was ``hash``, of journal ``journal``; ``code`` wrote it."""

    journal: str
    n: int
    hash: str
    at: int
    code: str
    state: dict[str, Any]


class _File(msgspec.Struct, frozen=True):
    snapshot: msgspec.Raw
    sum: str


def encode_snapshot(snapshot: Snapshot) -> bytes:
    """The bytes of the file."""
    text = canonical(snapshot)
    return canonical(_File(msgspec.Raw(text), sha256(text).hexdigest())) + b"\n"


def decode_snapshot(data: bytes, path: str) -> Snapshot:
    """The snapshot in the bytes of the file ``path``. Raises ``SnapshotDamaged``."""
    try:
        file = msgspec.json.decode(data, type=_File)
        if sha256(file.snapshot).hexdigest() != file.sum or too_deep(bytes(file.snapshot)):
            raise SnapshotDamaged(path=path)
        return msgspec.json.decode(file.snapshot, type=Snapshot)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise SnapshotDamaged(path=path) from error


def snapshots(journal: Beside, id: str) -> Callable[[Head, int, bytes], None]:
    """What writes the state of a hand's end beside its journal, off the loop."""

    def write(head: Head, at: int, state: bytes) -> None:
        snapshot = Snapshot(id, head.n, head.hash, at, __version__, msgspec.json.decode(state))
        journal.write_beside(FILE_NAME, encode_snapshot(snapshot))

    return write


class Beside(Protocol):
    """A journal that writes files beside itself."""

    def write_beside(self, name: str, data: bytes) -> None:
        """Write a small file once all records so far are durable."""
