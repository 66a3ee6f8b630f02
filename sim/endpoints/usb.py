"""The board's end of a simulated USB cable: what the board says goes to a device on the bus, and back.

Its loop may be the host's or another thread's.
"""

from __future__ import annotations

import asyncio
import contextlib
from random import Random
from typing import Protocol

from sim.endpoints.base import Received
from sim.endpoints.noise import Lag, Noise
from sim.usb.device import UsbDevice


class Bus(Protocol):
    """What a device is plugged into: a bus of ours, or a real kernel's."""

    def plug(self, device: UsbDevice) -> None:
        """Plug it in, at a new address."""

    def unplug(self, device: UsbDevice) -> None:
        """Pull it out, whatever it is doing."""


class UsbEndpoint:
    """A ``device`` of ``bus`` with a board behind it. Faults of the bus are the device's."""

    def __init__(self, bus: Bus, device: UsbDevice, rng: Random) -> None:
        self.bus = bus
        self.device = device
        self.to_host = Noise(rng)
        self.to_board = Noise(rng)
        self.lag_to_host = Lag(self.to_host, device.send)
        self.lag_to_board = Lag(self.to_board, self._deliver)
        self._received: Received | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        device.on_out = self._heard

    def attach(self, received: Received) -> None:
        """Plug the device in, if it is not; bytes of the host go to ``received``."""
        self._received = received
        self._loop = asyncio.get_running_loop()
        self.replug()

    @property
    def plugged(self) -> bool:
        """True while the host can see the device."""
        return self.device.address != 0

    def write(self, data: bytes) -> None:
        """Send bytes to the host; unplugged, they are lost."""
        if self.plugged:
            for piece in self.to_host(data):
                self.lag_to_host.send(piece)

    def unplug(self) -> None:
        """Off the bus; transfers under way fail."""
        self.bus.unplug(self.device)

    def replug(self) -> None:
        """On the bus again, at another address."""
        if not self.plugged:
            self.bus.plug(self.device)

    def rename(self, name: str) -> None:
        """A board is known by its serial number, wherever it is plugged in."""

    def close(self) -> None:
        """Unplug for good."""
        self.unplug()

    def _heard(self, pipe: int, data: bytes) -> None:
        """In a thread of the host."""
        with contextlib.suppress(RuntimeError):  # the board's loop has ended
            assert self._loop is not None
            self._loop.call_soon_threadsafe(self._arrived, data)

    def _arrived(self, data: bytes) -> None:
        for piece in self.to_board(data):
            self.lag_to_board.send(piece)

    def _deliver(self, data: bytes) -> None:
        if self._received is not None:
            self._received(data)
