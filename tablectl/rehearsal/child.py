"""A child process that does not outlive its parent, however that ends.

``python -m tablectl.rehearsal.child ARGS…`` is ``tablectl ARGS…`` with one addition: standard input is a
pipe whose other end the parent holds; when it closes, this process is told to end as by SIGTERM, and made
to if it does not.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event, Thread

GRACE_S = 5.0  # between asking a child to end and killing it
START_S = 15.0  # to its first line


class ChildFailedError(Exception):
    """A child ended by itself, or never said that it is ready. Holds the end of what it complained of."""


class Child:
    """One running ``tablectl`` command; what it says on standard error goes to the file ``log``."""

    def __init__(self, name: str, process: Process, log: Path) -> None:
        self.name = name
        self.process = process
        self.log = log

    @classmethod
    async def spawn(
        cls, name: str, args: Sequence[str], environ: Mapping[str, str], log: Path, by: Sequence[str] = ()
    ) -> Child:
        """Start it; ``by``: the words of a program that starts it, as another user perhaps."""
        command = [*by, sys.executable, "-m", "tablectl.rehearsal.child", *args]
        with log.open("wb") as stderr:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, stderr=stderr, env=dict(environ), start_new_session=True
            )
        return cls(name, process, log)

    async def ready(self) -> str:
        """Wait for its first line on standard output. Raises ``ChildFailedError``."""
        assert self.process.stdout is not None
        try:
            line = await asyncio.wait_for(self.process.stdout.readline(), START_S)
        except TimeoutError:
            line = b""
        if not line:
            raise self.failed()
        return line.decode().strip()

    def failed(self) -> ChildFailedError:
        """The error that says why it ended."""
        complaint = self.log.read_text(errors="replace").strip().splitlines()[-3:]
        return ChildFailedError(f"the {self.name} ended: {' '.join(complaint) or 'it said nothing'}")

    async def watch(self) -> None:
        """Wait for it to end by itself, which it should not. Raises ``ChildFailedError``."""
        await self.process.wait()
        raise self.failed()

    async def end(self) -> None:
        """Ask it to end, and make sure that it does."""
        if self.process.returncode is None:
            self.process.terminate()
            try:
                await asyncio.wait_for(self.process.wait(), GRACE_S)
            except TimeoutError:
                self.process.kill()
                await self.process.wait()


def _watch_parent() -> None:
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    Event().wait(GRACE_S)  # this thread is a daemon: who ends in order never gets beyond
    os.kill(os.getpid(), signal.SIGKILL)


def main() -> int:
    """Run the command."""
    from tablectl.console.cli import main as command

    Thread(target=_watch_parent, name="parent", daemon=True).start()
    return command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
