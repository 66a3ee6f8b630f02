"""From an address in a configuration to the port it names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Literal, Protocol

from protocols.transports.address import NetAddress, PathAddress, TtyAddress, parse
from protocols.transports.base import Stream, StreamHandler


class Port(Protocol):
    """A place where a board is reached. Everything but ``settle`` and ``open`` returns at once."""

    address: str
    faults: Counter[str]  # what its streams survived, by name, since it was made

    @property
    def present(self) -> Callable[[], bool] | None:
        """Asks whether something is plugged in there; None where only opening can tell."""

    async def open(self, handler: StreamHandler) -> Stream:
        """An ``Opener``. Raises ``TransportError``."""

    async def settle(self) -> None:
        """Return when nothing of a closed stream is left."""


def port_at(address: str, *, baud: int = 115200, lines: Literal["leave", "raise", "drop"] = "leave") -> Port:
    """The port of that address; nothing is opened. Raises ``AddressError``.

    ``baud`` counts where there is a UART at the end, ``lines`` (DTR and RTS) where it is plugged in here.
    """
    place = parse(address)
    if isinstance(place, PathAddress):
        from protocols.transports.serial import SerialPort

        return SerialPort(place.path, baud, lines)
    if isinstance(place, TtyAddress):
        from protocols.transports.ttyport import NumberedPort

        return NumberedPort(place, baud, lines)
    if isinstance(place, NetAddress):
        from protocols.transports.net import Rfc2217Port, TcpPort

        return TcpPort(place) if place.kind == "tcp" else Rfc2217Port(place, baud)
    from protocols.transports.usb import UsbPort  # loads libusb, which not every table needs

    return UsbPort(place)
