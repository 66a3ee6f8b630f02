"""One opening of a device: what libusb and the kernel below it let through, and what they say else.

The kernel gives an interface to whoever uses it first, claimed or not. libusb knows only of its own claims.
An error the kernel has when a transfer is handed to it comes out of libusb as *input/output error*.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sim.usb.descriptors import IN
from sim.usb.device import UsbDevice
from sim.usb.failures import Failure, failed
from sim.usb.requests import KIND, MAKERS, TO_ENDPOINT, TO_INTERFACE, Setup

INTERFACES = 32  # that libusb can count


@dataclass(frozen=True)
class Place:
    """A device at the address of one plugging: what pyusb keeps as its device."""

    device: UsbDevice
    address: int

    @property
    def alive(self) -> bool:
        """True while that plugging lasts."""
        return self.device.address == self.address


@dataclass(eq=False)
class Handle:
    """The opening. ``claimed``: the interfaces libusb claimed on it."""

    place: Place
    claimed: set[int] = field(default_factory=set)

    @property
    def device(self) -> UsbDevice:
        return self.place.device

    def check(self) -> None:
        """Raise what libusb raises once the device is gone."""
        if not self.place.alive:
            raise failed(Failure.NO_DEVICE)

    def close(self) -> None:
        """Let go of everything."""
        claims = self.device.claims
        for number in [number for number, owner in claims.items() if owner is self]:
            del claims[number]

    # ---- claims --------------------------------------------------------------------------------------

    def claim(self, number: int) -> None:
        """Claim an interface."""
        self._countable(number)
        self.check()
        if number not in self.claimed:
            if number not in self.device.shape.numbers:
                raise failed(Failure.NOT_FOUND)
            self._hold(number, Failure.BUSY)
            self.claimed.add(number)

    def release(self, number: int) -> None:
        """Give one back."""
        self._countable(number)
        if number not in self.claimed:
            raise failed(Failure.NOT_FOUND)
        self.check()
        self.claimed.discard(number)
        self.device.claims.pop(number, None)

    def choose(self, number: int, setting: int) -> None:
        """An alternate setting; these devices have the first only."""
        self.check()
        self._countable(number)
        if number not in self.claimed or setting:
            raise failed(Failure.NOT_FOUND)
        self.device.did.append(f"set_interface {number} {setting}")

    def configure(self, value: int) -> None:
        """Choose a configuration."""
        self.check()
        device = self.device
        if device.claims or device.drivers:
            raise failed(Failure.BUSY)
        if value != device.shape.bConfigurationValue:
            raise failed(Failure.NOT_FOUND)
        device.configured(value)

    # ---- what goes to the device ---------------------------------------------------------------------

    def clear(self, pipe: int) -> None:
        """Clear the halt of a pipe."""
        self.check()
        number = self.device.shape.interface_of(pipe)
        if number is None:
            raise failed(Failure.NOT_FOUND)
        self._hold(number, Failure.OTHER)
        self.device.clear(pipe)

    def use(self, pipe: int) -> None:
        """Before a transfer on a pipe."""
        self.check()
        number = self.device.shape.interface_of(pipe)
        if number is None:
            raise failed(Failure.IO)
        self._hold(number, Failure.IO)

    def address(self, setup: Setup) -> None:
        """Before a control transfer: only what belongs to its maker reaches everything."""
        self.check()
        index, shape = setup.wIndex & 0xFF, self.device.shape
        if setup.bmRequestType & KIND == MAKERS:
            return
        if setup.recipient == TO_INTERFACE:
            number = index if index in shape.numbers else None
        elif setup.recipient == TO_ENDPOINT and index & ~IN:
            either = (shape.interface_of(pipe) for pipe in (index, index ^ IN))
            number = next((found for found in either if found is not None), None)
        else:
            return
        if number is None:
            raise failed(Failure.IO)
        self._hold(number, Failure.IO)

    # ---- the kernel ----------------------------------------------------------------------------------

    def _countable(self, number: int) -> None:
        if number >= INTERFACES:
            raise failed(Failure.INVALID)

    def _hold(self, number: int, otherwise: Failure) -> None:
        """Have an interface for what is to come, claimed or not."""
        device = self.device
        if number in device.drivers or device.claims.setdefault(number, self) is not self:
            raise failed(otherwise)
