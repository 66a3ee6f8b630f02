"""One thing that goes wrong and its moment, as data."""

from __future__ import annotations

from dataclasses import dataclass

from protocols.vocabulary import NO_SIDE

Value = float | int | str | bool


@dataclass(frozen=True, slots=True)
class When:
    """A moment. ``number`` 0 = the next such, whichever it is; times are table seconds."""

    kind: str = "now"
    number: float = 0
    side: int = NO_SIDE
    name: str = ""  # of an operation or a step
    hand: int = 0  # 0 = any
    build: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that goes wrong. Options left out have the defaults of their kind."""

    when: When
    kind: str
    side: int = NO_SIDE
    options: tuple[tuple[str, Value], ...] = ()

    def get(self, name: str, default: Value) -> Value:
        """An option."""
        return dict(self.options).get(name, default)
