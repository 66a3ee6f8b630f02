"""Descriptors of a device, with the field names of the USB specification, as pyusb reads them."""

from __future__ import annotations

from dataclasses import dataclass

VENDOR = 0xFF  # class of an interface that belongs to its maker
BULK, INTERRUPT = 2, 3  # transfer types in ``bmAttributes``
IN = 0x80  # bit of an endpoint's address: towards the host
LANGUAGE = 0x0409
FULL_SPEED_PACKET = 64  # bytes, of a bulk endpoint
STRING = 3  # descriptor type


@dataclass(frozen=True, slots=True)
class EndpointDescriptor:
    """One pipe."""

    bEndpointAddress: int
    bmAttributes: int = BULK
    wMaxPacketSize: int = FULL_SPEED_PACKET
    bInterval: int = 0
    bRefresh: int = 0
    bSynchAddress: int = 0
    bLength: int = 7
    bDescriptorType: int = 5
    extra_descriptors: bytes = b""


@dataclass(frozen=True, slots=True)
class InterfaceDescriptor:
    """One function of a device and its pipes; these devices have no alternate settings."""

    bInterfaceNumber: int
    endpoints: tuple[EndpointDescriptor, ...]
    bInterfaceClass: int = VENDOR
    bInterfaceSubClass: int = 0
    bInterfaceProtocol: int = 0
    bAlternateSetting: int = 0
    iInterface: int = 0
    bLength: int = 9
    bDescriptorType: int = 4
    extra_descriptors: bytes = b""

    @property
    def bNumEndpoints(self) -> int:
        return len(self.endpoints)


@dataclass(frozen=True, slots=True)
class ConfigurationDescriptor:
    """The only configuration of a device."""

    interfaces: tuple[InterfaceDescriptor, ...]
    bConfigurationValue: int = 1
    iConfiguration: int = 0
    bmAttributes: int = 0x80  # powered by the bus
    bMaxPower: int = 50  # in 2 mA
    bLength: int = 9
    bDescriptorType: int = 2
    extra_descriptors: bytes = b""

    @property
    def bNumInterfaces(self) -> int:
        return len(self.interfaces)

    @property
    def wTotalLength(self) -> int:
        pipes = [pipe.bLength for interface in self.interfaces for pipe in interface.endpoints]
        return self.bLength + sum(interface.bLength for interface in self.interfaces) + sum(pipes)


@dataclass(frozen=True, slots=True)
class DeviceDescriptor:
    """A device as it is at one address."""

    idVendor: int
    idProduct: int
    bus: int
    address: int
    port_number: int
    bLength: int = 18
    bDescriptorType: int = 1
    bcdUSB: int = 0x0200
    bDeviceClass: int = 0
    bDeviceSubClass: int = 0
    bDeviceProtocol: int = 0
    bMaxPacketSize0: int = 64
    bcdDevice: int = 0x0100
    iManufacturer: int = 1
    iProduct: int = 2
    iSerialNumber: int = 3
    bNumConfigurations: int = 1
    speed: int = 2  # full

    @property
    def port_numbers(self) -> tuple[int, ...]:
        return (self.port_number,)


def string_descriptor(text: str) -> bytes:
    """A string as it crosses the bus."""
    data = text.encode("utf-16-le")
    return bytes([len(data) + 2, STRING]) + data


def languages() -> bytes:
    """String 0: which languages there are."""
    return bytes([4, STRING]) + LANGUAGE.to_bytes(2, "little")


BOARD = ConfigurationDescriptor(
    (
        InterfaceDescriptor(
            0,
            (EndpointDescriptor(0x01), EndpointDescriptor(0x81), EndpointDescriptor(0x82, INTERRUPT, 8, 4)),
        ),
    )
)
"""A board with one interface of its own: bulk out, bulk in, and an interrupt pipe nobody needs."""

MODEM = ConfigurationDescriptor(
    (
        InterfaceDescriptor(0, (EndpointDescriptor(0x83, INTERRUPT, 8, 4),), bInterfaceClass=2),
        InterfaceDescriptor(1, (EndpointDescriptor(0x01), EndpointDescriptor(0x81)), bInterfaceClass=10),
    )
)
"""A device the system's own serial driver takes: control and data interface of a CDC modem."""
