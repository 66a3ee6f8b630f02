"""udev rules of the configured devices: a name that stays, the group, and nobody else's fingers on them.

Each device is /dev/tablectl/NAME, belongs to the group of serial ports, is left alone by ModemManager, is not
put to sleep when idle, and hands bytes on at once where its adapter has a latency timer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from protocols.errors import AddressError
from protocols.transports.address import PathAddress, TtyAddress, UsbAddress, parse
from tablectl.daemon.sections import Device

HEAD = """\
# Devices of tablectl. Each rule belongs to a [[device]] of its configuration; after a change there run
# `sudo tablectl install` again.
ACTION=="remove", GOTO="tablectl_end"
"""
TAIL = 'LABEL="tablectl_end"\n'
FIXED = re.compile(r"tty(?:AMA|S|O|mxc|SC|THS|GS)\d+|serial\d+")  # ports of the computer itself
UNSAFE = re.compile(r"[^\w.-]+")  # udev takes letters of any script
GLOB = re.compile(r"[*?\[\]|]")  # a pattern to udev; no name that udev makes has one
TTY = (
    # of an adapter, and of a board that is its own
    'KERNEL=="ttyUSB*", TEST=="device/../../power/control", ATTR{device/../../power/control}="on"',
    'KERNEL=="ttyACM*", TEST=="device/../power/control", ATTR{device/../power/control}="on"',
    'TEST=="device/latency_timer", ATTR{device/latency_timer}="1"',
)


def rules(devices: Sequence[Device], group: str) -> str:
    """The file. A device whose address no rule can hold by (a network address, ttyUSB0) has none."""
    parts = [HEAD]
    for device, link in zip(devices, link_names(devices), strict=True):
        match = match_of(device.port)
        if match:
            parts.append("\n".join([f"# {_one_line(device.name)}", *_rules(link, match, group), ""]))
    return "\n".join([*parts, TAIL])


def match_of(port: str) -> str:
    """What a rule matches the device by; "" where nothing lasting is known of it."""
    try:
        address = parse(port)
    except AddressError:
        return ""
    match address:
        case UsbAddress():
            return 'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ' + _numbers("ATTR", address)
        case TtyAddress():
            return 'SUBSYSTEM=="tty", ' + _numbers("ATTRS", address)
        case PathAddress(path=path) if path.startswith("/dev/serial/by-") and not GLOB.search(path):
            return f'SUBSYSTEM=="tty", SYMLINK=="{_value(path.removeprefix("/dev/"))}"'
        case PathAddress(path=path) if FIXED.fullmatch(path.removeprefix("/dev/")):
            return f'SUBSYSTEM=="tty", KERNEL=="{path.removeprefix("/dev/")}"'
        case _:
            return ""


def link_name(name: str) -> str:
    """The name of a device under /dev/tablectl."""
    return UNSAFE.sub("_", name).strip("._") or "device"


def link_names(devices: Sequence[Device]) -> list[str]:
    """The names of several, no two alike."""
    names: list[str] = []
    for device in devices:
        name = link_name(device.name)
        names.append(name if name not in names else f"{name}_{len(names) + 1}")
    return names


def _rules(link: str, match: str, group: str) -> Iterator[str]:
    yield (
        f'{match}, SYMLINK+="tablectl/{link}", GROUP="{group}", MODE="0660", '
        'ENV{ID_MM_DEVICE_IGNORE}="1", ENV{ID_MM_PORT_IGNORE}="1"'
    )
    if match.startswith('SUBSYSTEM=="usb"'):
        yield f'{match}, TEST=="power/control", ATTR{{power/control}}="on"'
    elif 'KERNEL=="' not in match:
        yield from (f"{match}, {more}" for more in TTY)


def _numbers(key: str, address: UsbAddress | TtyAddress) -> str:
    found = [f'{key}{{idVendor}}=="{address.vid:04x}"', f'{key}{{idProduct}}=="{address.pid:04x}"']
    if address.serial:
        found.append(f'{key}{{serial}}=="{_value(GLOB.sub("?", address.serial))}"')
    return ", ".join(found)


def _value(text: str) -> str:
    """A text between the quotes of a rule: what would end it is any one character."""
    return "".join(sign if sign.isprintable() and sign not in '"\\' else "?" for sign in text)


def _one_line(text: str) -> str:
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())
