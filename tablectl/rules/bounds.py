"""Between which numbers each number of a ruleset may lie: beyond them nobody could play, or no clock count.

A number is named by its section and field; numbers inside a list or table share the bounds of the field.
Fields whose few values are listed in the model need none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from tablectl.rules.model import Ruleset
from tablectl.rules.values import Rule

Field = tuple[str, str]  # section and field

MINUTES, HOURS = 60, 3600
MAX_POINTS = 1_000_000

BOUNDS: dict[Field, tuple[int, int]] = {
    ("wall", "stacks_per_side"): (17, 18),
    ("wall", "throws"): (1, 2),
    ("wall", "dice"): (1, 3),
    ("wall", "dead_tiles"): (0, 40),  # with the deal of 53 these and the next leave something to draw
    ("wall", "draw_only"): (0, 16),
    ("deal", "blocks"): (1, 12),
    ("flowers", "window_s"): (0, 10 * MINUTES),
    ("turn", "first_discard_s"): (1, 10 * MINUTES),
    ("turn", "grace_s"): (0, 10 * MINUTES),
    ("turn", "discard_s"): (1, 10 * MINUTES),
    ("turn", "bank_s"): (0, HOURS),
    ("turn", "warning_s"): (0, 10 * MINUTES),
    ("turn", "overtime_step_s"): (0, 10 * MINUTES),
    ("turn", "overtime_points"): (0, 1000),
    ("turn", "forfeit_above"): (0, MAX_POINTS),
    ("claims", "window_s"): (0, MINUTES),
    ("claims", "win_s"): (0, MINUTES),
    ("claims", "chow_s"): (0, MINUTES),
    ("claims", "settle_s"): (0, MINUTES),
    ("claims", "winners"): (1, 3),
    ("claims", "robbing_s"): (1, MINUTES),
    ("claims", "selfdraw_s"): (0, MINUTES),
    ("score", "minimum"): (0, 88),
    ("score", "base"): (0, 1000),
    ("score", "places"): (0, 1000),
    ("score", "fan_values"): (0, 1000),
    ("score", "dihe"): (0, 1000),
    ("score", "discard_shares"): (1, 9),
    ("score", "selfdraw_shares"): (1, 9),
    ("score", "robbed_shares"): (1, 9),
    ("score", "liable_shares"): (1, 9),
    ("score", "doubling"): (1, 10),
    ("score", "melded_kong"): (0, 1000),
    ("score", "small_kong"): (0, 1000),
    ("score", "concealed_kong"): (0, 1000),
    ("score", "flower_kong_points"): (0, 1000),
    ("score", "chase"): (0, 1000),
    ("score", "bao_melds"): (1, 4),
    ("score", "guapai_reach"): (0, 8),
    ("score", "zero_win_fine"): (0, 1000),
    ("score", "players_out"): (1, 3),
    ("score", "penalty_unit"): (1, 1000),
    ("score", "penalty_most"): (1, MAX_POINTS),
    ("score", "standard_points"): (0, 1000),
    ("score", "standard_step"): (0, 1000),
    ("score", "cap"): (1, MAX_POINTS),
    ("score", "liable_cap"): (1, MAX_POINTS),
    ("score", "gold_cap"): (1, MAX_POINTS),
    ("session", "hands"): (0, 999),
    ("session", "stages"): (1, 24),
    ("session", "redraw_after"): (0, 999),
    ("claims", "draws_after_s"): (0, 60),
    ("session", "questions"): (0, 99),
    ("session", "start_points"): (0, MAX_POINTS),
    ("session", "chips"): (1, MAX_POINTS),
    ("session", "broke_ends"): (0, 3),
    ("session", "time_s"): (0, 24 * HOURS),
    ("session", "break_s"): (0, 3 * HOURS),
    ("session", "break_after"): (0, 96),
    ("session", "warning_s"): (0, 3 * HOURS),
    ("session", "appeal_s"): (0, 24 * HOURS),
}


def out_of_bounds(rules: Ruleset) -> Iterator[tuple[Field, int, int, int]]:
    """Each number beyond its bounds: its field, the number, lowest, highest."""
    for section in rules.__struct_fields__:
        part = getattr(rules, section)
        for field in getattr(part, "__struct_fields__", ()):
            rule, bounds = getattr(part, field), BOUNDS.get((section, field))
            if bounds is None or not isinstance(rule, Rule):
                continue
            low, high = bounds
            for number in numbers(msgspec.to_builtins(rule.value)):
                if not low <= number <= high:
                    yield (section, field), number, low, high


def numbers(value: Any) -> Iterator[int]:
    """Every whole number in plain data."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from numbers(item)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield value
