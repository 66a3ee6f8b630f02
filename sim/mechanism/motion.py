"""The motion log: every motion that really began. It belongs to the physics, so no reboot forgets it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Protocol

from protocols.vocabulary import NO_SIDE, Fault, Operation

BY_ITSELF = 0  # the id of motions no host ordered: the table's own programme, or a key at the panel


@dataclass(slots=True)
class Motion:
    """One motion. ``end_us`` is None while it runs; ``cut`` says it did not reach its end."""

    order: int
    operation: Operation
    step: str
    start_us: int
    end_us: int | None = None
    cut: bool = False


class MotionLog:
    """All motions since the table was made, in the order they began."""

    def __init__(self) -> None:
        self.motions: list[Motion] = []

    def begin(self, order: int, operation: Operation, step: str, now_us: int) -> Motion:
        motion = Motion(order, operation, step, now_us)
        self.motions.append(motion)
        return motion

    def running(self) -> list[Motion]:
        """What moves now."""
        return [motion for motion in self.motions if motion.end_us is None]

    def of(self, order: int) -> list[Motion]:
        """The motions of one order."""
        return [motion for motion in self.motions if motion.order == order]

    def moved_twice(self) -> list[tuple[int, str]]:
        """(order, step) pairs that began more than once: the judge of *at most once*."""
        times = Counter((motion.order, motion.step) for motion in self.motions if motion.order != BY_ITSELF)
        return [key for key, count in times.items() if count > 1]


@dataclass(frozen=True, slots=True)
class Trouble:
    """A fault that strikes a step when ``after`` (0-1) of its time has passed."""

    fault: Fault
    side: int = NO_SIDE
    after: float = 1.0


class StepFaults(Protocol):
    """Asked before every step; a trouble lets the step begin and then fail."""

    def before(self, step: str, operation: Operation) -> Trouble | None: ...


class NoFaults:
    """Nothing ever goes wrong."""

    def before(self, step: str, operation: Operation) -> Trouble | None:
        return None
