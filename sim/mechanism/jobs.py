"""Jobs: the programmes that move the mechanism, step by step.

A programme is a generator. It yields what it waits for (a motion, a lapse, people) and does the physical
change after each wait, so a job cut anywhere leaves the tiles where they were.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from enum import Enum, auto

from protocols.vocabulary import Fault, Operation, Order, StoreState
from sim.mechanism.motion import BY_ITSELF, Motion
from sim.timebase import Timer


class Track(Enum):
    """What a job holds; two jobs never hold the same track."""

    TOP = auto()
    STORE = auto()
    DICE = auto()


EVERY_TRACK = frozenset(Track)


@dataclass(frozen=True, slots=True)
class Step:
    """Wait for a motion of the timing table to reach its end."""

    name: str


@dataclass(frozen=True, slots=True)
class Lapse:
    """Wait while the motion under way goes on. ``step`` names the motion at its first lapse."""

    seconds: float
    step: str = ""


@dataclass(frozen=True, slots=True)
class Loading:
    """Wait until people have pushed the tiles in."""


Wait = Step | Lapse | Loading


class JobFailed(Exception):
    """Raised by a programme that cannot reach its end; ``store`` is where it leaves the store."""

    def __init__(self, fault: Fault, side: int, store: StoreState) -> None:
        self.fault = fault
        self.side = side
        self.store = store
        super().__init__(fault.name)


Programme = Generator[Wait, None, int]


@dataclass(slots=True, eq=False)
class Job:
    """A programme under way, and the orders that wait for its end (none: the table's own, or the panel's)."""

    order: Order
    tracks: frozenset[Track]
    programme: Programme | None = None
    waiters: list[int] = field(default_factory=list)
    percent: int = 0
    motion: Motion | None = None
    timer: Timer | None = None
    loading: bool = False

    @property
    def operation(self) -> Operation:
        return self.order.operation

    @property
    def ordered(self) -> bool:
        """True when a host waits for it."""
        return bool(self.waiters)

    @property
    def busy(self) -> bool:
        """True inside what the programme does between two waits."""
        return bool(getattr(self.programme, "gi_running", False))

    def drop(self) -> None:
        """Wait for nothing any more. What moves is ended by the caller."""
        if self.timer is not None:
            self.timer.cancel()
        if self.programme is not None:
            self.programme.close()


def own_order(operation: Operation, **fields: int) -> Order:
    """An order nobody gave: the table's own programme."""
    return Order(BY_ITSELF, operation, **fields)
