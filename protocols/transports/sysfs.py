"""What Linux says of the USB devices plugged in: read from its files, nothing is sent to any device.

Every user may read them, also where opening the device is forbidden; the kernel read serial numbers once,
when the device was plugged in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DEVICES = Path("sys/bus/usb/devices")
TTYS = Path("sys/class/tty")
NODES = Path("dev/bus/usb")
VENDOR_CLASS = "ff"


@dataclass(frozen=True, slots=True)
class UsbBoard:
    """A device with an interface of its maker's and bulk pipes both ways."""

    vid: int
    pid: int
    serial: str = ""
    product: str = ""
    place: str = ""  # bus and ports, such as 1-1.2: where it is plugged in
    node: str = ""  # the file through which it is opened
    driver: str = ""  # kernel driver that holds the interface
    tty: str = ""  # serial port the kernel's driver has made of it: it is an adapter, not a board
    autosuspend: bool = False  # the system puts it to sleep when nothing is said


def known(root: Path = Path("/")) -> bool:
    """False where the system does not tell of USB devices in this way."""
    return (root / DEVICES).is_dir()


def usb_boards(root: Path = Path("/")) -> list[UsbBoard]:
    """The boards plugged in now, in the order of their places."""
    try:
        folders = sorted(folder for folder in (root / DEVICES).iterdir() if ":" not in folder.name)
    except OSError:
        return []
    return [board for folder in folders if (board := _board(folder, root)) is not None]


def usb_above(device: Path) -> Path | None:
    """The USB device something is a part of."""
    return next((path for path in device.resolve().parents if (path / "idVendor").exists()), None)


def ttys(vid: int, pid: int, serial: str = "", root: Path = Path("/")) -> list[tuple[str, str]]:
    """The serial ports behind a USB identity: node, and serial number of the device."""
    found = []
    for tty in sorted((root / TTYS).glob("tty*")):
        above = usb_above(tty / "device")
        if above is None or (text(above / "idVendor"), text(above / "idProduct")) != (
            f"{vid:04x}",
            f"{pid:04x}",
        ):
            continue
        number = text(above / "serial")
        if serial in ("", number):
            found.append((str(root / "dev" / tty.name), number))
    return found


def text(path: Path) -> str:
    """The content of one of these files; "" when there is none, or the device went away just now."""
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""


def driver(path: Path) -> str:
    """The kernel driver that holds a device or an interface."""
    link = path / "driver"
    return link.resolve().name if link.exists() else ""


def _board(folder: Path, root: Path) -> UsbBoard | None:
    interface = next(_speaking(folder), None)
    try:
        vid, pid = int(text(folder / "idVendor"), 16), int(text(folder / "idProduct"), 16)
        bus, number = int(text(folder / "busnum")), int(text(folder / "devnum"))
    except ValueError:
        return None
    if interface is None:
        return None
    return UsbBoard(
        vid=vid,
        pid=pid,
        serial=text(folder / "serial"),
        product=text(folder / "product"),
        place=folder.name,
        node=str(root / NODES / f"{bus:03}" / f"{number:03}"),
        driver=driver(interface),
        tty=next((path.name for path in interface.glob("ttyUSB*")), ""),
        autosuspend=text(folder / "power/control") == "auto",
    )


def _speaking(folder: Path) -> Iterator[Path]:
    """The interfaces a driver of ours could claim."""
    for interface in sorted(folder.glob(f"{folder.name}:*")):
        pipes = [path for path in interface.glob("ep_*") if text(path / "type") == "Bulk"]
        ways = {text(path / "direction") for path in pipes}
        if text(interface / "bInterfaceClass") == VENDOR_CLASS and ways >= {"in", "out"}:
            yield interface
