"""What a referee has told a player for the rest of the hand, and the penalty tiles that lie before him."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from protocols.vocabulary import SeatKey
from sim.errors import PlanError
from sim.mechanism.tiles import KINDS

EFFECTS = ("no_win", "no_claims", "no_kongs", "mechanical")
DEAD, FORCED = "-", "!"  # after the name of a penalty tile


@dataclass(slots=True)
class Ruled:
    """``live``: penalty tiles that may be the next discard; ``dead``: that may never be one; ``forced``: one
    of which must be."""

    effects: frozenset[str] = frozenset()
    live: list[str] = field(default_factory=list)
    dead: list[str] = field(default_factory=list)
    forced: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, words: Sequence[str]) -> Ruled:
        """Read words: ``no_win`` and its like, ``5m`` (live), ``5m-`` (dead), ``5m!`` (forced). Raises
        ``PlanError``."""
        ruled = cls(frozenset(word for word in words if word in EFFECTS))
        for word in words:
            tile = word.rstrip(DEAD + FORCED)
            if word in EFFECTS:
                continue
            if tile not in KINDS:
                raise PlanError(word, "no penalty tile and no effect of a ruling", EFFECTS)
            kept = (
                ruled.dead if word.endswith(DEAD) else ruled.forced if word.endswith(FORCED) else ruled.live
            )
            kept.append(tile)
        return ruled

    @property
    def mechanical(self) -> bool:
        """He discards what he draws."""
        return "mechanical" in self.effects

    @property
    def may_win(self) -> bool:
        return not self.effects & {"no_win", "mechanical"}

    def may_claim(self, key: SeatKey) -> bool:
        """May he call this word?"""
        if key is SeatKey.WIN:
            return self.may_win
        return not self.effects & {"no_claims", "mechanical"} and (key is not SeatKey.KONG or self.may_kong)

    @property
    def may_kong(self) -> bool:
        return not self.effects & {"no_kongs", "mechanical"}

    def usable(self, concealed: Sequence[str]) -> list[str]:
        """The tiles he may put into an open meld (ZJ-P8)."""
        left = list(concealed)
        for tile in (*self.live, *self.dead, *self.forced):
            if tile in left:
                left.remove(tile)
        return left

    def may_discard(self, tile: str, concealed: Sequence[str]) -> bool:
        """False for a dead penalty tile, unless he holds another like it (ZJ-P7)."""
        return concealed.count(tile) > self.dead.count(tile)

    def due(self, drawn: str, concealed: Sequence[str]) -> str:
        """The tile he has to discard, or empty (CJ-C5, MCR-P11)."""
        must = next((tile for tile in self.forced if tile in concealed), "")
        return must or (drawn if self.mechanical and drawn in concealed else "")

    def discarded(self, tile: str) -> None:
        """He discards: what is live and stays becomes dead (ZJ-P7)."""
        for tiles in (self.forced, self.live):
            if tile in tiles:
                tiles.remove(tile)
                break
        self.dead += self.live
        self.live = []
