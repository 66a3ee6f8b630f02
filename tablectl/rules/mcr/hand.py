"""A hand laid before the judge: its tiles, and how it was won."""

from __future__ import annotations

from dataclasses import dataclass

from tablectl.rules import tiles
from tablectl.rules.errors import HandError
from tablectl.rules.melds import KONGS, Meld, check_copies, check_meld, check_number


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
        check_meld(meld)
    _check_tiles(hand)
    _check_circumstances(hand)


def _check_tiles(hand: WinHand) -> None:
    check_number(hand.concealed, len(hand.melds))
    melded = (tile for meld in hand.melds for tile in meld.tiles)
    check_copies((*hand.concealed, hand.winning, *melded))
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
