"""A player's mind: draws towards a complete hand, claims what brings it nearer, and wins if the judge agrees.

He sees his own tiles and what lies open (``Seen``). He is quick rather than deep: a decision takes well under
a tenth of a millisecond, and he finishes most hands. What he builds towards is his ``Plan``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from protocols.vocabulary import Meld, SeatKey
from sim import shape
from sim.hand import MELD_OF
from sim.manners import next_side
from sim.mechanism.tiles import COPIES, FLOWERS
from sim.plan import AnyShape, Plan
from sim.temper import Temper
from sim.view import Act, Claim, Discard, Draw, Judge, Keep, OwnKong, Seen, SelfDrawn, ShownMeld

PUNG_OWN = 2
KONG_OWN = 3


class Player:
    """One of the four, as sensible as a club player in a hurry."""

    def __init__(
        self, judge: Judge, rng: Random, temper: Temper | None = None, plan: Plan | None = None
    ) -> None:
        self.judge = judge
        self.plan = plan or AnyShape()
        self.temper = temper or self.plan.temper
        self._rng = rng

    def on_hand(self, seen: Seen) -> None:
        """Nothing is carried over from hand to hand."""

    def on_turn(self, seen: Seen, draw: Draw) -> Act:
        """Win, kong or discard."""
        if draw.tile and self._wins(seen, draw.tile, draw=draw):
            return SelfDrawn()
        if seen.open.draw_only:
            return Keep()
        due = seen.ruled.due(draw.tile, seen.concealed)
        if due:
            return Discard(due)
        if draw.tile and not seen.last:
            for name in self._alone(seen):
                return OwnKong(name, Meld.SINGLE_KONG)
        ranked = self.plan.after_discards(seen.concealed, seen.melds, seen.open)
        kong = self._own_kong(seen, draw, min(ranked.values(), default=0))
        return kong or Discard(self._worst(seen, ranked))

    def on_discard(self, seen: Seen, tile: str, discarder: int) -> Claim | None:
        """Call what is worth it."""
        if self._wins(seen, tile, source=discarder):
            return Claim(SeatKey.WIN)
        if tile in FLOWERS or not any(seen.may_claim(key, tile) for key in MELD_OF):
            return None
        usable = seen.ruled.usable(seen.concealed)
        own = usable.count(tile)
        lower = next_side(discarder) == seen.side
        if own < PUNG_OWN and not lower:
            return None
        now = self.plan.distance(seen.concealed, seen.melds, seen.open)
        if own == KONG_OWN and seen.may_claim(SeatKey.KONG, tile) and self._kong_pays(seen, tile, now):
            return Claim(SeatKey.KONG, (tile,) * KONG_OWN)
        pung = (tile,) * PUNG_OWN
        may_pung = own >= PUNG_OWN and seen.may_claim(SeatKey.PUNG, tile)
        if may_pung and self._nearer(seen, SeatKey.PUNG, tile, pung, now, self.temper.pung):
            return Claim(SeatKey.PUNG, pung)
        if lower and seen.may_claim(SeatKey.CHOW, tile):
            plain = [name for name in usable if name not in seen.open.wild]
            for pair in chow_pairs(plain, tile):
                if self._nearer(seen, SeatKey.CHOW, tile, pair, now, self.temper.chow):
                    return Claim(SeatKey.CHOW, pair)
        return None

    def on_added_kong(self, seen: Seen, tile: str, side: int) -> bool:
        """Rob it when it wins."""
        return self._wins(seen, tile, source=side, robbed=True)

    def _wins(
        self, seen: Seen, tile: str, *, source: int | None = None, draw: Draw = Draw(""),  # noqa: B008
        robbed: bool = False,
    ) -> bool:  # fmt: skip
        if not seen.may_win or not seen.ruled.may_win or tile in FLOWERS:
            return False
        concealed = list(seen.concealed)
        if source is None:
            concealed.remove(tile)
        elif not robbed and not seen.open.claimable(tile):
            return False
        if not self.plan.complete([*concealed, tile], seen.melds, seen.open):
            return False
        context = seen.context(
            self_drawn=source is None,
            source=seen.side if source is None else source,
            replacement=draw.kong,
            robbed=robbed,
            flower=draw.flower,
        )
        return self.judge.wins(concealed, seen.melds, tile, context)

    def _alone(self, seen: Seen) -> Iterator[str]:
        """Tiles to lay out as a kong each: what is no use in the hand, and all wild ones but one."""
        if not seen.open.customs.singles:
            return
        spare = sum(name in seen.open.wild for name in seen.concealed) > 1
        for name in seen.concealed:
            if seen.open.single(name) and (spare or name not in seen.open.wild):
                yield name

    def _own_kong(self, seen: Seen, draw: Draw, now: int) -> OwnKong | None:
        """A kong needs a tile drawn this turn and one left to replace it."""
        allowed = draw.tile or seen.open.customs.kong_after_claim
        if not allowed or not seen.ruled.may_kong or seen.last or self._rng.random() > self.temper.kong:
            return None
        for meld in seen.melds:
            if meld.kind is Meld.PUNG and meld.tiles[0] in seen.concealed:
                rest = [name for name in seen.concealed if name != meld.tiles[0]]
                if self.plan.distance(rest, seen.melds, seen.open) <= now:
                    return OwnKong(meld.tiles[0], Meld.ADDED_KONG)
        for name in dict.fromkeys(seen.concealed):
            if (
                seen.concealed.count(name) == COPIES
                and not seen.open.single(name)
                and self._kong_pays(seen, name, now, Meld.CONCEALED_KONG)
            ):
                return OwnKong(name, Meld.CONCEALED_KONG)
        return None

    def _kong_pays(self, seen: Seen, tile: str, now: int, kind: Meld = Meld.KONG) -> bool:
        rest = [name for name in seen.concealed if name != tile]
        melds = [*seen.melds, ShownMeld(kind, (tile,) * COPIES)]
        return self.plan.distance(rest, melds, seen.open) <= now

    def _nearer(
        self, seen: Seen, key: SeatKey, tile: str, own: tuple[str, ...], now: int, eager: float
    ) -> bool:
        """True when a meld with ``own`` brings the hand nearer, and he feels like it."""
        rest = list(seen.concealed)
        for name in own:
            rest.remove(name)
        melds = [*seen.melds, ShownMeld(MELD_OF[key], tuple(sorted((*own, tile))))]
        ranked = self.plan.after_discards(rest, melds, seen.open)
        return min(ranked.values(), default=now) < now and self._rng.random() < eager

    def _worst(self, seen: Seen, ranked: dict[str, int]) -> str:
        """The tile he misses least: nearest to complete afterwards, then the loneliest."""
        ranked = {name: ranked[name] for name in ranked if seen.ruled.may_discard(name, seen.concealed)}
        if not ranked:  # nothing but what no set is made of
            return may_go(seen)
        hand = shape.count(seen.concealed)
        best = max(ranked.values()) if self._rng.random() < self.temper.slip else min(ranked.values())
        worth = self.plan.worth
        return min((name for name in ranked if ranked[name] <= best), key=lambda name: worth(name, hand))


def may_go(seen: Seen) -> str:
    """A tile that may be discarded, if there is one."""
    held = [name for name in seen.concealed if seen.ruled.may_discard(name, seen.concealed)] or seen.concealed
    return next((name for name in held if not seen.open.forbidden(name)), held[0])


def chow_pairs(concealed: Sequence[str], tile: str) -> list[tuple[str, str]]:
    """The pairs of own tiles that make a sequence with ``tile``."""
    if tile[1:] not in shape.SUITS or len(tile) < 2:
        return []
    rank, suit = int(tile[0]), tile[1]
    pairs = []
    for low, high in ((rank - 2, rank - 1), (rank - 1, rank + 1), (rank + 1, rank + 2)):
        first, second = f"{low}{suit}", f"{high}{suit}"
        if first in concealed and second in concealed:
            pairs.append((first, second))
    return pairs
