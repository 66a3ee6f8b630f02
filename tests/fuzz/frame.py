"""Frames out of any bytes: COBS, length, checksum, and in step again with the very next frame."""

from __future__ import annotations

from protocols.atp.frame import MAX_BODY, MAX_STUFFED, Frame, FrameReader
from protocols.driver import Counters

GOOD = Frame(1, 7, 0x20, b"\x00\x01\xff\x00")
GOOD_BYTES = GOOD.to_bytes()


def one(data: bytes) -> None:
    """Nothing is raised, nothing damaged accepted, and the frame behind the damage is read."""
    counters = Counters()
    reader = FrameReader(counters)
    cut = len(data) * data[0] // 255 if data else 0
    frames = reader.feed(data[:cut]) + reader.feed(data[cut:])
    for frame in frames:
        # the flags, the upper half of the first byte, are ignored: a good frame with any of them is good
        written = (Frame(frame.version | flags << 4, *frame[1:]).to_bytes()[1:-1] for flags in range(16))
        assert any(piece in data for piece in written), "a frame nobody sent"
    assert len(reader._pending) <= MAX_STUFFED, "an endless piece fills the memory"
    assert counters.bad_bytes <= len(data)
    assert reader.feed(GOOD_BYTES)[-1:] == [GOOD], "the frame after the damage is lost"


def seeds() -> list[bytes]:
    """Frames, alone, together, at the largest, with text and noise between."""
    largest = Frame(1, 1, 1, b"\x55" * MAX_BODY).to_bytes()
    empty = Frame(1, 0, 2, b"").to_bytes()
    return [GOOD_BYTES, GOOD_BYTES * 2, largest, empty, GOOD_BYTES + b"boot v1.2 ok\r\n" + empty, bytes(9)]
