"""From message to body bytes and back, driven by the dictionary.

A body is the fields of a row in order, little-endian, without padding. A body longer than the row knows
comes from a newer peer: the rest is ignored. A shorter one comes from an older peer: what is missing is
zero. So every body decodes; what a value means is for the session to judge.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from operator import attrgetter
from typing import Any, ClassVar, Self

from protocols.atp.dictionary import DICTIONARY, Row
from protocols.errors import MessageError

_CODES = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q"}


def struct_code(field_type: str) -> str:
    """The ``struct`` code of a dictionary type: ``u32`` is ``I``, ``b16`` is ``16s``, ``u8x4`` is ``4s``."""
    return _CODES.get(field_type) or field_type.removeprefix("u8x").removeprefix("b") + "s"


def python_type(field_type: str) -> str:
    """The Python type a field of that dictionary type has in a message class."""
    return "int" if field_type in _CODES else "bytes"


class Layout:
    """The bytes of one message body."""

    __slots__ = ("_get", "_struct", "row", "size")

    def __init__(self, row: Row) -> None:
        self.row = row
        self._struct = struct.Struct("<" + "".join(struct_code(field.type) for field in row.fields))
        self.size = self._struct.size
        names = [field.name for field in row.fields]
        get: Callable[[Any], Any] = attrgetter(*names) if names else lambda _: ()
        self._get = get if len(names) != 1 else lambda message: (get(message),)

    def pack(self, message: object) -> bytes:
        """The body of a message; bytes are cut or zero-padded to their field.

        Raises ``MessageError`` when a number does not fit its field.
        """
        try:
            return self._struct.pack(*self._get(message))
        except struct.error as error:
            raise MessageError(self.row.name, str(error)) from error

    def unpack(self, body: bytes) -> tuple[Any, ...]:
        """The field values of a body of any length."""
        if len(body) != self.size:
            body = body[: self.size].ljust(self.size, b"\0")
        return self._struct.unpack(body)


class Message:
    """Base of all message classes; ``row`` names the dictionary row of the class."""

    __slots__ = ()
    LAYOUT: ClassVar[Layout]
    TYPE: ClassVar[int]

    def __init_subclass__(cls, row: str = "") -> None:
        if row:  # a slotted dataclass is made a second time, then without the argument
            cls.LAYOUT = Layout(DICTIONARY.row(row))
            cls.TYPE = cls.LAYOUT.row.number

    def to_bytes(self) -> bytes:
        """The body, without frame."""
        return self.LAYOUT.pack(self)

    @classmethod
    def from_bytes(cls, body: bytes) -> Self:
        """The message of a body; extra bytes are ignored, missing ones are zero."""
        make: Callable[..., Self] = cls
        return make(*cls.LAYOUT.unpack(body))
