"""A USB device on a simulated bus: pipes with packets in them, and everything that may be wrong with it.

The host's calls come from threads of the host, the device's from anywhere; one condition guards all state.
``on_out`` and ``on_control`` are called in the host's thread, ``on_change`` in any, outside the condition.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from sim.timebase import linger, wall_seconds
from sim.usb.descriptors import BOARD, IN, ConfigurationDescriptor, DeviceDescriptor
from sim.usb.failures import Failure, failed
from sim.usb.requests import Setup, answer

VID, PID = 0x1209, 0x7AB1
PACKETS_KEPT = 64  # a pipe nobody reads holds so many; what comes then is lost


class Stall(Exception):
    """Raised by ``on_out``: the device refuses the transfer and halts the pipe."""


class UsbDevice:
    """One device. The public attributes are its faults, to be set by a test at any time.

    ``forbidden``: this user may not open it. ``drivers``: kernel driver of each interface. ``room``: bytes it
    still takes from the host, None = any. ``asleep``: what it sends waits until the host writes. ``turn``:
    seconds a transfer takes on the bus. ``unplug_on_write``: it vanishes in the middle of the next transfer.
    ``ends_messages``: it ends what fills its last packet with an empty one, as a serial port must.

    ``on_out`` takes what the host sends, ``on_control`` answers requests of a class or of its maker (None =
    stall), ``on_change`` hears that the host might get or be rid of something that had to wait.
    """

    def __init__(
        self,
        serial: str = "T0001",
        *,
        vid: int = VID,
        pid: int = PID,
        product: str = "Virtual Table",
        shape: ConfigurationDescriptor = BOARD,
        drivers: dict[int, str] | None = None,
    ) -> None:
        self.vid, self.pid, self.serial = vid, pid, serial
        self.strings = ("tablectl", product, serial)
        self.shape = shape
        self.bound = dict(drivers or {})
        self.drivers = dict(self.bound)
        self.forbidden = False
        self.room: int | None = None
        self.asleep = False
        self.turn = 0.0
        self.unplug_on_write = False
        self.ends_messages = False
        self.on_out: Callable[[int, bytes], None] = lambda pipe, data: None
        self.on_control: Callable[[Setup, bytes], bytes | None] = lambda setup, data: None
        self.on_change: Callable[[], None] = lambda: None
        self.configuration = shape.bConfigurationValue
        self.claims: dict[int, object] = {}
        self.did: list[str] = []  # what was done to it beside moving bytes
        self.address = 0  # on the bus; 0 = not plugged in
        self._changed = threading.Condition()
        self._halted: set[int] = set()
        pipes = [pipe for interface in shape.interfaces for pipe in interface.endpoints]
        self._packet = {pipe.bEndpointAddress: pipe.wMaxPacketSize for pipe in pipes}
        self._waiting: dict[int, deque[bytes]] = {pipe: deque() for pipe in self._packet if pipe & IN}

    # ---- what the device does ------------------------------------------------------------------------

    def send(self, data: bytes, pipe: int = 0x81) -> None:
        """Put bytes into a pipe to the host, cut into packets. A full pipe loses them."""
        size, waiting = self._packet[pipe], self._waiting[pipe]
        with self._changed:
            for start in range(0, len(data), size):
                if len(waiting) < PACKETS_KEPT:
                    waiting.append(data[start : start + size])
            if self.ends_messages and len(data) % size == 0 and len(waiting) < PACKETS_KEPT:
                waiting.append(b"")
        self._tell()

    def babble(self, pipe: int = 0x81) -> None:
        """Send a packet longer than the pipe may carry."""
        with self._changed:
            self._waiting[pipe].append(bytes(self._packet[pipe] + 1))
        self._tell()

    def halt(self, pipe: int) -> None:
        """Answer nothing but *stall* on a pipe until the host clears it."""
        with self._changed:
            self._halted.add(pipe)
        self._tell()

    def takes(self, room: int | None) -> None:
        """Take so many bytes more from the host; None = all."""
        with self._changed:
            self.room = room
        self._tell()

    def _tell(self) -> None:
        with self._changed:
            self._changed.notify_all()
        self.on_change()

    # ---- plugging, by the bus ------------------------------------------------------------------------

    def descriptor(self, bus: int = 0) -> DeviceDescriptor:
        """What it says of itself."""
        return DeviceDescriptor(self.vid, self.pid, bus, self.address, port_number=1)

    def plugged(self, address: int) -> None:
        """It is on the bus, fresh from its reset."""
        with self._changed:
            self.address = address
            self.claims.clear()
            self.drivers = dict(self.bound)
            self._empty()

    def unplugged(self) -> None:
        """It is off the bus; every transfer under way fails."""
        with self._changed:
            self.address = 0
        self._tell()

    def reset(self) -> None:
        """The host reset its port."""
        self.did.append("reset")
        with self._changed:
            self._empty()

    def configured(self, value: int) -> None:
        """The host chose a configuration."""
        self.did.append(f"set_configuration {value}")
        with self._changed:
            self.configuration = value
            self._empty()

    def clear(self, pipe: int) -> None:
        """The host cleared a halt."""
        with self._changed:
            self._halted.discard(pipe)
        self._tell()

    def is_halted(self, pipe: int) -> bool:
        """Does a pipe answer *stall* only?"""
        return pipe in self._halted

    def _empty(self) -> None:
        self._halted.clear()
        for waiting in self._waiting.values():
            waiting.clear()

    # ---- transfers, in threads of the host -----------------------------------------------------------

    def take(self, address: int, pipe: int, data: bytes, timeout: float | None) -> int:
        """Bytes of the host; returns how many it took. ``timeout`` in seconds, None = for ever."""
        if self.turn:
            linger(self.turn)
        with self._changed:
            if self.unplug_on_write:
                self.unplug_on_write = False
                self.unplugged()
            end = None if timeout is None else wall_seconds() + timeout
            while True:
                self._usable(address, pipe)
                if self.room is None or self.room >= len(data):
                    break
                if not self._wait(end):
                    data = data[: self.room]
                    break
            if self.room is not None:
                self.room -= len(data)
                if not data:
                    raise failed(Failure.TIMEOUT)
            woken, self.asleep = self.asleep, False
        if woken:
            self._tell()
        try:
            self.on_out(pipe, data)
        except Stall:
            self.halt(pipe)
            raise failed(Failure.PIPE) from None
        return len(data)

    def give(self, address: int, pipe: int, size: int, timeout: float | None) -> bytes:
        """Bytes for the host, up to a short packet or ``size``; a time-out with bytes is a short read."""
        if self.turn:
            linger(self.turn)
        got = b""
        with self._changed:
            end = None if timeout is None else wall_seconds() + timeout
            while True:
                packet = self.packet(address, pipe)
                if packet is not None:
                    if len(got) + len(packet) > size:
                        raise failed(Failure.OVERFLOW)  # and the bytes are lost, as on a real bus
                    got += packet
                    if self.ends(pipe, packet) or len(got) == size:
                        return got
                elif not self._wait(end):
                    if got:
                        return got
                    raise failed(Failure.TIMEOUT)

    def packet(self, address: int, pipe: int) -> bytes | None:
        """The next packet for the host; None while there is none."""
        with self._changed:
            self._usable(address, pipe)
            waiting = self._waiting[pipe]
            return waiting.popleft() if waiting and not self.asleep else None

    def ends(self, pipe: int, packet: bytes) -> bool:
        """Does a packet end the transfer it is in, because it is not full?"""
        return len(packet) < self._packet[pipe]

    def control(self, address: int, setup: Setup, data: bytes = b"") -> bytes:
        """A control transfer; returns what it answers, as much as was asked for."""
        with self._changed:
            self._usable(address, 0)
        said = answer(self, setup) if setup.standard else self.on_control(setup, data)
        if said is None:
            self.did.append(f"control {setup.bmRequestType:#04x} {setup.bRequest}")
            raise failed(Failure.PIPE)
        return said[: setup.wLength]

    def _usable(self, address: int, pipe: int) -> None:
        if self.address != address:
            raise failed(Failure.NO_DEVICE)
        if pipe in self._halted:
            raise failed(Failure.PIPE)

    def _wait(self, end: float | None) -> bool:
        """Wait for a change; False when the time is over."""
        if end is None:
            self._changed.wait()
            return True
        left = end - wall_seconds()
        return left > 0 and (self._changed.wait(left) or wall_seconds() < end)
