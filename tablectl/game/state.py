"""The whole state of a table, as plain data.

Slotted dataclasses of integers, strings and lists only: they copy, compare and serialise freely. The flow
objects of the machines are pointed at them for the length of one step and never hold state of their own.
Times are table time in µs, sides 0-3, tiles canonical names or "" where a tile was not read.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import msgspec

from tablectl.rules.model import Ruleset
from tablectl.rules.verdicts.verdict import Verdict

SEATS = ("E", "S", "W", "N")
SINGLE = "single_kong"  # one tile laid out alone and replaced (WH-W4, WH-W5): no part of the 13


@dataclass(slots=True)
class OrderState:
    """The one order under way: a motion whose outcome is not recorded yet."""

    device: str
    id: int
    operation: str
    hand: int = 0
    side: int | None = None
    count: int = 0
    stage: str = "sent"  # sent, accepted, asked (its outcome was asked for), lost
    percent: int = 0
    due: int = 0  # table time after which it has failed


@dataclass(slots=True)
class TableState:
    """What the daemon believes of the mechanism: the two tracks, the order under way, the faults."""

    device: str = ""
    top: str = "unknown"
    store: str = "unknown"
    stopped: bool = False
    homed: bool = False
    hand: int = 0  # deal the walls on top were raised for
    profile: int = 0
    top_stacks: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    store_stacks: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    counted: int = 0  # tiles of the set in store
    suspect: str = ""  # why the walls on top may be false, "" = trusted
    faults: list[tuple[str, int]] = field(default_factory=list)
    order: OrderState | None = None
    lamp: str = "off"
    lamp_order: int = 0  # id of the last lamps order: its replies need nobody


@dataclass(slots=True)
class DeviceState:
    """One device: its link, its identity, how far its events are recorded."""

    link: str = "closed"
    word: str = ""
    since: int = 0
    serial: str = ""
    firmware: str = ""
    boot: int = 0
    last_event: int = 0
    adopted: bool = False  # another board took this one's place: the configured serial number is not its
    capabilities: list[str] = field(default_factory=list)
    limits: dict[str, int] = field(default_factory=dict)  # µs to *done*, by operation


@dataclass(slots=True)
class Hold:
    """Why clocks stand. ``ends`` says who may end it: ``auto`` (the cause gone) or ``referee``."""

    key: str
    since: int
    ends: str
    data: dict[str, Any] = field(default_factory=dict)


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


@dataclass(slots=True)
class Sheet:
    """The sheet of a hand that counts, for its players to sign."""

    hand: int
    winds: dict[str, str]  # wind in that hand -> player
    phase: str = "unsigned"  # unsigned, signing, signed
    answers: dict[str, str] = field(default_factory=dict)  # player -> why he refuses, "" = signed


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


@dataclass(slots=True)
class Meld:
    """A set laid open (or a concealed kong). ``shown`` is False from the award until it lies there."""

    kind: str  # chow, pung, kong, concealed_kong, added_kong, single_kong (one tile laid out alone)
    tiles: list[str]
    origin: int | None = None  # side whose discard was claimed
    claimed: str = ""  # that tile, where it is read; it also stands in the pool it came from
    shown: bool = True
    n: int = 0  # its record: melds of different seats lie in this order (CJ-S7)
    paid: bool = False  # a kong that has been paid at once (CJ-S6)


@dataclass(slots=True)
class Discard:
    """A tile in the pool, or gone from it by a claim."""

    tile: str
    claimed: bool = False
    n: int = 0  # how many there were with it: its place in the one order of all seats (ZJ-S13)


@dataclass(slots=True)
class SeatState:
    """One seat in a hand. ``tiles`` is filled only where the table reads tiles."""

    wind: str
    concealed: int = 0
    tiles: list[str] = field(default_factory=list)
    melds: list[Meld] = field(default_factory=list)
    flowers: list[str] = field(default_factory=list)
    flower_kongs: int = 0  # that have been paid (CJ-S6)
    discards: list[Discard] = field(default_factory=list)
    no_win: str = ""  # the rule that bars this seat from winning, "" = none
    mechanical: str = ""  # the rule by which it only draws and discards what it drew, "" = none
    early: int = 0  # tiles drawn before the upper seat discarded
    acts: dict[str, int] = field(default_factory=dict)  # key or act -> when it was last done, µs
    stamps: dict[str, int] = field(default_factory=dict)  # the same by the board's clock, if last by a key


@dataclass(slots=True)
class Claim:
    """One call in a window."""

    side: int
    word: str
    at: int
    tiles: list[str] = field(default_factory=list)
    state: str = "open"  # open, awarded, beaten, rejected


@dataclass(slots=True)
class Window:
    """The time in which a discard may be claimed or a kong robbed. Not a gate: play may go on in it."""

    kind: str  # discard, kong
    side: int  # who discarded, or declared the kong
    tile: str
    opened: int
    until: int  # 0 = until somebody plays on
    words: list[str]
    claims: list[Claim] = field(default_factory=list)
    given_up: list[str] = field(default_factory=list)  # words the next seat gave up by drawing


@dataclass(slots=True)
class Clock:
    """The time of one turn. Runs from ``started``; standing time is taken out by moving it."""

    side: int
    limit: int
    started: int
    over: bool = False  # the limit was passed (said once)


@dataclass(slots=True)
class ShownHand:
    """The tiles of a declared win as somebody entered them, where the table does not read them."""

    concealed: list[str]  # without the winning tile
    melds: list[Meld]
    last_of_kind: bool = False


@dataclass(slots=True)
class WinState:
    """A declared win before the referee."""

    side: int
    how: str  # self_drawn, discard, robbed_kong
    origin: int | None
    tile: str
    at: int
    back: str  # the phase play returns to if it is rejected
    shown: ShownHand | None = None
    immunity: bool = True  # the rule of the same round was invoked (ZJ-C9)
    verdict: Verdict | None = None  # of the rule book; None = only a referee can say
    overruled: str = ""  # why the referee decided otherwise


@dataclass(slots=True)
class Lifted:
    """A tile drawn and put back because the discard before it was claimed (ZJ-C3)."""

    side: int  # who had drawn it
    tile: str
    left: bool = False  # it lies before him as his next draw; else the next to draw may take it


@dataclass(slots=True)
class Irregularity:
    """Something that happened and should not have. Recorded, flagged, never refused."""

    key: str
    side: int | None
    at: int
    rule: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class HandState:
    """One hand from *build* to *closed*."""

    no: int
    deal: int  # counts every dealing of this record, redeals too: the board's name for these walls
    dealer: int
    round: str
    total: int  # tiles of the walls that are for drawing
    draw_only: int = 0  # the last of them, drawn one by one for a self-drawn win alone
    tail_parity: bool = False  # an odd number of replacements frees one tile more
    phase: str = "building"
    started: int = 0
    raise_ordered: bool = False
    throws: list[tuple[int, int]] = field(default_factory=list)
    thrower: int = 0
    break_side: int | None = None
    break_stack: int = 0  # stacks counted before the first one taken
    seats: list[SeatState] = field(default_factory=list)
    turn: int = 0
    draw_from: str = "head"
    after_claim: bool = False  # this turn began with an own chow or pung
    drawn_tile: str = ""  # what the turn seat drew last, where it is read
    fresh: bool = False  # the turn seat drew from the head and has done nothing since
    replaces: str = ""  # what the tile of this turn replaces: kong, flower; "" = nothing
    before_kong: list[str] = field(default_factory=list)  # read tiles before the first kong of this turn
    indicator: str = ""  # the tile turned up after the deal, where there is one and it is read
    wild: list[str] = field(default_factory=list)  # the kinds it makes wild
    head: int = 0  # tiles drawn from the head
    tail: int = 0
    turned: int = 0  # tiles of the head turned up as indicator
    corrected: int = 0  # wall count corrections by a referee
    turns: int = 0  # discards
    chased: int = 0  # of them those looked at for 追牌 (CJ-S6)
    window: Window | None = None
    clock: Clock | None = None
    win: WinState | None = None
    won: list[WinState] = field(default_factory=list)  # confirmed, in the order they are paid
    lifted: Lifted | None = None
    last_drawn: int = 0  # sides that have drawn in the draw-only phase
    grace_until: int = 0  # nobody's time runs before
    frozen: int | None = None  # since when the clocks stand
    irregularities: list[Irregularity] = field(default_factory=list)
    result: dict[str, Any] | None = None

    @property
    def wall_left(self) -> int:
        """Tiles that can still be drawn, the last ones for a self-drawn win alone among them."""
        odd = self.tail % 2 if self.tail_parity else 0
        return self.total + odd - self.head - self.tail - self.turned - self.corrected

    @property
    def live_left(self) -> int:
        """Tiles that can still be drawn in the ordinary way: none left, no kong and no draw."""
        return self.wall_left - self.draw_only

    def left_for(self, side: int) -> bool:
        """Does a tile lie before the side as its next draw (ZJ-C3)?"""
        return self.lifted is not None and self.lifted.left and self.lifted.side == side

    @property
    def in_play(self) -> bool:
        """True while the hand decides something: from the walls up to its end."""
        return self.phase not in ("building", "raising", "closed", "void")

    @property
    def over(self) -> bool:
        """True once the hand has a result."""
        return self.phase in ("closed", "void")


@dataclass(slots=True)
class State:
    """Everything ``step`` knows."""

    now: int = 0
    table: TableState = field(default_factory=TableState)
    devices: dict[str, DeviceState] = field(default_factory=dict)
    holds: dict[str, Hold] = field(default_factory=dict)
    session: SessionState = field(default_factory=SessionState)
    hand: HandState | None = None
    deals: int = 0
    ruleset: Ruleset | None = None
    pending: dict[str, str] = field(default_factory=dict)  # two-person acts: what -> who asked first
    results: list[dict[str, Any]] = field(default_factory=list)
    history: list[dict[str, Any]] = field(default_factory=list)  # earlier sessions, summed up
    confirmed: dict[str, dict[str, Any]] = field(default_factory=dict)  # ruleset -> section.field -> value
    changed: int = 0  # record of the newest input that told the screens anything: the version they show
    change: dict[str, Any] = field(default_factory=dict)  # what it told last: key and data


def to_json(state: State) -> bytes:
    """The state as canonical JSON: sorted keys, integers and strings only."""
    return msgspec.json.encode(state, order="sorted")


def from_json(data: bytes) -> State:
    """The state a snapshot holds. Raises ``msgspec.ValidationError`` if it is not one."""
    return msgspec.json.decode(data, type=State)


def digest(state: State) -> str:
    """SHA-256 of the canonical JSON: equal states, equal digests."""
    return hashlib.sha256(to_json(state)).hexdigest()
