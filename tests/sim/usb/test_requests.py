"""Descriptors as they cross the bus, and the control pipe: what a kernel asks of a device at first."""

from __future__ import annotations

import pytest
import usb.core

from sim.usb.device import PID, VID, UsbDevice
from sim.usb.modem import MODEM_PID, modem
from sim.usb.requests import Setup

GET = 0x80


def asked(
    device: UsbDevice, kind: int, request: int, value: int = 0, index: int = 0, length: int = 255
) -> bytes:
    return device.control(device.address, Setup(kind, request, value, index, length))


def descriptors(data: bytes) -> list[bytes]:
    """Cut where each says it ends."""
    found, at = [], 0
    while at < len(data):
        found.append(data[at : at + data[at]])
        at += data[at]
    return found


@pytest.mark.parametrize(
    ("device", "pid", "pipes"), [(UsbDevice(), PID, 3), (modem()[0], MODEM_PID, 3)], ids=["board", "modem"]
)
def test_a_configuration_is_whole(device: UsbDevice, pid: int, pipes: int) -> None:
    said = asked(device, GET, 6, 0x0200)
    parts = descriptors(said)
    assert parts[0][2] + 256 * parts[0][3] == len(said)
    assert parts[0][4] == sum(part[1] == 4 for part in parts)  # interfaces
    assert sum(part[1] == 5 for part in parts) == pipes
    head = asked(device, GET, 6, 0x0100)
    assert len(head) == head[0] == 18
    assert (head[8] + 256 * head[9], head[10] + 256 * head[11]) == (VID, pid)


def test_a_kernel_finds_the_data_of_a_modem() -> None:
    """The union descriptor names the interface that carries the bytes, or no serial port comes of it."""
    parts = descriptors(asked(modem()[0], GET, 6, 0x0200))
    union = [part for part in parts if part[1:3] == bytes([0x24, 6])]
    assert union == [bytes([5, 0x24, 6, 0, 1])]
    interfaces = {part[2]: part[5:7] for part in parts if part[1] == 4}
    assert interfaces == {0: bytes([2, 2]), 1: bytes([10, 0])}


def test_strings_are_numbered_from_the_languages_on() -> None:
    device = UsbDevice("T0009")
    assert asked(device, GET, 6, 0x0300) == b"\x04\x03\x09\x04"
    assert asked(device, GET, 6, 0x0303)[2:].decode("utf-16-le") == "T0009"
    assert asked(device, GET, 6, 0x0303, length=4) == b"\x0c\x03T\0"
    with pytest.raises(usb.core.USBError):
        asked(device, GET, 6, 0x0304)


def test_a_halt_is_set_and_cleared_by_requests() -> None:
    device = UsbDevice()
    asked(device, 0x02, 3, 0, 0x81)
    assert asked(device, 0x82, 0, 0, 0x81) == b"\x01\0"
    asked(device, 0x02, 1, 0, 0x81)
    assert asked(device, 0x82, 0, 0, 0x81) == b"\0\0"


def test_a_modem_keeps_what_the_host_sets() -> None:
    device, line = modem()
    coding = (57600).to_bytes(4, "little") + bytes([0, 2, 7])
    device.control(device.address, Setup(0x21, 0x20, 0, 0, 7), coding)
    assert asked(device, 0xA1, 0x21, length=7) == coding
    assert line.baud == 57600
    asked(device, 0x21, 0x22, 3, 0, 0)
    asked(device, 0x21, 0x23, 50, 0, 0)
    assert (line.lines, line.breaks) == (3, [50])
    with pytest.raises(usb.core.USBError):
        asked(device, 0x21, 0x77)
    with pytest.raises(usb.core.USBError):
        device.control(device.address, Setup(0x21, 0x20, 0, 0, 3), b"abc")
