"""Points for a rehearsed session: those the rule book gave, else simple numbers that sum to zero.

Where the table does not read tiles nobody can count a hand here: the numbers made up from how it ended are no
score of any rule system; they let ledger, ranking and screens be rehearsed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tablectl.api.registry import COMMANDS
from tablectl.api.spec import PLAYERS

ENTER = "score enter"
STAKE = 2  # of each loser, unless the house plays for more; who discarded pays for all three
LOSERS = len(PLAYERS) - 1


def can_be_entered() -> bool:
    """True when this program keeps a ledger."""
    return any(spec.name == ENTER for spec in COMMANDS)


def points_of(
    result: Mapping[str, Any], stake: int = STAKE, held: Mapping[str, int] | None = None
) -> dict[str, int]:
    """What a closed hand brings each player; nothing without a winner. With ``held`` nobody pays more than
    he has, and several winners are paid in their order (CJ-S8)."""
    points = dict.fromkeys(PLAYERS, 0)
    if "score" in result:
        return {**points, **result["score"]["deltas"]}
    for win in result.get("winners") or [result]:
        winner, feeder = win.get("winner"), win.get("from")
        if winner is None:
            continue
        for loser in [feeder] * LOSERS if feeder else [name for name in PLAYERS if name != winner]:
            paid = stake if held is None else min(stake, max(0, held[loser] + min(0, points[loser])))
            points[loser] -= paid
            points[winner] += paid
    return points


def totals(results: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """The points of all hands together."""
    sums = dict.fromkeys(PLAYERS, 0)
    for result in results:
        for name, number in points_of(result).items():
            sums[name] += number
    return sums


def wins(results: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many hands each player won."""
    won = dict.fromkeys(PLAYERS, 0)
    for result in results:
        for win in result.get("winners") or [result]:
            if win.get("winner") is not None:
                won[win["winner"]] += 1
    return won
