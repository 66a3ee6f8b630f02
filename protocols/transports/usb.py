"""Boards on a USB vendor interface with bulk pipes: two threads a connection, none of it on the event loop.

One thread claims the board, reads and lets go of everything at the end; it starts the other, which writes. A
transfer is a piece of the byte stream and nothing more: a read asks for one packet, so that a board need not
end a full one with an empty one; where transfers are cut means nothing.

A pipe that stalls is cleared, and what a board says too much of is thrown away: the protocol above repeats
what was lost. A board that does so again and again, or is gone, ends the stream.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import threading
from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from queue import SimpleQueue
from typing import Any

import usb.backend.libusb1
import usb.core

from protocols.errors import PortGone, TransportError, UsbUnusable
from protocols.transports import sysfs
from protocols.transports.address import UsbAddress
from protocols.transports.base import Stream, StreamHandler
from protocols.transports.sysfs import UsbBoard
from protocols.transports.usbclaim import FAILURES, Claim, claim

READ_MS = 100  # a read that brings nothing looks so often whether to end
WRITE_MS = 500  # a board that takes nothing for so long loses what was to be sent
FAILURES_IN_A_ROW = 8  # of one pipe, without a good transfer between, until the board is given up
_SURVIVED = {errno.EPIPE: "stalls", errno.EOVERFLOW: "overflows"}


@cache
def libusb() -> Any:
    """The system's libusb; None where it is not installed."""
    return usb.backend.libusb1.get_backend()


@dataclass(frozen=True, slots=True)
class UsbSystem:
    """Where USB boards come from: pyusb's backend, and what is plugged in as far as that costs nothing."""

    backend: Callable[[], Any]
    boards: Callable[[], list[UsbBoard]] | None


SYSTEM = UsbSystem(libusb, sysfs.usb_boards if sysfs.known() else None)


class UsbPort:
    """A board by its USB identity. ``faults`` counts what its connections survived: stalls, overflows,
    time-outs of writes."""

    def __init__(
        self, address: UsbAddress, system: UsbSystem | None = None, *, read_ms: int = READ_MS
    ) -> None:
        self.address = str(address)
        self.faults: Counter[str] = Counter()
        self.present = self._present if (system or SYSTEM).boards is not None else None
        self._identity = address
        self._system = system or SYSTEM
        self._read_ms = read_ms
        self._streams: list[UsbStream] = []  # whose threads may still run

    async def open(self, handler: StreamHandler) -> Stream:
        """Take the board once every earlier stream has let go of it. Raises ``TransportError``."""
        await self.settle()
        stream = UsbStream(self._identity, self._system.backend, handler, self.faults, self._read_ms)
        self._streams.append(stream)
        try:
            await asyncio.shield(stream.opened)
        except BaseException:  # nobody will close what nobody got, also when this call is cancelled
            stream.close()
            raise
        return stream

    async def settle(self) -> None:
        """Return when no handle and no thread of a closed stream is left."""
        for stream in [stream for stream in self._streams if stream.closing]:
            await asyncio.shield(stream.ended)
            stream.thread.join()  # it has nothing left to do
        self._streams = [stream for stream in self._streams if stream.thread.is_alive()]

    def _present(self) -> bool:
        assert self._system.boards is not None
        wanted = self._identity
        return any(
            (board.vid, board.pid) == (wanted.vid, wanted.pid) and wanted.serial in ("", board.serial)
            for board in self._system.boards()
        )


