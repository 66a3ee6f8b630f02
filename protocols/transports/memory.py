"""A serial line inside one process: two ends, and a line between them on which faults can be played.

It behaves like a cable with a UART at each end: bytes arrive in order, later by ``latency`` and, where a
``baud`` is set, no faster than that; what is sent while nobody listens is lost. It waits on the event loop
alone, so under virtual time no time passes in reality.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from protocols.errors import PortBusy, PortGone, PortMissing
from protocols.transports.base import Stream, StreamHandler

BITS_PER_BYTE = 10  # start, eight data, stop
Hook = Callable[[bytes], list[bytes]]


def _unharmed(data: bytes) -> list[bytes]:
    return [data]


class Line:
    """What lies between the ends. ``to_a`` and ``to_b`` see all that travels and return what arrives."""

    def __init__(self, latency: float, baud: int) -> None:
        self.latency = latency  # seconds
        self.baud = baud  # bits a second, 0 = no pacing
        self.to_a: Hook = _unharmed
        self.to_b: Hook = _unharmed
        self.whole = True
        self.cuts = 0  # what was under way at a cut never arrives
        self.a = MemoryEnd(self, "memory:a")
        self.b = MemoryEnd(self, "memory:b")

    def cut(self) -> None:
        """Pull the cable: both ends lose their stream, opening finds no port."""
        if self.whole:
            self.whole = False
            self.cuts += 1
            self.a.drop()
            self.b.drop()

    def restore(self) -> None:
        """Plug it in again. Streams stay lost, the ends can be opened anew."""
        self.whole = True

    def other(self, end: MemoryEnd) -> MemoryEnd:
        """The end opposite to ``end``."""
        return self.b if end is self.a else self.a


class MemoryEnd:
    """A port at one end of a line. ``open`` is an ``Opener``."""

    def __init__(self, line: Line, name: str) -> None:
        self.line = line
        self.name = name
        self._stream: MemoryStream | None = None

    async def open(self, handler: StreamHandler) -> Stream:
        """Open this end. Raises ``PortMissing`` on a cut line, ``PortBusy`` when it is open already."""
        if not self.line.whole:
            raise PortMissing(self.name)
        if self._stream is not None:
            raise PortBusy(self.name)
        self._stream = MemoryStream(self, handler)
        return self._stream

    def drop(self) -> None:
        """The stream, if there is one, is lost."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.lose()

    def closed(self) -> None:
        """The stream was closed from this side."""
        self._stream = None

    def arrive(self, data: bytes, cuts: int) -> None:
        """Bytes sent when the line had been cut ``cuts`` times reach this end."""
        if cuts != self.line.cuts:
            return
        hook = self.line.to_a if self is self.line.a else self.line.to_b
        for piece in hook(data):
            if piece and self._stream is not None:
                self._stream.handler.received(piece)


class MemoryStream:
    """One opening of one end."""

    def __init__(self, end: MemoryEnd, handler: StreamHandler) -> None:
        self.handler = handler
        self._end = end
        self._open = True
        self._closed = False  # from this side
        self._free_at = 0.0  # when the line has carried what was written before
        self._under_way: deque[tuple[bytes, int]] = deque()  # timers of one moment fire in any order

    def write(self, data: bytes) -> None:
        """Send bytes to the other end."""
        if not self._open or not data:
            return
        line = self._end.line
        loop = asyncio.get_running_loop()
        self._under_way.append((data, line.cuts))
        if not line.baud and not line.latency:
            loop.call_soon(self._deliver)
            return
        now = loop.time()
        if self._free_at < now:
            self._free_at = now
        if line.baud:
            self._free_at += len(data) * (BITS_PER_BYTE / line.baud)
        loop.call_at(self._free_at + line.latency, self._deliver)

    def _deliver(self) -> None:
        data, cuts = self._under_way.popleft()
        self._end.line.other(self._end).arrive(data, cuts)

    def close(self) -> None:
        """End it from this side."""
        self._closed = True
        if self._open:
            self._open = False
            self._end.closed()

    def lose(self) -> None:
        """The line was cut: tell the handler, from the loop."""
        self._open = False
        asyncio.get_running_loop().call_soon(self._tell, PortGone(self._end.name, "the line was cut"))

    def _tell(self, error: PortGone) -> None:
        if not self._closed:
            self.handler.lost(error)


def memory_pair(*, latency: float = 0.0, baud: int = 0) -> tuple[MemoryEnd, MemoryEnd, Line]:
    """Two ends and the line between them: ``a.open`` and ``b.open`` are openers."""
    line = Line(latency, baud)
    return line.a, line.b, line
