"""Where the wall is broken and whose throw is next (掷骰, 开牌): arithmetic over the ruleset."""

from __future__ import annotations

from dataclasses import dataclass

from tablectl.rules.model import Ruleset


@dataclass(frozen=True, slots=True)
class Break:
    """The first stack is taken from the wall of ``side``, ``stacks`` stacks from its right end being left."""

    side: int
    stacks: int


def next_thrower(dealer: int, throws: list[tuple[int, int]]) -> int:
    """The side that throws next: the dealer, then the side the first sum counts to (MCR-W2).

    5, 9 are the dealer himself, 2, 6, 10 his lower seat, and so on counter-clockwise.
    """
    return dealer if not throws else (dealer + sum(throws[0]) - 1) % 4


def wall_break(rules: Ruleset, dealer: int, throws: list[tuple[int, int]]) -> Break:
    """Count both sums from the right end of the last thrower's wall; a count past its end goes on, clockwise,
    on the wall of his left neighbour (MCR-W2, MCR-W6)."""
    thrower = next_thrower(dealer, throws[:1])
    counted = sum(sum(throw) for throw in throws) - (1 if rules.wall.break_at.value == "at" else 0)
    walls, stacks = divmod(counted, rules.wall.stacks_per_side.value)
    return Break((thrower - walls) % 4, stacks)
