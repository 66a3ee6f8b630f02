"""Descriptors of a device, with the field names of the USB specification, as pyusb reads them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

VENDOR = 0xFF  # class of an interface that belongs to its maker
BULK, INTERRUPT = 2, 3  # transfer types in ``bmAttributes``
IN = 0x80  # bit of an endpoint's address: towards the host
LANGUAGE = 0x0409
FULL_SPEED_PACKET = 64  # bytes, of a bulk endpoint
DEVICE, CONFIGURATION, STRING = 1, 2, 3  # descriptor types
COMMUNICATION, ABSTRACT, DATA = 2, 2, 10  # classes of a CDC modem's interfaces; its control model


# what follows length and type on the bus, in that order
DEVICE_FIELDS = (
    "bcdUSB", "bDeviceClass", "bDeviceSubClass", "bDeviceProtocol", "bMaxPacketSize0", "idVendor",
    "idProduct", "bcdDevice", "iManufacturer", "iProduct", "iSerialNumber", "bNumConfigurations",
)  # fmt: skip
INTERFACE_FIELDS = (
    "bInterfaceNumber", "bAlternateSetting", "bNumEndpoints",
    "bInterfaceClass", "bInterfaceSubClass", "bInterfaceProtocol", "iInterface",
)  # fmt: skip
ENDPOINT_FIELDS = ("bEndpointAddress", "bmAttributes", "wMaxPacketSize", "bInterval")


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
    def numbers(self) -> list[int]:
        """Of its interfaces."""
        return [interface.bInterfaceNumber for interface in self.interfaces]

    def interface_of(self, pipe: int) -> int | None:
        """The number of the interface a pipe belongs to; None where there is no such pipe."""
        for interface in self.interfaces:
            if pipe in [one.bEndpointAddress for one in interface.endpoints]:
                return interface.bInterfaceNumber
        return None

    @property
    def wTotalLength(self) -> int:
        return len(packed_configuration(self))


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


def packed_device(device: DeviceDescriptor) -> bytes:
    """A device as it crosses the bus."""
    return _packed(device, "HBBBBHHHBBBB", DEVICE_FIELDS)


def packed_configuration(shape: ConfigurationDescriptor) -> bytes:
    """A configuration as it crosses the bus: itself, and all that belongs to it."""
    rest = b"".join(_packed_interface(interface) for interface in shape.interfaces)
    head = struct.pack(
        "<BBHBBBBB",
        shape.bLength,
        shape.bDescriptorType,
        shape.bLength + len(rest),
        shape.bNumInterfaces,
        shape.bConfigurationValue,
        shape.iConfiguration,
        shape.bmAttributes,
        shape.bMaxPower,
    )
    return head + rest


def _packed_interface(interface: InterfaceDescriptor) -> bytes:
    own = _packed(interface, "BBBBBBB", INTERFACE_FIELDS) + interface.extra_descriptors
    return own + b"".join(_packed(pipe, "BBHB", ENDPOINT_FIELDS) for pipe in interface.endpoints)


def _packed(
    descriptor: DeviceDescriptor | InterfaceDescriptor | EndpointDescriptor, form: str, fields: Sequence[str]
) -> bytes:
    values = [getattr(descriptor, field) for field in fields]
    return struct.pack("<BB" + form, descriptor.bLength, descriptor.bDescriptorType, *values)


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

# CDC 1.1; no call management; takes line coding and line state; interface 0 controls interface 1
MODEM_FUNCTION = bytes.fromhex("0524001001 0524010001 04240202 0524060001")
MODEM = ConfigurationDescriptor(
    (
        InterfaceDescriptor(
            0,
            (EndpointDescriptor(0x83, INTERRUPT, 8, 4),),
            bInterfaceClass=COMMUNICATION,
            bInterfaceSubClass=ABSTRACT,
            extra_descriptors=MODEM_FUNCTION,
        ),
        InterfaceDescriptor(1, (EndpointDescriptor(0x01), EndpointDescriptor(0x81)), bInterfaceClass=DATA),
    )
)
"""A device the system's own serial driver takes: control and data interface of a CDC modem."""
