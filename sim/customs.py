"""What people at a table know of the rules they play by: enough to open a hand, take turns and end it.

A value each; whoever makes a table says which system is played. Left out, it is the international rules. What
wins, and what a win is worth, is not here: that is the judge's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from protocols.vocabulary import SeatKey
from sim.mechanism.tiles import HONOURS

# What a hand must be to win: any complete shape; one with a fan of the chip game; opened, with a pair of 2, 5, 8
Aims = Literal["any", "fan", "opened"]
WILD = "wild"  # in a list of tiles: the wild kind of the hand
RANKS = 9
RED = "C"
WINDS, DRAGONS_AFTER_RED, ALL_DRAGONS = "ESWN", "FP", "CFP"


@dataclass(frozen=True, slots=True)
class Customs:
    """The rules of a table as its players follow them. Times are table seconds."""

    throws: int = 2  # of the dice, before the walls are broken
    dice: int = 2
    break_at: Literal["after", "at"] = "after"  # the first stack taken: after the counted one, or it
    dead_tiles: int = 0  # never drawn
    draw_only: int = 0  # of the last tiles before those: drawn one by one, for a self-drawn win alone
    tail_parity: bool = False  # an odd number of tiles from the tail leaves one fewer
    indicator: Literal["none", "head", "tail"] = "none"  # where a tile is turned up after the deal
    wild: Literal["none", "skip_zhong", "cycle_all"] = "none"  # what it makes wild, over the honours
    singles: tuple[str, ...] = ()  # kongs of one tile, or ``WILD``
    unclaimable: tuple[str, ...] = ()  # tiles nobody may claim, or ``WILD``
    forbidden: tuple[str, ...] = ()  # tiles nobody may discard, or ``WILD``
    chow: bool = True
    kong_after_claim: bool = False  # in the turn of an own chow or pung
    last_discard: tuple[SeatKey, ...] = (SeatKey.WIN,)  # what the discard after the last tile is claimed for
    winners: int = 1  # of one discard
    waits: bool = False  # no time is given for claims: the next draw and a chow wait for better ones
    discard_s: int = 15
    aims: Aims = "any"

    def names(self, listed: tuple[str, ...], tile: str, wild: str) -> bool:
        """True when a list of tiles names this one; ``wild`` = the wild kind of the hand, or empty."""
        return tile in listed or (WILD in listed and tile == wild != "")

    def wild_of(self, indicator: str) -> str:
        """The wild kind that a tile turned up makes: the next of its own kind (WH-W2)."""
        if self.wild == "none":
            return ""
        if indicator not in HONOURS:
            return f"{int(indicator[0]) % RANKS + 1}{indicator[1:]}"
        skips = self.wild == "skip_zhong"
        if skips and indicator == RED:
            return DRAGONS_AFTER_RED[0]
        cycle = WINDS + (DRAGONS_AFTER_RED if skips else ALL_DRAGONS)
        return cycle[(cycle.index(indicator) + 1) % len(cycle)]


INTERNATIONAL = Customs()
