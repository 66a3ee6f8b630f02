"""ATP over USB bulk pipes: pyusb and the two threads of a real connection, on a simulated bus."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from protocols.transports.address import UsbAddress
from protocols.transports.usb import UsbPort, UsbSystem
from sim.endpoints.usb import UsbEndpoint
from sim.usb.bus import SimBus
from sim.usb.device import PID, VID, UsbDevice
from tablectl.rehearsal.scenarios.endpoints import twin
from tablectl.rehearsal.scenarios.endpoints.thread import ThreadTable, opened

SERIAL = "T0001"


class Usb:
    """ATP over a simulated USB bus."""

    name, virtual = "usb", False
    about = "ATP over USB bulk pipes of a simulated bus, the board in a thread of its own, real time"
    capabilities, traits, levers = twin.CAPABILITIES, twin.TRAITS, twin.LEVERS

    def missing(self) -> str:
        return ""

    @asynccontextmanager
    async def open(self, seed: int, speed: int) -> AsyncIterator[ThreadTable]:
        bus = SimBus()
        async with opened(
            seed,
            speed,
            lambda made: UsbEndpoint(bus, UsbDevice(SERIAL), made.table.rng("line")),
            lambda line: UsbPort(UsbAddress(VID, PID, SERIAL), UsbSystem(lambda: bus, None)),
        ) as table:
            yield table
        assert not bus.handles, "a handle of the board was left open"
