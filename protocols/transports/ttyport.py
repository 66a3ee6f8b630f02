"""A serial port by the USB numbers of its adapter or board: found at each opening, whatever its name."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from protocols.errors import PortAmbiguous, PortMissing, PortUnusable
from protocols.transports import sysfs
from protocols.transports.address import TtyAddress
from protocols.transports.base import Stream, StreamHandler
from protocols.transports.serial import ModemLines, open_serial

ROOT = Path("/")


class NumberedPort:
    """The serial port of a USB device by its numbers, whatever it is called now."""

    def __init__(
        self, address: TtyAddress, baud: int, lines: ModemLines = "leave", root: Path = ROOT
    ) -> None:
        self.address = str(address)
        self.faults: Counter[str] = Counter()
        self.present = self._present if sysfs.known(root) else None
        self._wanted = address
        self._baud = baud
        self._lines = lines
        self._root = root

    async def open(self, handler: StreamHandler) -> Stream:
        """Look for it and open it. Raises ``TransportError``."""
        found = self._found()
        if not found:
            raise PortMissing(self.address)
        if len(found) > 1 and self._wanted.serial:
            raise PortUnusable(self.address, "it has several ports: use its name in /dev/serial/by-id")
        if len(found) > 1:
            raise PortAmbiguous(self.address, ", ".join(sorted(serial or "?" for _, serial in found)))
        return await open_serial(found[0][0], handler, baud=self._baud, lines=self._lines)

    def _found(self) -> list[tuple[str, str]]:
        return sysfs.ttys(self._wanted.vid, self._wanted.pid, self._wanted.serial, self._root)

    def _present(self) -> bool:
        return bool(self._found())

    async def settle(self) -> None:
        """Closing a serial port closes it at once."""
