"""Which relay lies across which key, which input across which lamp: the wiring of one panel tap.

Relays and inputs are counted from 1, as boards print them. Only the values are here; the file they stand in
is read by whoever has one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from protocols.vocabulary import NO_SIDE, SIDES, Fault

Number = Annotated[int, Meta(ge=1, le=64)]  # of a relay or an input, as printed on the board
Four = tuple[Number, Number, Number, Number]
Pulse = Literal["flash", "momentary", "switch"]
Path = tuple[str | int, ...]
FAULTS = tuple(fault.name.lower() for fault in Fault if fault is not Fault.NONE)


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the sections."""


class Board(Part, frozen=True):
    """``[board]``: the relay and input board."""

    model: Annotated[str, Meta(min_length=1)] = "relay board"  # what is printed on it
    unit: Annotated[int, Meta(ge=1, le=247)] = 1  # its Modbus address
    relays: Number = 8
    inputs: Number = 8
    first_relay: Annotated[int, Meta(ge=0, le=65_000)] = 0  # coil of relay 1
    first_input: Annotated[int, Meta(ge=0, le=65_000)] = 0  # discrete input 1
    pulse: Pulse = "flash"  # how a key is pressed, see ``modbus``
    flash_base: Annotated[int, Meta(ge=0, le=65_000)] = 0x0200  # added to a coil to flash it


class Table(Part, frozen=True):
    """``[table]``: the table whose panel is tapped."""

    model: Annotated[str, Meta(min_length=1)] = "table"
    number: str = ""  # what the club calls it; the serial number the board cannot have
    tiles: Annotated[int, Meta(ge=100, le=160)] = 144  # of one set, as its gear is set
    raise_s: Annotated[float, Meta(ge=0, le=30)] = 3.0  # from *ready* going dark until the walls stand
    dice_s: Annotated[float, Meta(ge=0, le=30)] = 5.0  # from the key until the dice lie still
    pause_s: Annotated[float, Meta(ge=0, le=30)] = 5.0  # from both lift keys until the centre is up
    press_ms: Annotated[int, Meta(ge=100, le=1000)] = 200  # how long a finger stays on a key
    dead_ms: Annotated[int, Meta(ge=100, le=5000)] = 400  # from one press to the next


class Keys(Part, frozen=True):
    """``[keys]``: the relay across each key. ``dice`` by side, counter-clockwise from the marked one."""

    lift_a: Number
    lift_b: Number  # both together are the only pause such a table knows
    dealer: Number | None = None
    dice: Four | None = None


class Lamps(Part, frozen=True):
    """``[lamps]``: the input across each lamp. ``dealer`` by side."""

    ready: Number
    power: Number | None = None
    dealer: Four | None = None


class Touch(Part, frozen=True):
    """``[touch]``: inputs across the keys themselves, so that fingers are seen too."""

    lift_a: Number | None = None
    lift_b: Number | None = None
    dice: Four | None = None


class FaultLamp(Part, frozen=True):
    """``[[fault]]``: the input across a fault lamp, and what its maker says it means."""

    input: Number
    means: str
    side: Literal[0, 1, 2, 3] | None = None


class Wiring(Part, frozen=True):
    """The whole file."""

    keys: Keys
    lamps: Lamps
    board: Board = Board()
    table: Table = Table()
    touch: Touch = Touch()
    fault: tuple[FaultLamp, ...] = ()

    def relays(self) -> dict[str, int]:
        """Relay by key; a dice key is ``dice 0`` … ``dice 3``."""
        return {name: number for name, _, number in _numbers(self.keys, "keys")}

    def signals(self) -> dict[str, int]:
        """Input by what it sees: ``ready``, ``dealer 0``, ``touch dice 2``, ``fault 0``, …"""
        found = {name: number for name, _, number in _numbers(self.lamps, "lamps")}
        found |= {f"touch {name}": number for name, _, number in _numbers(self.touch, "touch")}
        return found | {f"fault {index}": lamp.input for index, lamp in enumerate(self.fault)}

    def fault_of(self, index: int) -> tuple[Fault, int]:
        """What a lit fault lamp means: fault and side."""
        lamp = self.fault[index]
        return Fault[lamp.means.upper()], NO_SIDE if lamp.side is None else lamp.side

    def digest(self) -> str:
        """SHA-256 in hex: another wiring is another panel."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()


def _numbers(part: Part, section: str) -> Iterator[tuple[str, Path, int]]:
    """Name, path in the file and number of everything wired in a section."""
    for field in part.__struct_fields__:
        value = getattr(part, field)
        if isinstance(value, tuple):
            yield from ((f"{field} {side}", (section, field, side), value[side]) for side in SIDES)
        elif value is not None:
            yield field, (section, field), value


def mistakes(wiring: Wiring) -> Iterator[tuple[Path, str, dict[str, object]]]:
    """What cannot be, though every value is of its kind: path, key of a sentence, and its facts."""
    keys = list(_numbers(wiring.keys, "keys"))
    inputs = [*_numbers(wiring.lamps, "lamps"), *_numbers(wiring.touch, "touch")]
    inputs += [("fault", ("fault", index, "input"), lamp.input) for index, lamp in enumerate(wiring.fault)]
    for what, used, most in (("relay", keys, wiring.board.relays), ("input", inputs, wiring.board.inputs)):
        seen: dict[int, Path] = {}
        for _, path, number in used:
            if number > most:
                yield path, f"wiring.no_{what}", {"number": number, "most": most}
            elif number in seen:
                yield path, f"wiring.{what}_twice", {"number": number, "other": seen[number]}
            seen.setdefault(number, path)
    for index, lamp in enumerate(wiring.fault):
        if lamp.means not in FAULTS:
            yield ("fault", index, "means"), "wiring.no_fault", {"given": lamp.means}
