"""The part of the state that is about time: clocks, what they measured, what stood, who corrected them.

Plain data like `tablectl.game.state`, of which it is a part; times are table time in µs.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Clock:
    """The time of one turn. Runs from ``started``; standing time is taken out by moving it."""

    side: int
    limit: int
    started: int
    over: bool = False  # the limit was passed (said once)
    no: int = 0  # which clock of the hand; what corrections name
    began: int = 0  # table time of the act that started it, never moved
    unc: int = 0  # of that moment, µs
    why: str = ""  # what started it: deal, flowers, discard, claim, meld, replacement, last_draws, complaint
    grace: int = 0  # of ``started`` after that act, because nobody's time ran yet (ZJ-T5)
    warned: bool = False  # that the limit is near (said once)
    waits: bool = False  # for another seat to show its meld: it has not begun (ZJ-C13)
    timed: bool = True  # False: measured only, nobody complained (ZJ-T6)


@dataclass(slots=True)
class Measurement:
    """What a turn took, as it ended. ``stopped - started`` is time used, stood, of grace, and corrected."""

    no: int  # of its clock
    hand: int
    side: int
    started: int
    stopped: int
    spent: int
    limit: int
    over: int  # beyond the limit
    unc: int  # of both ends together
    began_by: str
    ended_by: str  # discard, meld, replacement, win, last_draws, closed, taken, void
    stood: int = 0  # time in which the clocks stood
    grace: int = 0
    points: int = 0
    found: str = "in_time"  # in_time, over, doubt (over by less than is certain), untimed, no_turn


@dataclass(slots=True)
class Correction:
    """A person set a clock right. Readings are reckoned from these; none is ever taken out."""

    n: int  # its record
    at: int
    of: str  # turn, bank, session
    us: int  # more time left; negative = less
    actor: str
    reason: str
    side: int | None = None
    clock: int = 0  # number of the turn's clock
    case: int = 0  # of a referee call, 0 = none


@dataclass(slots=True)
class Held:
    """One hold as it stood, or (``win``) a win before the referee. Several may stand at the same time."""

    name: str
    key: str
    hand: int  # 0 = between two
    since: int
    until: int | None = None  # None = it stands
    time_credit: int = 0  # µs that are offered back to the clock of the session


@dataclass(slots=True)
class TimeOut:
    """A player was let go in mid-hand: how long it was planned, how long it was."""

    n: int
    hand: int
    side: int
    kind: str  # toilet, medical
    started: int
    planned: int  # µs; 0 = open
    reason: str = ""
    ended: int | None = None
    told: bool = False  # that its time is over


@dataclass(slots=True)
class Restart:
    """The daemon came back: when, and how long it was away by the computer's date."""

    at: int
    gap_s: int
