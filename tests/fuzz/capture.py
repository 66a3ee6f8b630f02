"""Files of wire traffic."""

from __future__ import annotations

import io

from protocols.capture import MAGIC, CaptureWriter, Chunk, Way, read_capture
from protocols.errors import CaptureError


def one(data: bytes) -> None:
    """Chunks that can be written again, or a ``CaptureError`` that says where."""
    chunks: list[Chunk] = []
    try:
        chunks.extend(read_capture(io.BytesIO(data)))
    except CaptureError as error:
        assert 0 <= error.at <= len(data)
    file = io.BytesIO()
    writer = CaptureWriter(file)
    for chunk in chunks:
        writer.write(*chunk)
    assert list(read_capture(io.BytesIO(file.getvalue()))) == [chunk for chunk in chunks if chunk.data]


def seeds() -> list[bytes]:
    """A capture both ways, and its beginning alone."""
    file = io.BytesIO()
    writer = CaptureWriter(file)
    writer.write(Way.TO_BOARD, 5, b"\x00\x01\x02")
    writer.write(Way.TO_HOST, 2**40, bytes(40))
    return [MAGIC, file.getvalue()]
