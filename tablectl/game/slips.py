"""The likely slip behind points that cannot be: what a person who enters four numbers gets wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Slip:
    """One number that, put right, makes the sum 0. ``kind``: missing, sign, digits. Of a winner's: turned
    (all signs), exchanged (with that of the ``other``), pays."""

    kind: str
    player: str
    was: int
    right: int
    other: str = ""


def signed(points: int) -> str:
    """Points with their sign, as a sheet has them."""
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"


def likely(given: Mapping[str, int], deltas: Mapping[str, int]) -> Slip | None:
    """The one slip that explains the sum, the likeliest first; None if no single one does.

    Left out: a player nobody gave a number, or gave 0. A sign: the number is half the sum. Two digits that
    changed places: their numbers differ by the sum.
    """
    total = sum(deltas.values())
    absent = [player for player in deltas if player not in given]
    if len(absent) == 1:
        return Slip("missing", absent[0], 0, -total)
    turned = [player for player, delta in deltas.items() if delta and 2 * delta == total]
    if turned:
        return Slip("sign", turned[0], deltas[turned[0]], -deltas[turned[0]])
    for player, delta in deltas.items():
        for other in swapped(delta):
            if delta - other == total:
                return Slip("digits", player, delta, other)
    empty = [player for player, delta in deltas.items() if not delta]
    return Slip("missing", empty[0], 0, -total) if len(empty) == 1 else None


def of_winners(deltas: Mapping[str, int], winners: Sequence[str]) -> Slip | None:
    """Why a winner would lose points, or every winner get none though points move; None if none does."""
    losing = [player for player in winners if deltas[player] < 0]
    if not losing and (any(deltas[player] for player in winners) or not any(deltas.values())):
        return None
    player = losing[0] if losing else winners[0]
    was = deltas[player]
    gaining = [one for one, delta in deltas.items() if delta > 0]
    if {one for one, delta in deltas.items() if delta < 0} == set(winners):
        return Slip("turned", player, was, -was)
    if len(gaining) == 1 and gaining[0] not in winners:
        return Slip("exchanged", player, was, deltas[gaining[0]], gaining[0])
    return Slip("pays", player, was, -was)


def swapped(number: int) -> list[int]:
    """The numbers that come of one with two neighbouring digits exchanged."""
    sign, digits = (-1 if number < 0 else 1), str(abs(number))
    return [
        sign * int(digits[:i] + digits[i + 1] + digits[i] + digits[i + 2 :]) for i in range(len(digits) - 1)
    ]
