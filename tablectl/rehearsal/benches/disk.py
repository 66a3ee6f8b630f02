"""The disk as the journal uses it: a bare append to compare with, and a disk as slow as a bad card."""

from __future__ import annotations

from pathlib import Path

from sim.timebase import linger, wall_seconds
from tablectl.daemon.filelayer import FileLayer


class Bare:
    """Appends to a file beside the journal and waits until it is durable, in no other company."""

    def __init__(self, path: Path, layer: FileLayer | None = None) -> None:
        path.touch()
        self._layer = layer or FileLayer()
        self._descriptor = self._layer.open_append(path)

    def append(self, data: bytes) -> float:
        """Seconds it took."""
        began = wall_seconds()
        self._layer.append(self._descriptor, data)
        self._layer.sync(self._descriptor)
        return wall_seconds() - began

    def close(self) -> None:
        """Close the file."""
        self._layer.close(self._descriptor)


class SlowLayer(FileLayer):
    """A disk that needs ``seconds`` for each sync, and counts them."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.syncs = 0

    def sync(self, descriptor: int) -> None:
        self.syncs += 1
        linger(self._seconds)


def last_line(path: Path) -> bytes:
    """The newest record of a journal."""
    return path.read_bytes().splitlines(keepends=True)[-1]
