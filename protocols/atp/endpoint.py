"""One end of a wire: messages out as bytes, bytes in as messages, everything counted.

Both sessions own one. It knows frames and types, not what a message means.
"""

from __future__ import annotations

from typing import Literal

from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.atp.dictionary import DICTIONARY
from protocols.atp.frame import Frame, FrameReader
from protocols.driver import Counters

VERSION = DICTIONARY.version
# Greetings keep their layout in every version, so that strangers can tell each other their versions.
_ANY_VERSION = {m.HelloAsk.TYPE, m.Hello.TYPE, m.Error.TYPE}
_KINDS = {kind.TYPE: kind for kind in m.MESSAGES}


def message_of(frame: Frame) -> Message | None:
    """The message in a frame of either end; None for a type or version nobody here knows."""
    kind = _KINDS.get(frame.type)
    if kind is None or (frame.version != VERSION and frame.type not in _ANY_VERSION):
        return None
    return kind.from_bytes(frame.body)


class Endpoint:
    """Frames and unframes messages for one role."""

    def __init__(self, role: Literal["host", "board"], counters: Counters) -> None:
        self.counters = counters
        self._reader = FrameReader(counters)
        self._out = bytearray()
        self._sent = 0  # frame counter of the next frame
        self._heard: int | None = None  # frame counter of the newest frame of the peer
        # An echo of our own frames (RS-485) is of a type no peer would send, so it is not taken for one.
        self._own = {kind.TYPE for kind in m.MESSAGES if kind.LAYOUT.row.direction == role}

    def send(self, message: Message) -> None:
        """Queue a message behind what is already queued."""
        self._out += Frame(VERSION, self._sent, message.TYPE, message.to_bytes()).to_bytes()
        self._sent = self._sent + 1 & 0xFF
        self.counters.frames_sent += 1

    def drain(self) -> bytes:
        """The bytes to write now; they are no longer queued here."""
        if not self._out:
            return b""
        data = bytes(self._out)
        self._out.clear()
        self.counters.bytes_sent += len(data)
        return data

    @property
    def pending(self) -> bool:
        """True while bytes wait to be drained."""
        return bool(self._out)

    def discard(self) -> None:
        """Forget what is queued: the peer it was meant for is gone."""
        self._out.clear()

    def feed(self, data: bytes) -> list[Message]:
        """The messages completed by ``data``; what nobody knows is counted and left out."""
        counters = self.counters
        counters.bytes_received += len(data)
        found = []
        for frame in self._reader.feed(data):
            counters.frames_received += 1
            if self._heard is not None:
                counters.frames_missed += frame.counter - self._heard - 1 & 0xFF
            self._heard = frame.counter
            message = None if frame.type in self._own else message_of(frame)
            if message is None:
                counters.unknown += 1
            else:
                found.append(message)
        return found

    def forget_peer(self) -> None:
        """The peer began anew, its frame counter with it."""
        self._heard = None
