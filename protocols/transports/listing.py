"""What is plugged in that could be a board, by an address that stays the same, and what is wrong with it.

Read from the system's files alone: nothing is opened, so nothing restarts or is disturbed. ``root`` is
another file system in tests. Where a system has no such files nothing is found.
"""

from __future__ import annotations

import grp
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from protocols.transports import sysfs
from protocols.transports.address import NetAddress, PathAddress, TtyAddress, UsbAddress, parse
from protocols.transports.holder import lock_holder, open_holder
from protocols.transports.sysfs import text

ROOT = Path("/")
BY_ID, BY_PATH = Path("dev/serial/by-id"), Path("dev/serial/by-path")
PTYS = "/dev/pts/"
LOW_LATENCY = 0x2000  # ASYNC_LOW_LATENCY of a port's flags
VIRTUAL = {"", "platform"}  # subsystems of terminals behind which is no connector


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that is wrong or to be known; ``key`` names a text, ``facts`` fill it."""

    key: str
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """One device. ``address`` is what belongs into a configuration."""

    address: str
    node: str  # the file it is opened through now; "" = none
    names: tuple[str, ...] = ()  # other names that lead to it
    usb: str = ""  # vendor:product, hex
    serial: str = ""
    product: str = ""
    place: str = ""  # where it is plugged in
    driver: str = ""  # of the system
    latency_ms: int | None = None  # an adapter gathers bytes so long before it hands them on; None = unknown
    troubles: tuple[Trouble, ...] = ()


def devices(root: Path = ROOT) -> list[Found]:
    """All of them: serial ports first, then USB boards. An adapter is its serial port and nothing besides."""
    found = [*_serial_ports(root), *_usb_boards(root, adapters=False)]
    shared = {one.address for one in found if sum(one.address == other.address for other in found) > 1}
    return [_with(one, Trouble("twin")) if one.address in shared else one for one in found]


def look_at(address: str, root: Path = ROOT) -> Found:
    """The device an address names, plugged in or not. Raises ``AddressError``."""
    meant = parse(address)
    if isinstance(meant, NetAddress):
        return Found(address, "")
    adapters = (one for one in _usb_boards(root, adapters=True) if isinstance(meant, UsbAddress))
    for one in (*devices(root), *adapters):
        if names(one, address):
            return replace(one, address=address)
    if isinstance(meant, UsbAddress | TtyAddress) or not os.path.exists(address):
        return Found(address, "", troubles=(Trouble("missing"),))
    assert isinstance(meant, PathAddress)
    node = os.path.realpath(address)
    return Found(address, node, troubles=tuple(_access(node)))


def names(one: Found, address: str) -> bool:
    """Does this address lead to that device?"""
    meant = parse(address)
    if isinstance(meant, UsbAddress | TtyAddress):
        if isinstance(meant, TtyAddress) != Path(one.node).name.startswith("tty"):
            return False
        return one.usb == f"{meant.vid:04x}:{meant.pid:04x}" and meant.serial in ("", one.serial)
    return bool(one.node) and os.path.realpath(address) == os.path.realpath(one.node)


def trace(root: Path = ROOT) -> list[tuple[str, int, int, int]]:
    """What changes when something is plugged in, pulled out, or its rights change: cheap to ask for."""
    folders = [root / sysfs.TTYS, root / sysfs.DEVICES, root / BY_ID, root / BY_PATH]
    paths = [path for folder in folders for path in _entries(folder)]
    paths += [root / "dev" / path.name for path in _entries(root / sysfs.TTYS) if (path / "device").exists()]
    seen = []
    for path in paths:
        try:
            facts = os.stat(path)
        except OSError:
            continue
        seen.append((str(path), facts.st_mode, facts.st_gid, facts.st_rdev))
    return seen


def _serial_ports(root: Path) -> Iterator[Found]:
    by_id, by_path = _links(root / BY_ID), _links(root / BY_PATH)
    for tty in _entries(root / sysfs.TTYS):
        device = tty / "device"
        subsystem = device / "subsystem"
        node = root / "dev" / tty.name
        if not subsystem.exists() or subsystem.resolve().name in VIRTUAL or not node.exists():
            continue
        above = sysfs.usb_above(device)
        serial = text(above / "serial") if above is not None else ""
        places = by_path.get(node.resolve(), [])
        numbered = by_id.get(node.resolve(), []) if serial or above is None else []
        stable = [*numbered, *places]
        troubles = list(_access(str(node)))
        if above is not None:
            troubles += [] if serial else [Trouble("no_number", {"place": above.name})]
            troubles += _sleep(above, text(above / "power/control") == "auto")
        yield Found(
            address=stable[0] if stable else _numbered(above, serial) or str(node),
            node=str(node),
            names=tuple(stable[1:]),
            usb=f"{text(above / 'idVendor')}:{text(above / 'idProduct')}" if above is not None else "",
            serial=serial,
            product=text(above / "product") if above is not None else "",
            place=above.name if above is not None else "",
            driver=sysfs.driver(device),
            latency_ms=_latency(tty),
            troubles=tuple(troubles),
        )


def _numbered(above: Path | None, serial: str) -> str:
    """The address by the numbers of the adapter, where nobody makes links (a container, a small system)."""
    if above is None or not serial:
        return ""
    return str(TtyAddress(int(text(above / "idVendor"), 16), int(text(above / "idProduct"), 16), serial))


def _latency(tty: Path) -> int | None:
    """Milliseconds; a port of the computer itself has a flag instead, and hands on at once with it."""
    if timer := text(tty / "device/latency_timer"):
        return int(timer) if timer.isdigit() else None
    try:
        return 0 if int(text(tty / "flags"), 16) & LOW_LATENCY else None
    except ValueError:
        return None


def _usb_boards(root: Path, *, adapters: bool) -> Iterator[Found]:
    for board in sysfs.usb_boards(root):
        if bool(board.tty) != adapters:
            continue
        troubles = list(_access(board.node, UsbAddress(board.vid, board.pid)))
        if not board.serial:
            troubles.append(Trouble("no_number", {"place": board.place}))
        if board.driver and board.driver != "usbfs":  # that one is us, or another such program
            troubles.append(Trouble("driver", {"driver": board.driver}))
        troubles += _sleep(root / sysfs.DEVICES / board.place, board.autosuspend)
        yield Found(
            address=str(UsbAddress(board.vid, board.pid, board.serial)),
            node=board.node,
            usb=f"{board.vid:04x}:{board.pid:04x}",
            serial=board.serial,
            product=board.product,
            place=board.place,
            driver=board.driver,
            troubles=tuple(troubles),
        )


def _access(node: str, usb: UsbAddress | None = None) -> Iterator[Trouble]:
    """May this user open it, and does anybody hold it?"""
    if not os.access(node, os.R_OK | os.W_OK):
        if usb is not None:
            yield Trouble("forbidden_usb", {"vid": f"{usb.vid:04x}", "pid": f"{usb.pid:04x}"})
        else:
            yield Trouble("forbidden", {"group": _group(node)})
    pid, name = lock_holder(node)
    if not pid and not node.startswith(PTYS):  # whoever made a pseudo terminal keeps it open by right
        pid, name = open_holder(node)
    if pid:
        yield Trouble("busy", {"pid": pid, "name": name})


def _sleep(device: Path, autosuspend: bool) -> list[Trouble]:
    return [Trouble("autosuspend", {"file": str(device / "power/control")})] if autosuspend else []


def _group(node: str) -> str:
    try:
        return grp.getgrgid(os.stat(node).st_gid).gr_name
    except (OSError, KeyError):
        return "dialout"


def _links(folder: Path) -> dict[Path, list[str]]:
    """The names in a folder of links, by what they lead to."""
    found: dict[Path, list[str]] = {}
    for link in _entries(folder):
        found.setdefault(link.resolve(), []).append(str(link))
    return found


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _with(one: Found, trouble: Trouble) -> Found:
    return replace(one, troubles=(*one.troubles, trouble))
