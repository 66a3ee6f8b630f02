"""The cable from a board to the USB serial adapter of a guest. Its bytes pass here, so it can be pulled.

To QEMU both ends are sockets: the adapter is plugged in as long as somebody is at its socket, and a pulled
one loses what is said to it meanwhile, as a real one does. It stays when the board loses its power.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from sim.firmware.lossy import Lossy
from sim.timebase import TableTimer

VID, PID, SERIAL = 0x0403, 0x6001, "T0001"  # QEMU's adapter calls itself an FT232
MODULES = ("uhci_hcd", "usbserial", "ftdi_sio")


class _End(asyncio.Protocol):
    """One end of it."""

    def __init__(self, heard: Callable[[bytes], None], gone: Callable[[], None] = lambda: None) -> None:
        self._heard = heard
        self._gone = gone
        self.transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._heard(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        self._gone()

    def write(self, data: bytes) -> None:
        if self.transport is not None:
            self.transport.write(data)

    def close(self) -> None:
        if self.transport is not None:
            self.transport.abort()  # what is still on its way is lost
            self.transport = None


class Cable:
    """``lossy`` is the way to the host. Make it in the running loop; ``folder`` takes the sockets."""

    def __init__(self, folder: Path) -> None:
        self._adapter_at, self._board_at = folder / "adapter", folder / "board"
        self.lossy = Lossy(self._to_host, TableTimer(asyncio.get_running_loop()))
        self._adapter: _End | None = None
        self._board: _End | None = None
        self._server: asyncio.Server | None = None

    @property
    def devices(self) -> list[str]:
        """What QEMU gives the guest: a USB controller with the adapter."""
        return [
            "-device", "piix3-usb-uhci",
            "-chardev", f"socket,id=line,path={self._adapter_at},server=on,wait=off",
            "-device", f"usb-serial,chardev=line,serial={SERIAL}",
        ]  # fmt: skip

    @property
    def host(self) -> str:
        """What the emulator of a board calls its line: it connects here."""
        return f"socket,id=host,path={self._board_at},server=off"

    async def open(self) -> None:
        """Let a board connect."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_unix_server(self._board_there, self._board_at)

    def _board_there(self) -> _End:
        self._board = _End(self._from_board, self.lossy.forget)
        return self._board

    def _from_board(self, data: bytes) -> None:
        self.lossy.write(data)

    def _to_host(self, data: bytes) -> None:
        if self._adapter is not None:
            self._adapter.write(data)

    def _to_board(self, data: bytes) -> None:
        if self._board is not None:
            self._board.write(data)

    async def plug(self) -> None:
        """Plug the adapter into the guest, which must have been booted."""
        if self._adapter is None:
            end = _End(self._to_board)
            await asyncio.get_running_loop().create_unix_connection(lambda: end, str(self._adapter_at))
            self._adapter = end

    def pull(self) -> None:
        """Pull it out."""
        end, self._adapter = self._adapter, None
        if end is not None:
            end.close()

    def close(self) -> None:
        """Nothing of it is left."""
        self.pull()
        if self._board is not None:
            self._board.close()
        if self._server is not None:
            self._server.close()
