"""A line with a board at its other end: every frame in and out kept with its time, damage and all.

It sends what it is told, right or wrong, and repeats nothing. What a message means is the bench's business.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from protocols.atp.codec import Message
from protocols.atp.dictionary import DICTIONARY
from protocols.atp.endpoint import message_of
from protocols.atp.frame import MAX_STUFFED, Frame
from protocols.errors import FrameError, TransportError
from protocols.transports.base import Opener, Stream

VERSION = DICTIONARY.version
BITS_PER_BYTE = 10  # start, eight data, stop
EDGE = b"\0"


class Heard(NamedTuple):
    """A good frame of the board. ``begun`` is when its first byte came, ``at`` its last; ``edges`` counts the
    zeros since the frame before; ``flags`` are the upper half of its first byte."""

    at: float
    begun: float
    edges: int
    flags: int
    frame: Frame
    message: Message | None


class Said(NamedTuple):
    """A frame to the board."""

    at: float
    frame: Frame


class Wire:
    """One opening of a port, a ``StreamHandler``. Times are the loop's."""

    def __init__(self, opener: Opener) -> None:
        self._opener = opener
        self._loop = asyncio.get_running_loop()
        self._stream: Stream | None = None
        self._news = asyncio.Event()
        self._piece = bytearray()  # since the last zero
        self._begun = 0.0
        self._edges = 0
        self._counter = 0
        self._error: TransportError | None = None
        self._over = False
        self.heard: list[Heard] = []
        self.said: list[Said] = []
        self.damaged: list[tuple[float, bytes]] = []
        self.longest = 0  # bytes between two zeros
        self.spoke = self._loop.time()  # when we last sent anything
        self.on_heard: Callable[[Heard], None] = lambda heard: None

    async def open(self) -> None:
        """Open the port. Raises ``TransportError``."""
        self._stream = await self._opener(self)

    def close(self) -> None:
        """Close it."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()

    def now(self) -> float:
        """The loop's time."""
        return self._loop.time()

    # ---- in ------------------------------------------------------------------------------------------

    def received(self, data: bytes) -> None:
        """Bytes of the board."""
        for index, part in enumerate(data.split(EDGE)):
            if index:
                self._cut()
            if part:
                if not self._piece:
                    self._begun = self.now()
                self._piece += part
        self._news.set()

    def _cut(self) -> None:
        """A zero: what came before it is a frame, or nothing."""
        piece, self._piece = bytes(self._piece), bytearray()
        self._edges += 1
        if not piece:
            return
        self.longest = max(self.longest, len(piece))
        try:
            frame = Frame.from_bytes(piece)
        except FrameError:
            self.damaged.append((self.now(), piece))
            self._edges = 0
            return
        flags = _first_byte(piece) >> 4
        heard = Heard(self.now(), self._begun, self._edges, flags, frame, message_of(frame))
        self._edges = 0
        self.heard.append(heard)
        self.on_heard(heard)

    def lost(self, error: TransportError | None) -> None:
        """The port is gone."""
        self._stream, self._error, self._over = None, error, True
        self._news.set()

    def check(self) -> None:
        """Raise the ``TransportError`` that ended the line, if one did."""
        if self._over:
            raise self._error or TransportError("The board's end of the line was closed.")

    # ---- out -----------------------------------------------------------------------------------------

    def frame(
        self, message: Message, *, version: int = VERSION, extra: bytes = b"", length: int | None = None
    ) -> Frame:
        """The next frame with this message; ``extra`` bytes behind its body, or only ``length`` of it."""
        counter, self._counter = self._counter, self._counter + 1 & 0xFF
        return Frame(version, counter, message.TYPE, message.to_bytes()[:length] + extra)

    def send(self, message: Message, **shape: int | bytes) -> None:
        """Send a message; ``shape`` as in ``frame``."""
        self.send_frame(self.frame(message, **shape))  # type: ignore[arg-type]

    def send_frame(self, frame: Frame) -> None:
        """Send a frame as it is."""
        self.said.append(Said(self.now(), frame))
        self.send_bytes(frame.to_bytes())

    def send_bytes(self, data: bytes) -> None:
        """Send anything."""
        self.check()
        self.spoke = self.now()
        if self._stream is not None:
            self._stream.write(data)

    # ---- waiting -------------------------------------------------------------------------------------

    async def until(self, wanted: Callable[[Heard], bool], deadline: float, since: int = 0) -> Heard | None:
        """The first wanted frame from index ``since`` on, None at the deadline. Raises ``TransportError``."""
        while True:
            while since < len(self.heard):
                if wanted(self.heard[since]):
                    return self.heard[since]
                since += 1
            if not await self.news(deadline):
                return None

    async def news(self, deadline: float) -> bool:
        """Wait for bytes; False at the deadline. Raises ``TransportError``."""
        self.check()
        if self.now() >= deadline:
            return False
        self._news.clear()
        try:
            async with asyncio.timeout_at(deadline):
                await self._news.wait()
        except TimeoutError:
            return False
        self.check()
        return True

    async def listen(self, seconds: float) -> int:
        """Hear whatever comes for so long; the index of the first of it."""
        since, deadline = len(self.heard), self.now() + seconds
        while await self.news(deadline):
            pass
        return since


def _first_byte(piece: bytes) -> int:
    """Version and flags of a stuffed frame: a first code of 1 stands for a zero there."""
    return piece[1] if piece[0] > 1 else 0


def line_seconds(size: int, baud: int) -> float:
    """How long so many bytes are under way, stuffing and delimiters included; 0 without a known speed."""
    return min(size + 4, MAX_STUFFED) * BITS_PER_BYTE / baud if baud else 0.0
