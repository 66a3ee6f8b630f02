"""What arrives at a port, until Ctrl-C; nothing is ever written to it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator

from protocols.errors import TransportError
from protocols.transports.serial import open_serial


async def arriving(port: str, baud: int) -> AsyncIterator[tuple[float, bytes]]:
    """Seconds since listening began, and bytes. Raises ``TransportError``: no port, or no longer."""
    loop = asyncio.get_running_loop()
    inbox = Inbox()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, inbox.end)
    stream = await open_serial(port, inbox, baud=baud)
    began = loop.time()
    try:
        while data := await inbox.take():
            yield loop.time() - began, data
    finally:
        stream.close()


class Inbox:
    """Bytes that wait to be taken, until the port is lost or listening is to end."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[bytes | TransportError] = asyncio.Queue()

    def received(self, data: bytes) -> None:
        """Bytes arrived."""
        self._queue.put_nowait(data)

    def lost(self, error: TransportError | None) -> None:
        """The port is gone."""
        self._queue.put_nowait(error or b"")

    def end(self) -> None:
        """A person has seen enough."""
        self._queue.put_nowait(b"")

    async def take(self) -> bytes:
        """The next bytes; none at the end. Raises ``TransportError`` when the port was lost."""
        item = await self._queue.get()
        if isinstance(item, TransportError):
            raise item
        return item
