"""Where the wall is broken and whose throw is next (掷骰, 开牌), what is drawn of it: arithmetic over the
ruleset."""

from __future__ import annotations

from dataclasses import dataclass

from tablectl.rules.model import Ruleset


@dataclass(frozen=True, slots=True)
class Break:
    """The first stack is taken from the wall of ``side``, ``stacks`` stacks from its right end being left."""

    side: int
    stacks: int


def next_thrower(dealer: int, throws: list[tuple[int, int]]) -> int:
    """The side that throws next: the dealer, then the side the first sum counts to (MCR-W2, ZJ-W3).

    5, 9 are the dealer himself, 2, 6, 10 his lower seat, and so on counter-clockwise.
    """
    return dealer if not throws else (dealer + sum(throws[0]) - 1) % 4


def wall_break(rules: Ruleset, dealer: int, throws: list[tuple[int, int]]) -> Break:
    """Count all sums from the right end of the wall the first sum names; a count past its end goes on,
    clockwise, on the wall of the left neighbour (MCR-W2, MCR-W6, ZJ-W5, CJ-W1)."""
    opened = next_thrower(dealer, throws[:1])
    counted = sum(sum(throw) for throw in throws) - (1 if rules.wall.break_at.value == "at" else 0)
    walls, stacks = divmod(counted, rules.wall.stacks_per_side.value)
    return Break((opened - walls) % 4, stacks)


def drawable(rules: Ruleset) -> int:
    """Tiles of the walls that are not dead (王牌)."""
    return rules.wall.tiles.value - rules.wall.dead_tiles.value


def is_one_of(tile: str, kinds: tuple[str, ...], wild: list[str]) -> bool:
    """Is the tile one of ``kinds``, among which "wild" stands for the wild kinds? A tile not read is none."""
    return bool(tile) and (tile in kinds or ("wild" in kinds and tile in wild))
