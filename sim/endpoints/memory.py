"""The board's end of an in-process line: the twin of a pty for virtual time, with the same faults."""

from __future__ import annotations

import asyncio
from random import Random

from protocols.errors import TransportError
from protocols.transports.base import Opener, Stream
from protocols.transports.memory import memory_pair
from sim.endpoints.base import Received
from sim.endpoints.noise import Lag, Noise


class MemoryEndpoint:
    """``host`` is the opener the host uses. ``to_host`` and ``to_board`` are the noise of each direction."""

    def __init__(self, rng: Random, *, latency: float = 0.0, baud: int = 0) -> None:
        host, self._end, self.line = memory_pair(latency=latency, baud=baud)
        self.host: Opener = host.open
        self.to_host = Noise(rng)
        self.to_board = Noise(rng)
        self.line.to_a = self.to_host
        self.line.to_b = self.to_board
        self.lag_to_host = Lag(self.to_host, self._write_now)
        self.lag_to_board = Lag(self.to_board, self._receive_now)
        self._received: Received | None = None
        self._stream: Stream | None = None
        self._opening: asyncio.Task[None] | None = None

    def attach(self, received: Received) -> None:
        """Begin: bytes of the host go to ``received`` from the next turn of the loop on."""
        self._received = received
        self._open()

    def _open(self) -> None:
        self._opening = asyncio.get_running_loop().create_task(self._open_end())

    async def _open_end(self) -> None:
        if self._stream is None and self.line.whole:
            self._stream = await self._end.open(self)

    def received(self, data: bytes) -> None:
        """Bytes of the host arrived."""
        self.lag_to_board.send(data)

    def _receive_now(self, data: bytes) -> None:
        if self._received is not None:
            self._received(data)

    def lost(self, error: TransportError | None) -> None:
        """The cable was pulled; ``replug`` opens this end anew."""
        self._stream = None

    def write(self, data: bytes) -> None:
        """Send bytes to the host; without a cable they are lost."""
        self.lag_to_host.send(data)

    def _write_now(self, data: bytes) -> None:
        if self._stream is not None:
            self._stream.write(data)

    def unplug(self) -> None:
        """Pull the cable: the host's stream is lost, its port missing."""
        self.line.cut()
        self._stream = None

    def replug(self) -> None:
        """Plug it in again."""
        self.line.restore()
        self._open()

    def rename(self, name: str) -> None:
        """A line in memory has no name."""

    def close(self) -> None:
        """End this side."""
        if self._opening is not None:
            self._opening.cancel()
        if self._stream is not None:
            self._stream.close()
            self._stream = None
