"""The power is cut at every write in turn: what was acknowledged is there, the journal opens and goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tablectl.daemon import history, recovery
from tablectl.daemon.errors import JournalUnreadable
from tablectl.daemon.filelayer import FileLayer
from tablectl.daemon.journal import FileJournal
from tablectl.daemon.record import canonical
from tablectl.daemon.snapshot import Snapshot, encode_snapshot

Body = Callable[[int], dict[str, Any]]
FATES: dict[str, Callable[[bytes], bytes]] = {
    "all lost": lambda unsynced: b"",
    "first half stays": lambda unsynced: unsynced[: len(unsynced) // 2],
    "all but the last byte stays": lambda unsynced: unsynced[:-1],
    "size grew, blocks stay zero": lambda unsynced: b"\0" * len(unsynced),
    "second half stays zero": lambda unsynced: (
        unsynced[: len(unsynced) // 2] + b"\0" * (len(unsynced) - len(unsynced) // 2)
    ),
    "all stays": lambda unsynced: unsynced,
}


async def live(
    path: Path, layer: FileLayer, opening: dict[str, Any], make_body: Body
) -> dict[int, dict[str, Any]]:
    """A short life of a daemon: open, record in bursts, take snapshots, close. Gives what it acknowledged."""
    acknowledged: dict[int, dict[str, Any]] = {}
    recovered = recovery.open_or_create(path, layer=layer, **opening)
    over = asyncio.Event()
    journal = FileJournal(path, recovered.head, layer=layer, on_failure=lambda failure: over.set())
    for burst in (1, 3, 1, 5, 2):
        arrived = asyncio.Event()
        for _ in range(burst):
            body = make_body(journal.head.n + 1)
            n = journal.append(body)
            journal.when_durable(n, lambda n=n, body=body: acknowledged.update({n: body}))  # type: ignore[misc]
        journal.when_durable(journal.head.n, arrived.set)
        waits = {asyncio.ensure_future(event.wait()) for event in (arrived, over)}
        _, rest = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in rest:
            wait.cancel()
        if burst > 1 and not over.is_set():
            head = journal.head
            state = Snapshot(recovered.name.id, head.n, head.hash, 0, "0.1.0", {"hand": burst})
            journal.write_beside("snapshot.json", encode_snapshot(state))
    await journal.close()
    return acknowledged


@pytest.mark.report("B099")
@pytest.mark.parametrize("fate", FATES.values(), ids=FATES)
async def test_nothing_acknowledged_is_lost_wherever_the_power_goes(
    tmp_path: Path,
    fate: Callable[[bytes], bytes],
    cutting_layer: Callable[..., Any],
    opening: dict[str, Any],
    make_body: Body,
) -> None:
    whole = cutting_layer()
    await live(tmp_path / "whole.jsonl", whole, opening, make_body)
    assert whole.steps > 20
    snapshots = 0
    for cut_at in range(1, whole.steps + 1):
        path = tmp_path / str(cut_at) / "journal.jsonl"
        path.parent.mkdir()
        acknowledged: dict[int, dict[str, Any]] = {}
        try:
            acknowledged = await live(path, cutting_layer(cut_at, fate), opening, make_body)
        except (JournalUnreadable, OSError):
            assert not path.exists() or history.verify(path).records == 1  # cut while it was made
        recovered = recovery.open_or_create(path, **opening)
        records = {record.n: record for record in recovered.records(whole=True)}
        for n, body in acknowledged.items():
            assert bytes(records[n].input) == canonical(body["in"])
        snapshots += recovered.snapshot is not None
        journal = FileJournal(path, recovered.head)
        journal.append(make_body(recovered.head.n + 1))
        await journal.close()
        assert history.verify(path).vouched
    assert snapshots > 0


@pytest.mark.report("B099")
async def test_a_second_power_cut_while_recovering_from_the_first_loses_nothing(
    tmp_path: Path,
    cutting_layer: Callable[..., Any],
    opening: dict[str, Any],
    make_lines: Callable[..., list[bytes]],
) -> None:
    torn = b"".join(make_lines(9))[:-7]
    for cut_at in range(1, 8):
        path = tmp_path / str(cut_at) / "journal.jsonl"
        path.parent.mkdir()
        path.write_bytes(torn)
        with suppress(JournalUnreadable):
            recovery.open_or_create(path, layer=cutting_layer(cut_at), **opening)
        recovered = recovery.open_or_create(path, **opening)
        assert recovered.head.n == 8
        assert path.with_name("journal.jsonl.torn-9").read_bytes() == torn[recovered.size :]
