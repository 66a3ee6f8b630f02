"""Faults of the line: frames made, numbered, cut and taken wrongly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from protocols.atp import messages as m
from protocols.atp.board import BoardApp
from protocols.atp.codec import Message
from protocols.atp.dictionary import LIMITS
from protocols.atp.endpoint import VERSION
from protocols.atp.frame import MAX_STUFFED, Frame
from sim.faulty.session import Tampered, frame_in, message_in

CLOCK_BYTES, EARLY_WRAP, SOME = 8, 100, 9
SHORT_OF_PATIENCE, LATE = 0.2, 0.4  # seconds


class BigEndian(Tampered):
    """The clock's microseconds are sent with the highest byte first."""

    def tell(self, message: Message) -> Iterable[Message]:
        if isinstance(message, m.Clock):
            turned = int.from_bytes(message.board_us.to_bytes(CLOCK_BYTES, "little"), "big")
            return [replace(message, board_us=turned)]
        return [message]


class Flagged(Tampered):
    """A flag is set in every frame."""

    def dress(self, frame: Frame) -> bytes:
        return frame._replace(version=frame.version | 0x10).to_bytes()


class MindsFlags(Tampered):
    """Frames with flags are taken for another version's."""

    def admit(self, piece: bytes, frame: Frame | None, now: float) -> bool:
        return frame is None or piece[1] == frame.version


class CounterStuck(Tampered):
    """The frame counter never goes up."""

    def dress(self, frame: Frame) -> bytes:
        return frame._replace(counter=0).to_bytes()


class CounterWrapsEarly(Tampered):
    """The frame counter begins anew after a hundred."""

    def dress(self, frame: Frame) -> bytes:
        return frame._replace(counter=frame.counter % EARLY_WRAP).to_bytes()


class CounterMinded(Tampered):
    """A frame whose counter is not the next one is dropped as a repetition."""

    last = -1

    def admit(self, piece: bytes, frame: Frame | None, now: float) -> bool:
        if frame is None:
            return True
        new = frame.counter != self.last
        self.last = frame.counter
        return new


class WrongChecksums(Tampered):
    """Now and then a frame goes out with a wrong checksum."""

    count = 0

    def dress(self, frame: Frame) -> bytes:
        self.count += 1
        data = bytearray(frame.to_bytes())
        if self.count % SOME == 0:
            data[-2] = data[-2] ^ 0x2A or 0x2B
        return bytes(data)


class NoLeadingZero(Tampered):
    """Frames end with a zero and begin with none."""

    def dress(self, frame: Frame) -> bytes:
        return frame.to_bytes()[1:]


class SwallowsAfterNoise(Tampered):
    """The frame behind a damaged piece is lost as well."""

    damaged = False

    def admit(self, piece: bytes, frame: Frame | None, now: float) -> bool:
        lost, self.damaged = self.damaged, frame is None
        return not lost


class TimesOutInside(Tampered):
    """A frame that pauses in its middle is given up."""

    heard = 0.0

    def receive(self, data: bytes, now: float) -> None:
        if self._piece and now - self.heard > SHORT_OF_PATIENCE:
            self._piece = b""
        self.heard = now
        super().receive(data, now)


class OneByteBuffer(Tampered):
    """Bytes that come one by one are lost."""

    def receive(self, data: bytes, now: float) -> None:
        if len(data) > 1:
            super().receive(data, now)


class SmallPackets(Tampered):
    """What does not fit a packet of 64 bytes is cut off."""

    def receive(self, data: bytes, now: float) -> None:
        super().receive(data[:64], now)


class Overflows(Tampered):
    """A piece that is too long leaves the receiver out of step for some frames."""

    losing = 0

    def receive(self, data: bytes, now: float) -> None:
        if len(self._piece) + len(data.split(b"\0")[0]) > MAX_STUFFED:
            self.losing = 3
        super().receive(data, now)

    def admit(self, piece: bytes, frame: Frame | None, now: float) -> bool:
        self.losing -= 1
        return self.losing < 0


