"""A player's mind: draws towards a complete hand, claims what brings it nearer, and wins if the judge agrees.

He sees his own tiles and what lies open (``Seen``). He is quick rather than deep: a decision takes well under
a tenth of a millisecond, and he finishes most hands.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from protocols.vocabulary import Meld, SeatKey
from sim import shape
from sim.manners import next_side
from sim.mechanism.tiles import COPIES, FLOWERS
from sim.view import Act, Claim, Discard, Draw, Judge, OwnKong, Seen, SelfDrawn

PUNG_OWN = 2
KONG_OWN = 3


@dataclass(frozen=True, slots=True)
class Temper:
    """How eager a player is, as probabilities."""

    pung: float = 0.5
    chow: float = 0.3
    kong: float = 0.9
    slip: float = 0.5  # discards by the look of a tile, without counting what the hand lacks
    # rules broken at any discard (kinds of ``faults.toml``); chance decides who
    out_of_turn: float = 0.0
    all_at_once: float = 0.0
    draw_early: float = 0.0
    call_late: float = 0.0
    exposed: float = 0.0
    too_few: float = 0.0
    too_many: float = 0.0


class Player:
    """One of the four, as sensible as a club player in a hurry."""

    def __init__(self, judge: Judge, rng: Random, temper: Temper = Temper()) -> None:
        self.judge = judge
        self.temper = temper
        self._rng = rng

    def on_hand(self, seen: Seen) -> None:
        """Nothing is carried over from hand to hand."""

    def on_turn(self, seen: Seen, draw: Draw) -> Act:
        """Win, kong or discard."""
        if draw.tile and self._wins(seen, draw.tile, replacement=draw.kong):
            return SelfDrawn()
        ranked = shape.after_discards(seen.concealed, len(seen.melds))
        kong = self._own_kong(seen, draw, min(ranked.values(), default=0))
        return kong or Discard(self._worst(seen, ranked))

    def on_discard(self, seen: Seen, tile: str, discarder: int) -> Claim | None:
        """Call what is worth it."""
        if self._wins(seen, tile, source=discarder):
            return Claim(SeatKey.WIN)
        if seen.last or tile in FLOWERS:
            return None
        own = seen.concealed.count(tile)
        if own < PUNG_OWN and next_side(discarder) != seen.side:
            return None
        now = shape.distance(shape.count(seen.concealed), len(seen.melds))
        if own == KONG_OWN and self._kong_pays(seen, tile, now):
            return Claim(SeatKey.KONG, (tile,) * KONG_OWN)
        if own >= PUNG_OWN and self._nearer(seen, (tile,) * PUNG_OWN, now, self.temper.pung):
            return Claim(SeatKey.PUNG, (tile,) * PUNG_OWN)
        if next_side(discarder) == seen.side:
            for pair in chow_pairs(seen.concealed, tile):
                if self._nearer(seen, pair, now, self.temper.chow):
                    return Claim(SeatKey.CHOW, pair)
        return None

    def on_added_kong(self, seen: Seen, tile: str, side: int) -> bool:
        """Rob it when it wins."""
        return self._wins(seen, tile, source=side, robbed=True)

    def _wins(
        self, seen: Seen, tile: str, *, source: int | None = None, replacement: bool = False,
        robbed: bool = False,
    ) -> bool:  # fmt: skip
        if not seen.may_win or tile in FLOWERS:
            return False
        concealed = list(seen.concealed)
        if source is None:
            concealed.remove(tile)
        if not shape.is_complete([*concealed, tile], len(seen.melds)):
            return False
        context = seen.context(
            self_drawn=source is None,
            source=seen.side if source is None else source,
            replacement=replacement,
            robbed=robbed,
        )
        return self.judge.wins(concealed, seen.melds, tile, context)

    def _own_kong(self, seen: Seen, draw: Draw, now: int) -> OwnKong | None:
        """A kong needs a tile drawn this turn and one left to replace it."""
        if not draw.tile or seen.last or self._rng.random() > self.temper.kong:
            return None
        for meld in seen.melds:
            if meld.kind is Meld.PUNG and meld.tiles[0] in seen.concealed:
                rest = [name for name in seen.concealed if name != meld.tiles[0]]
                if shape.distance(shape.count(rest), len(seen.melds)) <= now:
                    return OwnKong(meld.tiles[0], Meld.ADDED_KONG)
        for name in dict.fromkeys(seen.concealed):
            if seen.concealed.count(name) == COPIES and self._kong_pays(seen, name, now):
                return OwnKong(name, Meld.CONCEALED_KONG)
        return None

    def _kong_pays(self, seen: Seen, tile: str, now: int) -> bool:
        rest = [name for name in seen.concealed if name != tile]
        return shape.distance(shape.count(rest), len(seen.melds) + 1) <= now

    def _nearer(self, seen: Seen, own: tuple[str, ...], now: int, eager: float) -> bool:
        """True when a meld with ``own`` brings the hand nearer, and he feels like it."""
        rest = list(seen.concealed)
        for name in own:
            rest.remove(name)
        ranked = shape.after_discards(rest, len(seen.melds) + 1)
        return min(ranked.values(), default=now) < now and self._rng.random() < eager

    def _worst(self, seen: Seen, ranked: dict[str, int]) -> str:
        """The tile he misses least: nearest to complete afterwards, then the loneliest."""
        if not ranked:  # nothing but a flower that nothing is left to replace
            return seen.concealed[0]
        hand = shape.count(seen.concealed)
        best = max(ranked.values()) if self._rng.random() < self.temper.slip else min(ranked.values())
        return min((name for name in ranked if ranked[name] <= best), key=lambda name: worth(name, hand))


def worth(name: str, hand: shape.Hand) -> int:
    """How much company a tile has: copies, neighbours, and room to grow."""
    suit, index = shape.PLACE[name]
    row = hand[suit]
    company = 4 * (row[index] - 1)
    if suit == len(shape.SUITS):
        return company
    for step, weight in ((1, 3), (2, 2)):
        company += weight * sum(
            row[place] for place in (index - step, index + step) if 0 <= place < shape.RANKS
        )
    return company + 1 + min(index, shape.RANKS - 1 - index, 2)


def chow_pairs(concealed: list[str], tile: str) -> list[tuple[str, str]]:
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
