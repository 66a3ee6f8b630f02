"""Where measurements are made: folders on a real disk, how much is measured, child processes."""

from __future__ import annotations

import os
import sys
from asyncio import create_subprocess_exec
from asyncio.subprocess import PIPE
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tablectl.rehearsal.child import Child
from tablectl.rules.book import RuleBook, load_book

PEERS = "tablectl.rehearsal.benches.peers"
BUSY = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
while True: pass
"""  # ends with its standard input, so that nothing that befalls the bench leaves a core busy


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured."""

    rounds: int = 5
    exchanges: int = 1000  # a round, of each of the two that are compared
    acts: int = 300
    slow_acts: int = 20
    frames: int = 2000
    scores: int = 100  # a round, of each hand
    hands: int = 16  # of the virtual session: three hours of table time
    judged_speed: int = 60  # table seconds a second
    idle_hands: int = 1
    busy_hands: int = 4
    idle_s: float = 20.0
    starts: int = 10


TINY = Sizes(
    rounds=1, exchanges=5, acts=3, slow_acts=1, frames=20, scores=2, hands=1, judged_speed=1000, busy_hands=1,
    idle_s=0.2, starts=1,
)  # fmt: skip


@dataclass(frozen=True)
class Lab:
    """``folder`` lies on the disk journals lie on; ``run_dir`` has a path short enough for sockets."""

    folder: Path
    run_dir: Path
    sizes: Sizes

    @cached_property
    def book(self) -> RuleBook:
        """The rule systems."""
        return load_book()

    def fresh(self, name: str) -> Path:
        """An empty folder."""
        number = sum(1 for path in self.folder.iterdir() if path.name.startswith(f"{name}-"))
        path = self.folder / f"{name}-{number}"
        path.mkdir(mode=0o700)
        return path

    async def peer(self, stack: AsyncExitStack, *args: str) -> str:
        """Start a peer process (see ``peers``); returns what it says when it is ready."""
        child = await self._spawn(stack, args[0], [sys.executable, "-m", PEERS, *args])
        return (await child.ready()).partition(" ")[2]

    async def tablectl(self, stack: AsyncExitStack, name: str, *args: str) -> Child:
        """Start a ``tablectl`` command that says when it is ready; wait for that with ``Child.ready``."""
        return await self._spawn(stack, name, [sys.executable, "-m", "tablectl.rehearsal.child", *args])

    async def busy(self, stack: AsyncExitStack, cores: int) -> None:
        """Keep so many cores busy until the stack is left."""
        for core in range(cores):
            await self._spawn(stack, f"busy-{core}", [sys.executable, "-c", BUSY])

    async def _spawn(self, stack: AsyncExitStack, name: str, command: Sequence[str]) -> Child:
        log = self.folder / f"{name}.log"
        with log.open("wb") as stderr:
            process = await create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, stderr=stderr, env=environ(), start_new_session=True
            )
        child = Child(name, process, log)
        stack.push_async_callback(child.end)
        return child


def environ() -> dict[str, str]:
    """The environment of a child: as ours, but compiled modules are kept, as on any installed system."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
