"""The addresses ports have in configurations and on command lines. Nothing is opened or asked here.

/dev/serial/by-id/…        a serial port (any path)
usb:1209:7ab1              the only board with this USB vendor and product id
usb:1209:7ab1:T0001        the one with this serial number
tty:0403:6001:A50285BI     the serial port of the USB adapter, or board, with these numbers
tcp:192.168.4.20:4000      bytes over TCP
rfc2217:192.168.4.20:4001  a serial port on another computer, its speed set from here
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from protocols.errors import AddressError

_SCHEME = re.compile(r"(usb|tty|tcp|rfc2217):(.*)", re.DOTALL)
_USB = re.compile(r"([0-9a-fA-F]{4}):([0-9a-fA-F]{4})(?::(.+))?")
_NET = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([^:\[\]]+)):(\d{1,5})")
_PORTS = range(1 << 16)  # 0, for a server, is any that is free


@dataclass(frozen=True, slots=True)
class PathAddress:
    """A path in the file system."""

    path: str

    def __str__(self) -> str:
        return self.path


@dataclass(frozen=True, slots=True)
class UsbAddress:
    """A board by its stable identity; an empty serial number means: the only one of its kind."""

    vid: int
    pid: int
    serial: str = ""

    def __str__(self) -> str:
        return f"usb:{self.vid:04x}:{self.pid:04x}" + (f":{self.serial}" if self.serial else "")


@dataclass(frozen=True, slots=True)
class TtyAddress:
    """The serial port behind a USB identity; an empty serial number means: the only one of its kind."""

    vid: int
    pid: int
    serial: str = ""

    def __str__(self) -> str:
        return f"tty:{self.vid:04x}:{self.pid:04x}" + (f":{self.serial}" if self.serial else "")


@dataclass(frozen=True, slots=True)
class NetAddress:
    """Host name or number, and port; ``kind`` is tcp or rfc2217."""

    kind: str
    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.kind}:{host}:{self.port}"


Address = PathAddress | UsbAddress | TtyAddress | NetAddress


def parse(text: str) -> Address:
    """What an address means. Raises ``AddressError``."""
    scheme = _SCHEME.fullmatch(text)
    if scheme is None:
        return PathAddress(text)
    kind, rest = scheme[1], scheme[2]
    if kind in ("usb", "tty") and (found := _USB.fullmatch(rest)):
        made = UsbAddress if kind == "usb" else TtyAddress
        return made(int(found[1], 16), int(found[2], 16), found[3] or "")
    if kind in ("tcp", "rfc2217") and (found := _NET.fullmatch(rest)) and int(found[3]) in _PORTS:
        return NetAddress(kind, found[1] or found[2], int(found[3]))
    raise AddressError(text)
