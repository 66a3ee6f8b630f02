"""What people at a table know of the rules they play by: enough to open a hand, take turns and end it.

A value each; whoever makes a table says which system is played. Left out, it is the international rules. What
wins, and what a win is worth, is not here: that is the judge's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from protocols.vocabulary import SeatKey

# What a hand must be to win: any complete shape; one with a fan of the chip game; opened, its pair 2, 5 or 8.
Aims = Literal["any", "fan", "opened"]
WILD = "wild"  # in a list of tiles: the wild kind of the hand
RANKS = 9
RED = "C"
CYCLE = "ESWNCFP"  # of the honours


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
    wild_kinds: int = 0  # kinds it makes wild
    wild_honours: Literal["skip_zhong", "cycle_all"] = "skip_zhong"  # the circle of the honours for that
    singles: tuple[str, ...] = ()  # tiles that are a kong alone, or ``WILD``
    unclaimable: tuple[str, ...] = ()  # tiles nobody may claim, or ``WILD``
    forbidden: tuple[str, ...] = ()  # tiles nobody may discard, or ``WILD``
    chow: bool = True
    kong_after_claim: bool = False  # in the turn of an own chow or pung
    last_discard: tuple[SeatKey, ...] = (SeatKey.WIN,)  # what the discard after the last tile is claimed for
    winners: int = 1  # of one discard
    waits: bool = False  # no time is given for claims: the next draw and a chow wait for better ones
    discard_s: int = 15
    aims: Aims = "any"

    def wild_of(self, indicator: str) -> tuple[str, ...]:
        """The kinds that a tile turned up makes wild, each the next of its kind (WH-W2)."""
        kinds = [indicator]
        for _ in range(self.wild_kinds):
            kinds.append(self._after(kinds[-1]))
        return tuple(kinds[1:])

    def _after(self, tile: str) -> str:
        if tile not in CYCLE:
            return f"{int(tile[0]) % RANKS + 1}{tile[1:]}"
        following = CYCLE[(CYCLE.index(tile) + 1) % len(CYCLE)]
        skips = self.wild_honours == "skip_zhong"
        return self._after(following) if skips and following == RED else following


INTERNATIONAL = Customs()
