"""What the record of a hand knows about a declared win: plain data, the same for every system.

Sides are 0-3 in turn order. Nothing here is anybody's word: the engine fills it from what was drawn,
discarded and laid out, so what a judge is told cannot contradict the hand that was played.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablectl.rules.melds import Meld, MeldKind

How = Literal["self_drawn", "discard", "robbed_kong"]
Replaced = Literal["", "kong", "flower"]
Four = tuple[int, int, int, int]
NOTHING: Four = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class LaidMeld:
    """A set on the table: whose, and who fed it (None: a concealed kong). A robbed kong is a pung still."""

    side: int
    kind: MeldKind
    tiles: tuple[str, ...]
    feeder: int | None = None

    @property
    def plain(self) -> Meld:
        """The set alone."""
        return Meld(self.kind, self.tiles)


@dataclass(frozen=True, slots=True)
class Thrown:
    """A discard; ``claimed``: somebody took it for a set."""

    side: int
    tile: str
    claimed: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """A declared win.

    ``concealed`` is without the winning tile; ``origin`` gave it, or was robbed of it. ``melds`` of all four
    in the order laid, ``discards`` in their order, a winning one last. ``replaced``: what the drawn tile
    stands for. ``left``: tiles that can still be drawn in the ordinary way. ``last_draws``: each draws one
    more tile to win by it (WH-W6). ``before_kong``: the winner's tiles before the first kong of this turn,
    without the one drawn (WH-C11); None if there was none. ``singles``: tiles laid out alone (WH-W4).
    ``chips``: what each held when the tile came; ``gained``: what earlier winners of it moved since.
    ``last_of_kind``: somebody has looked; None = the open tiles of the record say (MCR-S10). ``immunity``:
    the rule of the same round was invoked (ZJ-C9). ``penalty_tiles``: those among ``concealed`` that may not
    be used freely (ZJ-P8). ``mixed``: the drawn tile was put among the others before
    it was shown (CJ-C2).
    """

    winner: int
    dealer: int
    winds: tuple[str, ...]
    round: str
    concealed: tuple[str, ...]
    winning: str
    how: How
    origin: int | None
    melds: tuple[LaidMeld, ...] = ()
    discards: tuple[Thrown, ...] = ()
    flowers: tuple[tuple[str, ...], ...] = ((), (), (), ())
    singles: tuple[tuple[str, ...], ...] = ((), (), (), ())
    replaced: Replaced = ""
    left: int = 0
    last_draws: bool = False
    before_kong: tuple[str, ...] | None = None
    wild: tuple[str, ...] = ()
    indicator: str = ""
    chips: Four = NOTHING
    gained: Four = NOTHING
    doubled: bool = False
    last_of_kind: bool | None = None
    immunity: bool = True
    penalty_tiles: tuple[str, ...] = ()
    mixed: bool = False

    @property
    def self_drawn(self) -> bool:
        """The winning tile came from the wall."""
        return self.how == "self_drawn"

    @property
    def by_kong(self) -> bool:
        """The winning tile replaced a kong or was robbed from one."""
        return self.how == "robbed_kong" or (self.self_drawn and self.replaced == "kong")

    @property
    def pools_read(self) -> bool:
        """Every discard was read."""
        return all(one.tile for one in self.discards)

    @property
    def own(self) -> tuple[LaidMeld, ...]:
        """The winner's sets, in the order laid."""
        return tuple(meld for meld in self.melds if meld.side == self.winner)

    @property
    def untouched(self) -> bool:
        """Nobody has laid out a set."""
        return not self.melds

    def lying_open(self, tile: str) -> int:
        """Copies of the tile in the pools and in open sets, the one that is won not among them (MCR-S10)."""
        thrown = sum(one.tile == tile and not one.claimed for one in self.discards)
        melded = sum(meld.tiles.count(tile) for meld in self.melds if meld.kind != "concealed_kong")
        return thrown + melded - (1 if self.how == "discard" and tile == self.winning else 0)
