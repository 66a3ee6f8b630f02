"""A daemon and a simulated table in one process under virtual time: hours of play in seconds.

The parts are those of a real table: the core, the link, the driver and its frames, the board's firmware
twin. Only what would need a thread, a socket or a pty is its in-process twin: the line, the journal's disk,
the client's socket.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from protocols.atp.board import BoardSession
from protocols.driver import Driver
from protocols.lines.box import BoxSession
from sim.endpoints.memory import MemoryEndpoint
from sim.faults import FaultPlan
from sim.identity import BoardClock
from sim.mechanism.motion import MotionLog
from sim.script import Script
from sim.seats import Fidelity
from sim.timebase import TableTimer, pause
from sim.world import SimTable
from tablectl import __version__
from tablectl.api.client import Client
from tablectl.api.dispatch import Dispatcher
from tablectl.api.errors import NoDaemon
from tablectl.daemon.core import Core, Watch
from tablectl.daemon.drivers import driver_factory
from tablectl.daemon.journal import MemoryJournal
from tablectl.daemon.link.link import Link
from tablectl.daemon.record import Chain, Head, journal_body
from tablectl.daemon.recovery import recover_bytes
from tablectl.daemon.restore import restore
from tablectl.daemon.sections import DriverName
from tablectl.daemon.snapshot import FILE_NAME, snapshots
from tablectl.daemon.timebase import TableClock
from tablectl.game.inputs import Restarted
from tablectl.locale.catalog import FALLBACK
from tablectl.rehearsal.customs import customs_of
from tablectl.rehearsal.judge import ScriptJudge, judge_of
from tablectl.rules.book import RuleBook

DEVICE = "table"
LATENCY_S = 0.001  # of the line, each way


@dataclass(frozen=True, slots=True)
class Setting:
    """What is rehearsed: the rules, the seed, what the table can sense, perhaps a script."""

    rules: str = "mcr"
    seed: int = 1
    fidelity: str = "identity"
    script: Sequence[Script] | None = None
    latency: float = LATENCY_S
    clock: BoardClock = field(default_factory=BoardClock)
    preset: str = "perfect"  # how worn the table is and how often what goes wrong
    plan: FaultPlan = field(default_factory=FaultPlan)  # what goes wrong for certain
    driver: DriverName = "atp"  # what the board speaks; a panel has a room of its own
    lang: str = FALLBACK  # what people at the table speak


def needs_eyes(setting: Setting, book: RuleBook) -> bool:
    """True where a tile is turned up after the deal and no sensor reads it."""
    turned = book[setting.rules].wall.indicator.value != "none"
    return turned and setting.fidelity == Fidelity.COUNT


class Room:
    """One table. ``watch`` sees every input; ``life`` counts the daemons that have lived on this journal."""

    def __init__(self, setting: Setting, book: RuleBook, watch: Watch | None = None) -> None:
        self.setting = setting
        self.book = book
        self.loop = asyncio.get_running_loop()
        self._set_up()
        self.timer = TableTimer(self.loop)
        self.life = 0
        self._watch = watch
        self._clients: list[Client] = []
        self.journal: MemoryJournal
        self.core: Core
        self.link: Link
        self.links: list[Link]
        self.dispatcher: Dispatcher
        self._begin(b"", {})

    def _set_up(self) -> None:
        """Make the table and plug it in."""
        setting, rules = self.setting, self.book[self.setting.rules]
        scripted = setting.script is not None
        self.table = SimTable(
            setting.seed,
            judge=ScriptJudge() if scripted else judge_of(rules, self._round_shown),
            customs=customs_of(rules),
            tiles=rules.wall.tiles.value,
            fidelity=setting.fidelity,
            script=setting.script,
            clock=setting.clock,
            preset=setting.preset,
            plan=setting.plan,
            speaks=BoxSession if setting.driver == "lines" else BoardSession,
        )
        self.line = MemoryEndpoint(self.table.rng("line"), latency=setting.latency)
        self.table.attach(self.line)

    def _connect_all(self) -> None:
        """A link for each device, the one with the mechanism first."""
        self.links = [self._connect(DEVICE, self.line, driver_factory(self.setting.driver, self.line.host))]

    def _begin(self, record: bytes, beside: dict[str, bytes]) -> None:
        """Start a daemon, on an empty journal or on what an earlier one left."""
        self.life += 1
        rng = Random(f"{self.setting.seed}/journal {self.life}")
        if not record:
            chain = Chain()  # as on a disk, the first record is made in one piece before anything else
            first = chain.seal(journal_body(self._journal_id(), __version__, self._hashes()))
            self.journal = MemoryJournal(self.loop, rng, data=first, head=chain.head)
            self.clock = TableClock(self.loop.time)
            self.core = Core(
                self.journal, self.clock, self.book, snapshot=self._snapshots(), watch=self._watch
            )
        else:
            recovered = recover_bytes(record, beside.get(FILE_NAME))
            restored = restore(recovered, self.book)
            self.journal = MemoryJournal(self.loop, rng, data=record[: recovered.size], head=recovered.head)
            self.journal.beside.update(beside)
            self.clock = TableClock(self.loop.time, recovered.last_at)
            self.core = Core(
                self.journal,
                self.clock,
                self.book,
                state=restored.state,
                answers=recovered.answers,
                snapshot=self._snapshots(),
                watch=self._watch,
            )
            self.core.resume_from(restored.base, restored.tail)
            self.core.emit(Restarted(__version__, torn=recovered.torn), self.clock.now_us(), 0)
        self.dispatcher = Dispatcher(self.core, secret=self._secret)
        self._down = False
        self._connect_all()
        self.link = self.links[0]

    def _connect(self, name: str, line: MemoryEndpoint, factory: Callable[[], Driver]) -> Link:
        known = self.core.state.devices.get(name)
        link = Link(
            name,
            "memory",
            factory,
            loop=self.loop,
            clock=self.clock,
            emit=self.core.emit,
            journal_id=bytes.fromhex(self._journal_id()),
            expected_serial=(known.serial or None) if known is not None else None,
            path_exists=lambda: line.line.whole,
        )
        if known is not None and known.boot:
            link.durable(known.boot, known.last_event)
        self.core.devices[name] = link
        link.start()
        return link

    def _snapshots(self) -> Callable[[Head, int, bytes], None]:
        return snapshots(self.journal, self._journal_id())

    def _journal_id(self) -> str:
        return hashlib.sha256(f"journal of {self.setting.rules} {self.setting.seed}".encode()).hexdigest()[
            :32
        ]

    def _secret(self) -> str:
        """What a draw of seats by software is begun with: from the seed, like all chance here."""
        return hashlib.sha256(f"draw {self.setting.seed}".encode()).hexdigest()

    def _hashes(self) -> dict[str, str]:
        return {id_: self.book.hash(id_) for id_ in self.book}

    def client(self, actor: str, role: str = "referee") -> Client:
        """An API client in this room; what it sends are the bytes a socket would carry."""
        prefix = f"{actor}{len(self._clients) + 1}"
        client = Client.inside(self._answering, actor=actor, role=role, prefix=prefix)
        self._clients.append(client)
        return client

    def _answering(self) -> Dispatcher:
        """The dispatcher of the daemon that lives. Raises ``NoDaemon``."""
        if self._down:
            raise NoDaemon("error.no_daemon", path="memory")
        return self.dispatcher

    @property
    def log(self) -> MotionLog:
        """What the mechanism really did: the judge of «moved twice»."""
        return self.table.log

    @property
    def eyes(self) -> Callable[[], Awaitable[str]] | None:
        """How a referee reads the indicator off a table that does not; None where nobody has to."""
        if not needs_eyes(self.setting, self.book):
            return None

        async def look() -> str:
            return self.table.indicator

        return look

    async def aloud(self, sentence: str) -> str:
        """Say something to the players."""
        return self.table.inject(sentence)

    def _round_shown(self) -> str:
        """The prevalent wind on the screen at the table."""
        hand = self.core.state.hand
        return hand.round if hand is not None else ""

    def quality(self) -> dict[str, Any]:
        """Wire counters."""
        return self.core.link_quality()

    async def kill(self, down: float = 0.0, torn_bytes: int = 0) -> None:
        """End the daemon as a power cut would: what is not durable is gone, but for ``torn_bytes`` of it, and
        nobody says goodbye. The next one starts ``down`` seconds later."""
        record, beside = self.journal.kill(torn_bytes), self.journal.beside
        self._down = True
        for client in self._clients:
            client.lost()
        self.core.close()
        for link in self.links:
            await link.close()
        if down:
            await pause(down)
        self._begin(record, beside)

    def _clear_away(self) -> None:
        self.table.close()

    async def close(self) -> bytes:
        """Close everything; returns the journal's bytes."""
        for client in self._clients:
            client.close()
        for link in self.links:
            await link.close()
        self.core.close()
        await self.journal.close()
        self._clear_away()
        return self.journal.data
