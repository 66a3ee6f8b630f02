"""A table that is played at for hours, and what a daemon may not gather meanwhile."""

from __future__ import annotations

import asyncio
import gc
import threading
import tracemalloc
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim.timebase import pause
from tablectl.api.client import Client
from tablectl.game.inputs import AnyInput
from tablectl.game.invariants import violations
from tablectl.game.state import State
from tablectl.rehearsal.referee import Referee
from tablectl.rehearsal.room import Room, Setting
from tests.rehearsal.rig import BOOK


@dataclass(frozen=True)
class Holding:
    """What a process holds at one moment. ``memory``: traced bytes of all but the simulated table, whose
    players remember what they thought about; 0 where nobody traces."""

    memory: int
    tasks: int
    timers: int
    threads: int
    descriptors: int


@dataclass
class Soak:
    """One room; its ledgers, which a real table keeps on a disk or not at all, are emptied as it goes."""

    setting: Setting
    room: Room = field(init=False)
    broken: list[str] = field(default_factory=list)
    unhandled: list[str] = field(default_factory=list)
    hands: int = 0
    written: int = 0  # bytes of the journal
    inputs: int = 0
    kim: Client = field(init=False)
    lee: Client = field(init=False)

    def begin(self) -> None:
        """Make the room, in a loop."""
        self.room = Room(self.setting, BOOK, self._watch)
        self.room.loop.set_exception_handler(lambda loop, context: self.unhandled.append(str(context)))
        self.kim, self.lee = self.room.client("kim"), self.room.client("lee")

    def _watch(self, state: State, n: int, item: AnyInput) -> None:
        self.inputs += 1
        self.broken += [f"record {n}: {found}" for found in violations(state)]

    async def session(self, hands: int) -> None:
        """A session of so many hands."""
        session: dict[str, Any] = {"rules": "mcr", "hands": hands}
        referee = Referee(self.kim, self.room.timer, hands=hands, session=session, partner=self.lee)
        report = await referee.run()
        assert len(report.hands) == hands
        self.hands += hands
        await pause(1)
        self.empty()

    def empty(self) -> None:
        """Throw away what a disk would hold, and the ledger by which the mechanism is judged."""
        room = self.room
        assert not room.log.moved_twice()
        self.written += len(room.journal._bytes)
        room.journal._bytes.clear()
        room.log.motions.clear()
        room.table.injector.done.clear()

    def holding(self) -> Holding:
        """What is held now."""
        gc.collect()
        loop: Any = self.room.loop
        return Holding(
            memory=_traced() if tracemalloc.is_tracing() else 0,
            tasks=len(asyncio.all_tasks()),
            timers=sum(not timer.cancelled() for timer in loop._scheduled),
            threads=threading.active_count(),
            descriptors=len([*Path("/proc/self/fd").iterdir()]),
        )


def _traced() -> int:
    ours = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(False, "*/sim/*")])
    return sum(trace.size for trace in ours.statistics("filename"))
