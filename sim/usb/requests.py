"""What a device answers on its control pipe to the requests of the USB specification (2.0, chapter 9)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from sim.usb.descriptors import (
    CONFIGURATION,
    DEVICE,
    STRING,
    languages,
    packed_configuration,
    packed_device,
    string_descriptor,
)

if TYPE_CHECKING:
    from sim.usb.device import UsbDevice

KIND, RECIPIENT = 0x60, 0x1F  # parts of bmRequestType
STANDARD, CLASS, MAKERS = 0x00, 0x20, 0x40
TO_DEVICE, TO_INTERFACE, TO_ENDPOINT = 0, 1, 2
ENDPOINT_HALT = (TO_ENDPOINT, 0)  # a recipient, and its feature


class Request(IntEnum):
    """bRequest of a standard request."""

    GET_STATUS = 0
    CLEAR_FEATURE = 1
    SET_FEATURE = 3
    SET_ADDRESS = 5
    GET_DESCRIPTOR = 6
    GET_CONFIGURATION = 8
    SET_CONFIGURATION = 9
    GET_INTERFACE = 10
    SET_INTERFACE = 11


@dataclass(frozen=True, slots=True)
class Setup:
    """The first packet of a control transfer."""

    bmRequestType: int
    bRequest: int
    wValue: int
    wIndex: int
    wLength: int

    @classmethod
    def parse(cls, data: bytes) -> Setup:
        """From the bytes on the bus."""
        return cls(*struct.unpack("<BBHHH", data))

    @property
    def standard(self) -> bool:
        """Is it one of the specification's, not of a class or a maker?"""
        return self.bmRequestType & KIND == STANDARD

    @property
    def recipient(self) -> int:
        """To whom: the device, an interface, an endpoint."""
        return self.bmRequestType & RECIPIENT


def answer(device: UsbDevice, setup: Setup) -> bytes | None:
    """The answer to a standard request, done; None = the device stalls."""
    number = setup.wValue & 0xFF
    match setup.bRequest:
        case Request.GET_DESCRIPTOR:
            return _descriptor(device, setup.wValue >> 8, number)
        case Request.GET_STATUS:
            halted = setup.recipient == TO_ENDPOINT and device.is_halted(setup.wIndex & 0xFF)
            return bytes([halted, 0])
        case Request.CLEAR_FEATURE | Request.SET_FEATURE if (setup.recipient, setup.wValue) == ENDPOINT_HALT:
            change = device.clear if setup.bRequest == Request.CLEAR_FEATURE else device.halt
            change(setup.wIndex & 0xFF)
            return b""
        case Request.GET_CONFIGURATION:
            return bytes([device.configuration])
        case Request.SET_CONFIGURATION if number in (0, device.shape.bConfigurationValue):
            device.configured(number)
            return b""
        case Request.GET_INTERFACE:
            return bytes(1)
        case Request.SET_INTERFACE if number == 0:
            device.did.append(f"set_interface {setup.wIndex} {number}")
            return b""
        case Request.SET_ADDRESS:
            return b""
        case _:
            return None


def _descriptor(device: UsbDevice, kind: int, number: int) -> bytes | None:
    if kind == DEVICE:
        return packed_device(device.descriptor())
    if kind == CONFIGURATION and number == 0:
        return packed_configuration(device.shape)
    if kind == STRING and number <= len(device.strings):
        return string_descriptor(device.strings[number - 1]) if number else languages()
    return None
