"""What people at the table see of a hand, and what they may decide. Nothing here is hidden from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from protocols.vocabulary import NO_SIDE, SIDES, Meld, SeatKey
from sim.customs import INTERNATIONAL, WILD, Customs
from sim.manners import seat_wind
from sim.ruled import Ruled

KONGS = (Meld.KONG, Meld.CONCEALED_KONG, Meld.ADDED_KONG)


@dataclass(frozen=True, slots=True)
class ShownMeld:
    """A set laid beside the hand. ``claimed`` = the tile that came from ``source``; empty if concealed."""

    kind: Meld
    tiles: tuple[str, ...]
    claimed: str = ""
    source: int = NO_SIDE


@dataclass(frozen=True, slots=True)
class WinContext:
    """How the winning tile came, for a judge. ``visible`` = every tile lying open, pools and melds."""

    side: int
    dealer: int
    seat_wind: str
    self_drawn: bool
    source: int = NO_SIDE  # who discarded it or added it to his pung
    last_tile: bool = False  # nothing is left in the walls
    replacement: bool = False  # drawn after a kong
    robbed: bool = False  # from an added kong
    flowers: int = 0
    hand: int = 0  # number of the hand, counted since the table was made
    visible: tuple[str, ...] = ()
    open: OpenHand | None = None  # all the rest that lies on the table
    flower: bool = False  # drawn after a flower
    before_kong: tuple[str, ...] = ()  # his tiles before the first kong of this turn, without the one drawn


class Judge(Protocol):
    """Says whether a hand wins: passed in, so that the players know no rule book."""

    def wins(
        self, concealed: Sequence[str], melds: Sequence[ShownMeld], winning: str, context: WinContext
    ) -> bool:
        """True when ``concealed`` (without ``winning``) and ``melds`` win with ``winning``."""


@dataclass(slots=True)
class OpenHand:
    """The part of a hand that everybody sees."""

    number: int
    dealer: int
    wall_left: int = 0  # tiles standing
    reserved: int = 0  # of those: not drawn in turn
    customs: Customs = INTERNATIONAL
    indicator: str = ""  # the tile turned up after the deal
    wild: tuple[str, ...] = ()  # the kinds it makes wild
    draw_only: bool = False  # the last tiles are drawn one by one, for a win alone
    discards: int = 0
    singles: list[list[str]] = field(default_factory=lambda: [[] for _ in SIDES])  # one-tile kongs
    melds: list[list[ShownMeld]] = field(default_factory=lambda: [[] for _ in SIDES])
    flowers: list[list[str]] = field(default_factory=lambda: [[] for _ in SIDES])
    pools: list[list[str]] = field(default_factory=lambda: [[] for _ in SIDES])

    @property
    def live(self) -> int:
        """Tiles that can still be drawn in turn, or to replace one."""
        return max(0, self.wall_left - self.reserved)

    def visible(self) -> tuple[str, ...]:
        """All tiles lying open."""
        melds = (name for row in self.melds for meld in row for name in meld.tiles)
        alone = [name for row in self.singles for name in row]
        if self.indicator:
            alone.append(self.indicator)
        return (*(name for pool in self.pools for name in pool), *melds, *alone)

    def single(self, tile: str) -> bool:
        """True for a tile that is a kong by itself."""
        return self._is_one_of(tile, self.customs.singles)

    def claimable(self, tile: str) -> bool:
        """False for a tile nobody may claim."""
        return not self._is_one_of(tile, self.customs.unclaimable)

    def forbidden(self, tile: str) -> bool:
        """True for a tile nobody may discard."""
        return self._is_one_of(tile, self.customs.forbidden)

    def _is_one_of(self, tile: str, listed: tuple[str, ...]) -> bool:
        return tile in listed or (WILD in listed and tile in self.wild)


@dataclass(slots=True)
class Seen:
    """What one player sees: his own tiles and what lies open."""

    side: int
    open: OpenHand
    concealed: list[str] = field(default_factory=list)
    may_win: bool = True  # False once a win of his was judged and play went on
    before_kong: tuple[str, ...] = ()  # as in ``WinContext``; empty when this turn has seen no kong
    ruled: Ruled = field(default_factory=Ruled)  # what a referee has told him

    @property
    def melds(self) -> list[ShownMeld]:
        return self.open.melds[self.side]

    @property
    def last(self) -> bool:
        """True when nothing is left to draw in turn: no kong, and the discard is the last."""
        return self.open.live == 0

    def may_claim(self, key: SeatKey, tile: str) -> bool:
        """Whether the open tile can be claimed by this word at all."""
        customs = self.open.customs
        if not self.ruled.may_claim(key):
            return False
        if not self.open.claimable(tile) or (key is SeatKey.CHOW and not customs.chow):
            return False
        return not self.last or key in customs.last_discard

    def context(
        self, *, self_drawn: bool, source: int, replacement: bool, robbed: bool, flower: bool = False
    ) -> WinContext:
        """The circumstances of a win now."""
        hand = self.open
        return WinContext(
            self.side,
            hand.dealer,
            seat_wind(self.side, hand.dealer),
            self_drawn,
            source,
            self.last,
            replacement,
            robbed,
            len(hand.flowers[self.side]),
            hand.number,
            hand.visible(),
            hand,
            flower,
            self.before_kong if replacement else (),
        )


@dataclass(frozen=True, slots=True)
class Draw:
    """The tile just drawn; empty after a chow or pung. ``kong`` = it replaces a kong's tile."""

    tile: str
    kong: bool = False
    flower: bool = False  # it replaces a flower


@dataclass(frozen=True, slots=True)
class Discard:
    """Lay a tile into the pool."""

    tile: str


@dataclass(frozen=True, slots=True)
class OwnKong:
    """A concealed kong, a tile added to an own pung, or a tile that is a kong by itself."""

    tile: str
    kind: Meld


@dataclass(frozen=True, slots=True)
class SelfDrawn:
    """Declare a win with the tile just drawn."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep the tile drawn: of the last tiles, which only win."""


Act = Discard | OwnKong | SelfDrawn | Keep


@dataclass(frozen=True, slots=True)
class Claim:
    """Call for a discard, with these own tiles (none for a win)."""

    key: SeatKey
    own: tuple[str, ...] = ()


class Mind(Protocol):
    """What decides for one player. Every call is answered at once; how long he takes is his pace."""

    def on_turn(self, seen: Seen, draw: Draw) -> Act:
        """What to do with a tile drawn. While tiles are drawn for a win alone, all but a win is a `Keep`."""

    def on_discard(self, seen: Seen, tile: str, discarder: int) -> Claim | None: ...

    def on_added_kong(self, seen: Seen, tile: str, side: int) -> bool:
        """True to rob it."""

    def on_hand(self, seen: Seen) -> None:
        """A new hand begins."""
