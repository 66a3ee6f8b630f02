"""One line: ``<event 12 1034567 seat_key 0 discard*5A7B`` and its end.

- ``>`` begins what a host says, ``<`` what a box says; so an echo of one's own words is known as such.
- The words follow, separated by one space, in ASCII; then ``*`` and the checksum in four hex digits:
  CRC-16 with polynomial 0x1021, start 0xFFFF (CRC-16/IBM-3740), over all between the mark and the star.
- CR, LF or both end it. A line without mark or star is chatter: a banner, what a box says to a person.
"""

from __future__ import annotations

import re
from binascii import crc_hqx
from dataclasses import dataclass

HOST, BOX = ">", "<"
LONGEST = 480  # characters of a line; what is longer is noise
_LINE = re.compile(rb"([<>])([ -)+-;=?-~]*)\*([0-9A-Fa-f]{4})")  # no mark and no star inside
_ENDS = re.compile(rb"[\r\n\0]+")


def checksum(text: bytes) -> int:
    """The checksum of the words."""
    return crc_hqx(text, 0xFFFF)


def line(mark: str, *words: object, **fields: object) -> bytes:
    """A line as sent. It begins with a line end as well, so that a torn one before it cannot spoil it."""
    parts = [str(word) for word in words] + [f"{name}={value}" for name, value in fields.items()]
    text = " ".join(parts).encode("ascii")
    return b"\n" + mark.encode() + text + f"*{checksum(text):04X}\n".encode()


@dataclass(frozen=True, slots=True)
class Heard:
    """What one line came to: its words, or that it was damaged; neither = chatter. ``size`` in bytes."""

    words: tuple[str, ...] = ()
    damaged: bool = False
    size: int = 0


class Reader:
    """Cuts bytes into lines and keeps those with the other end's mark."""

    def __init__(self, mark: str) -> None:
        self._mark = mark.encode()
        self._rest = b""
        self._skipping = False  # inside a line that is too long

    def feed(self, data: bytes) -> list[Heard]:
        """Every line that ends in these bytes, but for echoes of our own."""
        *ended, self._rest = _ENDS.split(self._rest + data)
        found = []
        for text in ended:
            skipped, self._skipping = self._skipping, False
            if skipped or len(text) > LONGEST:
                found.append(Heard(damaged=True, size=len(text)))
            elif text and (heard := self._read(text)) is not None:
                found.append(heard)
        if len(self._rest) > LONGEST:
            self._rest, self._skipping = b"", True
        return found

    def _read(self, text: bytes) -> Heard | None:
        size = len(text)
        matches = list(_LINE.finditer(text))
        if not matches:
            # a star or a mark without the rest of a line is what noise leaves of one
            return Heard(damaged=b"*" in text and text[:1] in b"<>", size=size)
        match = matches[-1]
        if checksum(match[2]) != int(match[3], 16):
            return Heard(damaged=True, size=size)
        if match[1] != self._mark:
            return None
        return Heard(tuple(match[2].decode("ascii").split(" ")), size=size)


def fields_of(words: tuple[str, ...]) -> dict[str, str]:
    """The ``name=value`` words."""
    return dict(word.split("=", 1) for word in words if "=" in word)
