"""Boards reached over a network: bytes over TCP, and serial ports of other computers by RFC 2217.

A server that dies without a word looks like silence here: no error ever comes. The sign of life of the
protocol above decides, and closing throws away what was not sent.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable

from protocols.errors import PortGone, PortUnreachable, PortUnusable, TransportError
from protocols.transports.address import NetAddress
from protocols.transports.base import Stream, StreamHandler
from protocols.transports.telnet import Client

CONNECT_S = 3.0  # an address that does not answer for so long is not there
AGREE_S = 3.0  # a server that has not taken the settings of a port by then never will


class TcpPort:
    """Bytes over TCP, as they are."""

    present: Callable[[], bool] | None = None

    def __init__(self, place: NetAddress) -> None:
        self.address = str(place)
        self.faults: Counter[str] = Counter()  # TCP loses nothing that it does not lose wholly
        self._place = place

    async def open(self, handler: StreamHandler) -> Stream:
        """Connect. Raises ``PortUnreachable``."""
        return await _connect(self._place, TcpStream(self.address, handler))

    async def settle(self) -> None:
        """Closing throws the connection away at once."""


class Rfc2217Port:
    """A serial port of another computer. Its modem lines are left as they are."""

    present: Callable[[], bool] | None = None

    def __init__(self, place: NetAddress, baud: int) -> None:
        self.address = str(place)
        self.faults: Counter[str] = Counter()
        self._place = place
        self._baud = baud

    async def open(self, handler: StreamHandler) -> Stream:
        """Connect and set the port. Raises ``PortUnreachable`` or ``PortUnusable``."""
        stream = Rfc2217Stream(self.address, handler, self._baud)
        await _connect(self._place, stream)
        try:
            async with asyncio.timeout(AGREE_S):
                await asyncio.shield(stream.agreed)
        except TimeoutError:
            stream.close()
            raise PortUnusable(self.address, "nobody there speaks RFC 2217") from None
        except BaseException:
            stream.close()
            raise
        return stream

    async def settle(self) -> None:
        """Closing throws the connection away at once."""


async def _connect(place: NetAddress, stream: TcpStream) -> Stream:
    try:
        async with asyncio.timeout(CONNECT_S):
            await asyncio.get_running_loop().create_connection(lambda: stream, place.host, place.port)
    except TimeoutError:
        raise PortUnreachable(stream.address, "no answer") from None
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or str(error)
        raise PortUnreachable(stream.address, reason) from error
    return stream


class TcpStream(asyncio.Protocol):
    """One connection."""

    def __init__(self, address: str, handler: StreamHandler) -> None:
        self.address = address
        self._handler: StreamHandler | None = handler
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        if self._handler is not None:
            self._handler.received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        handler, self._handler, self._transport = self._handler, None, None
        if handler is not None:
            handler.lost(self._loss(exc))

    def _loss(self, exc: Exception | None) -> TransportError | None:
        return PortGone(self.address, str(exc)) if exc is not None else None

    def write(self, data: bytes) -> None:
        """Send bytes."""
        if self._transport is not None:
            self._transport.write(data)

    def close(self) -> None:
        """Throw the connection away, with all that was not sent."""
        self._handler = None
        if self._transport is not None:
            self._transport.abort()
            self._transport = None


class Rfc2217Stream(TcpStream):
    """One connection to a serial port elsewhere; ``agreed`` is done when the server has set its speed."""

    def __init__(self, address: str, handler: StreamHandler, baud: int) -> None:
        super().__init__(address, handler)
        self._client = Client(baud)
        self.agreed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        super().write(self._client.greeting())

    def data_received(self, data: bytes) -> None:
        data, answer = self._client.feed(data)
        super().write(answer)
        if self._client.agreed and not self.agreed.done():
            self.agreed.set_result(None)
        if data:
            super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.agreed.done():
            self._handler = None  # nobody has the stream yet: whoever opens it is told
            self.agreed.set_exception(PortUnusable(self.address, "the server hung up"))
            self.agreed.exception()
        super().connection_lost(exc)

    def write(self, data: bytes) -> None:
        """Send bytes."""
        super().write(self._client.escape(data))
