"""The file operations the journal and its neighbours need, and nothing else.

They go through one small object so that a test can cut the power between any two of them. Each method is
one step that either happened or did not; what is not yet synced may be lost or torn.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

PRIVATE = 0o600  # hidden tiles are in these files

# Not every system has fdatasync; fsync does the same and a little more.
_datasync = getattr(os, "fdatasync", os.fsync)


class FileLayer:
    """The real disk."""

    def open_append(self, path: Path) -> int:
        """A descriptor that writes at the end of an existing file. Its mode is made private."""
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        os.fchmod(descriptor, PRIVATE)
        return descriptor

    def append(self, descriptor: int, data: bytes) -> None:
        """Write all of ``data``. Not durable before ``sync``."""
        written = os.write(descriptor, data)
        while written < len(data):
            written += os.write(descriptor, data[written:])

    def sync(self, descriptor: int) -> None:
        """Return once everything written is on the disk."""
        _datasync(descriptor)

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut the file to ``size`` bytes, durably."""
        os.ftruncate(descriptor, size)
        os.fsync(descriptor)

    def close(self, descriptor: int) -> None:
        """Close the descriptor."""
        os.close(descriptor)

    def write_new(self, path: Path, data: bytes) -> None:
        """Replace the file by ``data``, durably: a power cut leaves the old or the new, never a mix.

        A disk that refuses leaves the old and nothing beside it.
        """
        beside = path.with_name(path.name + ".new")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, PRIVATE)
        try:
            try:
                os.fchmod(descriptor, PRIVATE)
                self.append(descriptor, data)
                self.sync(descriptor)
            finally:
                self.close(descriptor)
            self.rename(beside, path)
        except OSError:
            with suppress(OSError):
                self.remove(beside)
            raise

    def rename(self, old: Path, new: Path) -> None:
        """Give a file another name in the same folder, durably."""
        os.rename(old, new)
        self._sync_folder(new.parent)

    def remove(self, path: Path) -> None:
        """Remove a file if it is there, durably."""
        if path.exists():
            path.unlink()
            self._sync_folder(path.parent)

    def _sync_folder(self, folder: Path) -> None:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def read_help(path: Path) -> bytes | None:
    """The bytes of a file that is only a help: None if it is not there, empty if it cannot be read."""
    try:
        return path.read_bytes() if path.is_file() else b"" if path.exists() else None
    except OSError:
        return b""


def free_name(path: Path, word: str) -> Path:
    """A name for what ``path`` holds that no other file has: ``FILE.word``, ``FILE.word-2``, …"""
    candidate, number = path.with_name(f"{path.name}.{word}"), 1
    while os.path.lexists(candidate):
        number += 1
        candidate = path.with_name(f"{path.name}.{word}-{number}")
    return candidate
