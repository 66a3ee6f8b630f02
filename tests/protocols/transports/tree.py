"""Files that say of USB devices what Linux says, in a folder."""

from __future__ import annotations

import os
from pathlib import Path

HUB = "sys/devices/pci0/usb1"


class Tree:
    """A root with ``/sys`` and ``/dev``. A device is plugged in at a place such as 1-1.2."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._number = 1
        for folder in ("sys/bus/usb/devices", "sys/class/tty", "dev/serial/by-id", "dev/serial/by-path"):
            (root / folder).mkdir(parents=True)

    def write(self, path: str, text: str) -> None:
        """One of the files."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n")

    def link(self, path: str, target: str) -> None:
        """A relative link between two of them."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        file.symlink_to(os.path.relpath(self.root / target, file.parent))

    def device(
        self, place: str, vid: str, pid: str, serial: str = "", product: str = "", power: str = "on"
    ) -> str:
        """A USB device; returns its folder."""
        self._number += 1
        folder = f"{HUB}/{place}"
        facts = {"idVendor": vid, "idProduct": pid, "busnum": "1", "devnum": str(self._number)}
        facts |= {"power/control": power}
        facts |= {name: text for name, text in (("serial", serial), ("product", product)) if text}
        for name, text in facts.items():
            self.write(f"{folder}/{name}", text)
        self.link(f"sys/bus/usb/devices/{place}", folder)
        self.write(f"dev/bus/usb/001/{self._number:03}", "")
        return folder

    def board(
        self,
        place: str,
        serial: str = "",
        *,
        klass: str = "ff",
        kind: str = "Bulk",
        driver: str = "",
        power: str = "on",
    ) -> None:
        """A board on a vendor interface."""
        folder = self.device(place, "1209", "7ab1", serial, "Table", power)
        interface = f"{folder}/{place}:1.0"
        self.write(f"{interface}/bInterfaceClass", klass)
        for name, way in (("ep_01", "out"), ("ep_81", "in")):
            self.write(f"{interface}/{name}/type", kind)
            self.write(f"{interface}/{name}/direction", way)
        if driver:
            self.write(f"sys/bus/usb/drivers/{driver}/bind", "")
            self.link(f"{interface}/driver", f"sys/bus/usb/drivers/{driver}")

    def adapter(self, place: str, name: str, serial: str = "", power: str = "on") -> None:
        """A USB serial adapter that became ``/dev/NAME``."""
        folder = self.device(place, "1a86", "7523", serial, "USB Serial", power)
        port = f"{folder}/{place}:1.0/{name}"
        self.write("sys/bus/usb-serial/drivers/ch341-uart/bind", "")
        self.link(f"{port}/subsystem", "sys/bus/usb-serial")
        self.link(f"{port}/driver", "sys/bus/usb-serial/drivers/ch341-uart")
        self.link(f"sys/class/tty/{name}/device", port)
        self.write(f"dev/{name}", "")
        self.link(f"dev/serial/by-path/pci-usb-0:{place}", f"dev/{name}")
        self.link(f"dev/serial/by-id/usb-1a86{'_' * bool(serial)}{serial}-if00", f"dev/{name}")

    def uart(self, name: str, subsystem: str) -> None:
        """A serial port of the computer itself."""
        self.write(f"sys/devices/{name}/x", "")
        self.link(f"sys/devices/{name}/subsystem", f"sys/bus/{subsystem}")
        (self.root / f"sys/bus/{subsystem}").mkdir(parents=True, exist_ok=True)
        self.link(f"sys/class/tty/{name}/device", f"sys/devices/{name}")
        self.write(f"dev/{name}", "")

    def pull(self, place: str, name: str = "") -> None:
        """Pull a device out."""
        (self.root / f"sys/bus/usb/devices/{place}").unlink()
        for path in [f"sys/class/tty/{name}/device", f"dev/{name}"] if name else []:
            (self.root / path).unlink()
        for link in (self.root / "dev/serial").glob("*/*"):
            if not link.exists():
                link.unlink()
