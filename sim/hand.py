"""One hand on the felt. Each act of a player moves real tiles, changes what all see, and is sensed."""

from __future__ import annotations

from protocols.vocabulary import SIDES, Meld, SeatKey, WallEnd
from sim.customs import INTERNATIONAL, Customs
from sim.manners import WallOrder
from sim.mechanism.places import Places
from sim.mechanism.tiles import COPIES, FLOWERS
from sim.seats import Seats
from sim.view import Claim, Draw, OpenHand, OwnKong, Seen, ShownMeld

MELD_OF = {SeatKey.CHOW: Meld.CHOW, SeatKey.PUNG: Meld.PUNG, SeatKey.KONG: Meld.KONG}


class Hand:
    """The hand in play. ``order`` is there once the walls are broken."""

    def __init__(
        self, places: Places, seats: Seats, number: int, dealer: int, customs: Customs = INTERNATIONAL
    ) -> None:
        self.places = places
        self.seats = seats
        self.customs = customs
        self.open = OpenHand(number, dealer, customs=customs)
        self.seen = [Seen(side, self.open) for side in SIDES]
        self._order: WallOrder | None = None
        self._from_tail = 0

    @property
    def dealer(self) -> int:
        return self.open.dealer

    @property
    def order(self) -> WallOrder:
        assert self._order is not None
        return self._order

    def break_walls(self, side: int, stacks: int) -> None:
        """Open the walls after so many stacks of a side's wall."""
        sizes = [[len(stack) for stack in row] for row in self.places.top]
        self._order = WallOrder(sizes, side, stacks)
        self._count()

    def _count(self) -> None:
        """Tiles standing, and how many of them are not drawn in turn (ZJ-W7, WH-W6)."""
        customs = self.customs
        self.open.wall_left = self.order.left
        odd = self._from_tail % 2 if customs.tail_parity else 0
        self.open.reserved = customs.dead_tiles + customs.draw_only - odd

    def take(self, side: int, stack: tuple[int, int], end: WallEnd = WallEnd.HEAD) -> str:
        """Take the upper tile of a stack into the hand."""
        name = self.places.take(side, *stack).name
        self.seen[side].concealed.append(name)
        self._count()
        self.seats.drawn(side, end, name)
        return name

    def draw(self, side: int, end: WallEnd, *, kong: bool = False) -> Draw:
        """Draw the next live tile, or a replacement from the tail: of a kong, else of a flower."""
        tail = end is WallEnd.TAIL
        return Draw(self.take(side, self._next_stack(end), end), kong, tail and not kong)

    def _next_stack(self, end: WallEnd) -> tuple[int, int]:
        if end is WallEnd.HEAD:
            return self.order.take_head()
        self._from_tail += 1
        return self.order.take_tail()

    def turn_up(self, side: int) -> None:
        """Turn the indicator face up: it lies on the felt, and the next of its kind is wild (WH-W2)."""
        end = WallEnd.TAIL if self.customs.indicator == "tail" else WallEnd.HEAD
        tile = self.places.turn_up(*self._next_stack(end)).name
        self._count()
        self.open.indicator, self.open.wild = tile, self.customs.wild_of(tile)
        self.seats.shown(side, Meld.INDICATOR, (tile,))

    def call(self, side: int, key: SeatKey) -> None:
        """Say it aloud and press the key."""
        self.seats.called(side, key)

    def discard(self, side: int, tile: str) -> None:
        """Lay a tile into the pool."""
        self.places.discard(side, tile)
        self.seen[side].concealed.remove(tile)
        self.seen[side].before_kong = ()
        self.seen[side].ruled.discarded(tile)
        self.open.pools[side].append(tile)
        self.open.discards += 1
        self.seats.discarded(side, tile)

    def show_flower(self, side: int, tile: str) -> None:
        """Lay a flower beside the hand."""
        self._lay_open(side, (tile,))
        self.open.flowers[side].append(tile)
        self.seats.shown(side, Meld.FLOWER, (tile,))

    def show_claimed(self, side: int, claim: Claim, discarder: int) -> None:
        """Take the newest discard and lay the meld open."""
        tile = self.open.pools[discarder].pop()
        self.places.claim(side, discarder)
        if claim.key is SeatKey.KONG:
            self.seen[side].before_kong = tuple(self.seen[side].concealed)
        self._lay_open(side, claim.own)
        meld = ShownMeld(MELD_OF[claim.key], tuple(sorted((*claim.own, tile))), tile, discarder)
        self.open.melds[side].append(meld)
        self.seats.shown(side, meld.kind, meld.tiles)

    def show_exposed(self, side: int, tiles: tuple[str, ...]) -> None:
        """Lay own tiles open as if they had been claimed."""
        self._lay_open(side, tiles)
        kind = Meld.PUNG if len(set(tiles)) == 1 else Meld.CHOW
        meld = ShownMeld(kind, tiles)
        self.open.melds[side].append(meld)
        self.seats.shown(side, kind, tiles)

    def show_kong(self, side: int, kong: OwnKong, drawn: str = "") -> None:
        """Lay a concealed kong, add a tile to an own pung, or lay one that is a kong alone; ``drawn`` = the
        tile drawn last."""
        self._remember(self.seen[side], kong, drawn)
        melds = self.open.melds[side]
        tiles = (kong.tile,) * COPIES
        if kong.kind is Meld.SINGLE_KONG:
            tiles = (kong.tile,)
            self._lay_open(side, tiles)
            self.open.singles[side].append(kong.tile)
        elif kong.kind is Meld.ADDED_KONG:
            self._lay_open(side, (kong.tile,))
            pung = next(meld for meld in melds if meld.kind is Meld.PUNG and meld.tiles[0] == kong.tile)
            melds[melds.index(pung)] = ShownMeld(kong.kind, tiles, pung.claimed, pung.source)
        else:
            self._lay_open(side, tiles)
            melds.append(ShownMeld(kong.kind, tiles))
        self.seats.shown(side, kong.kind, tiles)

    def _remember(self, seen: Seen, kong: OwnKong, drawn: str) -> None:
        """What he held before the first kong of the turn, without tiles laid out one by one (WH-C11)."""
        held = list(seen.before_kong or seen.concealed)
        first = not seen.before_kong
        alone = kong.kind is Meld.SINGLE_KONG and kong.tile != drawn
        for name in ([drawn] if first else []) + ([kong.tile] if alone else []):
            if name in held:
                held.remove(name)
        seen.before_kong = tuple(held)

    def flower_of(self, side: int) -> str | None:
        """A flower in the hand that can still be replaced."""
        if not self.open.live:
            return None
        return next((name for name in self.seen[side].concealed if name in FLOWERS), None)

    def _lay_open(self, side: int, tiles: tuple[str, ...]) -> None:
        self.places.lay_open(side, tiles)
        for name in tiles:
            self.seen[side].concealed.remove(name)
