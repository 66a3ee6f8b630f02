"""What a file holds of a wire: raw bytes as they were on it, or a capture of `tablectl record`.

A capture knows when each byte passed and which way; raw bytes only what they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from protocols.capture import MAGIC, Way, is_capture, read_capture
from tablectl.api.errors import BadArgument

from .decode_wire import Cutter, Piece
from .width import clean

CHUNK = 65536
US = 1_000_000
SENDERS = {Way.TO_BOARD: "host", Way.TO_HOST: "board"}


class Heard(NamedTuple):
    """A piece, when it was complete (seconds since listening began) and who sent it, where that is known."""

    piece: Piece
    seconds: float | None = None
    sender: str = ""


def heard_in(path: Path) -> Iterator[Heard]:
    """The pieces of a file, which may be larger than the memory.

    Raises ``BadArgument`` if it cannot be read, ``CaptureError`` where a capture is damaged.
    """
    try:
        with path.open("rb") as file:
            head = file.peek(len(MAGIC))
            yield from captured(file) if is_capture(head) else raw(file)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadArgument("bad.file", path=clean(str(path)), reason=reason) from None


def raw(file: BinaryIO) -> Iterator[Heard]:
    """One direction, or both mixed."""
    cutter = Cutter()
    while data := file.read(CHUNK):
        yield from map(Heard, cutter.feed(data))
    yield from map(Heard, cutter.end())


def captured(file: BinaryIO) -> Iterator[Heard]:
    """Both directions, each cut for itself."""
    cutters = {way: Cutter() for way in Way}
    seconds = 0.0
    for way, us, data in read_capture(file):
        seconds = us / US
        for piece in cutters[way].feed(data):
            yield Heard(piece, seconds, SENDERS[way])
    for way, cutter in cutters.items():
        for piece in cutter.end():
            yield Heard(piece, seconds, SENDERS[way])
