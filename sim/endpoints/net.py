"""The board's end of a network cable: a server for one host, plain TCP or a serial port by RFC 2217.

A host that comes while another is connected takes its place: the earlier one may be a computer that died
without a word, and nobody could tell.
"""

from __future__ import annotations

import asyncio
import socket
from random import Random

import serial.rfc2217

from sim.endpoints.base import Received
from sim.endpoints.noise import Lag, Noise


class Uart:
    """The serial port a server of RFC 2217 stands for. ``edges`` are the changes of its modem lines."""

    def __init__(self) -> None:
        self.baudrate = 9600
        self.bytesize, self.parity, self.stopbits = 8, "N", 1
        self.cts = self.dsr = self.cd = True
        self.ri = False
        self.xonxoff = self.rtscts = self.break_condition = False
        self.edges: list[tuple[str, bool]] = []
        self._dtr = self._rts = False

    @property
    def dtr(self) -> bool:
        return self._dtr

    @dtr.setter
    def dtr(self, value: bool) -> None:
        self._dtr = value
        self.edges.append(("dtr", value))

    @property
    def rts(self) -> bool:
        return self._rts

    @rts.setter
    def rts(self, value: bool) -> None:
        self._rts = value
        self.edges.append(("rts", value))

    def reset_input_buffer(self) -> None:
        """Nothing waits here."""

    def reset_output_buffer(self) -> None:
        """Nothing waits here."""


class _Host(asyncio.Protocol):
    """One connection of a host."""

    def __init__(self, end: TcpEndpoint) -> None:
        self._end = end
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._end.joined(self)

    def data_received(self, data: bytes) -> None:
        self._end.heard(self, data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None

    def write(self, data: bytes) -> None:
        """Send to this host."""
        if self.transport is not None:
            self.transport.write(data)

    def drop(self) -> None:
        """Hang up."""
        if self.transport is not None:
            self.transport.abort()


class TcpEndpoint:
    """A server at ``host``:``port``; port 0 = any that is free, and ``port`` is which."""

    def __init__(self, host: str, port: int, rng: Random) -> None:
        self.host, self.port = host, port
        self.to_host = Noise(rng)
        self.to_board = Noise(rng)
        self.lag_to_host = Lag(self.to_host, self._send)
        self.lag_to_board = Lag(self.to_board, self._deliver)
        self.dead = False  # True: the server is there no more and nobody was told
        self._received: Received | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._place: socket.socket | None = None  # keeps the port ours while nobody listens there
        self._server: socket.socket | None = None
        self._host: _Host | None = None
        self._joining: set[asyncio.Task[object]] = set()

    def attach(self, received: Received) -> None:
        """Listen, if it does not; bytes of the host go to ``received``. Raises ``OSError``."""
        self._received = received
        self._loop = asyncio.get_running_loop()
        self.replug()

    def replug(self) -> None:
        """Listen again, at the same address."""
        if self._server is not None:
            return
        assert self._loop is not None
        if self._place is None:
            self._place = self._bound()
            self.port = self._place.getsockname()[1]
        server = self._bound()
        try:
            server.listen()
        except OSError:
            server.close()
            raise
        self._server = server
        self._loop.add_reader(self._server, self._accept)

    def _bound(self) -> socket.socket:
        """A socket at the address, listening or not. Raises ``OSError``."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        made = socket.socket(family)
        made.setblocking(False)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((self.host, self.port))
        except OSError:
            made.close()
            raise
        return made

    def unplug(self) -> None:
        """The server ends: the host's connection is reset, and refused from now on."""
        if self._server is None:
            return
        assert self._loop is not None
        self._loop.remove_reader(self._server)
        self._server.close()
        self._server = None
        for task in self._joining:
            task.cancel()
        if self._host is not None:
            self._host.drop()
            self._host = None

    def rename(self, name: str) -> None:
        """An address stays."""

    def close(self) -> None:
        """End for good."""
        self.unplug()
        if self._place is not None:
            self._place.close()
            self._place = None

    def write(self, data: bytes) -> None:
        """Send bytes to the host; without one they are lost."""
        for piece in self.to_host(data):
            self.lag_to_host.send(piece)

    # ---- connections ---------------------------------------------------------------------------------

    def _accept(self) -> None:
        assert self._server is not None
        assert self._loop is not None
        try:
            connection, _ = self._server.accept()
        except OSError:
            return  # it went away again
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        task: asyncio.Task[object] = self._loop.create_task(self._join(connection))
        self._joining.add(task)
        task.add_done_callback(self._joining.discard)

    async def _join(self, connection: socket.socket) -> None:
        assert self._loop is not None
        try:
            await self._loop.connect_accepted_socket(lambda: _Host(self), connection)
        except BaseException:
            connection.close()
            raise

    def joined(self, host: _Host) -> None:
        """A host is connected."""
        if self._server is None:
            host.drop()
            return
        if self._host is not None:
            self._host.drop()
        self._host = host

    def heard(self, host: _Host, data: bytes) -> None:
        """Bytes of a host."""
        if host is self._host and not self.dead:
            for piece in self.to_board(data):
                self.lag_to_board.send(piece)

    def _deliver(self, data: bytes) -> None:
        if self._received is not None:
            self._received(data)

    def _send(self, data: bytes) -> None:
        if self._host is not None and not self.dead:
            self._host.write(data)


class Rfc2217Endpoint(TcpEndpoint):
    """The same with a serial port in between: ``uart`` shows how the host has set it."""

    def __init__(self, host: str, port: int, rng: Random) -> None:
        super().__init__(host, port, rng)
        self.uart = Uart()
        self._telnet: serial.rfc2217.PortManager | None = None

    def joined(self, host: _Host) -> None:
        """A host is connected; agree on the options with it."""
        super().joined(host)
        self._telnet = serial.rfc2217.PortManager(self.uart, host)  # type: ignore[arg-type]

    def heard(self, host: _Host, data: bytes) -> None:
        """Bytes of a host, commands among them."""
        if host is self._host and self._telnet is not None and not self.dead:
            super().heard(host, b"".join(self._telnet.filter(data)))

    def _send(self, data: bytes) -> None:
        if self._telnet is not None:
            super()._send(data.replace(b"\xff", b"\xff\xff"))
