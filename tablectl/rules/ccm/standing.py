"""The table and the event: points of a session, places, standard points, ranking (CJ-F5, F7, F10, S10)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tablectl.rules.ccm.chips import Four, four
from tablectl.rules.ccm.score import Event
from tablectl.rules.ccm.settings import ScoreSettings


class Result(NamedTuple):
    """What a player or a team has: standard points, and points of all sessions to break a tie."""

    standard: int
    points: int


class Ranked(NamedTuple):
    """A place from 1 and who has it; equal ones share it and the next place is free."""

    place: int
    name: str
    result: Result


def session_points(chips: Four, bookings: Iterable[Four]) -> Four:
    """Points of a session that is over: the chips and what was booked off the table meanwhile (CJ-S9)."""
    return four(pair for one in (chips, *bookings) for pair in enumerate(one))


def total(sessions: Iterable[Four]) -> Four:
    """Points of a stage: the sum of its sessions, none of which carries over (CJ-S10)."""
    return four(pair for one in sessions for pair in enumerate(one))


def places(points: Four) -> Four:
    """The place of each player at the table; equal points are equal places."""
    return four((player, 1 + sum(other > own for other in points)) for player, own in enumerate(points))


def standard_points(event: Event, stages: int, stage: int, settings: ScoreSettings) -> int:
    """What advancing from a stage (1 the first, ``stages`` the last) is worth in an event (CJ-F5).

    Raises `ValueError` for a stage or an event there is not.
    """
    last = dict(settings.standard_points).get(event)
    if last is None:
        raise ValueError(f"{event!r} is no class of event")
    worth = last - settings.standard_step * (stages - stage)
    if not 1 <= stage <= stages or worth < 0:
        raise ValueError(f"there is no stage {stage} of {stages} in an event of class {event!r}")
    return worth


def awarded(points: Four, worth: int, advancing: int) -> Four:
    """Standard points at a table of which so many advance (CJ-F5, F10).

    A second who is called later, as wildcard, gets his then.
    """
    return four((player, worth if place <= advancing else 0) for player, place in enumerate(places(points)))


def wildcards(seconds: Mapping[str, int], free: int) -> tuple[str, ...]:
    """Who of the second of each table, given with their points, advances to so many free places (CJ-F5)."""
    return tuple(sorted(seconds, key=lambda name: -seconds[name])[:free])


def ranking(results: Mapping[str, Result]) -> tuple[Ranked, ...]:
    """By standard points, then by points of all sessions; equal in both is an equal place (CJ-F7)."""
    ordered = sorted(results.items(), key=lambda item: item[1], reverse=True)
    return tuple(
        Ranked(1 + sum(other > result for other in results.values()), name, result)
        for name, result in ordered
    )


def team_result(members: Sequence[Result]) -> Result:
    """What a team has: the sums of its players (CJ-F10)."""
    return Result(sum(one.standard for one in members), sum(one.points for one in members))
