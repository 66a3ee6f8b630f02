"""Journals to break and disks that break them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablectl.daemon.filelayer import FileLayer
from tablectl.daemon.record import Chain, journal_body
from tablectl.game.inputs import BoardEvent, Command

JOURNAL_ID = "5e" * 16
RULES = {"mcr": "ab" * 32}


def discard_body(n: int) -> dict[str, Any]:
    """A record's body that differs with ``n``: a command with its answer, or a board event."""
    at = n * 1_000
    if n % 3:
        event = BoardEvent(
            device="table", event="discard", number=n, boot=7, board_us=at, side=n % 4, tiles=("7p",)
        )
        return {"at": at, "unc": 250, "in": event}
    command = Command(
        id=f"c{n}", actor="張三", role="referee", name="discard", args={"seat": "E", "tile": "C"}
    )
    return {"at": at, "unc": 0, "in": command, "out": {"outcome": "accepted", "key": "", "data": {}}}


def journal_lines(count: int, id: str = JOURNAL_ID) -> list[bytes]:
    """The lines of a good journal."""
    chain = Chain()
    bodies = [journal_body(id, "0.1.0", RULES), *(discard_body(n) for n in range(2, count + 1))]
    return [chain.seal(body) for body in bodies]


class PowerCut(OSError):
    """The power is off: nothing works any more."""


class CuttingLayer(FileLayer):
    """A disk whose power is cut at its ``cut_at``-th write. What was not synced meets ``fate``.

    ``fate`` gets the unsynced bytes of a file and returns those that are found afterwards.
    """

    def __init__(self, cut_at: int = 0, fate: Callable[[bytes], bytes] = lambda unsynced: b"") -> None:
        self.cut_at = cut_at
        self.fate = fate
        self.steps = 0
        self._off = False
        self._synced: dict[Path, int] = {}

    def open_append(self, path: Path) -> int:
        self._check()
        self._synced.setdefault(path, path.stat().st_size)
        return super().open_append(path)

    def append(self, descriptor: int, data: bytes) -> None:
        self._check()
        path = _path_of(descriptor)
        self._synced.setdefault(path, 0)
        super().append(descriptor, data)
        self._step()

    def sync(self, descriptor: int) -> None:
        self._check()
        self._step()
        self._synced[_path_of(descriptor)] = os.fstat(descriptor).st_size

    def truncate(self, descriptor: int, size: int) -> None:
        self._check()
        self._step()
        os.ftruncate(descriptor, size)
        self._synced[_path_of(descriptor)] = size

    def rename(self, old: Path, new: Path) -> None:
        self._check()
        self._step()
        os.rename(old, new)
        self._synced[new] = self._synced.pop(old)

    def remove(self, path: Path) -> None:
        self._check()
        self._step()
        path.unlink(missing_ok=True)

    def _check(self) -> None:
        if self._off:
            raise PowerCut("the power is off")

    def _step(self) -> None:
        self.steps += 1
        if self.steps == self.cut_at:
            self._off = True
            for path, size in self._synced.items():
                data = path.read_bytes()
                path.write_bytes(data[:size] + self.fate(data[size:]))
            raise PowerCut("the power is off")


def _path_of(descriptor: int) -> Path:
    return Path(os.readlink(f"/proc/self/fd/{descriptor}"))


@pytest.fixture
def lines() -> list[bytes]:
    """A good journal of 40 lines."""
    return journal_lines(40)


@pytest.fixture
def make_lines() -> Callable[..., list[bytes]]:
    return journal_lines


@pytest.fixture
def make_body() -> Callable[[int], dict[str, Any]]:
    return discard_body


@pytest.fixture
def cutting_layer() -> type[CuttingLayer]:
    return CuttingLayer


@pytest.fixture
def opening() -> dict[str, Any]:
    """What ``open_or_create`` needs besides a path."""
    return {"code": "0.1.0", "rules": RULES, "new_id": lambda: JOURNAL_ID}


@pytest.fixture
def journal_file(tmp_path: Path, lines: list[bytes]) -> Path:
    """The good journal in a file."""
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"".join(lines))
    return path
