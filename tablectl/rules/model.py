"""What a rule system says, as data: one `Ruleset` is one TOML file under this folder.

Every value carries the rule it comes from, so a screen can show the article beside the number and a test
can ask that each is guarded. A value nobody's book gives is marked ``provisional`` and never shown as the
rule. Times are seconds of table time.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from tablectl.rules.ccm.score import CcmScore
from tablectl.rules.mcr.score import McrScore
from tablectl.rules.offences import Calls, FaultPolicy, Offence
from tablectl.rules.values import Rule, Section
from tablectl.rules.wuhan.score import WuhanScore
from tablectl.rules.zungjung.score import ZungjungScore

ClaimWord = Literal["chow", "pung", "kong", "win"]


class Name(Section, frozen=True):
    """What the system is called in each language."""

    zh: str
    en: str


class Wall(Section, frozen=True):
    """The set of tiles and the wall built from it."""

    tiles: Rule[Literal[136, 144]]
    stacks_per_side: Rule[int]
    throws: Rule[int]  # the last thrower's wall is broken; after one throw the wall it counts to
    dice: Rule[int]
    break_at: Rule[Literal["after", "at"]]  # the first stack taken: after the counted one, or it
    dead_tiles: Rule[int]  # never drawn, counted from the tail
    draw_only: Rule[int]  # of the last tiles before those: drawn one by one, for a self-drawn win alone
    tail_parity: Rule[bool]  # an odd number of replacements leaves one tile fewer
    indicator: Rule[Literal["none", "head"]]  # the next tile, turned up after the deal


class Deal(Section, frozen=True):
    """How the hands are taken: ``blocks`` go round, then the jump."""

    blocks: Rule[tuple[int, ...]]
    jump: Rule[bool]
    check: Rule[bool]  # nobody looks at his tiles before the deal is found right


class Flowers(Section, frozen=True):
    """Flower tiles and their replacement."""

    used: Rule[bool]
    hold: Rule[bool]  # may be kept or discarded
    window_s: Rule[int]  # for all replacements before play
    last_tile: Rule[bool]  # a flower drawn as the last tile is replaced


class Turn(Section, frozen=True):
    """Time limits of a turn."""

    first_discard_s: Rule[int]
    first_discard_from: Rule[Literal["deal_end", "flowers_end"]]
    grace_s: Rule[int]  # after the deal nobody's time runs
    discard_s: Rule[int]
    bank_s: Rule[int]  # of a player for all turns of a hand; 0 = none
    grace_counts: Rule[bool]  # the grace is taken from the bank
    warning_s: Rule[int]  # before the limit of a turn; 0 = none
    stops_at: Rule[Literal["discard", "discard_and_meld"]]  # a claimed meld must lie open as well
    replacement_restarts: Rule[bool]  # the replacement of a kong begins a turn of its own
    wait_requests: Rule[bool]  # in the grace others may ask the next seat to wait with drawing
    timing_scope: Rule[Literal["all", "complaint"]]  # whose turns are timed
    overtime_step_s: Rule[int]  # points for every started one; 0 = once a turn
    overtime_points: Rule[int]  # for each; 0 = what the ladder of penalties says
    forfeit_above: Rule[int]  # points of overtime in a hand; 0 = no such limit


class Claims(Section, frozen=True):
    """Who may claim a discard, for how long, and who goes first."""

    words: Rule[tuple[ClaimWord, ...]]
    priority: Rule[tuple[tuple[ClaimWord, ...], ...]]  # best first; words of one group are equal
    order_from: Rule[Literal["discarder", "dealer"]]  # where counting begins among equals
    window_s: Rule[int]  # pung and kong, from the discard; 0 = until the next player has acted
    win_s: Rule[int]
    chow_s: Rule[int]
    settle_s: Rule[int]  # without a window: how long a call waits for a better one
    draws_after_s: Rule[int]  # without a window, unsensed: what the next seat does later is its turn
    draw_closes: Rule[tuple[ClaimWord, ...]]  # claims of the next seat that its own draw gives up
    claim_reopens: Rule[tuple[ClaimWord, ...]]  # of these, what another seat's call gives back
    last_discard: Rule[tuple[ClaimWord, ...]]  # what the discard after the last tile may be claimed for
    unclaimable: Rule[tuple[str, ...]]  # tiles nobody may claim; "wild" = the wild kind
    winners: Rule[int]  # winners of one discard
    robbable: Rule[tuple[Literal["added_kong", "concealed_kong"], ...]]
    robbing_s: Rule[int]
    selfdraw_s: Rule[int]  # to look at a self-drawn hand before it is declared; 0 = no limit of its own
    lifted_tile: Rule[Literal["back", "choice"]]  # drawn, then claimed: goes back, or the next drawer chooses


class Kongs(Section, frozen=True):
    """When a kong may be declared."""

    in_claimed_turn: Rule[bool]  # in the same turn as an own chow or pung
    on_last_tile: Rule[bool]
    single: Rule[tuple[str, ...]]  # tiles laid out alone and replaced; "wild" = the wild kind
    concealed_shown: Rule[bool]  # its tiles are seen by all when it is laid


class Discards(Section, frozen=True):
    """What may be discarded."""

    forbidden: Rule[tuple[str, ...]]  # tiles, or "flower"


Score = McrScore | ZungjungScore | CcmScore | WuhanScore


class Session(Section, frozen=True):
    """The session: how many hands, who deals, when it ends."""

    hands: Rule[int]  # 0 = as many as its rounds take
    rounds: Rule[tuple[str, ...]]  # a round: every seat dealt once; its wind
    prevalent: Rule[bool]  # that wind counts for something
    dealer_keeps: Rule[tuple[Literal["win", "draw"], ...]]  # after his own win, after a drawn hand
    doubles: Rule[bool]  # a dealer who has won plays the next hand for twice the points
    stages: Rule[int]  # sessions of one event at the same table, with other seats
    seats: Rule[Literal["lot", "throws"]]  # how seats are drawn
    seat_changes: Rule[tuple[dict[str, str], ...]]  # between rounds: old starting wind -> new one
    redraw_after: Rule[int]  # hands after which seats are drawn again; 0 = never
    seats_differ: Rule[bool]  # nobody sits in the same seat in two stages
    start_points: Rule[int]
    chips: Rule[tuple[tuple[int, int], ...]]  # (value, how many) handed to each player
    counted: Rule[tuple[Literal["start", "end"], ...]]  # when the chips of a stage are counted by somebody
    chips_bound: Rule[bool]  # nobody pays more than lies before him
    broke_ends: Rule[int]  # so many players without points end the session; 0 = never
    time_s: Rule[int]  # 0 = no clock
    break_s: Rule[int]
    break_after: Rule[int]  # rounds played before the break; 0 = none
    break_counts: Rule[bool]
    warning_s: Rule[int]
    end_of_time: Rule[Literal["abort", "finish_hand"]]
    absence: Rule[Literal["referee", "bye"]]  # the referee decides; or byes, and a mechanical partner later
    appeal_s: Rule[int]  # after a stage, for a written appeal; 0 = no such time
    questions: Rule[int]  # about the score, a player and stage, in the last stage only; 0 = no limit


class Articles(Section, frozen=True):
    """Which article each irregularity and refusal breaks, where no value of the ruleset says so."""

    act_without_draw: str
    chow_not_from_left: str
    claim_after_replacement: str
    claim_too_late: str
    draw_against_wait: str
    draw_past_end: str
    early_draw: str
    empty_claim: str
    false_win: str
    flower_order: str
    forbidden_discard: str
    given_up_by_drawing: str
    kong_after_claim: str
    kong_on_last_tile: str
    mechanical: str
    meld_without_claim: str
    misdeal: str
    needless_draw: str
    no_flowers_here: str
    no_pung_for_kong: str
    no_single_kong: str
    no_win: str
    not_claimable: str
    not_your_turn: str
    other_meld: str
    out_of_turn: str
    overtime: str
    overtime_bank: str
    overtime_forfeit: str
    unknown_tile: str
    unseen_throws: str
    wrong_break: str
    wrong_dealer: str
    wrong_end: str
    wrong_thrower: str


# What a rule speaks of and no sensor sees; somebody tells it, and `notes` of a ruleset names the article.
Fact = Literal[
    "forbidden_throw", "tile_turned_up", "win_apart", "win_mixed", "laid_out", "help_asked", "points_short",
    "readings_compared", "readings_mixed", "two_counts", "appeal",
]  # fmt: skip


class Ruleset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole rule system as the engine sees it."""

    id: str
    name: Name
    wall: Wall
    deal: Deal
    flowers: Flowers
    turn: Turn
    claims: Claims
    kongs: Kongs
    discards: Discards
    score: Score
    session: Session
    articles: Articles
    offences: dict[str, Offence] = {}
    machine: dict[str, FaultPolicy] = {}
    calls: Calls = Calls()
    notes: dict[Fact, str] = {}
