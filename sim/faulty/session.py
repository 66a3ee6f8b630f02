"""A board's session whose frames can be tampered with on their way in and out."""

from __future__ import annotations

from collections.abc import Iterable

from protocols.atp import messages as m
from protocols.atp.board import BoardApp, BoardSession
from protocols.atp.codec import Message
from protocols.atp.endpoint import message_of
from protocols.atp.frame import Frame
from protocols.errors import FrameError

EDGE = b"\0"


class Tampered(BoardSession):
    """The good session. A fault overrides one of ``admit``, ``say`` and ``dress``."""

    def __init__(self, app: BoardApp, now: float) -> None:
        super().__init__(app, now)
        self._piece = b""

    def receive(self, data: bytes, now: float) -> None:
        """Let each piece between two zeros in, or not."""
        *pieces, self._piece = (self._piece + data).split(EDGE)
        for piece in pieces:
            if piece and self.admit(piece, frame_in(piece), now):
                super().receive(EDGE + piece + EDGE, now)

    def admit(self, piece: bytes, frame: Frame | None, now: float) -> bool:
        """False to lose a piece; ``frame`` is None where it is damaged."""
        return True

    def outgoing(self, now: float) -> bytes:
        """What leaves, after ``say`` and ``dress``."""
        pieces = [piece for piece in super().outgoing(now).split(EDGE) if piece]
        frames = [frame for piece in pieces for frame in self.say(Frame.from_bytes(piece), now)]
        return b"".join(self.dress(frame) for frame in frames)

    def say(self, frame: Frame, now: float) -> Iterable[Frame]:
        """The frames sent for a frame."""
        message = message_of(frame)
        if message is None:
            return [frame]
        return [frame._replace(type=one.TYPE, body=one.to_bytes()) for one in self.tell(message)]

    def tell(self, message: Message) -> Iterable[Message]:
        """The messages sent for a message."""
        return [message]

    def dress(self, frame: Frame) -> bytes:
        """The bytes of a frame."""
        return frame.to_bytes()


def frame_in(piece: bytes) -> Frame | None:
    """The frame of a piece, None for damage."""
    try:
        return Frame.from_bytes(piece)
    except FrameError:
        return None


def message_in(frame: Frame | None) -> Message | None:
    """The message of a frame that came in."""
    return message_of(frame) if frame is not None else None


def is_order(message: Message | None) -> bool:
    """True for an order or a question about one."""
    return isinstance(message, m.Operate | m.Query)
