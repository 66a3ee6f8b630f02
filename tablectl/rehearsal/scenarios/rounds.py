"""Connecting and hanging up, hundreds of times: what a process holds afterwards that it did not before."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import weakref
from dataclasses import dataclass
from pathlib import Path

from protocols.driver import Driver, Hello, Report
from sim.timebase import pause, run_virtual, wall_seconds
from tablectl.rehearsal.scenarios.endpoint import Endpoint, Table
from tablectl.rehearsal.scenarios.host import JOURNAL

WARM = 3  # rounds until what is made once has been made
GREETED_S = 20.0  # seconds a board may take to say hello
OPEN_FILES = Path("/proc/self/fd")
SETTLED_S = 2.0  # real seconds the other end of a line may take to hang up as well
LOOK_S = 0.02
SPREAD = 2  # timers of a table at rest that come and go


def _kind(descriptor: Path) -> str:
    """What a descriptor is open on, without the number the kernel gave that."""
    try:
        return os.readlink(descriptor).partition("[")[0]
    except OSError:
        return ""  # that of the listing itself


@dataclass(frozen=True, slots=True)
class Held:
    """What this process holds at one moment, but for what the garbage collector takes."""

    files: tuple[str, ...]
    threads: tuple[str, ...]
    tasks: int
    timers: int

    @classmethod
    def now(cls) -> Held:
        """Counted after a collection."""
        gc.collect()
        waiting = getattr(asyncio.get_running_loop(), "_scheduled", [])
        return cls(
            tuple(sorted(_kind(path) for path in OPEN_FILES.iterdir())),
            tuple(sorted(thread.name for thread in threading.enumerate())),
            len(asyncio.all_tasks()),
            sum(not timer.cancelled() for timer in waiting),
        )


@dataclass(frozen=True, slots=True)
class Rounds:
    """What came of it. ``left`` says in words what stayed behind; empty is as it must be."""

    endpoint: str
    count: int
    wall_ms: int
    left: tuple[str, ...] = ()


def go_round(endpoint: Endpoint, count: int) -> Rounds:
    """So many rounds at one endpoint, in a loop of its own."""
    return (
        run_virtual(_rounds(endpoint, count)) if endpoint.virtual else asyncio.run(_rounds(endpoint, count))
    )


async def _rounds(endpoint: Endpoint, count: int) -> Rounds:
    async with endpoint.open(1, 1) as table:
        for _ in range(WARM):
            await _round(table)
        before, began = Held.now(), wall_seconds()
        drivers = [await _round(table) for _ in range(count)]
        wall_ms = round((wall_seconds() - began) * 1000)
        after = await _held(before)
    left = [
        f"{name}: {getattr(before, name)} before, {getattr(after, name)} after"
        for name in ("files", "threads", "tasks")
        if getattr(before, name) != getattr(after, name)
    ]
    if after.timers > before.timers + SPREAD:
        left.append(f"{after.timers - before.timers} timers")
    if alive := sum(one() is not None for one in drivers):
        left.append(f"{alive} drivers")
    return Rounds(endpoint.name, count, wall_ms, tuple(left))


async def _held(before: Held) -> Held:
    """What is held, once it is as before or the other end has had its time."""
    deadline = wall_seconds() + SETTLED_S
    while (after := Held.now()) != before and wall_seconds() < deadline:
        await pause(LOOK_S)
    return after


async def _round(table: Table) -> weakref.ref[Driver]:
    """Open the port, be greeted, hang up. Raises ``TimeoutError`` where no board says hello."""
    made, greeted = table.driver(), asyncio.Event()

    def hear(report: Report) -> None:
        if isinstance(report, Hello):
            greeted.set()

    await made.open(hear, journal_id=JOURNAL, last_event=0)
    try:
        await asyncio.wait_for(greeted.wait(), GREETED_S)
    finally:
        made.close()
        await table.settle()
    return weakref.ref(made)
