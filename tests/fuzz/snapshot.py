"""Snapshots and heads beside a journal: only a help, so anything in them is set aside."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256

import msgspec

from tablectl.daemon.errors import DaemonError, SnapshotDamaged
from tablectl.daemon.record import canonical
from tablectl.daemon.recovery import recover_bytes
from tablectl.daemon.restore import restore
from tablectl.daemon.snapshot import Snapshot, decode_snapshot, encode_snapshot
from tablectl.game import step as game
from tests.fuzz import journal

SEALED = journal.SEALED


def one(data: bytes) -> None:
    """It is read or is damaged; with the journal beside it the start never fails but for a named reason."""
    if data[:1] == SEALED:
        text = data[1:]
        try:
            data = canonical({"snapshot": msgspec.Raw(text), "sum": sha256(text).hexdigest()})
        except msgspec.MsgspecError:
            return
    with suppress(SnapshotDamaged):
        decode_snapshot(data, "here")
    record = journal.seeds()[0]
    try:
        restore(recover_bytes(record, data), journal.book())
    except DaemonError as error:
        assert str(error)


def seeds() -> list[bytes]:
    """A good one, of this journal and of another, and one to be sealed."""
    recovered = recover_bytes(journal.seeds()[0])
    state = msgspec.json.decode(game.to_json(game.new_state()))
    made = Snapshot(journal.ID, recovered.head.n, recovered.head.hash, 5, "0.1.0", state)
    other = Snapshot("00" * 16, 3, "00" * 32, 5, "0.1.0", state)
    return [encode_snapshot(made), encode_snapshot(other), SEALED + canonical(made)]
