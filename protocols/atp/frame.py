"""Frames: how a message body travels over a byte stream that damages bytes.

    0x00 | COBS( version and flags u8 | frame counter u8 | type u8 | body | CRC-32 u32 ) | 0x00

COBS removes every zero from the inside, so a zero byte is always an edge between frames and a receiver is
in step again at the next one after any damage. The zero in front keeps noise that arrived on an idle line
from being glued to the frame. Damage it recovers from: changed, lost and inserted bytes, text of a boot
loader, halves of frames. It never guesses: a frame whose checksum is wrong is dropped and counted.
"""

from __future__ import annotations

import zlib
from typing import NamedTuple

from protocols.atp.dictionary import DICTIONARY
from protocols.driver import Counters
from protocols.errors import FrameError

_RULES = DICTIONARY.frame
_LEAST = _RULES.header_bytes + _RULES.crc_bytes
_HEADER, _CRC = _RULES.header_bytes, -_RULES.crc_bytes  # where the body begins and ends
_RESIDUE = 0x2144DF1C  # CRC-32 of anything followed by its own CRC-32
MAX_BODY = _RULES.max_bytes - _LEAST
MAX_STUFFED = _RULES.max_bytes + 1  # COBS adds one byte to anything that short
VERSION_MASK = 0x0F  # the upper half of the first byte is flags, all zero in version 1
_CODES = [bytes((length + 1,)) for length in range(MAX_STUFFED)]  # what stands before a run of that length


def stuff(data: bytes) -> bytes:
    """COBS of at most 254 bytes: each zero-free run behind its length plus one."""
    return b"".join([_CODES[len(run)] + run for run in data.split(b"\0")])


def unstuff(data: bytes) -> bytes:
    """The bytes a COBS block stands for. Raises ``FrameError`` when it is none."""
    out = bytearray(data)
    at, end = 0, len(out)
    while at < end:
        step = out[at]
        if not step:
            break
        out[at] = 0  # each code is the zero before its run; the first is none
        at += step
    if at != end:
        raise FrameError("stuffing", data)
    return bytes(out[1:])


class Frame(NamedTuple):
    """One frame, its checksum already found right or not yet made."""

    version: int
    counter: int
    type: int
    body: bytes

    def to_bytes(self) -> bytes:
        """The bytes on the wire, delimiters included."""
        if len(self.body) > MAX_BODY:
            raise FrameError("body too long", self.body)
        inside = bytes((self.version, self.counter, self.type)) + self.body
        crc = zlib.crc32(inside).to_bytes(-_CRC, "little")
        return b"\0" + stuff(inside + crc) + b"\0"

    @classmethod
    def from_bytes(cls, stuffed: bytes) -> Frame:
        """The frame between two delimiters. Raises ``FrameError`` for anything damaged."""
        if len(stuffed) > MAX_STUFFED:
            raise FrameError("too long", stuffed)
        data = unstuff(stuffed)
        if len(data) < _LEAST:
            raise FrameError("too short", stuffed)
        if zlib.crc32(data) != _RESIDUE:
            raise FrameError("checksum", stuffed)
        return cls(data[0] & VERSION_MASK, data[1], data[2], data[_HEADER:_CRC])


class FrameReader:
    """Turns bytes, in pieces of any size, into frames; counts what is dropped."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self._pending = b""
        self._overlong = 0  # bytes of an endless piece already thrown away

    def feed(self, data: bytes) -> list[Frame]:
        """The frames completed by ``data``, in order."""
        *pieces, self._pending = (self._pending + data).split(b"\0")
        frames = []
        for piece in pieces:
            if self._overlong:
                self._drop(self._overlong + len(piece))
                self._overlong = 0
            elif piece:
                try:
                    frames.append(Frame.from_bytes(piece))
                except FrameError:
                    self._drop(len(piece))
        if len(self._pending) > MAX_STUFFED:  # no frame is this long: wait for the next delimiter
            self._overlong += len(self._pending)
            self._pending = b""
        return frames

    def _drop(self, length: int) -> None:
        self._counters.crc_errors += 1
        self._counters.bad_bytes += length