class UsbStream:
    """One opening of one board. ``opened`` is done when it is ours, ``ended`` when it no longer is."""

    def __init__(
        self,
        address: UsbAddress,
        backend: Callable[[], Any],
        handler: StreamHandler,
        faults: Counter[str],
        read_ms: int,
    ) -> None:
        self._address = address
        self._backend = backend
        self._handler: StreamHandler | None = handler
        self._faults = faults
        self._read_ms = read_ms
        self._loop = asyncio.get_running_loop()
        self._unsent: SimpleQueue[bytes] = SimpleQueue()
        self._wanted = True  # False: let go as soon as possible
        self._reason = ""  # why the board is given up
        self.opened: asyncio.Future[None] = self._loop.create_future()
        self.ended: asyncio.Future[None] = self._loop.create_future()
        self.thread = threading.Thread(target=self._serve, name=f"read {address}", daemon=True)
        self.thread.start()

    @property
    def closing(self) -> bool:
        """True once nobody wants it any more, or the board is gone."""
        return not self._wanted

    # ---- in the event loop ---------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        """Send bytes; the writing thread takes them at once."""
        if self._wanted and data:
            self._unsent.put(data)

    def close(self) -> None:
        """End it; what was not sent yet is not sent any more. ``ended`` says when the board is free."""
        self._handler = None
        self._let_go()

    def _received(self, data: bytes) -> None:
        if self._handler is not None:
            self._handler.received(data)

    def _over(self, refusal: TransportError | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(refusal or UsbUnusable(str(self._address), "taking it failed"))
            self.opened.exception()  # known to us: nobody may be waiting any more
        elif self._handler is not None:
            self._handler.lost(PortGone(str(self._address), self._reason))
        self._handler = None
        self.ended.set_result(None)

    def _taken(self) -> None:
        self.opened.set_result(None)

    # ---- in the reading thread -----------------------------------------------------------------------

    def _serve(self) -> None:
        """The whole life of the handle."""
        refusal: TransportError | None = None
        try:
            self._work(claim(self._address, self._backend()))
        except TransportError as error:
            refusal = error
        finally:
            self._tell(self._over, refusal)

    def _work(self, taken: Claim) -> None:
        writer = threading.Thread(
            target=self._write, args=(taken,), name=f"write {self._address}", daemon=True
        )
        try:
            self._tell(self._taken)
            writer.start()
            self._read(taken)
        finally:
            self._let_go()
            if writer.ident is not None:
                writer.join()
            taken.release()

    def _read(self, taken: Claim) -> None:
        pipe, failures = taken.in_pipe, 0
        packet = array("B", bytes(pipe.wMaxPacketSize))
        while self._wanted:
            try:
                count = pipe.read(packet, self._read_ms)
            except usb.core.USBTimeoutError:
                failures = 0
                continue
            except FAILURES as error:
                failures += 1
                self._survive(pipe, error, failures)
                continue
            failures = 0
            if count:
                self._tell(self._received, packet[:count].tobytes())

    # ---- in the writing thread -----------------------------------------------------------------------

    def _write(self, taken: Claim) -> None:
        pipe, failures = taken.out_pipe, 0
        while True:
            data = self._next()
            while data and self._wanted:
                try:
                    data = data[pipe.write(data, WRITE_MS) :]
                    failures = 0
                except usb.core.USBTimeoutError:
                    self._faults["timeouts"] += 1
                    break
                except FAILURES as error:
                    failures += 1
                    self._survive(pipe, error, failures)
                    break
            if not self._wanted:
                return

    def _next(self) -> bytes:
        """All that waits to be sent, once something does; b"" is the call to end."""
        data = self._unsent.get()
        while not self._unsent.empty():  # nobody else takes from it
            data += self._unsent.get_nowait()
        return data

    # ---- in either thread ----------------------------------------------------------------------------

    def _survive(self, pipe: Any, error: Exception, in_a_row: int) -> None:
        """Clear a pipe that failed in a way it recovers from; else, or once too often, give up."""
        name = _SURVIVED.get(getattr(error, "errno", None) or 0)
        if name is not None and in_a_row < FAILURES_IN_A_ROW:
            self._faults[name] += 1
            try:
                pipe.clear_halt()
                return
            except FAILURES as failure:
                error = failure
        self._reason = self._reason or str(error)
        self._let_go()

    def _let_go(self) -> None:
        self._wanted = False
        self._unsent.put(b"")

    def _tell(self, call: Callable[..., None], *args: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is there to be told
            self._loop.call_soon_threadsafe(call, *args)
