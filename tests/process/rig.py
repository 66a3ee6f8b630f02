"""Real processes of the command: started in a folder of the test's own, waited for by what they say or do.

Nothing sleeps: each wait is for a line, an event, an exit or a fact, and has a deadline.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sim.timebase import pause
from tablectl.api.client import Client

DEADLINE_S = 40.0
LOOK_S = 0.02  # between two looks at something that tells nobody when it changes
SPEED = 100
TABLECTL = [sys.executable, "-m", "tablectl"]

# What lets root open any file is dropped, so that a mode of 000 means the same for everybody.
DROP = """
import ctypes, os, sys
for capability in (1, 2):  # DAC_OVERRIDE, DAC_READ_SEARCH
    ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # from the bounding set: counts from the next exec
os.execv(sys.argv[1], sys.argv[1:])
"""
WITHOUT_RIGHTS = [sys.executable, "-c", DROP]


class Said(NamedTuple):
    """A command that has ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.out)
        return value


class Program:
    """One running process and all that it has said so far."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.lines: dict[str, list[str]] = {"out": [], "err": []}
        self._news = asyncio.Event()
        self._readers = [
            asyncio.ensure_future(self._read("out", process.stdout)),
            asyncio.ensure_future(self._read("err", process.stderr)),
        ]

    async def _read(self, name: str, stream: asyncio.StreamReader | None) -> None:
        assert stream is not None
        while line := await stream.readline():
            self.lines[name].append(line.decode(errors="surrogateescape").rstrip("\n"))
            self._news.set()
        self._news.set()

    @property
    def pid(self) -> int:
        return self.process.pid

    def text(self, name: str) -> str:
        return "\n".join(self.lines[name])

    async def says(self, *words: str, where: str = "out", after: int = 0) -> str:
        """The first line that holds all words, once it is there."""
        async with asyncio.timeout(DEADLINE_S):
            while True:
                self._news.clear()
                for line in self.lines[where][after:]:
                    if all(word in line for word in words):
                        return line
                if all(reader.done() for reader in self._readers):
                    raise AssertionError(f"it ended and never said {words}: {self.lines}")
                await self._news.wait()

    async def ended(self) -> int:
        """Its exit code, once it has ended and all it said is read."""
        async with asyncio.timeout(DEADLINE_S):
            code = await self.process.wait()
            await asyncio.gather(*self._readers)
        return code

    async def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and wait."""
        if self.process.returncode is None:
            self.process.send_signal(how)
        return await self.ended()


class Bench:
    """A folder, an environment, and everything that was started in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.socket, self.state = folder / "table", folder / "sock", folder / "state"
        self.config = folder / "tablectl.toml"
        self.config.write_text("")
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "XDG_STATE_HOME": str(folder / "home"),
            "TMPDIR": str(folder / "tmp"),
            "TABLECTL_LANG": "en",
            "PYTHONPATH": os.getcwd(),
        }
        (folder / "tmp").mkdir()
        self.programs: list[Program] = []
        self.clients: list[Client] = []
        self.others: list[Bench] = []
        self._descriptors: list[int] = []

    async def start(self, *words: object, prefix: Sequence[str] = TABLECTL, **more: Any) -> Program:
        """Start ``tablectl WORDS``."""
        process = await asyncio.create_subprocess_exec(
            *prefix,
            *map(str, words),
            stdout=PIPE,
            stderr=PIPE,
            limit=2**22,
            **{"env": self.environ, "cwd": self.folder, "stdin": DEVNULL, **more},
        )
        program = Program(process)
        self.programs.append(program)
        return program

    async def cli(self, *words: object, **more: Any) -> Said:
        """Run a command line against the daemon to its end."""
        program = await self.start(*words, "--socket", self.socket, **more)
        code = await program.ended()
        return Said(code, program.text("out"), program.text("err"))

    async def table(self, *words: object, speed: int = SPEED, port: Path | None = None) -> Program:
        """A simulated table, ready."""
        endpoint = f"pty:{port or self.port}"
        table = await self.start("sim", "serve", "--endpoint", endpoint, "--speed", speed, *words)
        await table.says("ready")
        return table

    def daemon_words(self, **more: object) -> list[str]:
        """The command line of a daemon; ``more`` replaces options."""
        options = {
            "config": self.config,
            "port": self.port,
            "state-dir": self.state,
            "socket": self.socket,
            **{name.replace("_", "-"): value for name, value in more.items()},
        }
        return ["run", *(str(word) for name, value in options.items() for word in (f"--{name}", value))]

    async def daemon(self, **more: object) -> Program:
        """A daemon, ready."""
        daemon = await self.start(*self.daemon_words(**more))
        await daemon.says("ready")
        return daemon

    async def client(self, **more: Any) -> Client:
        """A client of the daemon."""
        client = await Client.open(self.socket, **{"actor": "kim", **more})
        self.clients.append(client)
        return client

    def keep_open(self, descriptor: int) -> None:
        """Close it only at the end."""
        self._descriptors.append(descriptor)

    def beside(self) -> Bench:
        """A bench in a folder of its own, at the same port."""
        folder = self.folder / f"beside{len(self.others)}"
        folder.mkdir()
        other = Bench(folder)
        other.port = self.port
        self.others.append(other)
        return other

    async def close(self) -> None:
        """End everything that was started and still runs."""
        for other in self.others:
            await other.close()
        for client in self.clients:
            client.close()
        for program in self.programs:
            if program.process.returncode is None:
                program.process.kill()
            await program.ended()
        for descriptor in self._descriptors:
            os.close(descriptor)


class Events:
    """What a subscription tells, to be waited for."""

    def __init__(self) -> None:
        self.told: list[tuple[str, dict[str, Any]]] = []
        self._news = asyncio.Event()

    @classmethod
    async def of(cls, client: Client, since: int | None = None) -> Events:
        events = cls()
        await client.watch(events.take, since)
        return events

    def take(self, kind: str, what: dict[str, Any]) -> None:
        self.told.append((kind, what))
        self._news.set()

    async def event(self, key: str, **data: Any) -> dict[str, Any]:
        """The first event of that key with that data, once it is there."""
        async with asyncio.timeout(DEADLINE_S):
            while True:
                self._news.clear()
                for kind, what in self.told:
                    if kind == "event" and what["key"] == key and data.items() <= what["data"].items():
                        return what
                await self._news.wait()

    async def online(self, state: dict[str, Any]) -> None:
        """The table's link is up; ``state`` is the document the subscription began with."""
        if state["links"].get("table", {}).get("state") != "online":
            await self.event("event.link", device="table", state="online")


async def watching(client: Client) -> Events:
    """Subscribe, and wait for the table."""
    events = Events()
    answer = await client.watch(events.take)
    await events.online(answer["state"])
    return events


async def until(fact: Callable[[], Any], what: str) -> Any:
    """Wait for a fact nobody tells of; returns it."""
    try:
        async with asyncio.timeout(DEADLINE_S):
            while not (found := fact()):
                await pause(LOOK_S)
            return found
    except TimeoutError:
        raise AssertionError(f"never: {what}") from None


def children(pid: int) -> list[int]:
    """The processes a process has started that still run."""
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split() if alive(int(word))]


def alive(pid: int) -> bool:
    """False for one that has ended, even where nobody has buried it."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
