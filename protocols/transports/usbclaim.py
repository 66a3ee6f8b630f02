"""Finding a board on the USB bus and taking its interface, by pyusb: what blocks, and every way it can fail.

A function here is called in a thread. Whatever it opened it closes again when it does not return it.
Nothing is done to the board that is not needed: it is not reset, and not configured where it is already.
"""

from __future__ import annotations

import contextlib
import errno
from dataclasses import dataclass, field
from typing import Any

import usb.core
import usb.util

from protocols.errors import (
    PortAmbiguous,
    PortBusy,
    PortMissing,
    TransportError,
    UsbForbidden,
    UsbUnusable,
)
from protocols.transports.address import UsbAddress
from protocols.transports.holder import open_holder

VENDOR_CLASS = 0xFF
# ValueError: strings without permission. IndexError: a descriptor that counts more than there is.
FAILURES = (usb.core.USBError, NotImplementedError, ValueError, IndexError)
_MISSING = {errno.ENODEV, errno.ENXIO}
_FORBIDDEN = {errno.EACCES, errno.EPERM}


@dataclass(slots=True)
class Claim:
    """A board's interface, ours until ``release``."""

    device: Any
    interface: int
    out_pipe: Any
    in_pipe: Any
    detached: list[int] = field(default_factory=list)  # interfaces the kernel gets back

    def release(self) -> None:
        """Give everything back. Safe whether the board is still there or not."""
        with contextlib.suppress(*FAILURES):
            usb.util.release_interface(self.device, self.interface)
        for number in self.detached:
            with contextlib.suppress(*FAILURES):
                self.device.attach_kernel_driver(number)
        with contextlib.suppress(*FAILURES):
            usb.util.dispose_resources(self.device)


def claim(address: UsbAddress, backend: Any) -> Claim:
    """Find the board and take it. Raises ``TransportError``."""
    if backend is None:
        raise UsbUnusable(str(address), "libusb-1.0 is not installed: `sudo apt install libusb-1.0-0`")
    device = _find(address, backend)
    taken = None
    try:
        taken = _take(address, device)
        return taken
    except FAILURES as error:
        raise refusal(address, error, device) from error
    finally:
        if taken is None:
            usb.util.dispose_resources(device)


def _find(address: UsbAddress, backend: Any) -> Any:
    """The board itself, not opened. A board whose serial number cannot be read may be ours: say so."""
    try:
        alike = list(usb.core.find(True, backend, idVendor=address.vid, idProduct=address.pid))
    except FAILURES as error:
        raise refusal(address, error) from error
    if len(alike) == 1 and not address.serial:
        return alike[0]
    serials = [_serial(device) for device in alike]
    found = [device for device, serial in zip(alike, serials, strict=True) if serial == address.serial]
    if not address.serial and alike:
        raise PortAmbiguous(str(address), ", ".join(sorted(serial or "?" for serial in serials)))
    if len(found) > 1:
        raise UsbUnusable(str(address), "several boards have this serial number")
    if found:
        return found[0]
    if None in serials:
        raise UsbForbidden(str(address), f"{address.vid:04x}", f"{address.pid:04x}")
    raise PortMissing(str(address))


def _serial(device: Any) -> str | None:
    """A board's serial number, "" if it has none, None if it may not be asked."""
    try:
        return device.serial_number or ""
    except FAILURES:
        return None
    finally:
        usb.util.dispose_resources(device)


def _take(address: UsbAddress, device: Any) -> Claim:
    """Claim the interface a board speaks on. The kernel's driver steps aside as long as we are there."""
    try:
        configuration = device.get_active_configuration()
    except usb.core.USBError as error:
        if error.errno is not None:
            raise
        device.set_configuration()  # nobody chose one yet, so nobody is disturbed
        configuration = device.get_active_configuration()
    interface, out_pipe, in_pipe = _pipes(address, configuration)
    number = interface.bInterfaceNumber
    detached = []
    with contextlib.suppress(NotImplementedError):  # where a system knows no such drivers, none is in the way
        if device.is_kernel_driver_active(number):
            try:
                device.detach_kernel_driver(number)
            except FAILURES as error:
                raise UsbUnusable(str(address), f"a kernel driver holds it: {error}") from error
            detached.append(number)
    taken = Claim(device, number, out_pipe, in_pipe, detached)
    try:
        usb.util.claim_interface(device, number)
    except FAILURES:
        taken.release()
        raise
    return taken


def _pipes(address: UsbAddress, configuration: Any) -> tuple[Any, Any, Any]:
    """The first interface of the maker's own class with bulk pipes both ways."""
    for interface in configuration:
        ways: dict[int, Any] = {}
        for pipe in interface:
            if usb.util.endpoint_type(pipe.bmAttributes) == usb.util.ENDPOINT_TYPE_BULK:
                ways.setdefault(usb.util.endpoint_direction(pipe.bEndpointAddress), pipe)
        if interface.bInterfaceClass == VENDOR_CLASS and len(ways) == 2:
            return interface, ways[usb.util.ENDPOINT_OUT], ways[usb.util.ENDPOINT_IN]
    raise UsbUnusable(str(address), "it has no vendor interface with bulk pipes both ways")


def refusal(address: UsbAddress, error: Exception, device: Any = None) -> TransportError:
    """What an error of opening means."""
    code = getattr(error, "errno", None)
    if code in _FORBIDDEN:
        return UsbForbidden(str(address), f"{address.vid:04x}", f"{address.pid:04x}")
    if code == errno.EBUSY and device is not None:
        return PortBusy(str(address), *open_holder(f"/dev/bus/usb/{device.bus:03}/{device.address:03}"))
    if code in _MISSING:
        return PortMissing(str(address))
    return UsbUnusable(str(address), str(error))
