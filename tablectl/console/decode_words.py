"""A message of the wire in words: its fields under the names of SPEC.md, numbers of enumerations named.

Which field is what comes from the message dictionary. Only what depends on another field is written here:
the ``value`` of an event, the ``count`` of an order. Numbers nobody knows stay numbers.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from protocols import vocabulary
from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.atp.dictionary import DICTIONARY, Direction, Field
from protocols.vocabulary import NO_SIDE, TILE_NAMES, Capability, EventKind, Lamp, Operation

MASK = "??"
NAMES = {kind.TYPE: kind.LAYOUT.row.name for kind in m.MESSAGES}
PARTS = ("", "vendor", "model", "serial", "firmware", "firmware_hash 1/2", "firmware_hash 2/2")
TEXT_PARTS = range(1, 5)
ZERO_IS_UNUSED = ("profiles", "faults", "tiles")
SIDE_FIELDS = ("side", "fault_sides")
IN_HEX = ("dictionary",)
FACE_BITS = 4

VALUES: dict[EventKind, type[IntEnum]] = {
    EventKind.SEAT_KEY: vocabulary.SeatKey,
    EventKind.KEY_PRESSED: vocabulary.PanelKey,
    EventKind.TILE_DRAWN: vocabulary.WallEnd,
    EventKind.MELD_SHOWN: vocabulary.Meld,
    EventKind.FAULT_SET: vocabulary.Fault,
    EventKind.FAULT_CLEARED: vocabulary.Fault,
}


def type_name(number: int) -> str:
    """The name of a message type, its number where there is none."""
    return NAMES.get(number, f"0x{number:02X}")


def fields_of(message: Message, *, open: bool) -> dict[str, Any]:
    """The fields of a message as plain data; tiles are covered unless ``open``."""
    row = message.LAYOUT.row
    said = {field.name: _plain(field, getattr(message, field.name)) for field in row.fields}
    said |= _special(message)
    if isinstance(message, m.Status):
        said["fault_sides"] = said["fault_sides"][: len(said["faults"])]
    if "tiles" in said and not open:
        said["tiles"] = [MASK for _ in said["tiles"]]
    return said


def in_words(name: str, fields: dict[str, Any]) -> str:
    """The fields of the message of that name as one line, with their units."""
    units = {field.name: " " + field.unit for field in DICTIONARY.row(name).fields if field.unit}
    return ", ".join(f"{field} {_word(value)}{units.get(field, '')}" for field, value in fields.items())


def sender(message: Message) -> Direction:
    """Who says it, by its type; a sign of life is the board's if it tells of events or motors."""
    if isinstance(message, m.Beat) and (message.moving or message.last_event):
        return "board"
    return message.LAYOUT.row.direction


def _plain(field: Field, value: int | bytes) -> Any:
    """One field as the dictionary describes it."""
    if isinstance(value, bytes):
        if not field.type.startswith("u8x"):
            return value.hex()
        kept = [number for number in value if number or field.name not in ZERO_IS_UNUSED]
        return [_number(field, number) for number in kept]
    return _number(field, value)


def _number(field: Field, value: int) -> Any:
    if field.enum == "Tile":
        return TILE_NAMES[value] if value < len(TILE_NAMES) else value
    if field.enum == "Capability":
        return capability_names(value)
    if field.enum:
        kind = m.ErrorCode if field.enum == "ErrorCode" else getattr(vocabulary, field.enum)
        return _named(kind, value)
    if field.name in SIDE_FIELDS and value == NO_SIDE:
        return None
    if field.range == "0-1":
        return bool(value)
    return f"0x{value:08X}" if field.name in IN_HEX else value


def capability_names(bits: int) -> list[str]:
    """The names of the bits; one nobody knows is ``bit 20``."""
    set_bits = [n for n in range(bits.bit_length()) if bits >> n & 1]
    return [Capability(1 << n).name or f"bit {n}" for n in set_bits]


def faces(value: int) -> list[int]:
    """Dice: one nibble each, the first die lowest."""
    found = []
    while value:
        found.append(value & (1 << FACE_BITS) - 1)
        value >>= FACE_BITS
    return found


def _special(message: Message) -> dict[str, Any]:
    """Fields whose meaning hangs on another field."""
    match message:
        case m.Event(kind=EventKind.DICE_RESULT) | m.Done(operation=Operation.DICE):
            return {"value": faces(message.value)}
        case m.Event(kind=kind) if kind in VALUES:
            return {"value": _named(VALUES[EventKind(kind)], message.value)}
        case m.Operate(operation=Operation.LAMPS):
            return {"count": _named(Lamp, message.count)}
        case m.Error():
            return {"about_type": type_name(message.about_type)}
        case m.Identity() | m.IdentityAsk() if 0 < message.part < len(PARTS):
            said: dict[str, Any] = {"part": PARTS[message.part]}
            if isinstance(message, m.Identity) and message.part in TEXT_PARTS:
                said["data"] = message.data.rstrip(b"\0").decode(errors="replace")
            return said
        case _:
            return {}


def _named(kind: type[IntEnum], value: int) -> str | int | None:
    try:
        return kind(value).name
    except ValueError:
        return value or None  # where 0 has no name it stands for nothing


def _word(value: Any) -> str:
    match value:
        case None | "" | []:
            return "–"
        case bool():
            return "yes" if value else "no"
        case list():
            return " ".join(map(_word, value))
        case _:
            return str(value)
