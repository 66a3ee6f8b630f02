"""The state at the end of a hand, kept beside the journal so that a restart replays one hand.

``{"snapshot":{…},"sum":hex}``: the sum is the SHA-256 of the snapshot's bytes. A snapshot is a shortcut and
never the truth: one that is damaged or of another journal is set aside and the whole journal replayed.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec

from tablectl.daemon.errors import SnapshotDamaged
from tablectl.daemon.record import canonical

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
        if sha256(file.snapshot).hexdigest() != file.sum:
            raise SnapshotDamaged(path=path)
        return msgspec.json.decode(file.snapshot, type=Snapshot)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise SnapshotDamaged(path=path) from error
