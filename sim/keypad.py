"""A keypad box: seven keys and a lamp at each seat, one small controller, the line protocol.

It senses nothing of the table. ``lamps`` is where its lamps are seen; without them it has none.
"""

from __future__ import annotations

import asyncio
from random import Random
from typing import Protocol

from protocols import driver
from protocols.atp.pump import Pump
from protocols.lines.box import BoxSession
from protocols.vocabulary import (
    NO_SIDE,
    Capability,
    EventKind,
    Lamp,
    Operation,
    Order,
    Refusal,
    Source,
    StoreState,
    TopState,
)
from sim.endpoints.base import Endpoint
from sim.timebase import TableTimer

BOOT_S = 1.8  # a bootloader waits so long before the program runs
BANNER = b"\r\nKEYPAD 4x7 ready\r\n"
NOTHING = (0, 0, 0, 0)
US = 1_000_000


class Lights(Protocol):
    """Where the lamps of the seats are seen."""

    lamp: Lamp

    def show_lamp(self, lamp: Lamp, side: int = NO_SIDE) -> None: ...


class _Line:
    """The box's side of an endpoint, as a stream."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    def write(self, data: bytes) -> None:
        self._endpoint.write(data)

    def close(self) -> None:
        """The endpoint outlives a boot."""


class Keypad:
    """One box. Times of the wire are the loop's, at any speed of the table."""

    def __init__(self, timer: TableTimer, rng: Random, *, lights: Lights | None = None) -> None:
        self._timer = timer
        self._loop: asyncio.AbstractEventLoop = timer.loop
        self._rng = rng
        self._lights = lights
        self._serial = f"KP{rng.getrandbits(24):06X}"
        self._endpoint: Endpoint | None = None
        self._session: BoxSession | None = None
        self._pump: Pump | None = None
        self._boot_at = 0.0
        self._dimmed = False
        self._kicking = False
        self.boot_id = self.boot_count = 0

    def attach(self, endpoint: Endpoint) -> None:
        """Connect it to a line and switch it on."""
        self._endpoint = endpoint
        endpoint.attach(self._received)
        self.power_on()

    def power_on(self) -> None:
        """Run, and say so to whoever reads."""
        assert self._endpoint is not None
        now = self._loop.time()
        self.boot_count += 1
        self.boot_id = self._rng.getrandbits(31) | 1
        self._boot_at = now
        self._session = BoxSession(self, now)
        self._pump = Pump(self._session)
        self._endpoint.write(BANNER)
        self._pump.start(_Line(self._endpoint))

    def reset(self) -> None:
        """What opening the port does to many boards."""
        self._stop_running()
        self._timer.call_later(BOOT_S, self.power_on)

    def leap(self, seconds: float) -> None:
        """Its clock jumps, either way; never to before its boot."""
        self._boot_at = min(self._boot_at - seconds, self._loop.time())

    def chatter(self, text: str) -> None:
        """Something the program says to a person."""
        if self._endpoint is not None:
            self._endpoint.write(text.encode() + b"\r\n")

    def emit(
        self, kind: EventKind, side: int, value: int, source: Source, tiles: tuple[str, ...] = ()
    ) -> None:
        """A key was pressed. Without power nothing is."""
        if self._session is not None:
            now = self._loop.time()
            self._session.event(kind, board_us=self.board_us(now), side=side, source=source, value=value)
            self._kick()

    def close(self) -> None:
        """Switch off for good."""
        self._stop_running()
        self._timer.cancel_all()
        if self._endpoint is not None:
            self._endpoint.close()

    def _stop_running(self) -> None:
        if self._pump is not None:
            self._pump.close()
        self._session = self._pump = None

    def _received(self, data: bytes) -> None:
        if self._pump is None or self._session is None:
            return
        heard = self._session.counters.frames_received
        self._pump.received(data)
        if self._dimmed and self._session.counters.frames_received > heard:
            self._dimmed = False
            self._show(Lamp.PLAY)

    def _kick(self) -> None:
        if not self._kicking:
            self._kicking = True
            self._loop.call_soon(self._kick_now)

    def _kick_now(self) -> None:
        self._kicking = False
        if self._pump is not None:
            self._pump.kick()

    def _show(self, lamp: Lamp) -> None:
        if self._lights is not None:
            self._lights.show_lamp(lamp)

    # BoardApp

    def hello(self) -> driver.Hello:
        lamps = Capability.LAMPS if self._lights is not None else Capability(0)
        return driver.Hello(
            vendor="tablectl",
            model="KEYPAD",
            serial=self._serial,
            firmware="1.0",
            firmware_hash="",
            boot_id=self.boot_id,
            boot_count=self.boot_count,
            uptime_us=self.board_us(self._loop.time()),
            capabilities=Capability.SEAT_KEYS | Capability.EVENT_LOG | Capability.RESULT_MEMORY | lamps,
            profiles=(),
        )

    def status(self) -> driver.Status:
        return driver.Status(
            top=TopState.UNKNOWN,
            store=StoreState.UNKNOWN,
            stopped=False,
            homed=True,
            hand=0,
            profile=0,
            running_id=0,
            running=0,
            percent=0,
            last_event=0,  # the session knows
            boot_id=self.boot_id,
            board_us=self.board_us(self._loop.time()),
            top_stacks=NOTHING,
            store_stacks=NOTHING,
            faults=(),
        )

    def operate(self, order: Order) -> Refusal:
        if order.operation is not Operation.LAMPS or self._lights is None:
            return Refusal.UNSUPPORTED
        self._dimmed = False
        self._lights.show_lamp(Lamp(order.count), order.side)
        if self._session is not None:
            self._session.done(order.id)
        return Refusal.NONE

    def stop(self) -> bool:
        return True  # nothing of it moves

    def host_silent(self) -> None:
        if self._lights is not None and self._lights.lamp is Lamp.PLAY:
            self._show(Lamp.HOLD)
            self._dimmed = True

    def moving(self) -> bool:
        return False

    def board_us(self, now: float) -> int:
        return round((now - self._boot_at) * US)
