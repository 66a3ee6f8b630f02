"""A table as it is sold and its two boxes, under virtual time: the panel tap, and the keypads at the seats.

Each box is a column of its own, for each is a device with a link of its own. The panel's Modbus line runs at
9600 baud.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from protocols.driver import Driver
from protocols.vocabulary import Capability, SeatKey
from sim.endpoints.memory import MemoryEndpoint
from sim.mechanism.body import Ailment
from sim.panel.table import TappedTable
from sim.timebase import TableTimer
from tablectl.daemon.drivers import driver_factory
from tablectl.rehearsal.judge import judge_of
from tablectl.rehearsal.scenarios.endpoint import Lever, Trait, Truth
from tablectl.rehearsal.scenarios.endpoints.sieve import Sieve
from tablectl.rehearsal.scenarios.endpoints.twin import rules
from tablectl.rehearsal.tapped import KEYPAD_BAUD, PANEL_BAUD, wiring_for

LATENCY_S = 0.001
CABLE = frozenset({Lever.UNPLUG, Lever.PLUG})
DEAD_S = 2.0  # the relay board is without power
RUBBISH = b"\r\nboot v2 ready\r\n\xff\x00\x55" * 2
TEXTS = ("KEYPAD 4x7 ready", "debug: scan 12 us *", "<event 99 0 seat_key 0 win*0000", "ok hours=twelve")


class SoldTable:
    """A table with people at it, and a line to each of its boxes."""

    speed = 1  # virtual time costs nothing
    driver: Callable[[], Driver]

    def __init__(self, seed: int) -> None:
        wiring = wiring_for(rules().wall.tiles.value)
        self.table = TappedTable(seed, wiring, judge=judge_of(rules()))
        rng = self.table.rng
        self.panel = MemoryEndpoint(rng("line"), latency=LATENCY_S, baud=PANEL_BAUD)
        self.keys = MemoryEndpoint(rng("keys"), latency=LATENCY_S, baud=KEYPAD_BAUD)
        self.table.attach(self.panel, self.keys)
        self._timer = TableTimer(asyncio.get_running_loop())
        self._wiring = wiring
        self._jam: Ailment | None = None

    def unplug(self, end: MemoryEndpoint, seconds: float) -> None:
        """One box's cable is out for so long; 0 = until it is put in again."""
        end.unplug()
        if seconds:
            self._timer.call_later(seconds, end.replug)

    async def truth(self) -> Truth:
        """A press too many would be a motion too many: keys are counted, toggles have no other memory."""
        return Truth(self.table.machine.moving(), len(self.table.controller.presses))

    async def settle(self) -> None:
        """A line in memory keeps nothing."""

    def close(self) -> None:
        """Everybody goes home."""
        self._timer.cancel_all()
        self.table.close()


class PanelTable(SoldTable):
    """Seen through its panel."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.driver = driver_factory("panel", self.panel.host, self._wiring)

    @property
    def present(self) -> Callable[[], bool]:
        return lambda: self.panel.line.whole

    async def pull(self, lever: Lever, amount: float = 0.0) -> None:
        board, machine = self.table.panel, self.table.machine
        match lever:
            case Lever.UNPLUG:
                self.unplug(self.panel, amount)
            case Lever.PLUG:
                self.panel.replug()
            case Lever.REBOOT:
                board.troubles.dead = True
                self._timer.call_later(DEAD_S, self._alive)
            case Lever.LOSE_ANSWER:
                board.troubles.lose_answers = 1
            case Lever.JAM:
                self._jam = machine.befall("head_jam", 2)
            case Lever.MEND if self._jam is not None:
                machine.mend(self._jam)
                machine.forget_gone()
                board.touch("lift_a")
            case Lever.CHATTER:
                self.panel.write(RUBBISH)

    def _alive(self) -> None:
        self.table.panel.troubles.dead = False


class KeypadTable(SoldTable):
    """Seen through its keypads."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.driver = driver_factory("lines", self.keys.host)
        self._sieve = Sieve(self.keys)

    @property
    def present(self) -> Callable[[], bool]:
        return lambda: self.keys.line.whole

    async def pull(self, lever: Lever, amount: float = 0.0) -> None:
        box = self.table.keypad
        match lever:
            case Lever.UNPLUG:
                self.unplug(self.keys, amount)
            case Lever.PLUG:
                self.keys.replug()
            case Lever.REBOOT:
                box.reset()
            case Lever.LOSE_EVENTS:
                self._sieve.lose_events(amount)
            case Lever.CLOCK_JUMP:
                box.leap(amount)
            case Lever.KEY:
                self.table.seats.called(int(amount), SeatKey.DISCARD)
            case Lever.CHATTER:
                for text in TEXTS:
                    box.chatter(text)


class Panel:
    """The panel tap."""

    name, virtual = "panel", True
    about = "Modbus RTU: a relay board across the panel of an unmodified simulated table, virtual time"
    capabilities = Capability.PAUSE_INSERT | Capability.DICE
    traits = frozenset(Trait)
    levers = CABLE | {Lever.REBOOT, Lever.LOSE_ANSWER, Lever.JAM, Lever.MEND, Lever.CHATTER}
    table: Callable[[int], PanelTable | KeypadTable] = PanelTable

    def missing(self) -> str:
        return ""

    @asynccontextmanager
    async def open(self, seed: int, speed: int) -> AsyncIterator[PanelTable | KeypadTable]:
        table = type(self).table(seed)
        try:
            yield table
        finally:
            table.close()


class Keypad(Panel):
    """The box at the seats."""

    name = "keypad"
    about = "the line protocol: a keypad box at the seats of that table, virtual time"
    capabilities = Capability.SEAT_KEYS | Capability.EVENT_LOG | Capability.RESULT_MEMORY | Capability.LAMPS
    traits = frozenset({Trait.PEOPLE})
    levers = CABLE | {Lever.REBOOT, Lever.LOSE_EVENTS, Lever.CLOCK_JUMP, Lever.KEY, Lever.CHATTER}
    table = KeypadTable
