"""What a count lists, the same in all systems: fan and patterns that are added, and those that are not.

An ``id`` is that of a fan, pattern or extra in the catalogue of its system.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Line(NamedTuple):
    """One that is added: ``points`` for all its ``times`` together."""

    id: str
    times: int
    points: int


class NotCounted(NamedTuple):
    """One that is there but not added, because of another one or of an article."""

    id: str
    because: str


class Named(Protocol):
    """What a catalogue says of a fan, pattern or extra."""

    @property
    def zh(self) -> str: ...

    @property
    def en(self) -> str: ...

    @property
    def rule(self) -> str: ...
