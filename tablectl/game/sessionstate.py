"""The part of the state that lasts longer than a hand: people, seats, points, breaks, the session's clock.

Plain data like `tablectl.game.state`, of which it is a part; times are table time in µs.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tablectl.game.timestate import Correction


@dataclass(slots=True)
class Player:
    """A person at a side. ``points`` are what lies before him: start plus the entries of this stage."""

    id: str
    name: str
    side: int
    points: int = 0
    status: str = "present"  # present, late, withdrawn, forfeited
    mechanical: bool = False  # nobody decides for this seat: the drawn tile is discarded (CJ-F6)
    substitute: str = ""  # who plays for him; the points stay his
    asked: int = 0  # questions about the score in this stage (CJ-F8)


@dataclass(slots=True)
class Substitution:
    """Somebody played for a player of record, from one hand to another."""

    player: str
    name: str
    id: str
    since: int  # the first hand he plays
    until: int | None = None  # the last one; None = he still plays


@dataclass(slots=True)
class Entry:
    """A line of the ledger. Lines are never changed: what was wrong is set right by another."""

    n: int  # its record
    hand: int
    stage: int
    kind: str  # hand, kong, penalty, bank, off_table, correction, reseat
    deltas: dict[str, int]
    reason: str = ""
    corrects: int = 0  # record of the entry it sets right
    table: bool = True  # False: booked beside the table, after the stage (CJ-S9)
    case: int = 0  # whose ruling it is, 0 = of none


@dataclass(slots=True)
class Sheet:
    """The sheet of a hand that counts, for its players to sign."""

    hand: int
    winds: dict[str, str]  # wind in that hand -> player
    phase: str = "unsigned"  # unsigned, signing, signed
    answers: dict[str, str] = field(default_factory=dict)  # player -> why he refuses, "" = signed


@dataclass(slots=True)
class Count:
    """What somebody counted before players, beside what the record says they hold."""

    n: int
    hand: int  # the newest one then
    stage: int
    moment: str  # start or end of the stage, "" = in between
    counted: dict[str, int]
    held: dict[str, int]
    waived: str = ""  # why the next hand was started although it differs

    @property
    def differs(self) -> dict[str, int]:
        """What each player has too much."""
        return {id_: have - self.held[id_] for id_, have in self.counted.items() if have != self.held[id_]}


@dataclass(slots=True)
class Note:
    """Something a rule speaks of that no sensor sees; told by somebody, and never an irregularity."""

    n: int
    at: int
    hand: int  # 0 = before the first
    fact: str
    rule: str
    player: str = ""
    text: str = ""
    late: bool = False  # told after the time the rule gives


@dataclass(slots=True)
class Seating:
    """Who sits at each side from a hand on. A correction is a further line for an earlier hand."""

    n: int
    hand: int
    stage: int
    sides: list[str]  # player ids by side
    east: int  # side that deals first in the stage
    how: str  # given, lot, throws, software, change, move, correction


@dataclass(slots=True)
class DrawState:
    """A seat draw under way, or the last one."""

    by: str  # lot, throws, software
    n: int
    at: int
    thrower: int = 0  # side that throws next (ZJ-W4)
    throws: list[tuple[int, int]] = field(default_factory=list)
    end: str = ""  # which end of the row is taken from: odd, even
    taker: int = 0  # side that takes next
    taken: dict[str, str] = field(default_factory=dict)  # wind -> player
    commitment: str = ""  # SHA-256 of the secret, published before anybody contributes
    secret: str = ""  # shown to nobody before all have contributed
    numbers: dict[str, int] = field(default_factory=dict)  # player -> what he contributed
    done: bool = False


@dataclass(slots=True)
class Break:
    """A break, from the moment it was called to the moment it really ended."""

    n: int
    kind: str
    started: int
    planned: int  # µs; 0 = open
    ended: int | None = None
    by: str = ""  # what ended it: command, play, session
    told: bool = False  # that its time is over


@dataclass(slots=True)
class SessionClock:
    """The time of a stage, µs. Runs from its first hand; stands in breaks."""

    limit: int = 0  # 0 = none
    spent: int = 0  # up to ``since``
    since: int | None = None  # None = it stands
    warned: bool = False
    up: bool = False
    corrections: list[Correction] = field(default_factory=list)


@dataclass(slots=True)
class SessionState:
    """A session: who sits where, how far it is. An event may have several stages (局) of hands."""

    phase: str = "idle"  # idle, seating, running, break, over
    rules: str = ""
    rules_hash: str = ""  # of the ruleset as it is played, confirmations included
    official: bool = False
    players: list[Player] = field(default_factory=list)
    hand_no: int = 0
    hands: int = 0  # of a stage; 0 = as many as its rounds take
    played: int = 0  # hands of this stage that count
    voided: int = 0  # hands of this stage that do not
    passed: int = 0  # times the deal has moved on in this stage
    moves: bool = False  # it moves on before the next hand
    doubles_next: bool = False  # the next hand counts twice
    doubled: bool = False  # the newest hand counts twice: its dealer had won the last
    dealer: int = 0  # side of East in the running or next hand
    east: int = 0  # side that was East first in this stage
    round: str = "E"
    fixed_round: bool = False  # the prevalent wind was given, not counted
    started: int = 0
    stage: int = 1
    stages: int = 1
    stage_starts: list[int] = field(default_factory=lambda: [1])  # the first hand of each stage
    rounds_before: int = 0  # rounds played in earlier stages
    last_hand: int = 0  # the hand the referee declared the last; 0 = none
    ended: str = ""  # why the stage is over: hands, time, broke, last_hand, stop, bye
    hand_open: bool = False  # the newest hand has not been settled yet
    machine: bool = True  # False: hands are shuffled and built by people
    break_due: bool = False
    redraw: bool = False  # seats are drawn again in mid-stage
    drawn: bool = False  # seats were drawn, not given
    prior: list[int] = field(default_factory=list)  # dealer, passed, moves, doubled before this hand opened
    clock: SessionClock = field(default_factory=SessionClock)
    breaks: list[Break] = field(default_factory=list)
    draw: DrawState | None = None
    ledger: list[Entry] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    seatings: list[Seating] = field(default_factory=list)
    substitutions: list[Substitution] = field(default_factory=list)
    byes: list[str] = field(default_factory=list)
    scored: bool = True  # False: points are kept elsewhere, and no hand owes any here
    waived: dict[int, str] = field(default_factory=dict)  # won hand without points -> why play went on
    counts: list[Count] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    closed_at: int = 0  # when the newest stage that is over ended
    event: str = ""  # class of the event (CJ-F5), "" = none was named
    worth: int = 0  # standard points for who advances from this table; 0 = none are given
    advancing: int = 1  # players who advance

    def player(self, id_: str) -> Player:
        """The player of an id the registry has checked."""
        return next(player for player in self.players if player.id == id_)

    def at(self, side: int) -> Player:
        """Who sits at a side."""
        return next(player for player in self.players if player.side == side)

    @property
    def on(self) -> bool:
        """True from the start of a session to its end."""
        return self.phase in ("seating", "running", "break")
