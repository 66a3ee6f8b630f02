"""A win as the payments see it: plain data, no tiles but what the rules of liability ask."""

from __future__ import annotations

from dataclasses import dataclass

from tablectl.rules.wuhan.hand import PLAYERS, SELF_DRAWN, Laid, Way


@dataclass(frozen=True, slots=True)
class Win:
    """Players are 0-3 in turn order; `tablectl.rules.wuhan.hand.WinHand` explains the fields of its names.

    ``big``: ids of the 大胡, none for a 小胡. ``feeders``: who fed the open melds, in the order laid.
    ``jiang_fed``: the winning tile is a 2, 5 or 8. The winner has opened (WH-C1).
    """

    winner: int
    dealer: int
    way: Way
    discarder: int | None
    laid: tuple[Laid, ...]
    big: tuple[str, ...]
    hard: bool
    feeders: tuple[int, ...] = ()
    jiang_fed: bool = False
    discarder_ready: bool = False

    @property
    def self_drawn(self) -> bool:
        """The tile came from the wall."""
        return self.way in SELF_DRAWN

    @property
    def losers(self) -> tuple[int, ...]:
        """The three others."""
        return tuple(player for player in range(PLAYERS) if player != self.winner)
