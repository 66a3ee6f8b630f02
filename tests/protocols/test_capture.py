"""Captures: what went in comes out, and what is no capture says so."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.capture import MAGIC, CaptureWriter, Chunk, Way, is_capture, read_capture
from protocols.errors import CaptureError

CHUNKS = st.lists(
    st.builds(Chunk, st.sampled_from(Way), st.integers(0, 2**63), st.binary(min_size=1, max_size=300))
)


def written(chunks: list[Chunk]) -> bytes:
    file = io.BytesIO()
    writer = CaptureWriter(file)
    for chunk in chunks:
        writer.write(*chunk)
    return file.getvalue()


@given(CHUNKS)
def test_what_went_in_comes_out(chunks):
    data = written(chunks)
    assert is_capture(data)
    assert list(read_capture(io.BytesIO(data))) == chunks


@given(CHUNKS, st.integers(0, 2000))
def test_a_capture_that_was_cut_off_keeps_its_whole_entries(chunks, cut):
    data = written(chunks)
    left = list(read_capture(io.BytesIO(data[: max(len(MAGIC), len(data) - cut)])))
    assert left == chunks[: len(left)]


def test_a_long_read_is_kept_in_pieces():
    data = bytes(range(256)) * 1000
    pieces = list(read_capture(io.BytesIO(written([Chunk(Way.TO_HOST, 5, data)]))))
    assert b"".join(piece.data for piece in pieces) == data


@pytest.mark.parametrize(
    "data", [b"", b"hello", MAGIC + b"\x07" + bytes(10)], ids=["empty", "text", "damaged"]
)
def test_what_is_no_capture_says_so(data):
    with pytest.raises(CaptureError):
        list(read_capture(io.BytesIO(data)))
