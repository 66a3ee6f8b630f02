"""Addresses of ports: what they mean, and which mean nothing."""

from __future__ import annotations

import pytest

from protocols.errors import AddressError
from protocols.transports.address import NetAddress, PathAddress, UsbAddress, parse
from protocols.transports.net import Rfc2217Port, TcpPort
from protocols.transports.port import port_at
from protocols.transports.serial import SerialPort
from protocols.transports.usb import UsbPort

GOOD = {
    "/dev/serial/by-id/usb-Acme_MJ4-if00": PathAddress("/dev/serial/by-id/usb-Acme_MJ4-if00"),
    "ttyUSB0": PathAddress("ttyUSB0"),
    "": PathAddress(""),
    "/dev/serial/by-path/pci-0000:01:00.0-usb-0:1.2": PathAddress(
        "/dev/serial/by-path/pci-0000:01:00.0-usb-0:1.2"
    ),
    "usb:1209:7ab1": UsbAddress(0x1209, 0x7AB1),
    "usb:1209:7ab1:T0001": UsbAddress(0x1209, 0x7AB1, "T0001"),
    "usb:1209:7ab1:a:b c": UsbAddress(0x1209, 0x7AB1, "a:b c"),
    "tcp:table3.local:4000": NetAddress("tcp", "table3.local", 4000),
    "rfc2217:192.168.4.20:4001": NetAddress("rfc2217", "192.168.4.20", 4001),
    "tcp:[::1]:4000": NetAddress("tcp", "::1", 4000),
}
BAD = ["usb:", "usb:1209", "usb:1209:7ab", "usb:1209:7ab1:", "usb:12g9:7ab1", "tcp:", "tcp:4000", "tcp:h:"]
BAD += ["tcp:::1:4000", "tcp:h:65536", "rfc2217:h:-1", "tcp:h:4000:5", "rfc2217:"]


@pytest.mark.parametrize(("text", "meant"), GOOD.items(), ids=GOOD)
def test_an_address_is_read_and_written(text: str, meant: object) -> None:
    assert parse(text) == meant
    assert str(parse(text)) == text


@pytest.mark.parametrize("text", BAD)
def test_what_looks_like_an_address_and_is_none_is_refused(text: str) -> None:
    with pytest.raises(AddressError, match=r"usb:VID:PID.*tcp:HOST:PORT"):
        parse(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("/dev/ttyUSB0", SerialPort),
        ("usb:1209:7ab1", UsbPort),
        ("tcp:h:1", TcpPort),
        ("rfc2217:h:1", Rfc2217Port),
    ],
)
def test_each_kind_has_its_port(text: str, kind: type) -> None:
    port = port_at(text, baud=9600)
    assert isinstance(port, kind)
    assert port.address == text
    assert port.faults == {}


def test_hexadecimal_digits_of_any_case_are_the_same_board() -> None:
    assert parse("usb:1209:7AB1") == parse("usb:1209:7ab1")
