"""Frames: what goes in comes out, and whatever is between frames stays out."""

from __future__ import annotations

import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.atp.frame import MAX_BODY, MAX_STUFFED, Frame, FrameReader, stuff, unstuff
from protocols.driver import Counters
from protocols.errors import FrameError

FRAMES = st.builds(Frame, st.just(1), st.integers(0, 255), st.integers(0, 255), st.binary(max_size=MAX_BODY))
GOOD = Frame(1, 7, 0x20, b"\x00\x01\xff\x00")


def read(data: bytes, size: int = 0) -> tuple[list[Frame], Counters]:
    """What a reader makes of bytes, whole or in pieces of ``size``."""
    counters = Counters()
    reader = FrameReader(counters)
    size = size or max(1, len(data))
    frames = [f for at in range(0, len(data), size) for f in reader.feed(data[at : at + size])]
    return frames, counters


@pytest.mark.parametrize(
    ("plain", "stuffed"),
    [
        pytest.param(b"", b"\x01", id="nothing"),
        pytest.param(b"\x00", b"\x01\x01", id="one zero"),
        pytest.param(b"\x00\x00", b"\x01\x01\x01", id="two zeros"),
        pytest.param(b"\x11\x22\x00\x33", b"\x03\x11\x22\x02\x33", id="zero inside"),
        pytest.param(b"\x11\x00\x00\x00", b"\x02\x11\x01\x01\x01", id="zeros at the end"),
        pytest.param(bytes(range(1, 255)), b"\xff" + bytes(range(1, 255)), id="longest run"),
    ],
)
def test_cobs_is_that_of_the_literature(plain: bytes, stuffed: bytes) -> None:
    assert stuff(plain) == stuffed
    assert unstuff(stuffed) == plain


@given(st.binary(max_size=254))
def test_cobs_has_no_zero_and_comes_back(data: bytes) -> None:
    assert 0 not in stuff(data)
    assert unstuff(stuff(data)) == data


def test_checksum_is_that_of_the_spec() -> None:
    assert zlib.crc32(b"123456789") == 0xCBF43926


@given(FRAMES)
def test_frame_comes_back(frame: Frame) -> None:
    assert read(frame.to_bytes()) == ([frame], Counters())


def test_a_frame_at_its_largest_fits() -> None:
    frame = Frame(1, 1, 1, b"\x55" * MAX_BODY)
    assert len(frame.to_bytes()) == MAX_STUFFED + 2
    assert read(frame.to_bytes())[0] == [frame]


def test_a_body_too_long_is_refused() -> None:
    with pytest.raises(FrameError, match="too long"):
        Frame(1, 1, 1, bytes(MAX_BODY + 1)).to_bytes()


@pytest.mark.report("B010")
@given(st.lists(FRAMES, max_size=5), st.integers(1, 40))
def test_pieces_of_any_size_give_the_same_frames(frames: list[Frame], size: int) -> None:
    data = b"".join(frame.to_bytes() for frame in frames)
    assert read(data, size) == (frames, Counters())


@pytest.mark.report("B010")
def test_a_lost_second_half_costs_one_frame_and_no_more() -> None:
    half = GOOD.to_bytes()[:6]
    frames, counters = read(half + GOOD.to_bytes() + GOOD.to_bytes(), 1)
    assert frames == [GOOD, GOOD]
    assert (counters.crc_errors, counters.bad_bytes) == (1, 5)


@pytest.mark.report("B005")
@pytest.mark.parametrize("text", [b"resend: stopped\r\n", b"ACCEPTED 5 hours\n", b"\x01boot v1.2 ok\r\n"])
def test_human_text_is_dropped_and_counted(text: bytes) -> None:
    frames, counters = read(GOOD.to_bytes() + text + GOOD.to_bytes())
    assert frames == [GOOD, GOOD]
    assert (counters.crc_errors, counters.bad_bytes) == (1, len(text))


@pytest.mark.report("B011")
@pytest.mark.parametrize(
    "noise",
    [
        pytest.param(b"\xff" * 400, id="a run of ff"),
        pytest.param(random.Random(3).randbytes(300).replace(b"\0", b"\1"), id="random without zeros"),
        pytest.param(random.Random(4).randbytes(300), id="random"),
        pytest.param(GOOD.to_bytes()[: len(GOOD.to_bytes()) // 2], id="half a frame"),
        pytest.param(b"\0" * 50, id="zeros only"),
    ],
)
def test_noise_glued_to_a_frame_costs_only_the_noise(noise: bytes) -> None:
    frames, counters = read(noise + GOOD.to_bytes())
    assert frames == [GOOD]
    assert counters.bad_bytes == len(noise.replace(b"\0", b""))


@given(FRAMES, st.integers(0, 10_000), st.integers(1, 255))
def test_one_changed_byte_is_never_accepted(frame: Frame, place: int, change: int) -> None:
    data = bytearray(frame.to_bytes())
    inner = 1 + place % (len(data) - 2)
    data[inner] ^= change
    assert read(bytes(data))[0] == []


@given(
    FRAMES, FRAMES, st.integers(0, 10_000), st.sampled_from(["change", "drop", "insert"]), st.integers(1, 255)
)
def test_after_damage_the_next_frame_is_read(a: Frame, b: Frame, place: int, kind: str, byte: int) -> None:
    damaged = bytearray(a.to_bytes())
    place = 1 + place % (len(damaged) - 1)
    if kind == "change":
        damaged[place] ^= byte
    elif kind == "drop":
        del damaged[place]
    else:
        damaged.insert(place, byte)
    assert b in read(bytes(damaged) + b.to_bytes())[0]


@given(st.binary(max_size=600))
def test_no_bytes_make_the_reader_raise(data: bytes) -> None:
    frames, counters = read(data, 7)
    assert len(frames) + counters.crc_errors <= data.count(0)
