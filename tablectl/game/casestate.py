"""The part of the state that is about rulings: calls, what was found, what was decided, what bars a seat.

Plain data like `tablectl.game.state`, of which it is a part; times are table time in µs, ``n`` and other
record numbers are those of the journal. A case is never taken away and a decision never changed: what was
wrong is corrected by a further decision.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tablectl.rules.offences import Measure


@dataclass(slots=True)
class Bar:
    """What a seat may not do for the rest of a hand. ``effect`` is one of the catalogue's."""

    effect: str  # no_win, no_claims, no_kongs, mechanical
    rule: str
    case: int = 0  # that decided it; 0 = the seat is played by nobody (CJ-F6)


@dataclass(slots=True)
class PenaltyTile:
    """A tile that lies open before its owner and may be used only so far (罚张, 罚牌)."""

    tile: str  # "" = not read
    rule: str
    case: int
    live: bool = True  # False: may never be discarded again (ZJ-P7)
    forced: bool = False  # it is the next own discard (MCR-P11, CJ-P2)


@dataclass(slots=True)
class Note:
    """One move of a case: who did it, when, in which record, and what was said."""

    move: str
    actor: str
    at: int
    n: int
    text: str = ""


@dataclass(slots=True)
class Finding:
    """What was seen: by the record, or by who raised the case. ``offence`` "" = not said yet."""

    offence: str
    at: int
    n: int
    facts: dict[str, Any] = field(default_factory=dict)
    place: int = 1  # on the ladder it leads to, from 1


@dataclass(slots=True)
class Decision:
    """What a referee, or a rule marked automatic, made of it."""

    n: int
    at: int
    actor: str
    offence: str  # "" = the article is filled in later
    rule: str
    measure: Measure
    place: int = 0  # step of the ladder; 0 = the referee chose otherwise
    points: int = 0
    receiver: str = ""  # player who was damaged
    tiles: list[str] = field(default_factory=list)
    reason: str = ""
    remedy: str = ""  # what becomes of the hand, where the machine failed
    waived: bool = False
    standing: bool = True  # False: set aside by a correction
    deltas: dict[str, int] = field(default_factory=dict)  # as far as they are booked
    entry: int = 0  # line of the ledger, 0 = none yet
    sent_away: bool = False  # the player left by it
    off_table: bool = False  # it was booked beside the table (CJ-P10, CJ-S9)


@dataclass(slots=True)
class Appeal:
    """Somebody does not accept a decision. Votes are shown to nobody before all are there."""

    n: int
    player: str
    at: int
    until: int  # table time by which it must be decided
    jury: int = 1
    votes: dict[str, str] = field(default_factory=dict)  # actor -> uphold, overturn
    outcome: str = ""
    told: bool = False  # that its time is over


@dataclass(slots=True)
class Case:
    """A call for the referee, or something the record shows, from raised to closed."""

    no: int
    kind: str  # rule, score, machine, medical, conduct; found = shown by the record
    at: int
    hand: int
    stage: int
    by: str  # who raised it
    player: str = ""  # whom it is about, "" = nobody
    side: int | None = None
    seat: str = ""  # wind of that side in its hand
    text: str = ""
    phase: str = "raised"
    referee: str = ""
    finding: Finding | None = None
    decisions: list[Decision] = field(default_factory=list)
    log: list[Note] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)  # player -> why he refuses to sign, "" = signed
    appeal: Appeal | None = None
    into: int = 0  # the case it was merged into
    hold: str = ""  # name of the hold that stands for it
    held: int | None = None  # since when it does
    stood: int = 0  # µs the table stood for it
    credited: int = 0  # µs of them given back to the session's clock
    fault: str = ""  # of the machine that it is about
    seen: int | None = None  # tiles somebody saw that he should not have, None = not said
    lost: bool = False  # what lay there cannot be put as it was
    refused: list[int] = field(default_factory=list)  # records of requests its effects refused

    @property
    def decision(self) -> Decision | None:
        """The decision that stands, if one does."""
        return next((one for one in reversed(self.decisions) if one.standing), None)

    @property
    def open(self) -> bool:
        """Is somebody still to do something about it?"""
        return self.phase not in ("closed", "withdrawn", "merged")
