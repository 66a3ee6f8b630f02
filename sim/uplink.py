"""What leaves a board, and the faults that strike there: answers lost or late after the motion began."""

from __future__ import annotations

from collections.abc import Callable

from protocols.atp import messages as m
from protocols.atp.frame import Frame
from protocols.errors import FrameError
from sim.timebase import TableTimer

REPLIES = {kind.TYPE for kind in (m.Accepted, m.Refused, m.Progress, m.Done, m.Failed)}


class Uplink:
    """The stream a board's session writes to. ``line`` takes the bytes on to the endpoint."""

    def __init__(self, line: Callable[[bytes], None], wire_time: TableTimer) -> None:
        self._line = line
        self._timer = wire_time
        self._losing = 0
        self._late: float = 0.0
        self._late_left = 0
        self.on_reply: Callable[[], None] | None = None  # told before each answer to an order leaves

    def lose_replies(self, count: int = 1) -> None:
        """The next answers to orders never leave the board."""
        self._losing = count

    def delay_replies(self, seconds: float, count: int = 1) -> None:
        """The next answers to orders leave so much later (real seconds)."""
        self._late, self._late_left = seconds, count

    def write(self, data: bytes) -> None:
        """Send, or lose, or send later."""
        if not self._losing and not self._late_left and self.on_reply is None:
            self._line(data)
            return
        kept = bytearray()
        for frame in _frames(data):
            if not _is_reply(frame):
                kept += frame
                continue
            if self.on_reply is not None:
                self.on_reply()
            if self._losing:
                self._losing -= 1
            elif self._late_left:
                self._late_left -= 1
                self._send_later(frame)
            else:
                kept += frame
        if kept:
            self._line(bytes(kept))

    def close(self) -> None:
        """The session is over; the line stays."""

    def _send_later(self, frame: bytes) -> None:
        self._timer.call_later(self._late, lambda: self._line(frame))


def _frames(data: bytes) -> list[bytes]:
    """The frames in what a session wrote, each with its delimiters."""
    return [b"\0" + piece + b"\0" for piece in data.split(b"\0") if piece]


def _is_reply(frame: bytes) -> bool:
    try:
        return Frame.from_bytes(frame.strip(b"\0")).type in REPLIES
    except FrameError:
        return False
