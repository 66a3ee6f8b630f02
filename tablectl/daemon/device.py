"""A link, as the one writer and its alarm use it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from tablectl.game.effects import Operate, Query


class Device(Protocol):
    """One device of the table. Every call returns at once."""

    def operate(self, effect: Operate) -> None: ...

    def query(self, effect: Query) -> None: ...

    def ask_status(self) -> None: ...

    def adopt(self) -> None:
        """Another board takes this one's place: take whoever says hello next."""

    def stop(self) -> bool: ...

    def durable(self, boot: int, event_number: int) -> None: ...

    def ask_clock(self, callback: Callable[[int, int, int], None]) -> bool:
        """Ask the board's clock: table µs of it, its last event, uncertainty µs. False without a link."""

    def quality(self) -> dict[str, Any]: ...
