"""What may go wrong at a table and what a ruleset makes of it: the penalty catalogue, as data.

An offence is one article: by which signs the record shows it, what it costs the first time, the second time
and so on, and what it does to the hand. A catalogue proposes, a referee decides; only what is marked
``automatic`` applies by itself. The same file says what becomes of a hand when the machine fails.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from tablectl.rules.values import Section

MOST_POINTS = 10_000

Effect = Literal[
    # on the offender, for the rest of the hand
    "no_win",  # a dead hand (停和): it cannot win
    "no_claims",  # no chow, no pung, no melded kong
    "no_kongs",
    "mechanical",  # it discards what it draws (CJ-C5)
    # on tiles
    "penalty_tiles",  # the exposed tiles become live penalty tiles (ZJ-P7)
    "forced_discard",  # the exposed tiles are the next own discards (MCR-P11, CJ-P2)
    "random_discard",  # the hand is shuffled face down, the referee draws the next discard (CJ-P2)
    "tiles_back",  # what was drawn or shown goes back
    "correct_meld",  # the right tiles are shown (ZJ-P13)
    "show_meld",  # the meld that was called must be shown (ZJ-P18)
    "claim_void",  # the call counts for nothing
    "as_discard",  # the tile counts as discarded (ZJ-P23)
    # on the hand
    "void",
    "redeal",
    "reroll",
    "rebuild",
    "lose_deal",  # the true East has no deal in this hand (ZJ-P27)
    "referee_decides",  # whether the hand goes on
    # on the person
    "benefit",  # what is in doubt goes to the other side (ZJ-P4)
    "pays_all",  # he pays what the three would pay (MCR-P14, ZJ-P5)
    "pays_value",  # he pays what his win would have earned to who had no points left (CJ-S8)
    "less_fan",  # what depends on the winning tile is not counted (MCR-E8, CJ-C2)
    "forfeit_hand",
    "forfeit_session",
    "disqualify",
    "report",
]
Bars = Literal["no_win", "no_claims", "no_kongs", "mechanical"]
Receiver = Literal["bank", "each", "damaged", "off_table"]
Moment = Literal["hand_end", "now", "stage"]
Points = Annotated[int, msgspec.Meta(ge=0, le=MOST_POINTS)]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=24 * 3600)]
Few = Annotated[int, msgspec.Meta(ge=0, le=14)]


class Measure(Section, frozen=True):
    """What one finding costs. ``points`` leave the offender: to nobody (``bank``), so many to *each* of the
    others, to who was damaged, or off the table; with ``up_to`` the referee chooses from there up to it in
    steps of ``unit``, or one of ``scale``. ``by_clock``: the points are those the clock measured (ZJ-T1,
    ZJ-T2). A measure that says nothing costs nothing: the article leaves it free."""

    warning: bool = False
    points: Points = 0
    up_to: Points = 0
    unit: Points = 0
    scale: tuple[Points, ...] = ()  # the amounts there are, where their steps differ (MCR-P13)
    by_clock: bool = False
    to: Receiver = "bank"
    else_to: Literal["bank", "off_table"] = "bank"  # of ``damaged``: where nobody clearly is (CJ-P10)
    when: Moment = "hand_end"
    effects: tuple[Effect, ...] = ()
    tiles: Few = 0  # penalty tiles to lay out (ZJ-P15, ZJ-P20); 0 = those that were exposed
    free: Few = 0  # of the exposed tiles so many go back (ZJ-P10)
    late_s: Seconds = 0  # of who comes late: up to here it is this measure (MCR-P1); 0 = however late

    def amounts(self) -> tuple[int, ...]:
        """The points a referee may choose from, lowest first."""
        if not self.up_to:
            return (self.points,)
        return self.scale or tuple(range(self.points, self.up_to + 1, max(1, self.unit)))


class Offence(Section, frozen=True):
    """One article of a catalogue. ``ladder``: the first time within ``per``, the second, …; then the last.

    ``at_once`` bars the offender from the moment it is found until it is decided, where play goes on before
    anybody can: what every decision there is would bar him from."""

    rule: str
    zh: str
    en: str
    ladder: Annotated[tuple[Measure, ...], msgspec.Meta(min_length=1)]
    per: Literal["hand", "session"] = "hand"
    signs: tuple[str, ...] = ()  # irregularities of the record that propose it, `name` or `name.detail`
    words: tuple[str, ...] = ()  # how people call it, in any language: what a search finds
    choices: tuple[Measure, ...] = ()  # what the article leaves to the referee besides
    most: Points = 0  # all its points within ``per`` together; 0 = no limit
    at_once: tuple[Bars, ...] = ()
    automatic: bool = False
    doubles: bool = False  # its points are doubled with those of the hand (CJ-D1)
    chief: bool = False  # only the chief referee may decide it
    provisional: bool = False
    also: tuple[str, ...] = ()  # further articles that say it
    like: str = ""  # the article it follows by analogy, where no article of its own gives numbers
    setting: str = ""
    off: bool = False  # a house plays without it


CallKind = Literal["rule", "score", "machine", "medical", "conduct"]


class Calls(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a call for the referee does. No rule book says: it is what the organiser wants."""

    hold: tuple[CallKind, ...] = ("rule", "machine", "medical", "conduct")  # kinds the clocks stand for


Remedy = Literal[
    "rebuild",
    "restart",  # from the record
    "restore",  # as it lay
    "play_on",
    "reroll",
    "redeal",
    "void",  # the hand does not count; the same dealer deals again
    "swap",  # the next wall by hand, or another table
    "referee",
    "lock",
]


class FaultPolicy(Section, frozen=True):
    """What a fault of the machine does to a hand, by how far it is (console §3): before the dealer's first
    discard, later with what lies there known again, later without. ``up_to_tiles``: with so many tiles seen
    it is still *recoverable*, up to ``referee_tiles`` the referee decides, more is *lost*; None: it makes no
    difference how many were seen."""

    zh: str
    en: str
    opening: Remedy
    recoverable: Remedy
    lost: Remedy
    faults: tuple[str, ...] = ()  # of the vocabulary, in lower case; () = people find it
    by_order: bool = False  # the opening too needs the order of the wall known, else it is lost
    up_to_tiles: Few | None = None
    referee_tiles: Few = 0
    credit: Literal["detection", "full", "gap", "none"] = "full"
    decides: Literal["referee", "chief"] = "referee"
    lost_by: Literal["referee", "chief"] = "referee"  # who decides where it is lost
    blame: Literal["machine", "player", "open"] = "machine"
    suspect: bool = False  # the wall is doubtful until a referee has looked
    retire_after: Few = 0  # so many of them in a session take the part out of use; 0 = never
