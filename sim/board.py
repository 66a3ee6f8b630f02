"""The firmware twin: a session on the line (ATP, or lines), the mechanism and the seats behind it.

One object is one piece of hardware; each boot gets a new session, boot id and clock. Time on the wire is
real time; only the mechanism runs faster when the table does.

Its safety rules: whatever a host ordered stops after 1.5 s without that host, and lamps that said *play* say
*hold* until that host is heard again, or a new connection orders the lamps. The table's own build goes on, as
on a table without any host.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from random import Random

from protocols import driver
from protocols.atp import messages as m
from protocols.atp.board import BoardSession
from protocols.atp.dictionary import DICTIONARY
from protocols.atp.frame import Frame
from protocols.atp.pump import Pump
from protocols.lines.box import BoxSession
from protocols.vocabulary import NO_SIDE, EventKind, Fault, Lamp, Operation, Order, Refusal, Source
from sim.endpoints.base import Endpoint
from sim.gate import EDGE, Gate, type_of
from sim.identity import BoardClock, Firmware, capabilities
from sim.mechanism.machine import Mechanism
from sim.mechanism.places import stacks_of
from sim.mechanism.rulings import PROFILES
from sim.seats import Fidelity
from sim.timebase import TableTimer
from sim.uplink import Uplink

WireSession = BoardSession | BoxSession
Speaks = type[BoardSession] | type[BoxSession]  # the protocol of its line
BOOT_ID_BITS = 63
VERSION = DICTIONARY.version
NONSENSE = 3  # frames of a type nobody knows until the board complains


@dataclass(frozen=True, slots=True)
class Reboot:
    """How a firmware comes back. ``faults`` = what it finds at its boot, ``blank`` = its settings are gone,
    ``stale`` = seconds for which it goes on saying what it was, ``silent`` = under its old boot id."""

    faults: tuple[Fault, ...] = ()
    firmware: Firmware | None = None
    blank: bool = False
    stale: float = 0.0
    silent: bool = False


ANEW = Reboot()


class Board:
    """A controller board. ``timer`` gives real time: boot and outages last as long at any speed."""

    def __init__(
        self,
        machine: Mechanism,
        fidelity: Fidelity,
        timer: TableTimer,
        rng: Random,
        *,
        speed: int = 1,
        firmware: Firmware = Firmware(),  # noqa: B008
        clock: BoardClock = BoardClock(),  # noqa: B008
        boots: Random | None = None,
        speaks: Speaks = BoardSession,
    ) -> None:
        self._machine = machine
        self._speaks = speaks
        self._fidelity = fidelity
        self._timer = timer
        self._loop: asyncio.AbstractEventLoop = timer.loop
        self._rng = rng
        self._boots = boots or rng  # a process that is started again is another boot, whatever the seed
        self._speed = speed
        self._firmware = firmware
        self._serial = firmware.serial or f"SIM{rng.getrandbits(32):08X}"
        self._clock = clock
        self._endpoint: Endpoint | None = None
        self._session: WireSession | None = None
        self._pump: Pump | None = None
        self._kicking = False
        self.to_host = Gate(self._to_line, timer)
        self.to_board = Gate(self._arrived, timer)
        self.uplink = Uplink(self.to_host.send, timer)
        self._complains_until = 0.0
        self._dimmed = False  # the lamps say hold because nobody is heard
        self._nonsense = 0  # unknown frames already complained of
        self._stale: tuple[float, driver.Status] | None = None  # until when, and what it goes on saying
        self.boot_count = 0
        self.boot_id = 0
        self._boot_at = 0.0
        machine.connect(self)

    # power

    def attach(self, endpoint: Endpoint) -> None:
        """Connect the board to a line."""
        self._endpoint = endpoint
        endpoint.attach(self.to_board.send)

    def detach(self) -> None:
        """Another board takes the line; what this one says goes nowhere."""
        self._endpoint = None

    @property
    def firmware(self) -> Firmware:
        """What runs on it."""
        return self._firmware

    @property
    def alive(self) -> bool:
        """True while the firmware runs."""
        return self._session is not None

    def power_on(self, manner: Reboot = ANEW) -> None:
        """Boot, without waiting for the time a boot takes."""
        now = self._loop.time()
        if not manner.silent:
            self.boot_count += 1
            self.boot_id = self._boots.getrandbits(BOOT_ID_BITS) | 1
            self._boot_at = now
        if self.boot_count > 1 or manner.silent:
            self._machine.power_back()
        self._firmware = manner.firmware or self._firmware
        if manner.blank:
            self._machine.profile = PROFILES[0]
        self._nonsense = 0
        self._session = self._speaks(self, now)
        self._pump = Pump(self._session)
        self._pump.start(self.uplink)
        if not manner.silent:
            self.emit(EventKind.BOOT, NO_SIDE, self.boot_count, Source.SENSOR)
        self._machine.booted()
        for fault in manner.faults:
            self._machine.latch(fault)

    def reboot(self, off: float = 0.0, manner: Reboot = ANEW) -> None:
        """The firmware dies now and is back after ``off`` seconds without power and the time of a boot."""
        if self.alive:
            self._die(off, manner)

    def hang(self, seconds: float) -> None:
        """The firmware answers nothing and the motors run on, until the watchdog restarts it."""
        if self.alive:
            self.close()
            manner = Reboot(faults=(Fault.WATCHDOG_RESET,))
            self._timer.call_later(seconds, lambda: self._die(0.0, manner))

    def _die(self, off: float, manner: Reboot) -> None:
        if manner.stale:
            self._stale = (self._loop.time() + off + manner.stale, self.status())
        self._machine.power_lost()
        self.close()
        boot = self._machine.timing.steps["boot"].sample(self._rng)
        self._timer.call_later(off + boot, lambda: self.power_on(manner))

    def close(self) -> None:
        """Switch off for good."""
        if self._pump is not None:
            self._pump.close()
        self._session = self._pump = None

    def counters(self) -> driver.Counters:
        """What the line did since this boot."""
        return self._session.counters if self._session is not None else driver.Counters()

    # the line

    def complain(self, seconds: float) -> None:
        """Answer every frame with an error for so long (real seconds)."""
        self._complains_until = self._loop.time() + seconds

    def _arrived(self, data: bytes) -> None:
        if self._loop.time() < self._complains_until:
            for piece in data.split(EDGE):
                if (kind := type_of(piece)) is not None:
                    error = m.Error(m.ErrorCode.UNKNOWN_TYPE, kind)
                    self.to_host.send(Frame(VERSION, 0, error.TYPE, error.to_bytes()).to_bytes())
            return
        if self._pump is not None:
            heard = self.counters().frames_received
            self._pump.received(data)
            if self._dimmed and self.counters().frames_received > heard:
                self._dimmed = False  # the same host, which never knew that it was not heard
                self._machine.show_lamp(Lamp.PLAY)
            unknown = self.counters().unknown
            if unknown - self._nonsense >= NONSENSE:
                self._nonsense = unknown
                self._machine.latch(Fault.PROTOCOL_ERROR)

    def _to_line(self, data: bytes) -> None:
        if self._endpoint is not None:
            self._endpoint.write(data)

    def _kick(self) -> None:
        """Let the session send, once for all that happens at this moment."""
        if not self._kicking:
            self._kicking = True
            self._loop.call_soon(self._kick_now)

    def _kick_now(self) -> None:
        self._kicking = False
        if self._pump is not None:
            self._pump.kick()

    # BoardApp

    def hello(self) -> driver.Hello:
        self._dimmed = False  # a new connection: its host orders the lamps anew
        return driver.Hello(
            vendor=self._firmware.vendor,
            model=self._firmware.model,
            serial=self._serial,
            firmware=self._firmware.version,
            firmware_hash=self._firmware.image_hash,
            boot_id=self.boot_id,
            boot_count=self.boot_count,
            uptime_us=self.board_us(self._loop.time()),
            capabilities=capabilities(self._fidelity),
            profiles=PROFILES,
            time_scale=self._speed,
        )

    def status(self) -> driver.Status:
        if self._stale is not None:
            until, old = self._stale
            if self.alive and self._loop.time() < until:
                return replace(old, boot_id=self.boot_id, board_us=self.board_us(self._loop.time()))
            self._stale = None if self.alive else self._stale
        machine = self._machine
        job = next((job for job in machine.jobs if job.ordered), None)
        return driver.Status(
            top=machine.top,
            store=machine.store,
            stopped=machine.stopped,
            homed=machine.homed,
            hand=machine.hand,
            profile=machine.profile,
            running_id=job.waiters[0] if job else 0,
            running=job.operation if job else 0,
            percent=job.percent if job else 0,
            last_event=0,  # the session knows
            boot_id=self.boot_id,
            board_us=self.board_us(self._loop.time()),
            top_stacks=stacks_of(machine.places.top),
            store_stacks=stacks_of(machine.places.store),
            faults=tuple(machine.latched),
        )

    def operate(self, order: Order) -> Refusal:
        self._dimmed = self._dimmed and order.operation is not Operation.LAMPS
        return self._machine.order(order)

    def stop(self) -> bool:
        return self._machine.stop()

    def host_silent(self) -> None:
        self._machine.host_silent()
        if self._machine.lamp is Lamp.PLAY:
            self._machine.show_lamp(Lamp.HOLD)
            self._dimmed = True

    def moving(self) -> bool:
        return self._machine.moving()

    def board_us(self, now: float) -> int:
        return self._clock.read(now - self._boot_at)

    def leap(self, seconds: float) -> None:
        """Its clock jumps, either way; never to before its boot."""
        self._boot_at = min(self._boot_at - seconds, self._loop.time())

    # Reporter, for the mechanism; and what the seats sense

    def emit(
        self, kind: EventKind, side: int, value: int, source: Source, tiles: tuple[str, ...] = ()
    ) -> None:
        """Something was sensed. Without power nothing is."""
        if self._session is not None:
            now = self.board_us(self._loop.time())
            self._session.event(kind, board_us=now, side=side, source=source, value=value, tiles=tiles)
            self._kick()

    def progress(self, id: int, percent: int) -> None:
        if self._session is not None:
            self._session.progress(id, percent)
            self._kick()

    def done(self, id: int, value: int = 0) -> None:
        if self._session is not None:
            self._session.done(id, value)
            self._kick()

    def failed(self, id: int, fault: Fault, side: int = NO_SIDE) -> None:
        if self._session is not None:
            self._session.failed(id, fault, side)
            self._kick()

    def stopped(self) -> None:
        if self._session is not None:
            self._session.stopped()
            self._kick()
