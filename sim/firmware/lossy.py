"""The way from a firmware to its host, on which whole messages can be lost.

Bytes leave an emulated chip in pieces; they are passed on a frame at a time.
"""

from __future__ import annotations

from collections.abc import Callable

from sim.gate import EDGE, Gate
from sim.timebase import TableTimer
from sim.uplink import Uplink


class Lossy:
    """``deliver`` takes the bytes on; ``timer`` gives the time of the wire. ``gate`` and ``uplink`` lose."""

    def __init__(self, deliver: Callable[[bytes], None], timer: TableTimer) -> None:
        self.gate = Gate(deliver, timer)
        self.uplink = Uplink(self.gate.send, timer)
        self._part = b""  # of a frame that has not ended yet

    def write(self, data: bytes) -> None:
        """The board sends this."""
        whole, edge, self._part = (self._part + data).rpartition(EDGE)
        if edge:
            self.uplink.write(whole + edge)

    def forget(self) -> None:
        """The board has lost its power in the middle of a frame, perhaps."""
        self._part = b""
