"""How a run of the suite is to be, and what it cannot begin without."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random

from protocols.conformance.evidence import Result
from protocols.errors import TransportError


class NoBoard(TransportError):
    """The port is open and nobody there speaks ATP."""

    key = "hil.no_board"

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"Nothing at this port answered a greeting within {seconds:g} s. Check cable, speed and supply, "
            "and that it is a board that speaks ATP.",
            seconds=f"{seconds:g}",
        )


@dataclass(slots=True)
class Settings:
    """How a run is to be. ``baud`` is that of the line, 0 where bytes take no time. ``restart`` switches the
    board off and on and returns when the power is back. ``told`` hears of each result as it comes."""

    motion: bool = False
    baud: int = 115_200
    only: frozenset[str] = frozenset()
    rng: Random = field(default_factory=Random)
    restart: Callable[[], Awaitable[None]] | None = None
    about_to: Callable[[str, int, int], None] = lambda requirement, number, of: None
    told: Callable[[Result], None] = lambda result: None