class StrictLength(Tampered):
    """A body that is longer than known is thrown away."""

    def admit(self, piece: bytes, frame: Frame | None, now: float) -> bool:
        message = message_in(frame)
        return frame is None or message is None or len(frame.body) <= message.LAYOUT.size


class StrictShortness(Tampered):
    """A body that is shorter than known is thrown away."""

    def admit(self, piece: bytes, frame: Frame | None, now: float) -> bool:
        message = message_in(frame)
        return frame is None or message is None or len(frame.body) >= message.LAYOUT.size


class AnswersNonsense(Tampered):
    """A type nobody knows is answered with a beat."""

    def admit(self, piece: bytes, frame: Frame | None, now: float) -> bool:
        if frame is not None and frame.version == VERSION and message_in(frame) is None:
            self._end.send(m.Stopped())
        return True


class AnyVersion(Tampered):
    """Frames of other versions are taken for this one's."""

    def receive(self, data: bytes, now: float) -> None:
        frames = (frame_in(piece) for piece in data.split(b"\0") if piece)
        whole = [frame for frame in frames if frame is not None]
        if data[:1] == b"\0" == data[-1:] and whole:
            data = b"".join(frame._replace(version=VERSION).to_bytes() for frame in whole)
        super().receive(data, now)


class OnlyThisVersion(Tampered):
    """A hello in a frame of another version is ignored."""

    def admit(self, piece: bytes, frame: Frame | None, now: float) -> bool:
        return frame is None or frame.version == VERSION


class ArguesBack(Tampered):
    """ERROR is answered with ERROR."""

    def admit(self, piece: bytes, frame: Frame | None, now: float) -> bool:
        if isinstance(message_in(frame), m.Error):
            self._end.send(m.Error(m.ErrorCode.UNKNOWN_TYPE, m.Error.TYPE))
        return True


class AnswersOnce(Tampered):
    """A question that was answered is taken for a repetition and ignored."""

    last = b""

    def admit(self, piece: bytes, frame: Frame | None, now: float) -> bool:
        message = message_in(frame)
        if frame is None or not isinstance(
            message, m.StatusAsk | m.ClockAsk | m.IdentityAsk | m.AbilitiesAsk
        ):
            return True
        body = bytes([frame.type]) + frame.body
        new, self.last = body != self.last, body
        return new


class Late(Tampered):
    """Answers to questions leave four tenths of a second later."""

    def __init__(self, app: BoardApp, now: float) -> None:
        super().__init__(app, now)
        self._kept: list[tuple[float, Frame]] = []

    def say(self, frame: Frame, now: float) -> Iterable[Frame]:
        if message_in(frame) is not None and frame.type in (m.Clock.TYPE, m.Status.TYPE):
            self._kept.append((now + LATE, frame))
            return []
        return [frame]

    def outgoing(self, now: float) -> bytes:
        data = super().outgoing(now)
        ready = [frame for at, frame in self._kept if at <= now]
        self._kept = [(at, frame) for at, frame in self._kept if at > now]
        return data + b"".join(self.dress(frame) for frame in ready)

    def due(self) -> float | None:
        due = super().due()
        return min([at for at, _ in self._kept] + ([due] if due is not None else []), default=None)


class DeafToOnePart(Tampered):
    """The fourth part of the identity is never told."""

    def admit(self, piece: bytes, frame: Frame | None, now: float) -> bool:
        message = message_in(frame)
        return not (isinstance(message, m.IdentityAsk) and message.part == LIMITS.window)


class ChangingIdentity(Tampered):
    """The serial number is another one each time it is asked for."""

    count = 0

    def tell(self, message: Message) -> Iterable[Message]:
        if isinstance(message, m.Identity) and message.part == 3:
            self.count += 1
            return [replace(message, data=b"%d" % self.count)]
        return [message]
