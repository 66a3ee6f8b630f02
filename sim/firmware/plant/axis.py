"""Something a motor moves between two ends: it takes time to start, runs on when the current is off."""

from __future__ import annotations

START_S = 0.08  # until full speed
COAST_S = 0.25  # from full speed to rest without current
REACHED = 1e-9


class Axis:
    """``at`` runs from 0 to 1 in ``seconds`` at full speed. ``stuck`` = it gives way to no motor.

    A motor that is on at an end just pushes against it.
    """

    __slots__ = ("at", "speed", "stop_at", "stuck", "top")

    def __init__(self, seconds: float, at: float = 0.0) -> None:
        self.at = at
        self.speed = 0.0  # of its way a second
        self.top = 1.0 / seconds
        self.stuck = False
        self.stop_at: float | None = None  # something lies in its way here

    @property
    def up(self) -> bool:
        """The switch at its upper end is closed."""
        return self.at >= 1.0 - REACHED

    @property
    def down(self) -> bool:
        """The switch at its lower end is closed."""
        return self.at <= REACHED

    @property
    def moving(self) -> bool:
        """True while it has speed."""
        return self.speed != 0.0

    def run(self, drive: int, seconds: float) -> None:
        """Let time pass with the motor driving up (1), down (-1) or without current (0)."""
        if self.stuck:
            self.speed = 0.0
            return
        wanted = drive * self.top
        change = self.top * seconds / (START_S if drive else COAST_S)
        if abs(wanted - self.speed) <= change:
            self.speed = wanted
        else:
            self.speed += change if wanted > self.speed else -change
        before, self.at = self.at, self.at + self.speed * seconds
        obstacle = self.stop_at
        if obstacle is not None and min(before, self.at) <= obstacle <= max(before, self.at) != before:
            self.at, self.speed = obstacle, 0.0
        if self.at <= 0.0 or self.at >= 1.0:
            self.at, self.speed = min(1.0, max(0.0, self.at)), 0.0


class Spinner(Axis):
    """A disc without ends: ``speed`` 0 to 1 is all there is to it."""

    def __init__(self) -> None:
        super().__init__(1.0)

    def run(self, drive: int, seconds: float) -> None:
        """Speed up or run down."""
        if self.stuck:
            drive, self.speed = 0, 0.0
        change = seconds / (START_S if drive else COAST_S)
        self.speed = max(-1.0, min(1.0, self.speed + (drive * change if drive else 0.0)))
        if not drive:
            self.speed = max(0.0, self.speed - change) if self.speed > 0 else min(0.0, self.speed + change)
