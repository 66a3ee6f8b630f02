"""An order over USB and its *accepted*, beside the bare calls of pyusb's backend; and bytes alone.

The bus is simulated; each board is a process of its own behind it, and is asked for the same: by the driver
through its two threads, and by a program that does nothing but write and read by the backend in the thread
that waits. The exchanges alternate. For bytes alone the device answers inside the write, which no hardware
does: that is the least that can be.
"""

from __future__ import annotations

import array
import asyncio
import contextlib
import os
import threading
import tty
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

from protocols import driver
from protocols.atp import messages as m
from protocols.atp.endpoint import Endpoint
from protocols.errors import TransportError
from protocols.transports.address import UsbAddress
from protocols.transports.base import Opener, Stream
from protocols.transports.usb import UsbPort, UsbSystem
from protocols.transports.usbclaim import claim
from sim.timebase import wall_seconds
from sim.usb.bus import SimBus
from sim.usb.device import PID, VID, UsbDevice
from tablectl.rehearsal.benches.lab import Lab
from tablectl.rehearsal.benches.row import Row, compared
from tablectl.rehearsal.benches.wire import JOURNAL, Host, alternate, order, order_bytes

READ_BYTES = 4096
WAIT_MS = 5000
PACKET = 64
BOUNDS: dict[str, float | None] = {"p50": 2.0, "p99": None}
FREE: dict[str, float | None] = {"p50": None, "p99": None}


class Cable:
    """A device of the bus whose board is a process at the other end of a pty."""

    def __init__(self, bus: SimBus, serial: str, link: Path) -> None:
        self.device = UsbDevice(serial)
        self.device.on_out = self._to_board
        self._fd = os.open(link, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self._fd)
        self._thread = threading.Thread(target=self._to_host, name=f"cable {serial}")
        self._thread.start()
        bus.plug(self.device)

    def _to_board(self, pipe: int, data: bytes) -> None:
        os.write(self._fd, data)

    def _to_host(self) -> None:
        with contextlib.suppress(OSError):  # the process at the other end has ended
            while data := os.read(self._fd, READ_BYTES):
                self.device.send(data)

    def close(self) -> None:
        """After the process has ended: its end is what the thread waits for."""
        self._thread.join()
        os.close(self._fd)


class Bare:
    """The same exchange by the backend alone, in the thread that waits for it."""

    def __init__(self, stack: AsyncExitStack, bus: SimBus, serial: str) -> None:
        taken = claim(UsbAddress(VID, PID, serial), bus)
        stack.callback(taken.release)
        self._bus = bus
        self._handle: Any = taken.device._ctx.handle  # pyusb gives its backend's handle to nobody
        self._end = Endpoint("host", driver.Counters())
        self._buffer = array.array("B", bytes(PACKET))
        self._id = 0

    def greet(self) -> None:
        """A board takes no order before a hello."""
        self._end.send(m.HelloAsk(1, 1, 1, JOURNAL))
        self.write(self._end.drain())
        self._until(m.Hello)

    async def exchange(self) -> float:
        """Seconds from the order to the first bytes of its *accepted*."""
        self._id += 1
        asked = order(self._id)
        self._end.send(m.Operate(asked.id, asked.operation, asked.side, asked.hand, asked.count))
        data = self._end.drain()
        began = wall_seconds()
        self.write(data)
        first = self.read()
        took = wall_seconds() - began
        self._until(m.Done, first)
        return took

    async def echo(self, data: bytes) -> float:
        """Seconds until bytes are back."""
        began = wall_seconds()
        self.write(data)
        self.read()
        return wall_seconds() - began

    def write(self, data: bytes) -> None:
        self._bus.bulk_write(self._handle, 0x01, 0, array.array("B", data), WAIT_MS)

    def read(self) -> bytes:
        count = self._bus.bulk_read(self._handle, 0x81, 0, self._buffer, WAIT_MS)
        return self._buffer[:count].tobytes()

    def _until(self, kind: type, data: bytes = b"") -> None:
        while not any(isinstance(heard, kind) for heard in self._end.feed(data)):
            data = self.read()


class Bytes:
    """The same bytes through the transport."""

    _stream: Stream

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._done: asyncio.Future[None] | None = None

    async def open(self, opener: Opener) -> None:
        """Take the device."""
        self._stream = await opener(self)

    async def exchange(self) -> float:
        """Seconds until they are back."""
        self._done = asyncio.get_running_loop().create_future()
        began = wall_seconds()
        self._stream.write(self._data)
        await self._done
        return wall_seconds() - began

    def received(self, data: bytes) -> None:
        if self._done is not None:
            self._done.set_result(None)

    def lost(self, error: TransportError | None) -> None:
        if self._done is not None:
            self._done.set_exception(error or EOFError())

    def close(self) -> None:
        self._stream.close()


def measure(lab: Lab) -> list[Row]:
    """The rows of this figure."""
    return asyncio.run(_measure(lab))


async def _measure(lab: Lab) -> list[Row]:
    bus, folder = SimBus(), lab.fresh("usb")
    async with AsyncExitStack() as cables, AsyncExitStack() as stack:
        for serial in ("ours", "bare"):
            await lab.peer(stack, "atp", str(folder / serial))
            cables.callback(Cable(bus, serial, folder / serial).close)
        for serial in ("echo", "bare echo"):
            device = UsbDevice(serial)
            device.on_out = _echo(device)
            bus.plug(device)
        bare = Bare(stack, bus, "bare")
        bare.greet()
        bare_echo = Bare(stack, bus, "bare echo")
        host, echo, data = Host(_opener(stack, bus, "ours")), Bytes(order_bytes()), order_bytes()
        stack.callback(host.close)
        await host.open()
        await echo.open(_opener(stack, bus, "echo"))
        stack.callback(echo.close)
        orders = await alternate(lab, host.exchange, bare.exchange)
        plain = await alternate(lab, echo.exchange, partial(bare_echo.echo, data))
    return [*compared("bench.usb", *orders, BOUNDS), *compared("bench.usb_bytes", *plain, FREE)]


def _echo(device: UsbDevice) -> Callable[[int, bytes], None]:
    return lambda pipe, data: device.send(data)


def _opener(stack: AsyncExitStack, bus: SimBus, serial: str) -> Opener:
    """Opens a device of the bus; the stack waits until it is let go."""
    port = UsbPort(UsbAddress(VID, PID, serial), UsbSystem(lambda: bus, None))
    stack.push_async_callback(port.settle)
    return port.open
