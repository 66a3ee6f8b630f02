"""The reference firmware in C with motors and switches at its pins: compiled for this computer, or for an AVR.

Stepped in lockstep under virtual time. What moved is read at the motors; the plant knows no orders.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random

from protocols.vocabulary import Capability, SeatKey
from sim.endpoints.memory import MemoryEndpoint
from sim.firmware.board import Boot, FirmwareBoard
from sim.firmware.build import compiler
from sim.firmware.helper import Helper
from sim.firmware.plant import pins
from sim.firmware.plant.plant import Plant
from sim.firmware.ports import avr
from sim.gate import Gate
from sim.mechanism.tiles import FULL
from sim.timebase import TableTimer, pause
from sim.uplink import Uplink
from tablectl.daemon.drivers import driver_factory
from tablectl.rehearsal.scenarios.endpoint import Lever, Trait, Truth
from tablectl.rehearsal.scenarios.endpoints.twin import EVENTS, TEXTS

LATENCY_S, BAUD = 0.001, 115_200
PRESS_S, APART_S = 0.005, 0.03  # a quick finger; and until its key is heard again
JAMMED = 2
MACHINE = pins.MOTORS & ~pins.Out.DICE | pins.Out.LOAD
CAPABILITIES = (
    Capability.GEAR_REMOTE
    | Capability.DICE
    | Capability.DICE_READBACK
    | Capability.PER_SIDE_COUNTS
    | Capability.PAUSE_INSERT
    | Capability.HOST_STOP
    | Capability.LIFT_FEEDBACK
    | Capability.FAULT_CODE
    | Capability.EVENT_LOG
    | Capability.SEAT_KEYS
    | Capability.RESULT_MEMORY
    | Capability.LAMPS
    | Capability.SIMULATED
)


class _Line(MemoryEndpoint):
    """A line in memory that loses what it is told to lose."""

    def __init__(self, rng: Random, timer: TableTimer) -> None:
        super().__init__(rng, latency=LATENCY_S, baud=BAUD)
        self.gate = Gate(super().write, timer)
        self.uplink = Uplink(self.gate.send, timer)

    def write(self, data: bytes) -> None:
        self.uplink.write(data)


class _Watched(Plant):
    """Counts what begins to move: the mechanism, and the dice."""

    begun = 0

    def step(self, now_us: int, outputs: int) -> None:
        before = self.outputs
        super().step(now_us, outputs)
        for motors in (MACHINE, pins.Out.DICE):
            self.begun += bool(outputs & motors) and not before & motors


class FirmwareTable:
    """One board on a line in memory."""

    speed = 1  # virtual time costs nothing

    def __init__(self, seed: int, boot: Boot | None = None) -> None:
        streams = {name: Random(f"{seed}/{name}") for name in ("drum", "dice", "times")}
        self.plant = _Watched(FULL, **streams)
        self.plant.watchers.append(Helper(self.plant.push_in))
        self.board = FirmwareBoard(self.plant, boot=boot)
        self._timer = TableTimer(asyncio.get_running_loop())
        self.end = _Line(Random(seed), self._timer)
        self.board.attach(self.end)
        self.board.power_on()
        self.driver = driver_factory("atp", self.end.host)

    @property
    def present(self) -> Callable[[], bool]:
        return lambda: self.end.line.whole

    async def pull(self, lever: Lever, amount: float = 0.0) -> None:
        match lever:
            case Lever.UNPLUG:
                self.end.unplug()
                self._timer.call_later(amount, self.end.replug)
            case Lever.REBOOT:
                self.board.reboot()
            case Lever.LOSE_ANSWER:
                self.end.uplink.lose_replies()
            case Lever.LOSE_EVENTS:
                self.end.gate.leave_out(EVENTS, amount)
            case Lever.CHATTER:
                for text in TEXTS:
                    self.end.gate.send(text)
            case Lever.JAM:
                self.plant.drum.heads[JAMMED].jammed = True
            case Lever.MEND:
                self.plant.free(JAMMED)
            case Lever.KEY:
                self.plant.press_seat(int(amount), SeatKey.DISCARD, PRESS_S)
                await pause(APART_S)

    async def truth(self) -> Truth:
        self.plant.about_to_touch()
        moving = bool(self.board.outputs & (pins.MOTORS | pins.Out.LOAD)) or not self.plant.at_rest
        return Truth(moving, self.plant.begun)

    async def settle(self) -> None:
        """A line in memory keeps nothing."""

    def close(self) -> None:
        """Nothing of it is left."""
        self._timer.cancel_all()
        self.board.close()


class FirmwareHosted:
    """The column."""

    name, virtual = "firmware", True
    about = "the reference firmware in C in lockstep, its motors and switches simulated; virtual time"
    capabilities = CAPABILITIES
    traits = frozenset({Trait.MOTION})
    levers = frozenset(Lever) - {Lever.CLOCK_JUMP}

    def missing(self) -> str:
        return "" if compiler() is not None else "no C compiler: install gcc"

    @asynccontextmanager
    async def open(self, seed: int, speed: int) -> AsyncIterator[FirmwareTable]:
        table = FirmwareTable(seed)
        try:
            yield table
        finally:
            table.close()


class FirmwareAvr(FirmwareHosted):
    """The same on an emulated chip; its image and its EEPROM outlive its boots."""

    name = "avr"
    about = (
        "the reference firmware on an emulated ATmega1284P, cycle by cycle, "
        "its motors and switches simulated; virtual time"
    )

    def missing(self) -> str:
        return avr.lacking()

    @asynccontextmanager
    async def open(self, seed: int, speed: int) -> AsyncIterator[FirmwareTable]:
        chip = avr.AvrChip()
        try:
            table = FirmwareTable(seed, chip.boot)
            try:
                yield table
            finally:
                table.close()
        finally:
            chip.close()
