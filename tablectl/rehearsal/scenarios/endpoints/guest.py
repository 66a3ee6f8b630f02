"""ATP over the USB of a real Linux kernel, in a guest: as a serial port of its own, and by real libusb.

The device is the one the simulated bus has; the kernel enumerates it on its virtual host controller.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cached_property

from protocols.transports.address import TtyAddress, UsbAddress
from protocols.transports.port import port_at
from sim.endpoints.usb import Bus, UsbEndpoint
from sim.guest import kernel, udev
from sim.guest.machine import Guest
from sim.timebase import pause
from sim.usb.device import PID, VID, UsbDevice
from sim.usb.modem import MODEM_PID, modem
from tablectl.rehearsal.scenarios.endpoints import twin
from tablectl.rehearsal.scenarios.endpoints.thread import ThreadTable, opened

SERIAL = "T0001"
SEEN_S, LOOK_S = 30.0, 0.02  # until the kernel has asked a board what it is, and a look whether it has
HURRY = 8  # table seconds a real second that board and host can keep up with on one emulated processor


class Acm:
    """ATP over a kernel's serial port."""

    name, virtual = "acm", False
    about = "ATP over a CDC-ACM port of a real kernel, enumerated in a guest: /dev/ttyACM0; real time"
    capabilities, traits, levers = twin.CAPABILITIES, twin.TRAITS, twin.LEVERS
    modules: Sequence[str] = ("vhci_hcd", "cdc_acm")
    port = str(TtyAddress(VID, MODEM_PID, SERIAL))

    def missing(self) -> str:
        return kernel.lacking_plug()

    @asynccontextmanager
    async def around(self, guest: Guest) -> AsyncIterator[Sequence[str]]:
        yield ()

    @cached_property
    def bus(self) -> Bus:
        """The kernel's; in the guest only."""
        from sim.guest.vhci import VhciBus  # loads a package only these columns need

        return VhciBus()

    def device(self) -> UsbDevice:
        """A fresh one."""
        return modem(SERIAL)[0]

    @asynccontextmanager
    async def open(self, seed: int, speed: int) -> AsyncIterator[ThreadTable]:
        hurry = min(speed, HURRY)
        async with opened(
            seed,
            hurry,
            lambda made: UsbEndpoint(self.bus, self.device(), made.table.rng("line")),
            lambda line: port_at(self.port),
        ) as table:
            async with asyncio.timeout(SEEN_S):
                while table.present is None or not table.present():
                    await pause(LOOK_S)
            yield table


class Vendor(Acm):
    """ATP over a kernel's USB and real libusb."""

    name = "vendor"
    about = "ATP over bulk pipes of a real kernel's USB in a guest, by real libusb and pyusb; real time"
    modules = ("vhci_hcd",)
    port = str(UsbAddress(VID, PID, SERIAL))

    def missing(self) -> str:
        return super().missing() or udev.lacking()

    @cached_property
    def bus(self) -> Bus:
        """The kernel's; libusb hears of its devices from udevd."""
        udev.start(bare=True)
        return super().bus

    def device(self) -> UsbDevice:
        return UsbDevice(SERIAL)
