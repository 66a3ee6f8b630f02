"""What exchanges with a clock leave for certain, kept as the few of them that matter.

Every exchange says that the board read its clock not before one host time and not after another. Drawn over
board time these are points no line of the clock may run below, and points none may run above. Whatever the
clock's rate is, only the corners of the hull of each count: a dozen of thousands.
"""

from __future__ import annotations

from dataclasses import dataclass, field

US = 1_000_000

Point = tuple[float, float]  # board time, host time, s


@dataclass(frozen=True, slots=True)
class Bound:
    """Board clock ``board`` (s) was read between host times ``early`` and ``late`` (s)."""

    board: float
    early: float
    late: float

    @property
    def width(self) -> float:
        """How long the exchange took, s."""
        return self.late - self.early


@dataclass(slots=True)
class Stretch:
    """The exchanges of some minutes: the first, the quickest, and the corners of both sides, oldest first."""

    first: Bound
    quickest: Bound
    early: list[Point] = field(default_factory=list)
    late: list[Point] = field(default_factory=list)

    @classmethod
    def beginning(cls, bound: Bound) -> Stretch:
        """One exchange."""
        return cls(bound, bound, [(bound.board, bound.early)], [(bound.board, bound.late)])

    def add(self, bound: Bound) -> None:
        """Take one more exchange, younger than all others."""
        if bound.width < self.quickest.width:
            self.quickest = bound
        _put(self.early, (bound.board, bound.early), 1)
        _put(self.late, (bound.board, bound.late), -1)


def _put(corners: list[Point], new: Point, side: int) -> None:
    """Add a point to a hull from above (``side`` 1) or below (-1); corners it makes idle are dropped."""
    board, host = new
    while len(corners) > 1:
        (board0, host0), (board1, host1) = corners[-2:]
        if ((host1 - host0) * (board - board1) - (host - host1) * (board1 - board0)) * side > 0:
            break
        corners.pop()
    corners.append(new)
