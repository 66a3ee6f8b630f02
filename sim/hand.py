"""One hand on the felt. Each act of a player moves real tiles, changes what all see, and is sensed."""

from __future__ import annotations

from protocols.vocabulary import SIDES, Meld, SeatKey, WallEnd
from sim.manners import WallOrder
from sim.mechanism.places import Places
from sim.mechanism.tiles import COPIES, FLOWERS
from sim.seats import Seats
from sim.view import Claim, Draw, OpenHand, OwnKong, Seen, ShownMeld

MELD_OF = {SeatKey.CHOW: Meld.CHOW, SeatKey.PUNG: Meld.PUNG, SeatKey.KONG: Meld.KONG}


class Hand:
    """The hand in play. ``order`` is there once the walls are broken."""

    def __init__(self, places: Places, seats: Seats, number: int, dealer: int) -> None:
        self.places = places
        self.seats = seats
        self.open = OpenHand(number, dealer)
        self.seen = [Seen(side, self.open) for side in SIDES]
        self._order: WallOrder | None = None

    @property
    def dealer(self) -> int:
        return self.open.dealer

    @property
    def order(self) -> WallOrder:
        assert self._order is not None
        return self._order

    def break_walls(self, thrower: int, total: int) -> None:
        """Open the walls after ``total`` stacks of the second thrower's wall."""
        sizes = [[len(stack) for stack in row] for row in self.places.top]
        self._order = WallOrder(sizes, thrower, total)
        self.open.wall_left = self._order.left

    def take(self, side: int, stack: tuple[int, int], end: WallEnd = WallEnd.HEAD) -> str:
        """Take the upper tile of a stack into the hand."""
        name = self.places.take(side, *stack).name
        self.seen[side].concealed.append(name)
        self.open.wall_left = self.order.left
        self.seats.drawn(side, end, name)
        return name

    def draw(self, side: int, end: WallEnd, *, kong: bool = False) -> Draw:
        """Draw the next live tile, or a replacement from the tail."""
        head = end is WallEnd.HEAD
        stack = self.order.take_head() if head else self.order.take_tail()
        return Draw(self.take(side, stack, end), kong)

    def call(self, side: int, key: SeatKey) -> None:
        """Say it aloud and press the key."""
        self.seats.called(side, key)

    def discard(self, side: int, tile: str) -> None:
        """Lay a tile into the pool."""
        self.places.discard(side, tile)
        self.seen[side].concealed.remove(tile)
        self.open.pools[side].append(tile)
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

    def show_kong(self, side: int, kong: OwnKong) -> None:
        """Lay a concealed kong, or add a tile to an own pung."""
        melds = self.open.melds[side]
        tiles = (kong.tile,) * COPIES
        if kong.kind is Meld.ADDED_KONG:
            self._lay_open(side, (kong.tile,))
            pung = next(meld for meld in melds if meld.kind is Meld.PUNG and meld.tiles[0] == kong.tile)
            melds[melds.index(pung)] = ShownMeld(kong.kind, tiles, pung.claimed, pung.source)
        else:
            self._lay_open(side, tiles)
            melds.append(ShownMeld(kong.kind, tiles))
        self.seats.shown(side, kong.kind, tiles)

    def flower_of(self, side: int) -> str | None:
        """A flower in the hand that can still be replaced."""
        if not self.open.wall_left:
            return None
        return next((name for name in self.seen[side].concealed if name in FLOWERS), None)

    def _lay_open(self, side: int, tiles: tuple[str, ...]) -> None:
        self.places.lay_open(side, tiles)
        for name in tiles:
            self.seen[side].concealed.remove(name)
