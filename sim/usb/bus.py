"""A pyusb backend whose bus and devices are software, with the errors and the order of real libusb.

    bus = SimBus()
    bus.plug(UsbDevice("T0001"))
    usb.core.find(backend=bus)

A device at another plugging is at another address, and a handle of the one before stays dead.
"""

from __future__ import annotations

import array
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import usb.backend

from sim.usb.descriptors import (
    IN,
    ConfigurationDescriptor,
    DeviceDescriptor,
    EndpointDescriptor,
    InterfaceDescriptor,
)
from sim.usb.device import UsbDevice
from sim.usb.failures import Failure, failed
from sim.usb.handle import Handle, Place
from sim.usb.requests import Setup

BUS = 1
MS = 1000


class SimBus(usb.backend.IBackend):  # type: ignore[misc]  # pyusb has no types
    """The bus. ``handles`` are those open now, for tests that look for forgotten ones."""

    def __init__(self) -> None:
        super().__init__()
        self.handles: set[Handle] = set()
        self._places: dict[int, Place] = {}
        self._last = 1
        self._lock = threading.Lock()

    def plug(self, device: UsbDevice) -> None:
        """Plug a device in, at a new address."""
        with self._lock:
            self._last += 1
            device.plugged(self._last)
            self._places[self._last] = Place(device, self._last)

    def unplug(self, device: UsbDevice) -> None:
        """Pull it out, whatever it is doing."""
        with self._lock:
            self._places.pop(device.address, None)
            device.unplugged()

    def places(self) -> list[Place]:
        """What is plugged in now."""
        with self._lock:
            return [place for place in self._places.values() if place.alive]

    # ---- what there is -------------------------------------------------------------------------------

    def enumerate_devices(self) -> Iterator[Place]:
        return iter(self.places())

    def get_parent(self, dev: Place) -> None:
        return None

    def get_device_descriptor(self, dev: Place) -> DeviceDescriptor:
        return replace(dev.device.descriptor(BUS), address=dev.address)

    def get_configuration_descriptor(self, dev: Place, config: int) -> ConfigurationDescriptor:
        if config:
            raise failed(Failure.NOT_FOUND)
        return dev.device.shape

    def get_interface_descriptor(self, dev: Place, intf: int, alt: int, config: int) -> InterfaceDescriptor:
        # IndexError ends pyusb's loops over interfaces, settings and pipes
        if alt:
            raise IndexError(f"no alternate setting {alt}")
        return dev.device.shape.interfaces[intf]

    def get_endpoint_descriptor(
        self, dev: Place, ep: int, intf: int, alt: int, config: int
    ) -> EndpointDescriptor:
        return self.get_interface_descriptor(dev, intf, alt, config).endpoints[ep]

    # ---- handles and claims --------------------------------------------------------------------------

    def open_device(self, dev: Place) -> Handle:
        handle = Handle(dev)
        handle.check()
        if dev.device.forbidden:
            raise failed(Failure.ACCESS)
        self.handles.add(handle)
        return handle

    def close_device(self, dev_handle: Handle) -> None:
        self.handles.discard(dev_handle)
        dev_handle.close()

    def claim_interface(self, dev_handle: Handle, intf: int) -> None:
        dev_handle.claim(intf)

    def release_interface(self, dev_handle: Handle, intf: int) -> None:
        dev_handle.release(intf)

    def set_configuration(self, dev_handle: Handle, config_value: int) -> None:
        dev_handle.configure(config_value)

    def get_configuration(self, dev_handle: Handle) -> int:
        dev_handle.check()
        return dev_handle.device.configuration

    def set_interface_altsetting(self, dev_handle: Handle, intf: int, altsetting: int) -> None:
        dev_handle.choose(intf, altsetting)

    def reset_device(self, dev_handle: Handle) -> None:
        dev_handle.check()
        dev_handle.device.reset()

    def clear_halt(self, dev_handle: Handle, ep: int) -> None:
        dev_handle.clear(ep)

    # ---- kernel drivers ------------------------------------------------------------------------------

    def is_kernel_driver_active(self, dev_handle: Handle, intf: int) -> bool:
        dev_handle.check()
        return intf in dev_handle.device.drivers

    def detach_kernel_driver(self, dev_handle: Handle, intf: int) -> None:
        """A driver that holds several interfaces lets go of all."""
        dev_handle.check()
        drivers = dev_handle.device.drivers
        if intf not in dev_handle.device.shape.numbers:
            raise failed(Failure.INVALID)
        name = drivers.get(intf)
        if name is None:
            raise failed(Failure.NOT_FOUND)
        for number in [number for number, other in drivers.items() if other == name]:
            del drivers[number]

    def attach_kernel_driver(self, dev_handle: Handle, intf: int) -> None:
        dev_handle.check()
        device = dev_handle.device
        if intf not in device.shape.numbers:
            raise failed(Failure.INVALID)
        if intf in device.drivers or device.claims:
            raise failed(Failure.BUSY)
        name = device.bound.get(intf)
        if name is None:
            raise failed(Failure.NOT_FOUND)
        device.drivers |= {number: other for number, other in device.bound.items() if other == name}

    # ---- transfers -----------------------------------------------------------------------------------

    def bulk_write(self, dev_handle: Handle, ep: int, intf: int, data: Any, timeout: int) -> int:
        return self._transfer(dev_handle, ep, data, timeout)

    def bulk_read(self, dev_handle: Handle, ep: int, intf: int, buff: Any, timeout: int) -> int:
        return self._transfer(dev_handle, ep, buff, timeout)

    def _transfer(self, handle: Handle, pipe: int, data: Any, timeout: int) -> int:
        """The pipe says which way it goes, whatever the caller thinks."""
        handle.use(pipe)
        place, end = handle.place, timeout / MS if timeout else None  # 0 waits for ever
        if not pipe & IN:
            return place.device.take(place.address, pipe, data.tobytes(), end)
        got = place.device.give(place.address, pipe, len(data) * data.itemsize, end)
        data[: len(got)] = array.array("B", got)
        return len(got)

    intr_write = bulk_write
    intr_read = bulk_read

    def ctrl_transfer(
        self,
        dev_handle: Handle,
        bmRequestType: int,
        bRequest: int,
        wValue: int,
        wIndex: int,
        data: Any,
        timeout: int,
    ) -> int:
        place = dev_handle.place
        size = len(data) * data.itemsize
        setup = Setup(bmRequestType, bRequest, wValue, wIndex, size)
        dev_handle.address(setup)
        if not bmRequestType & IN:
            place.device.control(place.address, setup, data.tobytes())
            return int(size)
        answer = place.device.control(place.address, setup)
        data[: len(answer)] = array.array("B", answer)
        return len(answer)
