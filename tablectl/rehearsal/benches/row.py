"""What a measurement comes to: rows of ours, what it stands beside, and the bound. No clock here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Row:
    """One number. ``bound`` is on the ratio where something stands ``beside``, else on ``ours``.

    ``limit`` bounds ``ours`` where the ratio has its own bound, or none and only informs. Times are seconds.
    """

    key: str  # text key of what was measured
    at: str  # which part of the samples: "p50", "p99", "max"; "" for a single number
    ours: float
    unit: str = "s"
    beside: float | None = None
    bound: float | None = None
    limit: float | None = None
    below: bool = False  # the bound itself is too much: «faster»

    @property
    def ratio(self) -> float | None:
        """Ours over what it stands beside."""
        return self.ours / self.beside if self.beside else None

    @property
    def met(self) -> bool | None:
        """Whether every bound holds; None where there is none."""
        verdicts = []
        if self.bound is not None:
            value = self.ours if self.ratio is None else self.ratio
            verdicts.append(value < self.bound if self.below else value <= self.bound)
        if self.limit is not None:
            verdicts.append(self.ours <= self.limit)
        return all(verdicts) if verdicts else None


class Samples:
    """Times of one thing in rounds. A percentile is the median of the rounds', so that one disturbed round
    does not decide."""

    def __init__(self) -> None:
        self.rounds: list[list[float]] = []

    def begin(self) -> None:
        """Another round."""
        self.rounds.append([])

    def add(self, seconds: float) -> None:
        """One more time in this round."""
        self.rounds[-1].append(seconds)

    def at(self, share: float) -> float:
        """The percentile ``share`` (0-1)."""
        return median(percentile(one, share) for one in self.rounds)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least ``share`` of all do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def compared(key: str, ours: Samples, beside: Samples, bounds: dict[str, float | None]) -> list[Row]:
    """A row a percentile (``{"p50": 2.0}``: at most twice)."""
    return [
        Row(key, at, ours.at(share_of(at)), beside=beside.at(share_of(at)), bound=bound)
        for at, bound in bounds.items()
    ]


def share_of(at: str) -> float:
    """0.999 for ``p99.9``."""
    return float(at.removeprefix("p")) / 100
