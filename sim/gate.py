"""What can happen to frames in one direction: lost, doubled, damaged, stopped in the middle, all mute.

Bytes pass untouched while nothing is asked for. Frames keep their order; a pause holds all that follows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from random import Random

from protocols.atp.frame import Frame
from protocols.errors import FrameError
from sim.timebase import TableTimer

EDGE = b"\0"
BITS = 8
Piece = bytes | float  # bytes to deliver, or seconds to wait
Mischief = Callable[[bytes], Iterable[Piece]]


def lose(frame: bytes) -> Iterable[Piece]:
    """It never arrives."""
    return ()


def double(frame: bytes) -> Iterable[Piece]:
    """It arrives twice."""
    return (frame, frame)


def damage(rng: Random, bits: int) -> Mischief:
    """A burst turns over so many neighbouring bits."""

    def spoil(frame: bytes) -> Iterable[Piece]:
        spoilt = bytearray(frame)
        first = rng.randrange(max(1, len(frame) * BITS - bits))
        for bit in range(first, min(first + bits, len(frame) * BITS)):
            if rng.random() < 0.5 or bit == first:
                spoilt[bit // BITS] ^= 1 << bit % BITS
        return (bytes(spoilt),)

    return spoil


def halt(seconds: float) -> Mischief:
    """It stops in its middle for so long."""

    def cut(frame: bytes) -> Iterable[Piece]:
        middle = len(frame) // 2
        return (frame[:middle], seconds, frame[middle:])

    return cut


class Gate:
    """One direction. ``deliver`` takes the bytes on; ``timer`` gives the time of the wire."""

    def __init__(self, deliver: Callable[[bytes], None], timer: TableTimer) -> None:
        self._deliver = deliver
        self._timer = timer
        self._waiting: deque[Mischief] = deque()
        self._queue: deque[Piece] = deque()
        self._part = b""  # of a frame that is not complete yet
        self._held = self._mute = False
        self.frames = 0
        self.harmed = 0  # frames to which something was done
        self.swallowed = 0  # bytes lost while mute
        self._left_out: frozenset[int] = frozenset()  # types that do not pass for now
        self.on_frame: Callable[[int], None] | None = None

    def next_frames(self, mischief: Mischief, times: int = 1) -> None:
        """Do this to the next frames."""
        self._waiting.extend([mischief] * times)

    def mute(self, seconds: float) -> None:
        """Nothing passes for so long; it is lost."""
        self._mute = True
        self._timer.call_later(seconds, self._unmute)

    def leave_out(self, types: frozenset[int], seconds: float) -> None:
        """Messages of these types are lost for so long."""
        self._left_out = types
        self._timer.call_later(seconds, self._leave_nothing_out)

    def _leave_nothing_out(self) -> None:
        self._left_out = frozenset()

    def _unmute(self) -> None:
        self._mute = False

    def send(self, data: bytes) -> None:
        """Take bytes on their way."""
        if self.on_frame is not None:
            for _ in range(data.count(EDGE) // 2):
                self.frames += 1
                self.on_frame(self.frames)
        if self._mute:
            self.swallowed += len(data)
        elif self._waiting or self._part or self._left_out:
            self._each(data)
        elif self._held:
            self._queue.append(data)
        else:
            self._deliver(data)

    def _each(self, data: bytes) -> None:
        *whole, self._part = (self._part + data).split(EDGE)
        for piece in whole:
            if piece:
                self._frame(EDGE + piece + EDGE)
        if self._part and not (self._waiting or self._left_out):  # nobody waits for the rest of it
            self._queue.append(EDGE + self._part)
            self._part = b""
        self._flush()

    def _frame(self, frame: bytes) -> None:
        if self._left_out and type_of(frame) in self._left_out:
            self.harmed += 1
        elif self._waiting:
            self.harmed += 1
            self._queue.extend(self._waiting.popleft()(frame))
        else:
            self._queue.append(frame)

    def _flush(self) -> None:
        while self._queue and not self._held:
            piece = self._queue.popleft()
            if isinstance(piece, bytes):
                self._deliver(piece)
            else:
                self._held = True
                self._timer.call_later(piece, self._go_on)

    def _go_on(self) -> None:
        self._held = False
        self._flush()


def type_of(frame: bytes) -> int | None:
    """The message type of a frame with its delimiters; None for rubbish."""
    try:
        return Frame.from_bytes(frame.strip(EDGE)).type
    except FrameError:
        return None
