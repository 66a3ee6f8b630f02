"""The journal: every input is appended here, and its effects wait until the record is durable.

``append`` only numbers and seals the record; a thread of its own writes and syncs, one write and one sync
for all that waits, so the event loop never waits for the disk. ``MemoryJournal`` is its twin for virtual
time: the same bytes, durable after a seeded delay, no thread and no file.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from enum import Enum, auto
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple

from tablectl.daemon.durability import Durability, Journal, OnFailure
from tablectl.daemon.filelayer import FileLayer
from tablectl.daemon.record import GENESIS, Head, canonical

__all__ = ["FileJournal", "Journal", "MemoryJournal", "head_path"]

SYNC_DELAY_S = (0.0001, 0.02)  # from a good disk to a slow SD card


class _Line(NamedTuple):
    n: int
    text: bytes


class _Beside(NamedTuple):
    name: str
    data: bytes


class _Then(Enum):
    """What the thread does after a batch."""

    MORE = auto()
    CLOSE = auto()


class FileJournal(Durability):
    """The journal on disk. ``path`` exists and ends with record ``head`` (see ``recovery.open_or_create``).

    Must be made in the loop. ``on_failure`` is called once, in the loop, when the disk refuses; from then on
    nothing becomes durable, while ``append`` goes on numbering so that stopping the table never fails.
    """

    def __init__(
        self,
        path: Path,
        head: Head,
        *,
        on_failure: OnFailure | None = None,
        layer: FileLayer | None = None,
    ) -> None:
        super().__init__(asyncio.get_running_loop(), str(path), head, on_failure)
        self.path = path
        self._layer = layer or FileLayer()
        self._layer.remove(head_path(path))  # it speaks of a closed journal
        self._descriptor = self._layer.open_append(path)
        self._queue: SimpleQueue[_Line | _Beside | _Then] = SimpleQueue()
        self._then: _Beside | _Then = _Then.MORE
        self._done: Future[None] = Future()
        self._thread = Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def _take(self, line: bytes) -> None:
        self._queue.put(_Line(self.head.n, line))

    def write_beside(self, name: str, data: bytes) -> None:
        if not self._closed and self.failure is None:
            self._queue.put(_Beside(name, data))

    async def close(self) -> None:
        """Sync all, write ``FILE.head`` unless the disk failed, and end the thread."""
        if not self._closed:
            self._closed = True
            self._queue.put(_Then.CLOSE)
        await asyncio.wrap_future(self._done)
        self._thread.join()

    def _run(self) -> None:
        """The thread."""
        try:
            self._write_batches()
        except Exception as error:  # whatever it was: nothing is durable from here on, and people must know
            self._tell(self._fail, error)
            while self._then is not _Then.CLOSE:
                self._collect()
        finally:
            with suppress(OSError):
                self._layer.close(self._descriptor)
            self._done.set_result(None)

    def _write_batches(self) -> None:
        size = os.fstat(self._descriptor).st_size
        while self._then is not _Then.CLOSE:
            durable = self._write(self._collect(), size)  # no name keeps a batch longer than that
            if durable is not None:
                last, size = durable
                self._tell(self._advance, last)
            if isinstance(self._then, _Beside):
                self._layer.write_new(self.path.with_name(self._then.name), self._then.data)
        with suppress(OSError):  # all is durable; without the file the end merely cannot be vouched for
            write_head(self._layer, self.path, self.head)

    def _collect(self) -> list[_Line]:
        """Wait for something to do, then take all records that wait; ``_then`` is what comes behind them."""
        lines: list[_Line] = []
        item = self._queue.get()
        while isinstance(item, _Line):
            lines.append(item)
            item = _Then.MORE if self._queue.empty() else self._queue.get()
        self._then = item
        return lines

    def _write(self, lines: list[_Line], size: int) -> tuple[int, int] | None:
        """Make records durable behind the ``size`` bytes there are; returns the last one and the new size."""
        if not lines:
            return None
        data = b"".join(line.text for line in lines)
        try:
            self._layer.append(self._descriptor, data)
            self._layer.sync(self._descriptor)
        except OSError:
            # After a failed sync the system may call these pages clean and forget them. What was never
            # durable must not be found, and believed, by the next start.
            with suppress(OSError):
                self._layer.truncate(self._descriptor, size)
            raise
        return lines[-1].n, size + len(data)

    def _tell(self, callback: Callable[..., None], *args: object) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody is left to tell
            self._loop.call_soon_threadsafe(callback, *args)


class MemoryJournal(Durability):
    """The journal under virtual time: one commit at a time, durable after a delay drawn from ``rng``.

    ``data`` are the durable bytes of an earlier life, which end with record ``head``; ``beside`` holds the
    files written beside the journal.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        rng: random.Random,
        *,
        data: bytes = b"",
        head: Head = GENESIS,
        on_failure: OnFailure | None = None,
        delay_s: tuple[float, float] = SYNC_DELAY_S,
    ) -> None:
        super().__init__(loop, "in memory", head, on_failure)
        self._rng = rng
        self._delay_s = delay_s
        self._bytes = bytearray(data)
        self.beside: dict[str, bytes] = {}
        self._waiting: list[bytes] = []
        self._batch = b""
        self._timer: asyncio.Handle | None = None  # a commit is under way

    @property
    def data(self) -> bytes:
        """All durable bytes."""
        return bytes(self._bytes)

    def write_beside(self, name: str, data: bytes) -> None:
        self.when_durable(self.head.n, lambda: self.beside.update({name: data}))

    def _take(self, line: bytes) -> None:
        self._waiting.append(line)
        if self._timer is None:
            self._timer = self._loop.call_soon(self._begin)

    def _begin(self) -> None:
        self._batch = b"".join(self._waiting)
        self._waiting.clear()
        self._timer = self._loop.call_later(self._rng.uniform(*self._delay_s), self._commit, self.head.n)

    def _commit(self, last: int) -> None:
        self._bytes += self._batch
        self._batch = b""
        self._timer = self._loop.call_soon(self._begin) if self._waiting else None
        self._advance(last)

    async def close(self) -> None:
        """Make all durable at once."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self.failure is None:
            self._bytes += self._batch + b"".join(self._waiting)
            self._advance(self.head.n)
        self._batch = b""
        self._waiting.clear()

    def kill(self, torn_bytes: int = 0) -> bytes:
        """Stop as by a power cut and return what is on the disk: the durable bytes.

        A torn write leaves up to ``torn_bytes`` of what was being written as well.
        """
        self._closed = True
        self._stop()
        return bytes(self._bytes + self._batch[:torn_bytes])

    def fail(self, error: OSError) -> None:
        """Fail as a disk does."""
        self._fail(error)
        self._stop()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._callbacks.clear()
        self._waiting.clear()


def head_path(path: Path) -> Path:
    """Where the head of a cleanly closed journal is kept."""
    return path.with_name(path.name + ".head")


def write_head(layer: FileLayer, path: Path, head: Head) -> None:
    """Say beside a closed journal where it ends, so that a missing end is noticed."""
    layer.write_new(head_path(path), canonical(head._asdict()) + b"\n")
