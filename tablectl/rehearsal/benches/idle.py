"""A daemon with a board and nobody playing: its start, memory and processor time, and `tablectl status`.

Beside each stands a bare interpreter that imports asyncio, started in the same run. Read from /proc.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from sim.timebase import pause, wall_seconds
from tablectl.api.client import Client
from tablectl.rehearsal.benches.daemon import daemon
from tablectl.rehearsal.benches.event import online
from tablectl.rehearsal.benches.lab import Lab, environ
from tablectl.rehearsal.benches.row import Row, Samples

READY_S = 1.0
STATUS_S = 0.150
MEMORY_MB = 45.0
CORE = 0.5  # percent of one
SETTLE_S = 6.0  # greeting and the first clock exchanges are over
MB, KB, NS = 1_000_000, 1024, 1_000_000_000
BARE = [sys.executable, "-c", "import asyncio; print(open('/proc/self/status').read())"]


def measure(lab: Lab) -> list[Row]:
    """The rows of this figure."""
    return [*asyncio.run(_starts(lab)), *asyncio.run(_idle(lab))]


async def _starts(lab: Lab) -> list[Row]:
    """From nothing to *ready*, by turns with the bare interpreter."""
    folder, socket = lab.fresh("start"), lab.run_dir / "start.sock"
    ours, beside = Samples(), Samples()
    ours.begin()
    beside.begin()
    await _start(lab, folder, socket)  # makes the journal, and compiles what is not compiled yet
    for _ in range(lab.sizes.starts):
        ours.add(await _start(lab, folder, socket))
        beside.add(_timed(BARE))
    return [Row("bench.ready", "p50", ours.at(0.5), beside=beside.at(0.5), limit=READY_S)]


async def _start(lab: Lab, folder: Path, socket: Path) -> float:
    async with AsyncExitStack() as stack:
        began = wall_seconds()
        await daemon(stack, lab, folder, socket, folder / "no-port")
        return wall_seconds() - began


async def _idle(lab: Lab) -> list[Row]:
    folder, socket, link = lab.fresh("idle"), lab.run_dir / "idle.sock", lab.run_dir / "idle-board"
    async with AsyncExitStack() as stack:
        await lab.peer(stack, "atp", str(link), "--paced")
        pid = await daemon(stack, lab, folder, socket, link)
        client = await Client.open(socket, actor="bench")
        await online(client)
        client.close()
        await pause(min(SETTLE_S, lab.sizes.idle_s))
        began, used = wall_seconds(), _cpu_s(pid)
        await pause(lab.sizes.idle_s)
        share = 100 * (_cpu_s(pid) - used) / (wall_seconds() - began)
        memory = _memory(Path(f"/proc/{pid}/status").read_text(), "VmRSS:")
        bare = _memory(subprocess.run(BARE, capture_output=True, text=True, check=True).stdout, "VmRSS:")
        status, beside = Samples(), Samples()
        status.begin()
        beside.begin()
        asked = [sys.executable, "-m", "tablectl", "status", "--socket", str(socket)]
        _timed(asked)
        for _ in range(lab.sizes.starts):
            status.add(_timed(asked))
            beside.add(_timed(BARE))
    return [
        Row("bench.memory", "", memory / MB, unit="MB", beside=bare / MB, limit=MEMORY_MB),
        Row("bench.idle_cpu", "", share, unit="%", bound=CORE),
        Row("bench.status", "p50", status.at(0.5), beside=beside.at(0.5), limit=STATUS_S),
    ]


def _timed(command: list[str]) -> float:
    began = wall_seconds()
    subprocess.run(command, stdout=subprocess.DEVNULL, env=environ(), check=True)
    return wall_seconds() - began


def _memory(status: str, field: str) -> int:
    """Bytes, from the text of /proc/PID/status."""
    line = next(line for line in status.splitlines() if line.startswith(field))
    return int(line.split()[1]) * KB


def _cpu_s(pid: int) -> float:
    """Processor seconds all threads of a process have used; /proc/PID/stat only counts in hundredths."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / NS
