"""Taking a board and reading from it, against a pyusb backend that answers anything, with any error."""

from __future__ import annotations

import asyncio
import errno
import threading
from array import array
from collections import Counter
from typing import Any

import usb.backend
import usb.core

from protocols.errors import TransportError
from protocols.transports.address import UsbAddress
from protocols.transports.usb import UsbStream
from protocols.transports.usbclaim import claim
from sim.usb.descriptors import (
    BOARD,
    ConfigurationDescriptor,
    DeviceDescriptor,
    EndpointDescriptor,
    InterfaceDescriptor,
)
from sim.usb.device import PID, VID

SERIAL = "T0001"
ADDRESSES = (UsbAddress(VID, PID), UsbAddress(VID, PID, SERIAL))
CODES = (errno.EPIPE, errno.ENODEV, errno.EBUSY, errno.EACCES, errno.EOVERFLOW, errno.EIO, None)
READS = 40  # after so many the board is gone, so that each run ends
ENDED_S = 10.0


class Anything(usb.backend.IBackend):  # type: ignore[misc]  # pyusb has no types
    """A bus that answers by a script of bytes: mostly right, so that what comes later is reached too."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self._script = iter(data)
        self._lock = threading.Lock()
        self.open = 0  # handles
        self._reads = 0

    def _next(self) -> int:
        with self._lock:
            return next(self._script, 0)

    def _perhaps_fail(self) -> None:
        """A byte from 0xE0 on is an error of some kind."""
        roll = self._next()
        if roll >= 0xFC:
            raise NotImplementedError
        if roll >= 0xF8:
            raise ValueError("The device has no langid")
        if roll >= 0xE0:
            raise usb.core.USBError("scripted", -1, CODES[roll % len(CODES)])

    def enumerate_devices(self) -> Any:
        return iter(range(self._next() % 3 or 1))

    def get_parent(self, dev: int) -> None:
        return None

    def get_device_descriptor(self, dev: int) -> DeviceDescriptor:
        return DeviceDescriptor(VID, PID, 1, dev + 1, port_number=1)

    def get_configuration_descriptor(self, dev: int, config: int) -> ConfigurationDescriptor:
        self._perhaps_fail()
        return BOARD

    def get_interface_descriptor(self, dev: int, intf: int, alt: int, config: int) -> InterfaceDescriptor:
        if alt or self._next() >= 0xF0:
            raise IndexError
        return BOARD.interfaces[intf]

    def get_endpoint_descriptor(
        self, dev: int, ep: int, intf: int, alt: int, config: int
    ) -> EndpointDescriptor:
        if self._next() >= 0xF0:
            raise IndexError
        return BOARD.interfaces[intf].endpoints[ep]

    def open_device(self, dev: int) -> int:
        self._perhaps_fail()
        self.open += 1
        return dev

    def close_device(self, dev_handle: int) -> None:
        self.open -= 1

    def set_configuration(self, dev_handle: int, config_value: int) -> None:
        self._perhaps_fail()

    def get_configuration(self, dev_handle: int) -> int:
        self._perhaps_fail()
        return 0 if self._next() >= 0xF0 else 1

    def set_interface_altsetting(self, dev_handle: int, intf: int, altsetting: int) -> None:
        self._perhaps_fail()

    def claim_interface(self, dev_handle: int, intf: int) -> None:
        self._perhaps_fail()

    def release_interface(self, dev_handle: int, intf: int) -> None:
        self._perhaps_fail()

    def clear_halt(self, dev_handle: int, ep: int) -> None:
        self._perhaps_fail()

    def is_kernel_driver_active(self, dev_handle: int, intf: int) -> bool:
        self._perhaps_fail()
        return self._next() >= 0xC0

    def detach_kernel_driver(self, dev_handle: int, intf: int) -> None:
        self._perhaps_fail()

    def attach_kernel_driver(self, dev_handle: int, intf: int) -> None:
        self._perhaps_fail()

    def ctrl_transfer(
        self, dev_handle: int, kind: int, request: int, value: int, index: int, data: Any, timeout: int
    ) -> int:
        self._perhaps_fail()
        text = SERIAL.encode("utf-16-le")
        answer = bytes((4, 3, 9, 4)) if not value & 0xFF else bytes((2 + len(text), 3)) + text
        answer = answer[: max(0, len(answer) - self._next() // 0x40)][: len(data)]
        data[: len(answer)] = array("B", answer)
        return len(answer)

    def bulk_write(self, dev_handle: int, ep: int, intf: int, data: Any, timeout: int) -> int:
        self._perhaps_fail()
        return int(len(data) * data.itemsize)

    def bulk_read(self, dev_handle: int, ep: int, intf: int, buff: Any, timeout: int) -> int:
        with self._lock:
            self._reads += 1
        if self._reads > READS:
            raise usb.core.USBError("gone", -4, errno.ENODEV)
        self._perhaps_fail()
        count = self._next() % (len(buff) + 1)
        buff[:count] = array("B", bytes(count))
        return count


class Ear:
    """Counts what a stream tells."""

    def __init__(self) -> None:
        self.bytes = 0
        self.ends = 0

    def received(self, data: bytes) -> None:
        assert data
        assert not self.ends, "bytes after the end"
        self.bytes += len(data)

    def lost(self, error: TransportError | None) -> None:
        self.ends += 1


def one(data: bytes) -> None:
    """Taken or refused with a sentence; a stream ends once; no handle stays open either way."""
    which, script = ADDRESSES[bool(data) and data[0] & 1], data[1:]
    bus = Anything(script)
    try:
        claim(which, bus).release()
    except TransportError as error:
        assert str(error)
    assert bus.open == 0, "a handle stays open"
    asyncio.run(_streamed(which, Anything(script)))


async def _streamed(which: UsbAddress, bus: Anything) -> None:
    ear = Ear()
    stream = UsbStream(which, lambda: bus, ear, Counter(), 1)
    stream.write(b"asked")
    try:
        await stream.opened
    except TransportError as error:
        assert str(error)
        assert ear.ends == 0
    await asyncio.wait_for(asyncio.shield(stream.ended), ENDED_S)
    stream.thread.join()
    assert ear.ends <= 1
    assert bus.open == 0, "a handle stays open"


def seeds() -> list[bytes]:
    """A board that answers well, one that stalls, one that says too much, one that goes."""
    calm = bytes(24)
    return [
        calm,
        b"\x01" + bytes(60),
        bytes(20) + bytes((0xE0, 0, 0, 30, 0, 40)) * 6,
        bytes(20) + bytes((0xE4, 0)) * 12,
        bytes(8) + bytes((0xE3,)) * 4,
        b"\x01\x02" + bytes(60),
    ]
