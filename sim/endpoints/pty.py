"""A pty that behaves like a UART: paced both ways at the baud the host set, noisy, and it can be unplugged.

The host opens a symbolic link with a stable name; each plugging in makes a new pty and re-points the link
atomically, because the kernel gives the number of a pty away again. One descriptor of the slave stays open,
so the master sees no error while no host is there, and settings survive.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pty
import termios
import tty
from pathlib import Path
from random import Random

from sim.endpoints.base import Received
from sim.endpoints.noise import Lag, Noise
from sim.errors import EndpointError

BITS_PER_BYTE = 10  # start, eight data, stop
SLICE = 0.002  # seconds of line time a read or write carries
AT_MOST = 4096  # bytes a read or write carries when nothing is paced
DEFAULT_BAUD = 115_200
OUT_SPEED = 5  # where tcgetattr keeps it
BAUDS = {
    getattr(termios, name): int(name[1:])
    for name in dir(termios)
    if name.startswith("B") and name[1:].isdigit()
}


class PtyEndpoint:
    """The master of a pty under ``link``. ``paced=False`` lets bytes pass as fast as they come."""

    def __init__(self, link: str | Path, rng: Random, *, paced: bool = True) -> None:
        self.link = self._first = Path(link)
        self.paced = paced
        self.to_host = Noise(rng)
        self.to_board = Noise(rng)
        self.lag_to_host = Lag(self.to_host, self._queue)
        self.lag_to_board = Lag(self.to_board, self._deliver)
        self._received: Received | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._master = self._slave = -1
        self._out = bytearray()
        self._writing: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None
        self._in_free_at = self._out_free_at = 0.0

    def attach(self, received: Received) -> None:
        """Make the pty and its link, if there is none; bytes of the host go to ``received``."""
        self._received = received
        self._loop = asyncio.get_running_loop()
        self.replug()

    @property
    def plugged(self) -> bool:
        """True while the host can see the port."""
        return self._master >= 0

    def baud(self) -> int:
        """The speed the host asked for."""
        try:
            return BAUDS.get(termios.tcgetattr(self._slave)[OUT_SPEED], DEFAULT_BAUD) or DEFAULT_BAUD
        except termios.error:
            return DEFAULT_BAUD

    # plugging

    def replug(self) -> None:
        """A new pty under the old name."""
        if self.plugged:
            return
        fresh = self.link.with_name(self.link.name + ".new")
        for path in (self.link, fresh):
            if os.path.lexists(path) and not path.is_symlink():  # somebody's file: never ours to replace
                raise EndpointError(str(path))
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)  # before anybody opens it: else what we send is echoed back to us
        os.set_blocking(self._master, False)
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(self._slave))
        os.replace(fresh, self.link)
        self._listen()

    def unplug(self) -> None:
        """The port vanishes; the host reads an error or end of file."""
        if not self.plugged:
            return
        if self.link.is_symlink():
            self.link.unlink(missing_ok=True)
        assert self._loop is not None
        self._loop.remove_reader(self._master)
        for timer in (self._writing, self._reading):
            if timer is not None:
                timer.cancel()
        self._writing = self._reading = None
        self._out.clear()
        os.close(self._slave)
        os.close(self._master)
        self._master = self._slave = -1

    def rename(self, name: str) -> None:
        """Be ``name`` in the same folder from the next plugging in on; "" = its first name."""
        self.link = self._first.with_name(name) if name else self._first

    def close(self) -> None:
        """Unplug for good."""
        self.unplug()

    # from the host

    def _listen(self) -> None:
        self._reading = None
        assert self._loop is not None
        if self.plugged:
            self._loop.add_reader(self._master, self._readable)

    def _readable(self) -> None:
        assert self._loop is not None
        pace = BITS_PER_BYTE / self.baud() if self.paced else 0.0
        try:
            data = os.read(self._master, max(1, int(SLICE / pace)) if pace else AT_MOST)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if not data:
            return
        if not pace:
            self._arrived(data)
            return
        now = self._loop.time()
        self._in_free_at = max(self._in_free_at, now) + len(data) * pace
        self._loop.remove_reader(self._master)  # the next bytes are still on the wire
        self._reading = self._loop.call_at(self._in_free_at, self._heard, data)

    def _heard(self, data: bytes) -> None:
        self._listen()
        self._arrived(data)

    def _arrived(self, data: bytes) -> None:
        for piece in self.to_board(data):
            self.lag_to_board.send(piece)

    def _deliver(self, data: bytes) -> None:
        if self._received is not None:
            self._received(data)

    # to the host

    def write(self, data: bytes) -> None:
        """Send bytes to the host; unplugged, they are lost."""
        for piece in self.to_host(data):
            self.lag_to_host.send(piece)

    def _queue(self, data: bytes) -> None:
        if self.plugged:
            self._out += data
            if self._writing is None:
                self._push()

    def _push(self) -> None:
        """Put the next slice on the wire; it arrives when its last bit has passed."""
        self._writing = None
        if not self._out or not self.plugged:
            return
        assert self._loop is not None
        pace = BITS_PER_BYTE / self.baud() if self.paced else 0.0
        size = max(1, int(SLICE / pace)) if pace else AT_MOST
        data = bytes(self._out[:size])
        del self._out[:size]
        if pace:
            self._out_free_at = max(self._out_free_at, self._loop.time()) + len(data) * pace
            self._writing = self._loop.call_at(self._out_free_at, self._emit, data)
        else:
            self._emit(data)

    def _emit(self, data: bytes) -> None:
        # Full buffer: nobody reads. A UART does not wait for its reader either.
        with contextlib.suppress(OSError):
            os.write(self._master, data)
        self._push()
