"""Errors of the simulated table. Each says what is wrong and what to do about it."""

from __future__ import annotations


class SimError(Exception):
    """Base of all errors of the simulated table."""


class Deadlock(SimError):
    """Virtual time cannot go on: no callback is ready and no timer is armed.

    ``at`` is the loop time at which everything stood still, in seconds.
    """

    def __init__(self, at: float) -> None:
        self.at = at
        super().__init__(
            f"everything waits at {at:.3f} s of virtual time: no callback is ready and no timer is armed. "
            "Something awaits an event that nobody will send."
        )


class ConservationError(SimError):
    """A tile is in two places, in none, or where it cannot be."""


class ScriptError(ValueError):
    """A script of a hand that cannot be played. ``event`` counts from 1; 0 = the deal."""

    def __init__(self, event: int, problem: str) -> None:
        self.event = event
        self.problem = problem
        where = f"event {event}" if event else "the deal"
        super().__init__(f"{where} of the script: {problem}")


class PresetError(ValueError):
    """No preset of this name exists."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        self.name = name
        self.known = known
        super().__init__(f"no preset {name!r}; known: {', '.join(known)}")


class PlanError(ValueError):
    """A sentence of a fault plan that nobody understands. ``near`` are words that are known."""

    def __init__(self, text: str, problem: str, near: tuple[str, ...] = ()) -> None:
        self.text = text
        self.problem = problem
        self.near = near
        meant = f"; did you mean {' or '.join(near)}?" if near else ""
        super().__init__(f"{text!r}: {problem}{meant}")


class EndpointError(OSError):
    """The name wanted for a port belongs to something else."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"{path} exists and is no link to a port. Remove it, or choose another path")

    def __str__(self) -> str:
        return str(self.args[0])
