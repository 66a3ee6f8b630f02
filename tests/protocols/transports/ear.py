"""A handler of a stream that can be waited for, and a look at what a transport left behind."""

from __future__ import annotations

import asyncio
import os
import threading
from pathlib import Path

from protocols.errors import TransportError

PATIENCE = 10.0


class Ear:
    """Hears a stream."""

    def __init__(self) -> None:
        self.data = b""
        self.ends: list[TransportError | None] = []
        self.changed = asyncio.Event()

    def received(self, data: bytes) -> None:
        self.data += data
        self.changed.set()

    def lost(self, error: TransportError | None) -> None:
        self.ends.append(error)
        self.changed.set()

    async def until(self, length: int = 0, ends: int = 0) -> None:
        async with asyncio.timeout(PATIENCE):
            while len(self.data) < length or len(self.ends) < ends:
                self.changed.clear()
                await self.changed.wait()


def held() -> tuple[int, int, int]:
    """Descriptors, threads and tasks of this process now. Called inside a loop."""
    descriptors = len(list(Path("/proc/self/fd").iterdir())) if os.path.isdir("/proc/self/fd") else 0
    return descriptors, threading.active_count(), len(asyncio.all_tasks())
