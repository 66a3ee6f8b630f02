"""The udev rules of an installation on a real kernel: names, rights, and a daemon that has no others.

    python -m tablectl.rehearsal.rights           boots a guest and says what held there
    python -m tablectl.rehearsal.rights inside    the guest's part

In the guest the rules file that ``tablectl install`` writes is loaded by udevd; boards are plugged in and
pulled out; a user without rights tries them with and without the group of the rules; and the daemon runs as
that user on the name the rules give, loses its cable and gets it back.
"""

from __future__ import annotations

import argparse
import asyncio
import grp
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from protocols.errors import PortForbidden, TransportError, UsbForbidden
from protocols.transports.address import UsbAddress
from protocols.transports.port import port_at
from protocols.transports.usb import libusb
from protocols.transports.usbclaim import claim
from sim.errors import SimError
from sim.guest import udev, usbchecks
from sim.guest.kernel import GuestError
from sim.guest.machine import run as run_guest
from sim.guest.users import nobody
from sim.timebase import linger, wall_seconds
from sim.usb.device import PID, VID, UsbDevice
from sim.usb.modem import MODEM_PID, modem
from tablectl.daemon.sections import Device
from tablectl.deploy import texts
from tablectl.deploy.marks import marked
from tablectl.rehearsal.rights.daemon import cable
from tablectl.rehearsal.rights.looks import LOOK, look

ME = "tablectl.rehearsal.rights"
MODULES = ("vhci_hcd", "cdc_acm")
BOARD, OTHER, PORT = "T0001", "T0099", "T0002"  # serial numbers
DEVICES = (
    Device(name="board", port=f"usb:{VID:04x}:{PID:04x}:{BOARD}"),
    Device(name="east keys", port=f"tty:{VID:04x}:{MODEM_PID:04x}:{PORT}"),
    Device(name="by name", port=f"/dev/serial/by-id/usb-tablectl_Virtual_Table_Port_{PORT}-if00"),
)
NAMES = Path("/dev/tablectl")
KEYS = NAMES / "east_keys"
MODE = 0o660
SEEN_S, PAUSE_S = 60.0, 0.2  # on an emulated processor


def lacking() -> str:
    """What keeps it from running here; empty when nothing does."""
    if shutil.which("setpriv") is None:
        return "setpriv is not installed (Debian: apt-get install util-linux)"
    return usbchecks.lacking()


# ---- in the guest ----------------------------------------------------------------------------------------


def _rights(path: Path) -> tuple[str, int]:
    """Group and mode of what a name leads to."""
    status = os.stat(path)
    return grp.getgrgid(status.st_gid).gr_name, stat.S_IMODE(status.st_mode)


def names() -> None:
    """What the rules make of the boards that are plugged in."""
    wanted = (texts.GROUP, MODE)
    for name, leads in (("board", "/dev/bus/usb/"), ("east_keys", "/dev/ttyACM"), ("by_name", "/dev/ttyACM")):
        path = NAMES / name
        there = path.exists()
        look(f"{path} leads to {leads}…", there and str(path.resolve()).startswith(leads), path.resolve())
        look(f"{path} belongs to {wanted[0]}", there and _rights(path) == wanted, there and _rights(path))
    for path in Path("/sys/bus/usb/devices").glob("*/serial"):
        if path.read_text().strip() in (BOARD, PORT):
            control = (path.parent / "power" / "control").read_text().strip()
            look(f"{path.parent.name} is never put to sleep", control == "on", control)
    said = subprocess.run(["udevadm", "info", str(KEYS)], capture_output=True, text=True, check=False).stdout
    look("ModemManager is told to leave the port alone", "ID_MM_DEVICE_IGNORE=1" in said)
    strangers = {path.resolve() for path in Path("/dev/bus/usb").glob("*/*")} - {(NAMES / "board").resolve()}
    open_to_all = [str(path) for path in strangers if _rights(path) == wanted]
    look("nothing else got the rights of the board", not open_to_all, open_to_all)


