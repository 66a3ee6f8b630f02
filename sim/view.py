"""What people at the table see of a hand, and what they may decide. Nothing here is hidden from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from protocols.vocabulary import NO_SIDE, SIDES, Meld, SeatKey
from sim.manners import seat_wind

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
    wall_left: int = 0
    melds: list[list[ShownMeld]] = field(default_factory=lambda: [[] for _ in SIDES])
    flowers: list[list[str]] = field(default_factory=lambda: [[] for _ in SIDES])
    pools: list[list[str]] = field(default_factory=lambda: [[] for _ in SIDES])

    def visible(self) -> tuple[str, ...]:
        """All tiles lying open."""
        melds = (name for row in self.melds for meld in row for name in meld.tiles)
        return (*(name for pool in self.pools for name in pool), *melds)


@dataclass(slots=True)
class Seen:
    """What one player sees: his own tiles and what lies open."""

    side: int
    open: OpenHand
    concealed: list[str] = field(default_factory=list)
    may_win: bool = True  # False once a win of his was judged and play went on

    @property
    def melds(self) -> list[ShownMeld]:
        return self.open.melds[self.side]

    @property
    def last(self) -> bool:
        """True when nothing is left to draw: no kong, and only a win on the discard."""
        return self.open.wall_left == 0

    def context(self, *, self_drawn: bool, source: int, replacement: bool, robbed: bool) -> WinContext:
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
        )


@dataclass(frozen=True, slots=True)
class Draw:
    """The tile just drawn; empty after a chow or pung. ``kong`` = it replaces a kong's tile."""

    tile: str
    kong: bool = False


@dataclass(frozen=True, slots=True)
class Discard:
    """Lay a tile into the pool."""

    tile: str


@dataclass(frozen=True, slots=True)
class OwnKong:
    """A concealed kong, or a tile added to an own pung."""

    tile: str
    kind: Meld


@dataclass(frozen=True, slots=True)
class SelfDrawn:
    """Declare a win with the tile just drawn."""


Act = Discard | OwnKong | SelfDrawn


@dataclass(frozen=True, slots=True)
class Claim:
    """Call for a discard, with these own tiles (none for a win)."""

    key: SeatKey
    own: tuple[str, ...] = ()


class Mind(Protocol):
    """What decides for one player. Every call is answered at once; how long he takes is his pace."""

    def on_turn(self, seen: Seen, draw: Draw) -> Act: ...

    def on_discard(self, seen: Seen, tile: str, discarder: int) -> Claim | None: ...

    def on_added_kong(self, seen: Seen, tile: str, side: int) -> bool:
        """True to rob it."""

    def on_hand(self, seen: Seen) -> None:
        """A new hand begins."""
