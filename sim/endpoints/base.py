"""What an endpoint is to a board: a place bytes come from and go to, whatever happens to the cable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from sim.endpoints.noise import Noise

Received = Callable[[bytes], None]


class Endpoint(Protocol):
    """The board's end of a line. It outlives unplugging; bytes written meanwhile are lost."""

    to_host: Noise
    to_board: Noise

    def attach(self, received: Received) -> None:
        """Begin: bytes of the host go to ``received`` from now on."""

    def write(self, data: bytes) -> None:
        """Send bytes to the host."""

    def unplug(self) -> None:
        """Pull the cable: the host's port vanishes."""

    def replug(self) -> None:
        """Plug it in again."""

    def rename(self, name: str) -> None:
        """Have another name from the next plugging in on, where lines have names; "" is the first one."""

    def close(self) -> None:
        """The end of everything."""
