"""Wire traffic kept byte for byte: which way, when, and the bytes themselves, never as text.

``ATPWIRE1`` and then one entry a read: direction (u8), µs since the start (u64), length (u16), bytes; all
little-endian. A capture that ends in the middle of an entry was cut off: the whole entries count.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from enum import IntEnum
from typing import BinaryIO, NamedTuple

from protocols.errors import CaptureError

MAGIC = b"ATPWIRE1"
_ENTRY = struct.Struct("<BQH")
LONGEST = 0xFFFF  # bytes of one entry


class Way(IntEnum):
    """Which way bytes went."""

    TO_BOARD = 0
    TO_HOST = 1


class Chunk(NamedTuple):
    """Bytes that were read at once, ``us`` µs after the start."""

    way: Way
    us: int
    data: bytes


class CaptureWriter:
    """Appends to a file what passes; whoever owns the file flushes and closes it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        file.write(MAGIC)

    def write(self, way: Way, us: int, data: bytes) -> None:
        """Keep some bytes."""
        for start in range(0, len(data), LONGEST):
            piece = data[start : start + LONGEST]
            self._file.write(_ENTRY.pack(way, us, len(piece)) + piece)


def is_capture(head: bytes) -> bool:
    """True if a file that begins so is a capture of this form."""
    return head.startswith(MAGIC)


def read_capture(file: BinaryIO) -> Iterator[Chunk]:
    """The chunks in order. Raises ``CaptureError`` for a file that is no capture, or is damaged."""
    if file.read(len(MAGIC)) != MAGIC:
        raise CaptureError(0, "it is no capture of wire traffic")
    at = len(MAGIC)
    while len(head := file.read(_ENTRY.size)) == _ENTRY.size:
        way, us, length = _ENTRY.unpack(head)
        if way not in (Way.TO_BOARD, Way.TO_HOST):
            raise CaptureError(at, f"direction {way} is none")
        data = file.read(length)
        if len(data) < length:
            return
        yield Chunk(Way(way), us, data)
        at += _ENTRY.size + length
