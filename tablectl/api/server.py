"""The API on a Unix socket: one line a message, for this user only."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import stat
from pathlib import Path

from .dispatch import Connection, Dispatcher
from .errors import SocketError
from .rpc import BUSY, failure

MODE = 0o600  # the socket is the local login: who may open it may command
MAX_CLIENTS = 64
RESERVED = 8  # places beyond these, so that somebody can always say stop
READ = 16 * 1024  # bytes taken of one client in one turn of the loop
BACKLOG = 16
PROBE_S = 1.0  # how long a live daemon may take to accept


class Server:
    """A listening socket and its clients. ``await Server.open(...)``; ``close()`` removes the socket."""

    def __init__(self, dispatcher: Dispatcher, path: Path) -> None:
        self.path = path
        self._dispatcher = dispatcher
        self._clients: set[_Client] = set()
        self._server: asyncio.Server | None = None
        self._inode = 0

    @classmethod
    async def open(cls, dispatcher: Dispatcher, path: Path) -> Server:
        """Listen at ``path``. Raises ``SocketError``; the socket a dead daemon left is replaced."""
        server = cls(dispatcher, path)
        listener = claim_socket(path)
        server._inode = path.stat().st_ino
        server._server = await asyncio.get_running_loop().create_unix_server(server._accept, sock=listener)
        return server

    async def close(self) -> None:
        """Hang up on every client, stop listening, remove the socket unless somebody else's is there."""
        if self._server is not None:
            self._server.close()
        for client in list(self._clients):
            client.hang_up()
        if self._server is not None:
            await self._server.wait_closed()
        try:
            if self.path.stat().st_ino == self._inode:
                self.path.unlink()
        except FileNotFoundError:
            pass

    def _accept(self) -> asyncio.BaseProtocol:
        return _Client(self._dispatcher, self._clients)


class _Client(asyncio.BufferedProtocol):
    """One client's socket. While it does not read, it is not read either: both directions stay bounded."""

    _transport: asyncio.Transport
    _connection: Connection

    def __init__(self, dispatcher: Dispatcher, clients: set[_Client]) -> None:
        self._dispatcher = dispatcher
        self._clients = clients
        self._buffer = bytearray(READ)
        self._spoke = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._connection = self._dispatcher.connect(transport.write, self.hang_up)
        self._spoke = asyncio.get_running_loop().time()
        if len(self._clients) >= MAX_CLIENTS and not self._make_room():
            self._send_away("rpc.too_many_clients")
        else:
            self._clients.add(self)

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._spoke = asyncio.get_running_loop().time()
        self._connection.receive(bytes(self._buffer[:nbytes]))

    def pause_writing(self) -> None:
        self._connection.pause()
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        self._connection.resume()
        if not self._transport.is_closing():
            self._transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self._connection.close()
        self._clients.discard(self)

    def _make_room(self) -> bool:
        """Send away who has waited for nothing the longest. False if there is nobody and no place left."""
        idle = [client for client in self._clients if client._connection.is_idle]
        if idle:
            min(idle, key=lambda client: client._spoke)._send_away("rpc.made_room")
        return bool(idle) or len(self._clients) < MAX_CLIENTS + RESERVED

    def _send_away(self, key: str) -> None:
        self._transport.write(failure(None, BUSY, SocketError(key, limit=MAX_CLIENTS)))
        self._connection.close()
        self._clients.discard(self)
        self.hang_up()

    def hang_up(self) -> None:
        """Close after what is written has left; a client that does not read is not waited for."""
        if self._transport.get_write_buffer_size():
            self._transport.abort()
        else:
            self._transport.close()


def claim_socket(path: Path) -> socket.socket:
    """A listening socket at ``path``, readable by this user only. Raises ``SocketError``."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _remove_stale(path)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.fchmod(listener.fileno(), MODE)  # before bind: there is no moment in which others may connect
        listener.bind(str(path))
        path.chmod(MODE)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise _explain(error, path) from None
    except BaseException:
        listener.close()
        raise
    return listener


def _remove_stale(path: Path) -> None:
    try:
        if not stat.S_ISSOCK(path.stat().st_mode):
            raise SocketError("socket.not_a_socket", path=str(path))
    except FileNotFoundError:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(PROBE_S)
        try:
            probe.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            path.unlink(missing_ok=True)
            return
        except TimeoutError:
            pass
    raise SocketError("socket.in_use", path=str(path))


def _explain(error: OSError, path: Path) -> SocketError:
    if isinstance(error, PermissionError):
        return SocketError("socket.forbidden", path=str(path), directory=str(path.parent))
    if error.errno in (None, errno.ENAMETOOLONG) or "too long" in str(error):
        return SocketError("socket.path_too_long", path=str(path), length=len(os.fsencode(path)))
    if error.errno == errno.EADDRINUSE:
        return SocketError("socket.in_use", path=str(path))
    return SocketError("socket.failed", path=str(path), detail=os.strerror(error.errno or 0))
