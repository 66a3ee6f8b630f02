"""Serial ports: pyserial opens and sets the port, the event loop moves the bytes on its descriptor.

The port is opened exclusively and its modem lines are left alone: many boards reset on an edge of DTR, so
nothing here makes one, and hang-up-on-close is switched off so that closing makes none either. A vanished
port shows as ``SerialException``, ``OSError`` or ``termios.error``, or as an empty read: all mean *gone*.
The lock is an ``flock``, which dies with its process: there is no stale lock to remove.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import fcntl
import grp
import os
import struct
import termios
from collections import Counter
from typing import Literal

import serial

from protocols.errors import PortBusy, PortForbidden, PortGone, PortMissing, PortUnusable, TransportError
from protocols.transports.base import Stream, StreamHandler
from protocols.transports.holder import lock_holder, open_holder

GONE = (serial.SerialException, OSError, termios.error)
READ_BYTES = 4096  # a tty never holds more
_MISSING = {errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO, errno.ENOTDIR}
_FORBIDDEN = {errno.EACCES, errno.EPERM}
_BUSY = {errno.EBUSY, errno.EAGAIN}
_CFLAG = 2  # place of the control flags in what tcgetattr returns
_PTY_MAJORS = range(136, 144)

ModemLines = Literal["leave", "raise", "drop"]


class SerialPort:
    """A serial port by its path, best one that stays the same (/dev/serial/by-id/…)."""

    def __init__(self, path: str, baud: int, lines: ModemLines = "leave") -> None:
        self.address = path
        self.faults: Counter[str] = Counter()  # a UART has none that its stream survives and could count
        self._baud = baud
        self._lines = lines

    async def open(self, handler: StreamHandler) -> Stream:
        """Open it, wherever the path leads now. Raises ``TransportError``."""
        return await open_serial(self.address, handler, baud=self._baud, lines=self._lines)

    def present(self) -> bool:
        """Is there something under that path?"""
        return os.path.exists(self.address)

    async def settle(self) -> None:
        """Closing a serial port closes it at once."""


async def open_serial(
    path: str, handler: StreamHandler, *, baud: int = 115200, lines: ModemLines = "leave"
) -> SerialStream:
    """Open a serial port; ``path`` may be a link, which is followed at each opening.

    ``lines``: what to do with DTR and RTS, for the rare board that needs them one way.

    Raises ``PortMissing``, ``PortBusy``, ``PortForbidden`` or ``PortUnusable``.
    """
    try:
        port = serial.Serial(
            path, baud, timeout=0, write_timeout=0, exclusive=True, rtscts=False, dsrdtr=False
        )
    except (*GONE, ValueError) as error:
        raise _refusal(path, error) from error
    try:
        _keep_lines(port.fileno())
        _hasten(port)
        if lines != "leave":
            _set_lines(port.fileno(), raised=lines == "raise")
        pid, name = _intruder(path)
    except GONE as error:
        port.close()
        raise PortMissing(path) from error
    if pid:
        port.close()
        raise PortBusy(path, pid, name)
    return SerialStream(port, path, handler)


def _refusal(path: str, error: Exception) -> TransportError:
    """What an error of opening means."""
    code = getattr(error, "errno", None)
    if code in _BUSY:
        pid, name = lock_holder(path)
        return PortBusy(path, *((pid, name) if pid else open_holder(path)))
    if code in _FORBIDDEN:
        return PortForbidden(path, _group(path))
    if code in _MISSING or not os.path.exists(path):
        return PortMissing(path)
    return PortUnusable(path, str(error))


def _group(path: str) -> str:
    try:
        gid = os.stat(path).st_gid
    except OSError:
        return "dialout"  # the folder is closed to us; this is the usual group
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return str(gid)


def _keep_lines(descriptor: int) -> None:
    """Closing the port must not drop DTR."""
    settings = termios.tcgetattr(descriptor)
    settings[_CFLAG] &= ~termios.HUPCL
    termios.tcsetattr(descriptor, termios.TCSANOW, settings)


def _hasten(port: serial.Serial) -> None:
    """Have bytes handed on at once, where the adapter can: an FTDI's keeps them back 16 ms otherwise."""
    with contextlib.suppress(
        AttributeError, ValueError, OSError
    ):  # it cannot, or this system has no such mode
        port.set_low_latency_mode(True)


def _set_lines(descriptor: int, *, raised: bool) -> None:
    """Raise or drop DTR and RTS; a pseudo terminal has none."""
    both = struct.pack("i", termios.TIOCM_DTR | termios.TIOCM_RTS)
    try:
        fcntl.ioctl(descriptor, termios.TIOCMBIS if raised else termios.TIOCMBIC, both)
    except OSError as error:
        if error.errno != errno.ENOTTY:
            raise


def _intruder(path: str) -> tuple[int, str]:
    """Another process on the port that does not lock it, such as a modem manager: it would eat our bytes.

    A pseudo terminal is left out: whoever made it keeps it open by right.
    """
    if os.major(os.stat(path).st_rdev) in _PTY_MAJORS:
        return 0, ""
    return open_holder(path)


class SerialStream:
    """One opening of one port."""

    def __init__(self, port: serial.Serial, path: str, handler: StreamHandler) -> None:
        self._port = port
        self._path = path
        self._handler: StreamHandler | None = handler
        self._loop = asyncio.get_running_loop()
        self._fd: int = port.fileno()
        self._unsent = bytearray()
        self._open = True
        os.set_blocking(self._fd, False)
        self._loop.add_reader(self._fd, self._read)

    def _read(self) -> None:
        try:
            data = os.read(self._fd, READ_BYTES)
        except (BlockingIOError, InterruptedError):
            return
        except GONE as error:
            self._lose(str(error))
            return
        if not data:
            self._lose("end of file")
        elif self._handler is not None:
            self._handler.received(data)

    def write(self, data: bytes) -> None:
        """Send bytes; what the line does not take now follows when it does."""
        if not self._open or not data:
            return
        waiting = bool(self._unsent)
        self._unsent += data
        if not waiting:
            self._write()
            if self._open and self._unsent:
                self._loop.add_writer(self._fd, self._write)

    def _write(self) -> None:
        try:
            sent = os.write(self._fd, self._unsent)
        except (BlockingIOError, InterruptedError):
            return
        except GONE as error:
            self._lose(str(error))
            return
        del self._unsent[:sent]
        if not self._unsent:
            self._loop.remove_writer(self._fd)

    def _lose(self, reason: str) -> None:
        self._shut()
        # From the loop, because the caller of ``write`` is not prepared for it.
        self._loop.call_soon(self._tell, PortGone(self._path, reason))

    def _tell(self, error: PortGone) -> None:
        if self._handler is not None:
            self._handler.lost(error)

    def close(self) -> None:
        """Close the port; its lock goes with it."""
        self._handler = None
        self._shut()

    def _shut(self) -> None:
        if not self._open:
            return
        self._open = False
        self._loop.remove_reader(self._fd)
        self._loop.remove_writer(self._fd)
        self._unsent.clear()
        with contextlib.suppress(*GONE):  # it may be gone already, which is what was wanted
            self._port.close()
