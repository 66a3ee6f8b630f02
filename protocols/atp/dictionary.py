"""The message dictionary as typed data: what ``messages.toml`` says, read once.

Nothing here encodes or decodes; ``codec`` builds layouts from these rows and ``spec`` prints them.
"""

from __future__ import annotations

import tomllib
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from protocols.vocabulary import Operation, OperationLimits

Direction = Literal["host", "board", "both"]
PATH = Path(__file__).with_name("messages.toml")


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message body."""

    name: str
    type: str
    about: str
    unit: str = ""
    range: str = ""
    enum: str = ""
    since: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """One message. ``direction`` says who sends it."""

    name: str
    number: int
    direction: Direction
    since: int
    about: str
    fields: tuple[Field, ...]

    @property
    def class_name(self) -> str:
        """The Python class of this message: ``HELLO_ASK`` is ``HelloAsk``."""
        return "".join(part.capitalize() for part in self.name.split("_"))


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """One code an ERROR message may carry."""

    name: str
    number: int
    about: str


@dataclass(frozen=True, slots=True)
class FrameRules:
    """Sizes of a frame before stuffing, in bytes."""

    max_bytes: int
    header_bytes: int
    crc_bytes: int


@dataclass(frozen=True, slots=True)
class Timing:
    """Intervals of the protocol, in seconds where the name says nothing else."""

    silence: float
    hello: float
    beat_moving: float
    beat_idle: float
    ask_margin: float
    ask_repeat: float
    stop_repeat: float
    result_query: float
    rto_initial: float
    rto_min: float
    rto_max: float
    rto_granularity: float
    clock_drift_ppm: float

    def beat(self, moving: bool) -> float:
        """How long a side may be silent before it owes a sign of life."""
        return self.beat_moving if moving else self.beat_idle


@dataclass(frozen=True, slots=True)
class Limits:
    """Counts of the protocol."""

    error_tries: int
    window: int
    results_kept: int
    ring: int
    event_burst: int
    round_trips_kept: int


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Everything ``messages.toml`` says."""

    version: int
    frame: FrameRules
    timing: Timing
    limits: Limits
    operations: dict[Operation, OperationLimits]
    errors: tuple[ErrorRow, ...]
    messages: tuple[Row, ...]

    def row(self, name: str) -> Row:
        """The message of that name (``KeyError`` if there is none)."""
        for row in self.messages:
            if row.name == name:
                return row
        raise KeyError(name)

    def hash(self, version: int) -> int:
        """CRC-32 over the layout of every message of that protocol version, for HELLO.

        Fields are only appended, each with its ``since``: the hash of a version never changes.
        """
        lines = [
            f"{row.number} {row.name} {row.direction}"
            + "".join(f" {field.name}:{field.type}" for field in row.fields if field.since <= version)
            for row in sorted(self.messages, key=lambda row: row.number)
            if row.since <= version
        ]
        return zlib.crc32("\n".join(lines).encode())


def _row(data: dict[str, Any]) -> Row:
    fields = tuple(Field(**{"since": data["since"], **field}) for field in data["fields"])
    return Row(**{**data, "fields": fields})


def load(path: Path = PATH) -> Dictionary:
    """Read a dictionary file. An unknown or missing key is a ``TypeError``: the file ships with the code."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return Dictionary(
        version=data["version"],
        frame=FrameRules(**data["frame"]),
        timing=Timing(**data["timing"]),
        limits=Limits(**data["limits"]),
        operations={Operation[name]: OperationLimits(**row) for name, row in data["operations"].items()},
        errors=tuple(ErrorRow(**row) for row in data["error"]),
        messages=tuple(_row(row) for row in data["message"]),
    )


DICTIONARY = load()
TIMING = DICTIONARY.timing
LIMITS = DICTIONARY.limits
