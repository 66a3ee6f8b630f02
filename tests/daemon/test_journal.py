"""Journals: numbered at once, durable in order, one sync for all that waits, honest about a failed disk."""

from __future__ import annotations

import asyncio
import errno
import os
import random
import stat
import threading
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablectl.daemon import history, recovery
from tablectl.daemon.errors import JournalClosed, JournalFailed, RecordUnfit
from tablectl.daemon.filelayer import FileLayer
from tablectl.daemon.journal import FileJournal, Journal, MemoryJournal, head_path
from tablectl.daemon.record import Head, verify

Body = Callable[[int], dict[str, Any]]
Make = Callable[..., Journal]


class CountingLayer(FileLayer):
    """Counts syncs; holds the first ones up while ``gate`` is closed; fails with ``error`` when it is set."""

    def __init__(self) -> None:
        self.syncs = 0
        self.gate = threading.Event()
        self.gate.set()
        self.error: OSError | None = None
        self.fail_at = "sync"

    def append(self, descriptor: int, data: bytes) -> None:
        if self.error is not None and self.fail_at == "append":
            super().append(descriptor, data[: len(data) // 2])
            raise self.error
        super().append(descriptor, data)

    def sync(self, descriptor: int) -> None:
        self.syncs += 1
        self.gate.wait()
        if self.error is not None:
            raise self.error
        super().sync(descriptor)


@pytest.fixture
def first(make_lines: Callable[..., list[bytes]]) -> bytes:
    return make_lines(1)[0]


@pytest.fixture
def path(tmp_path: Path, first: bytes) -> Path:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(first)
    return path


@pytest.fixture(params=["file", "memory"])
def make(request: pytest.FixtureRequest, path: Path, first: bytes) -> Make:
    head = verify([first]).head

    def make_journal(**options: Any) -> Journal:
        if request.param == "file":
            return FileJournal(path, head, **options)
        return MemoryJournal(asyncio.get_running_loop(), random.Random(1), data=first, head=head, **options)

    return make_journal


async def until_durable(journal: Journal, n: int) -> None:
    durable = asyncio.get_running_loop().create_future()
    journal.when_durable(n, lambda: durable.set_result(None))
    await durable


async def test_append_numbers_at_once_and_durability_comes_in_order(make: Make, make_body: Body) -> None:
    journal = make()
    seen: list[tuple[int, int]] = []
    numbers = [journal.append(make_body(n)) for n in range(2, 22)]
    assert numbers == list(range(2, 22))
    assert journal.head.n == 21
    for n in sorted(numbers, key=lambda n: n % 7):  # whatever the order of asking
        journal.when_durable(n, lambda n=n: seen.append((n, journal.durable)))  # type: ignore[misc]
    assert seen == []
    await until_durable(journal, 21)
    assert [n for n, _ in seen] == numbers
    assert all(durable >= n for n, durable in seen)
    await journal.close()


async def test_asking_late_is_answered_in_the_loop(make: Make, make_body: Body) -> None:
    journal = make()
    await until_durable(journal, journal.append(make_body(2)))
    called: list[int] = []
    journal.when_durable(2, lambda: called.append(2))
    assert called == []  # never from within the call
    await until_durable(journal, 2)
    assert called == [2]
    await journal.close()


async def test_a_callback_that_raises_holds_nobody_up(make: Make, make_body: Body) -> None:
    journal = make()
    complaints: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: complaints.append(context))
    n = journal.append(make_body(2))
    journal.when_durable(n, lambda: 1 // 0)
    await until_durable(journal, n)
    assert [type(context["exception"]) for context in complaints] == [ZeroDivisionError]
    await journal.close()


async def test_closing_makes_all_durable_and_ends_appending(make: Make, make_body: Body) -> None:
    journal = make()
    called: list[int] = []
    n = journal.append(make_body(2))
    journal.when_durable(n, lambda: called.append(n))
    await journal.close()
    assert called == [2]
    assert journal.durable == 2
    with pytest.raises(JournalClosed, match="closed"):
        journal.append(make_body(3))
    await journal.close()


async def test_a_refused_body_leaves_no_gap(make: Make, make_body: Body) -> None:
    journal = make()
    with pytest.raises(RecordUnfit):
        journal.append({"at": 0, "unc": 0, "in": {"name": "\udcff"}})
    assert journal.append(make_body(2)) == 2
    await journal.close()


async def test_both_journals_hold_the_same_bytes(path: Path, first: bytes, make_body: Body) -> None:
    head = verify([first]).head
    file = FileJournal(path, head)
    memory = MemoryJournal(asyncio.get_running_loop(), random.Random(7), data=first, head=head)
    for n in range(2, 50):
        assert file.append(make_body(n)) == memory.append(make_body(n))
        if n % 5 == 0:
            await until_durable(file, n)
    await asyncio.gather(file.close(), memory.close())
    assert path.read_bytes() == memory.data
    assert history.verify(path).records == 49
    assert recovery.read_head(path) == file.head == memory.head


async def test_all_that_waits_shares_one_sync(path: Path, first: bytes, make_body: Body) -> None:
    layer = CountingLayer()
    journal = FileJournal(path, verify([first]).head, layer=layer)
    layer.gate.clear()
    journal.append(make_body(2))
    while layer.syncs == 0:  # the thread is in its first sync
        await asyncio.get_running_loop().run_in_executor(None, os.sched_yield)
    for n in range(3, 103):
        journal.append(make_body(n))
    layer.gate.set()
    await until_durable(journal, 102)
    assert layer.syncs == 2
    await journal.close()


async def test_the_file_is_private_and_the_head_is_there_only_while_closed(
    path: Path, first: bytes, make_body: Body
) -> None:
    path.chmod(0o644)
    head_path(path).write_bytes(b'{"n":1,"hash":"00"}')
    journal = FileJournal(path, verify([first]).head)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not head_path(path).exists()
    journal.append(make_body(2))
    await journal.close()
    assert recovery.read_head(path) == journal.head == Head(2, journal.head.hash)
    assert stat.S_IMODE(head_path(path).stat().st_mode) == 0o600


async def test_a_file_beside_follows_the_records_before_it(make: Make, make_body: Body, path: Path) -> None:
    journal = make()
    journal.append(make_body(2))
    journal.write_beside("snapshot.json", b"old")
    journal.append(make_body(3))
    journal.write_beside("snapshot.json", b"new")
    await journal.close()
    beside = path.with_name("snapshot.json")
    found = journal.beside["snapshot.json"] if isinstance(journal, MemoryJournal) else beside.read_bytes()
    assert found == b"new"


@pytest.mark.parametrize("fail_at", ["sync", "append"])
async def test_a_failed_disk_is_told_once_and_nothing_is_durable_afterwards(
    path: Path, first: bytes, make_body: Body, fail_at: str
) -> None:
    layer = CountingLayer()
    failures: list[JournalFailed] = []
    failed = asyncio.Event()

    def on_failure(failure: JournalFailed) -> None:
        failures.append(failure)
        failed.set()

    journal = FileJournal(path, verify([first]).head, layer=layer, on_failure=on_failure)
    await until_durable(journal, journal.append(make_body(2)))
    safe = path.read_bytes()
    layer.fail_at, layer.error = fail_at, OSError(errno.EIO, os.strerror(errno.EIO))
    called: list[int] = []
    journal.when_durable(journal.append(make_body(3)), lambda: called.append(3))
    journal.append(make_body(4))
    await failed.wait()
    layer.error = None
    assert journal.append(make_body(5)) == 5  # the table must still stop, and its record is numbered
    journal.when_durable(5, lambda: called.append(5))
    journal.when_durable(2, lambda: called.append(2))
    await journal.close()
    assert called == [2]
    assert len(failures) == 1
    assert journal.durable == 2
    assert failures[0].reason == "Input/output error"
    assert "Everything up to record 2 is safe" in str(failures[0])
    assert path.read_bytes() == safe  # what was never durable must not be believed by the next start
    assert not head_path(path).exists()


@pytest.mark.report("B101")
async def test_a_full_disk_leaves_the_old_files_whole_and_a_start_goes_on_once_there_is_space(
    path: Path, first: bytes, make_body: Body, opening: dict[str, Any]
) -> None:
    layer = CountingLayer()
    failed = asyncio.Event()
    journal = FileJournal(path, verify([first]).head, layer=layer, on_failure=lambda failure: failed.set())
    journal.write_beside("settings", b"old")
    await until_durable(journal, journal.append(make_body(2)))
    layer.fail_at, layer.error = "append", OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    journal.write_beside("settings", b"new")
    await failed.wait()
    await journal.close()
    assert path.with_name("settings").read_bytes() == b"old"
    assert isinstance(journal.failure, JournalFailed)
    assert "No space left on device" in str(journal.failure)
    recovered = recovery.open_or_create(path, **opening)
    again = FileJournal(path, recovered.head)
    assert again.append(make_body(3)) == 3
    await again.close()
    assert history.verify(path).vouched


async def test_a_disk_that_fails_while_closing_does_not_hang(
    path: Path, first: bytes, make_body: Body
) -> None:
    layer = CountingLayer()
    journal = FileJournal(path, verify([first]).head, layer=layer)
    layer.error = OSError(errno.EIO, "gone")
    journal.append(make_body(2))
    await journal.close()
    assert journal.failure is not None
    assert not any(thread.name == "journal" for thread in threading.enumerate())


async def test_memory_stays_flat(path: Path, first: bytes, make_body: Body) -> None:
    journal = FileJournal(path, verify([first]).head)
    tracemalloc.start()
    try:
        sizes = []
        for _ in range(3):
            for n in range(2_000):
                journal.append(make_body(n))
            await until_durable(journal, journal.head.n)
            sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert sizes[2] - sizes[0] < 50_000
    await journal.close()


async def test_killing_the_memory_journal_drops_what_was_not_durable(first: bytes, make_body: Body) -> None:
    loop = asyncio.get_running_loop()
    journal = MemoryJournal(loop, random.Random(3), data=first, head=verify([first]).head)
    await until_durable(journal, journal.append(make_body(2)))
    durable = journal.data
    called: list[int] = []
    journal.when_durable(journal.append(make_body(3)), lambda: called.append(3))
    journal.write_beside("snapshot.json", b"never")
    started = loop.create_future()
    loop.call_soon(started.set_result, None)
    await started
    torn = journal.kill(torn_bytes=20)
    assert journal.data == durable
    assert torn.startswith(durable)
    assert len(torn) == len(durable) + 20
    assert (called, journal.beside) == ([], {})
    with pytest.raises(JournalClosed):
        journal.append(make_body(4))


async def test_the_memory_journal_fails_like_a_disk(first: bytes, make_body: Body) -> None:
    failures: list[JournalFailed] = []
    journal = MemoryJournal(
        asyncio.get_running_loop(),
        random.Random(3),
        data=first,
        head=verify([first]).head,
        on_failure=failures.append,
    )
    await until_durable(journal, journal.append(make_body(2)))
    journal.append(make_body(3))
    journal.fail(OSError(errno.ENOSPC, "No space left on device"))
    assert journal.append(make_body(4)) == 4
    await journal.close()
    assert len(failures) == 1
    assert (journal.durable, verify([*journal.data.splitlines(keepends=True)]).records) == (2, 2)
