"""What a page is made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """A title: 1 of the sheet, 2 of a part of it."""

    text: str
    level: int


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence; ``deep`` lines belong to the one above."""

    text: str
    deep: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. ``align`` has ``<`` or ``>`` for each column."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    align: str


@dataclass(frozen=True, slots=True)
class Boxes:
    """Where people sign by hand, by their names."""

    names: tuple[str, ...]


Part = Heading | Line | Grid | Boxes
