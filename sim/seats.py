"""What the table senses of the players' acts: keys only (count) or every tile (identity).

Sequences a host can rely on:

- a claim is SEAT_KEY(CHOW | PUNG | KONG | WIN) when called. The claimer that gets the tile then shows
  MELD_SHOWN with the claimed tile included, and discards; after a kong TILE_DRAWN(tail) comes first.
- a kong in the own turn is SEAT_KEY(KONG), MELD_SHOWN(CONCEALED_KONG | ADDED_KONG, four tiles), and, for an
  added kong after a pause in which it may be robbed, TILE_DRAWN(tail).
- a flower is MELD_SHOWN(FLOWER), then TILE_DRAWN(tail); a kong of one tile the same with SINGLE_KONG.
- the tile turned up after the deal is MELD_SHOWN(INDICATOR) of the dealer. It is no tile of his hand.
- of the last tiles, which are drawn for a win alone, each is TILE_DRAWN(head), nothing discarded.
- a win is SEAT_KEY(WIN) alone, self-drawn, on a discard or robbing an added kong.

With fidelity *count* draws and melds are not sensed; each discard, flower and one-tile kong is a key, and so
is (DISCARD) keeping one of the last tiles. An indicator is for the referee to enter.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from protocols.vocabulary import Capability, EventKind, Meld, SeatKey, Source, WallEnd

Emit = Callable[[EventKind, int, int, Source, tuple[str, ...]], None]


class Fidelity(StrEnum):
    """How much the seats sense."""

    COUNT = "count"
    IDENTITY = "identity"


CAPABILITIES = {
    Fidelity.COUNT: Capability.SEAT_KEYS,
    Fidelity.IDENTITY: Capability.SEAT_KEYS
    | Capability.TILE_READ
    | Capability.DRAW_SENSE
    | Capability.DISCARD_SENSE,
}


class Seats:
    """Turns acts at the seats into events of the board."""

    def __init__(self, fidelity: Fidelity, emit: Emit) -> None:
        self.fidelity = fidelity
        self._emit = emit

    def called(self, side: int, key: SeatKey) -> None:
        """A player called, and pressed his key."""
        self._key(side, key)

    def drawn(self, side: int, end: WallEnd, tile: str) -> None:
        """A tile went from the wall into a hand."""
        if self.fidelity is Fidelity.IDENTITY:
            self._emit(EventKind.TILE_DRAWN, side, end, Source.SENSOR, (tile,))

    def discarded(self, side: int, tile: str) -> None:
        """A tile was laid into the pool."""
        if self.fidelity is Fidelity.IDENTITY:
            self._emit(EventKind.TILE_DISCARDED, side, 0, Source.SENSOR, (tile,))
        else:
            self._key(side, SeatKey.DISCARD)

    def shown(self, side: int, meld: Meld, tiles: tuple[str, ...]) -> None:
        """Tiles were laid open beside a hand."""
        if self.fidelity is Fidelity.IDENTITY:
            self._emit(EventKind.MELD_SHOWN, side, meld, Source.SENSOR, tiles)
        elif meld in (Meld.FLOWER, Meld.SINGLE_KONG):
            self._key(side, SeatKey.FLOWER)

    def kept(self, side: int) -> None:
        """A tile drawn for a win alone does not win: the player is through."""
        if self.fidelity is Fidelity.COUNT:
            self._key(side, SeatKey.DISCARD)

    def _key(self, side: int, key: SeatKey) -> None:
        self._emit(EventKind.SEAT_KEY, side, key, Source.SENSOR, ())
