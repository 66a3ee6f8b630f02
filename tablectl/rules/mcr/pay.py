"""Who pays a win, and what the points of a session are worth: payments, standard points, ranking.

MCR-S2, MCR-S4, MCR-S5. Players are 0-3; points are integers, what a player gains being positive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from tablectl.rules.errors import HandError
from tablectl.rules.mcr.score import McrScore

PLAYERS = range(4)


class Result(NamedTuple):
    """What a player has: standard points and game points of each session, in their order."""

    standard: tuple[Fraction, ...]
    points: tuple[int, ...]


class Ranked(NamedTuple):
    """A place from 1 and who has it; equal ones share it and the next place is free."""

    place: int
    name: str
    result: Result


def payments(total: int, winner: int, discarder: int | None, score: McrScore) -> tuple[int, int, int, int]:
    """What each gains by a win of this total, flowers included (MCR-S2).

    Everybody pays the base; the discarder, or on a self-draw (None) each of the three, the total besides.
    Raises `HandError` for a discarder who is the winner, or players there are not.
    """
    if winner not in PLAYERS or (discarder is not None and discarder not in PLAYERS):
        raise HandError("hand.no_player", "a player is a number from 0 to 3", player=winner)
    if winner == discarder:
        raise HandError("hand.own_discard", "nobody wins by an own discard or kong", player=winner)
    gains = [0 for _ in PLAYERS]
    for player in PLAYERS:
        if player != winner:
            gains[player] = -score.base.value - (total if discarder in (None, player) else 0)
    gains[winner] = -sum(gains)
    first, second, third, fourth = gains
    return first, second, third, fourth


def standard_points(points: Sequence[int], score: McrScore) -> tuple[Fraction, ...]:
    """Standard points of the players ranked together, by their game points, in the order given (MCR-S4).

    1998: of N ranked the first gets N, the one at place r gets N - r. EMA: the four of a table get the
    points of their places. Players with equal points share those of their places alike in EMA; in 1998, of
    which no source says so, each gets what the best of these places is worth.
    """
    ordered = sorted(points, reverse=True)
    worth = _worth(len(points), score)
    firsts = [ordered.index(own) for own in points]
    if score.placing.value == "1998":
        return tuple(worth[first] for first in firsts)
    alike = [ordered.count(own) for own in points]
    return tuple(
        sum(worth[first : first + number], Fraction(0)) / number
        for first, number in zip(firsts, alike, strict=True)
    )


def ranking(results: Mapping[str, Result]) -> tuple[Ranked, ...]:
    """By standard points; ties by game points, the best single session, more high sessions (MCR-S5)."""
    keys = {name: _rank(result) for name, result in results.items()}
    ordered = sorted(results.items(), key=lambda item: keys[item[0]], reverse=True)
    return tuple(
        Ranked(1 + sum(other > keys[name] for other in keys.values()), name, result)
        for name, result in ordered
    )


def _worth(players: int, score: McrScore) -> tuple[Fraction, ...]:
    """What each place is worth, the first first. Raises `ValueError` for no table where it takes one."""
    if score.placing.value == "1998":
        return tuple(Fraction(players - place if place > 1 else players) for place in range(1, players + 1))
    if players != len(score.places.value):
        raise ValueError(f"{players} players are no table of four")
    return tuple(map(Fraction, score.places.value))


def _rank(result: Result) -> tuple[Fraction, int, list[Fraction]]:
    """The list of sessions, best first, compares the best one and then how many high ones there are."""
    return sum(result.standard, Fraction(0)), sum(result.points), sorted(result.standard, reverse=True)
