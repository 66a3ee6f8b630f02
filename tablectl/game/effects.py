"""What a step wants done. Nothing here happens before the input that caused it is durable."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Outcome = Literal["accepted", "refused", "pending"]


@dataclass(frozen=True, slots=True)
class Operate:
    """Order a motion. The id follows from the record number, so a replay makes the same one."""

    device: str
    id: int
    operation: str  # an ``Operation`` name in lower case
    hand: int = 0
    side: int | None = None
    count: int = 0


@dataclass(frozen=True, slots=True)
class Query:
    """Ask what became of an order whose outcome was never recorded."""

    device: str
    id: int


@dataclass(frozen=True, slots=True)
class AskStatus:
    """Ask for the board's whole state: what it is after an order is its word, not our guess."""

    device: str


@dataclass(frozen=True, slots=True)
class Adopt:
    """Another board takes this device's place: forget the old one, take whoever says hello next."""

    device: str


@dataclass(frozen=True, slots=True)
class Publish:
    """Tell every subscriber. ``key`` is the text key of the event, ``data`` its fields."""

    key: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a command: ``key`` names the reason, ``data`` fills its text."""

    actor: str
    id: str
    outcome: Outcome
    key: str = ""
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HandClosed:
    """A hand ended: record its result and digest, write a snapshot."""

    result: dict[str, Any]


Effect = Operate | Query | AskStatus | Adopt | Publish | Answer | HandClosed
