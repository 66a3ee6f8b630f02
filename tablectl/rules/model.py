"""What a rule system says, as data: one `Ruleset` is one TOML file under this folder.

Every value carries the rule it comes from, so a screen can show the article beside the number and a test
can ask that each is guarded. A value nobody's book gives is marked ``provisional`` and never shown as the
rule. Times are seconds of table time.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from tablectl.rules.values import Rule, Section

ClaimWord = Literal["chow", "pung", "kong", "win"]


class Name(Section, frozen=True):
    """What the system is called in each language."""

    zh: str
    en: str


class Wall(Section, frozen=True):
    """The set of tiles and the wall built from it."""

    tiles: Rule[Literal[136, 144]]
    stacks_per_side: Rule[int]
    dead_tiles: Rule[int]  # never drawn
    throws: Rule[int]
    dice: Rule[int]
    break_at: Rule[Literal["after", "at"]]  # the first stack taken: after the counted one, or it


class Deal(Section, frozen=True):
    """How the hands are taken: ``blocks`` go round, then the jump."""

    blocks: Rule[tuple[int, ...]]
    jump: Rule[bool]


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
    discard_s: Rule[int]
    overtime: Rule[tuple[Literal["warning"] | int, ...]]  # per player and hand, then the last again


class Claims(Section, frozen=True):
    """Who may claim a discard, for how long, and who goes first."""

    words: Rule[tuple[ClaimWord, ...]]
    priority: Rule[tuple[tuple[ClaimWord, ...], ...]]  # best first; words of one group are equal
    window_s: Rule[int]  # pung and kong, from the discard
    win_s: Rule[int]
    chow_s: Rule[int]
    draw_closes: Rule[tuple[ClaimWord, ...]]  # claims of the next seat that its own draw gives up
    last_discard: Rule[tuple[ClaimWord, ...]]  # what the discard after the last tile may be claimed for
    winners: Rule[int]  # winners of one discard
    robbable: Rule[tuple[Literal["added_kong", "concealed_kong"], ...]]
    robbing_s: Rule[int]


class Kongs(Section, frozen=True):
    """When a kong may be declared."""

    in_claimed_turn: Rule[bool]  # in the same turn as an own chow or pung
    on_last_tile: Rule[bool]


class Win(Section, frozen=True):
    """What a win needs and how it is closed."""

    minimum: Rule[int]
    after_false_win: Rule[Literal["no_win"]]  # what a rejected win costs the seat in this hand


class Score(Section, frozen=True):
    """How hands are counted: the judge, and its answers where editions of the book differ."""

    judge: Literal["mcr"]
    mixed_kong: Rule[Literal[5, 6, 3]]  # one melded and one concealed kong; 3 = 1 + 2, no fan of its own
    two_concealed_kongs: Rule[Literal[6, 8]]
    knitted_wait: Rule[Literal["count", "skip"]]  # wait fan on a tile also in the knitted nine
    knitted_in_unrelated: Rule[Literal[24, 12]]  # 24 = 12 + 12
    seven_pairs_selfdraw: Rule[Literal["zimo", "buqiuren"]]
    nine_gates_terminal: Rule[Literal["one", "none", "both"]]  # terminal triplets implied in nine gates


class Session(Section, frozen=True):
    """The session: how many hands, who deals, when it ends."""

    hands: Rule[int]
    hands_per_round: Rule[int]
    rounds: Rule[tuple[str, ...]]  # prevalent winds in order
    dealer_repeats: Rule[bool]
    seat_changes: Rule[tuple[dict[str, str], ...]]  # between rounds: old starting wind -> new one
    start_points: Rule[int]
    time_s: Rule[int]
    break_s: Rule[int]
    break_counts: Rule[bool]
    warning_s: Rule[int]
    end_of_time: Rule[Literal["abort", "finish_hand"]]


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
    win: Win
    score: Score
    session: Session
