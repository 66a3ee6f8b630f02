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

from tablectl.game.casestate import Bar, Case, PenaltyTile
from tablectl.game.sessionstate import SessionState
from tablectl.game.timestate import Clock, Correction, Held, Measurement, Restart, TimeOut
from tablectl.rules.model import Ruleset
from tablectl.rules.verdicts.verdict import Verdict

SEATS = ("E", "S", "W", "N")
KONGS = ("kong", "concealed_kong", "added_kong")
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
class Meld:
    """A set laid open (or a concealed kong). ``shown`` is False from the award until it lies there."""

    kind: str  # chow, pung, kong, concealed_kong, added_kong, single_kong (one tile laid out alone)
    tiles: list[str]
    origin: int | None = None  # side whose discard was claimed
    claimed: str = ""  # that tile, where it is read; it also stands in the pool it came from
    shown: bool = True
    n: int = 0  # its record: melds of different seats lie in this order (CJ-S7)
    paid: bool = False  # a kong that has been paid at once (CJ-S6)
    wrong: bool = False  # its tiles are no such meld, and it has not been mended
    past: bool = False  # others have gone on since its owner's discard: it stays as it is (ZJ-P17)


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
    bars: list[Bar] = field(default_factory=list)  # what it may not do any more
    penalty_tiles: list[PenaltyTile] = field(default_factory=list)
    early: int = 0  # tiles drawn before the upper seat discarded
    off_by: int = 0  # tiles too many, or too few, when it was counted last
    acts: dict[str, int] = field(default_factory=dict)  # key or act -> when it was last done, µs
    stamps: dict[str, int] = field(default_factory=dict)  # the same by the board's clock, if last by a key
    bank: int = 0  # µs of all ended turns of this hand that count
    bank_unc: int = 0  # of that sum, µs
    overtime: int = 0  # points of overtime by turns in this hand (ZJ-T2)
    forfeits: bool = False  # more of them than the rules bear (ZJ-T7); said once

    def barred(self, *effects: str) -> str:
        """The rule that bars this seat from something, "" = none."""
        return next((bar.rule for bar in self.bars if bar.effect in effects), "")

    @property
    def no_win(self) -> str:
        """The rule that keeps it from winning."""
        return self.barred("no_win", "mechanical")

    @property
    def mechanical(self) -> str:
        """The rule by which it only draws and discards what it drew."""
        return self.barred("mechanical")


@dataclass(slots=True)
class Claim:
    """One call in a window."""

    side: int
    word: str
    at: int
    tiles: list[str] = field(default_factory=list)
    state: str = "open"  # open, awarded, beaten, rejected, late, overtaken (decided before it was heard)
    empty: bool = False  # its caller has been seen to lack the tiles for it


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
    counts: int = 0  # since when a turn that begins with this tile is timed; moved as ``opened`` is
    began: int = 0  # the same, never moved
    unc: int = 0  # of that moment, µs
    past: bool = False  # closed, and play has gone on since


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
    mixed: bool = False  # the drawn tile was put among the others before it was shown (MCR-C8, CJ-C2)
    counts: dict[str, int] = field(default_factory=dict)  # player -> what he says it is worth (ZJ-C21)

    @property
    def ruling_due(self) -> bool:
        """Are two different counts on the table?"""
        return len(set(self.counts.values())) > 1


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
    drawn_at: int | None = None  # when it did, as play saw it, where draws are sensed
    fresh: bool = False  # the turn seat drew from the head and has done nothing since
    kong_said: bool = False  # the turn seat has announced a kong that does not lie there yet
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
    lapsed: Window | None = None  # that was open last; its ``until`` is when it closed
    clock: Clock | None = None
    unshown: list[Clock] = field(default_factory=list)  # of who has discarded, his claimed meld not shown yet
    clocks: int = 0  # started in this hand
    measurements: list[Measurement] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)  # of turn clocks and banks
    timed: list[int] = field(default_factory=list)  # sides timed on complaint (ZJ-T6)
    waits: dict[str, str] = field(default_factory=dict)  # wind asked to wait with drawing -> by whom (ZJ-T5)
    in_grace: bool = False  # the dealer discarded before its end
    win: WinState | None = None
    won: list[WinState] = field(default_factory=list)  # confirmed, in the order they are paid
    lifted: Lifted | None = None
    last_drawn: int = 0  # sides that have drawn in the draw-only phase
    grace_until: int = 0  # nobody's time runs before
    frozen: int | None = None  # since when the clocks stand
    stood: list[tuple[int, int]] = field(default_factory=list)  # when they stood before, in order, apart
    irregularities: list[Irregularity] = field(default_factory=list)
    looked: int = 0  # how many of them have been looked at for a case
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
    held: list[Held] = field(default_factory=list)  # every hold of this hand and the last, as it stood
    timeouts: list[TimeOut] = field(default_factory=list)  # of this session
    restart: Restart | None = None  # the last one
    session: SessionState = field(default_factory=SessionState)
    hand: HandState | None = None
    deals: int = 0
    ruleset: Ruleset | None = None
    pending: dict[str, str] = field(default_factory=dict)  # two-person acts: what -> who asked first
    results: list[dict[str, Any]] = field(default_factory=list)
    history: list[dict[str, Any]] = field(default_factory=list)  # earlier sessions, summed up
    confirmed: dict[str, dict[str, Any]] = field(default_factory=dict)  # ruleset -> section.field -> value
    cases: list[Case] = field(default_factory=list)  # of this session, and what is still open of earlier ones
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
