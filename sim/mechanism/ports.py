"""Whom the mechanism talks to: its board, and the people who watch it."""

from __future__ import annotations

from typing import Protocol

from protocols.vocabulary import NO_SIDE, EventKind, Fault, Lamp, Source
from sim.mechanism.dice import Faces


class Reporter(Protocol):
    """What a board takes from the mechanism."""

    def emit(self, kind: EventKind, side: int, value: int, source: Source) -> None: ...

    def progress(self, id: int, percent: int) -> None: ...

    def done(self, id: int, value: int = 0) -> None: ...

    def failed(self, id: int, fault: Fault, side: int = NO_SIDE) -> None: ...

    def stopped(self) -> None: ...


class Watcher(Protocol):
    """What people at the table see and hear of the machine."""

    def centre_opened(self) -> None: ...

    def walls_up(self, dealer: int) -> None: ...

    def walls_down(self) -> None: ...

    def dice_rolling(self, side: int) -> None: ...

    def dice_shown(self, side: int, faces: Faces) -> None: ...

    def lamp(self, lamp: Lamp, side: int) -> None: ...

    def dark(self) -> None:
        """The board lost its power: lamps and keys are dead."""