def _opened(open_one: Callable[[], object]) -> str:
    """What comes of opening something: empty, or the name of the error."""
    try:
        open_one()
    except TransportError as error:
        return type(error).__name__
    return ""


def _open_port() -> None:
    async def once() -> None:
        (await port_at(str(KEYS)).open(_Deaf())).close()

    asyncio.run(once())


class _Deaf:
    """Takes what a port brings."""

    def received(self, data: bytes) -> None:
        pass

    def lost(self, error: TransportError | None) -> None:
        pass


def rights() -> None:
    """Who may open what, by the drivers' own ways."""
    address = UsbAddress(VID, PID, BOARD)
    members = [grp.getgrnam(texts.GROUP).gr_gid]
    ways: list[tuple[str, Callable[[], object], str]] = [
        (str(KEYS), _open_port, PortForbidden.__name__),
        (str(address), lambda: claim(address, libusb()).release(), UsbForbidden.__name__),
    ]
    for what, way, refusal in ways:
        found = _opened(way)  # as root: what is imported late is imported now
        look(f"root opens {what}", not found, found)
        with nobody(members):
            found = _opened(way)
        look(f"a user in {texts.GROUP} opens {what}", not found, found)
        with nobody():
            found = _opened(way)
        look(f"a user who is not is told so at {what}", found == refusal, found or "opened")


def _until_seen(serials: set[str]) -> None:
    """Return when these boards and no others are there, and udev has dealt with them."""
    deadline = wall_seconds() + SEEN_S
    while True:
        there = {path.read_text().strip() for path in Path("/sys/bus/usb/devices").glob("*/serial")}
        port = Path("/sys/class/tty/ttyACM0").exists()
        if there & {BOARD, OTHER, PORT} == serials and port == (PORT in serials):
            break
        if wall_seconds() > deadline:
            raise GuestError(f"the kernel sees {sorted(there)} instead of {sorted(serials)}")
        linger(PAUSE_S)
    udev.settle()


def inside(folder: Path) -> int:
    """All of it."""
    from sim.guest.vhci import VhciBus  # a package only guests need

    udev.start([(texts.RULES.name, marked(texts.udev(DEVICES)))])
    bus = VhciBus()
    board, other, port = UsbDevice(BOARD), UsbDevice(OTHER), modem(PORT)[0]
    for device in (board, other, port):
        bus.plug(device)
    _until_seen({BOARD, OTHER, PORT})
    names()
    rights()
    for device in (board, other, port):
        bus.unplug(device)
    _until_seen(set())
    look("the names go with the boards", not NAMES.exists() or not list(NAMES.iterdir()))
    asyncio.run(cable(folder, bus, str(KEYS), modem(PORT)[0]))
    return 0


# ---- here ------------------------------------------------------------------------------------------------


async def outside() -> bool:
    """Boot the guest and show what was looked at; True when all of it was right."""
    looks: list[bool] = []

    def hear(line: str) -> None:
        if not line.startswith(LOOK):
            print(f"    {line}", flush=True)
            return
        what, right, found = json.loads(line.removeprefix(LOOK))
        looks.append(right)
        print(f"  {'good ' if right else 'WRONG'} {what}" + ("" if right else f": {found}"), flush=True)

    imports = [ME, "sim.guest.vhci", "tablectl.rehearsal.child", "tablectl.console.run"]
    code = await run_guest([sys.executable, "-m", ME, "inside"], MODULES, hear, imports)
    print(f"  {looks.count(True)} of {len(looks)} looks were good", flush=True)
    return not code and bool(looks) and all(looks)


def main(arguments: Sequence[str] | None = None) -> int:
    """Look at all of it, or be the guest's part."""
    parser = argparse.ArgumentParser(prog=f"python -m {ME}")
    parser.add_argument("part", nargs="?", choices=["inside"])
    if parser.parse_args(arguments).part:
        with tempfile.TemporaryDirectory() as folder:
            return inside(Path(folder))
    try:
        return int(not asyncio.run(outside()))
    except SimError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
