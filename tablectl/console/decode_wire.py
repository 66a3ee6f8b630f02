"""Raw bytes of a wire cut into frames and damage, each with its place; the reader of `tablectl decode`.

The sessions' own reader only counts what it drops. This one says of every piece where it was and what was
wrong with it. It holds no more than one frame, whatever it is fed.
"""

from __future__ import annotations

from dataclasses import dataclass

from protocols.atp.frame import MAX_STUFFED, Frame, unstuff
from protocols.errors import FrameError

ENDLESS = 4096  # bytes without a delimiter after which a piece is reported before it ends
TYPE_PLACE = 2  # of the type in an unstuffed frame


@dataclass(frozen=True, slots=True)
class Piece:
    """What stood between two delimiters: a good ``frame``, or the reason why it is none."""

    offset: int  # of its first byte in the stream
    size: int  # bytes, delimiters left out
    frame: Frame | None = None
    flaw: str = ""
    would_be: int | None = None  # type of a frame of which only the checksum is wrong


class Cutter:
    """Cuts bytes, in pieces of any size, at the delimiters."""

    def __init__(self) -> None:
        self._pending = b""
        self._overlong = 0  # bytes of a piece too long for a frame, already thrown away
        self._at = 0  # offset of the first byte not reported yet

    def feed(self, data: bytes) -> list[Piece]:
        """The pieces completed by ``data``, in order."""
        *ended, self._pending = (self._pending + data).split(b"\0")
        found = [piece for stuffed in ended for piece in self._ended(stuffed)]
        if len(self._pending) > MAX_STUFFED:  # no frame is this long: only its length matters from here
            self._overlong += len(self._pending)
            self._pending = b""
        if self._overlong >= ENDLESS:
            found.append(self._take(self._overlong, "too long"))
            self._overlong = 0
        return found

    def end(self) -> list[Piece]:
        """What no delimiter ended."""
        size = self._overlong + len(self._pending)
        self._overlong, self._pending = 0, b""
        return [self._take(size, "unfinished")] if size else []

    def _ended(self, stuffed: bytes) -> list[Piece]:
        size = self._overlong + len(stuffed)
        if self._overlong:
            self._overlong = 0
            found = [self._take(size, "too long")]
        else:
            found = [self._read(stuffed)] if stuffed else []
        self._at += 1  # the delimiter
        return found

    def _read(self, stuffed: bytes) -> Piece:
        try:
            frame = Frame.from_bytes(stuffed)
        except FrameError as error:
            would_be = unstuff(stuffed)[TYPE_PLACE] if error.reason == "checksum" else None
            return self._take(len(stuffed), error.reason, would_be=would_be)
        return self._take(len(stuffed), frame=frame)

    def _take(
        self, size: int, flaw: str = "", *, frame: Frame | None = None, would_be: int | None = None
    ) -> Piece:
        piece = Piece(self._at, size, frame, flaw, would_be)
        self._at += size
        return piece
