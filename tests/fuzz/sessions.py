"""What the two session harnesses share: bytes as a script of what arrives on a wire, and when."""

from __future__ import annotations

from collections.abc import Iterator

from protocols.atp.frame import MAX_BODY, Frame
from tests.fuzz.messages import bodies

RAW = 0x80  # this bit of the first byte: bytes as they are, else the type and body of a good frame
STEPS = (0.0, 0.001, 0.03, 0.3, 1.0, 2.0)  # seconds between two pieces
MOST = 64  # pieces of one script


def pieces(data: bytes) -> Iterator[tuple[float, bytes]]:
    """(seconds later, bytes that arrive): head, length, type, body, and again."""
    at = 0
    for number in range(MOST):
        if at + 3 > len(data):
            return
        head, length, kind = data[at], data[at + 1] % (MAX_BODY + 1), data[at + 2]
        body = data[at + 3 : at + 3 + length]
        at += 3 + length
        wire = body if head & RAW else Frame(1, number & 0xFF, kind, body).to_bytes()
        yield STEPS[head % len(STEPS)], wire


def script(*messages: tuple[int, bytes], step: int = 1) -> bytes:
    """The input under which these messages arrive one after the other."""
    return b"".join(bytes((step, len(body), type_)) + body for type_, body in messages)


def scripts() -> list[bytes]:
    """Each message alone, and some together."""
    every = bodies()
    together = [script(*every[start : start + 5]) for start in range(0, len(every), 5)]
    return [*(script(one) for one in every), *together]
