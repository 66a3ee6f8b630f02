"""A hand laid before the judge: its tiles, and how it was won."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from tablectl.rules import tiles
from tablectl.rules.errors import HandError

MeldKind = Literal["chow", "pung", "kong", "added_kong", "concealed_kong"]
KONGS = ("kong", "added_kong", "concealed_kong")
SETS = 4


@dataclass(frozen=True, slots=True)
class Meld:
    """A set on the table; a concealed kong lies there too."""

    kind: MeldKind
    tiles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WinHand:
    """A hand and its winning tile, which is not among ``concealed``.

    ``flowers`` is how many were laid out. ``last_of_kind``: the other three of the winning tile lie face up
    (MCR-S10); if they do in the hand's own melds, nobody need say so. ``wall_last``: won by the last tile of
    the wall or by the discard after it. ``kong``: the tile replaced a kong (self-drawn; never true of a
    flower's replacement, MCR-S14) or was robbed from one.
    """

    concealed: tuple[str, ...]
    melds: tuple[Meld, ...]
    winning: str
    self_drawn: bool
    seat_wind: str = "E"
    prevalent_wind: str = "E"
    flowers: int = 0
    last_of_kind: bool = False
    wall_last: bool = False
    kong: bool = False

    @property
    def hidden(self) -> bool:
        """Nothing was claimed before the win; a concealed kong claims nothing (MCR-C2)."""
        return all(meld.kind == "concealed_kong" for meld in self.melds)


def check(hand: WinHand) -> None:
    """Refuse what cannot lie on a table. Raises `HandError`."""
    for meld in hand.melds:
        _check_meld(meld)
    _check_tiles(hand)
    _check_circumstances(hand)


def _check_meld(meld: Meld) -> None:
    first = meld.tiles[0] if meld.tiles else ""
    length = SETS if meld.kind in KONGS else SETS - 1
    if meld.kind == "chow":
        suit, low = tiles.suit(first), min((tiles.number(tile) for tile in meld.tiles), default=0)
        right = bool(suit) and sorted(meld.tiles) == [f"{low + step}{suit}" for step in range(length)]
    else:
        right = meld.tiles == (first,) * length
    if not right:
        shown = " ".join(meld.tiles)
        raise HandError("hand.no_meld", f"{shown} is no {meld.kind}", kind=meld.kind, tiles=list(meld.tiles))


def _check_tiles(hand: WinHand) -> None:
    needed = 3 * (SETS - len(hand.melds)) + 1
    if len(hand.concealed) != needed:
        sentence = f"{len(hand.concealed)} concealed tiles beside {len(hand.melds)} melds: it takes {needed}"
        raise HandError("hand.wrong_number", sentence, count=len(hand.concealed), needed=needed)
    everything = Counter(hand.concealed)
    everything[hand.winning] += 1
    for meld in hand.melds:
        everything.update(meld.tiles)
    for tile, number in everything.items():
        if tile not in tiles.KINDS:
            raise HandError("hand.no_tile", f"{tile!r} is no tile of a hand", tile=tile)
        if number > tiles.copies(tile):
            raise HandError(
                "hand.too_many_alike", f"{number} of {tile}: there are four", tile=tile, count=number
            )
    if not 0 <= hand.flowers <= len(tiles.FLOWERS):
        raise HandError("hand.flowers", f"{hand.flowers} flowers: there are eight", count=hand.flowers)


def _check_circumstances(hand: WinHand) -> None:
    for wind in (hand.seat_wind, hand.prevalent_wind):
        if wind not in tiles.WINDS:
            raise HandError("hand.no_wind", f"{wind!r} is no wind", wind=wind)
    held = hand.winning in hand.concealed
    if hand.last_of_kind and held:
        sentence = f"{hand.winning} is not the last of its kind: another is in the hand"
        raise HandError("hand.not_last_of_kind", sentence, tile=hand.winning)
    if not hand.kong:
        return
    if hand.self_drawn:
        if not any(meld.kind in KONGS for meld in hand.melds):
            raise HandError("hand.no_kong", "the tile cannot replace a kong: the hand has none")
    elif hand.wall_last:
        raise HandError("hand.kong_on_last", "no kong can be robbed after the last tile: none may be made")
    elif held or any(hand.winning in meld.tiles for meld in hand.melds):
        sentence = f"{hand.winning} cannot be robbed: the kong has the other three"
        raise HandError("hand.robbed_held", sentence, tile=hand.winning)
