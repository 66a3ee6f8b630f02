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
    "pays_all",  # he pays what the three would pay (MCR-P14, ZJ-P5)
    "less_fan",  # what depends on the winning tile is not counted (MCR-E8, CJ-C2)
    "forfeit_hand",
    "forfeit_session",
    "disqualify",
    "report",
]
Receiver = Literal["bank", "each", "damaged", "off_table"]
Moment = Literal["hand_end", "now", "stage"]
Points = Annotated[int, msgspec.Meta(ge=0, le=MOST_POINTS)]
Few = Annotated[int, msgspec.Meta(ge=0, le=14)]


class Measure(Section, frozen=True):
    """What one finding costs. ``points`` leave the offender: to nobody (``bank``), so many to *each* of the
    others, to who was damaged, or off the table; with ``up_to`` the referee chooses from there up to it in
    steps of ``unit``. ``by_clock``: the points are those the clock measured (ZJ-T1, ZJ-T2)."""

    warning: bool = False
    points: Points = 0
    up_to: Points = 0
    unit: Points = 0
    by_clock: bool = False
    to: Receiver = "bank"
    when: Moment = "hand_end"
    effects: tuple[Effect, ...] = ()
    tiles: Few = 0  # penalty tiles to lay out (ZJ-P15, ZJ-P20); 0 = those that were exposed


class Offence(Section, frozen=True):
    """One article of a catalogue. ``ladder``: the first time within ``per``, the second, …; then the last."""

    rule: str
    zh: str
    en: str
    ladder: Annotated[tuple[Measure, ...], msgspec.Meta(min_length=1)]
    per: Literal["hand", "session"] = "hand"
    signs: tuple[str, ...] = ()  # irregularities of the record that propose it, `name` or `name.detail`
    words: tuple[str, ...] = ()  # how people call it, in any language: what a search finds
    choices: tuple[Measure, ...] = ()  # what the article leaves to the referee besides
    automatic: bool = False
    chief: bool = False  # only the chief referee may decide it
    provisional: bool = False
    like: str = ""  # the article it follows by analogy, where no article of its own gives numbers
    setting: str = ""


CallKind = Literal["rule", "score", "machine", "medical", "conduct"]
Minutes = Annotated[int, msgspec.Meta(ge=1, le=1440)]


class Calls(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a call for the referee does, and how long a ruling may be appealed against. No rule book has more
    than a number here (``appeal_rule``): it is what the organiser wants."""

    hold: tuple[CallKind, ...] = ("rule", "machine", "medical", "conduct")  # kinds the clocks stand for
    appeal_minutes: Minutes = 30  # after the stage (MCR-P18)
    appeal_rule: str = ""


Stage = Literal["opening", "recoverable", "lost"]
Remedy = Literal["wait", "rebuild", "restart", "restore", "play_on", "reroll", "void", "referee", "lock"]


class FaultPolicy(Section, frozen=True):
    """What a fault of the machine does to a hand, by how far it is (console §3): before the dealer's first
    discard, later with what lies there known again, later without. ``up_to_tiles``: so many tiles seen are
    still *recoverable*, up to ``referee_tiles`` the referee decides, more is *lost*."""

    zh: str
    en: str
    faults: tuple[str, ...]
    opening: Remedy
    recoverable: Remedy
    lost: Remedy
    up_to_tiles: Few = 0
    referee_tiles: Few = 0
    credit: Literal["detection", "full", "gap", "none"] = "full"
    decides: Literal["referee", "chief"] = "referee"
    blame: Literal["machine", "player", "open"] = "machine"
    suspect: bool = False  # the wall is doubtful until a referee has looked
