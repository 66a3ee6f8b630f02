"""A hand laid before the judge: its tiles, and how it was won."""

from __future__ import annotations

from dataclasses import dataclass

from tablectl.rules.errors import HandError
from tablectl.rules.melds import KONGS, Meld, check_copies, check_meld, check_number
from tablectl.rules.tiles import WINDS

EAST = WINDS[0]


@dataclass(frozen=True, slots=True)
class WinHand:
    """A hand and its winning tile, which is not among ``concealed``. No wind prevails (ZJ-C8).

    ``wall_last``: won by the seabed tile or on the riverbed tile (ZJ-W8). ``kong``: the tile replaced a kong
    (self-drawn) or was robbed from one. ``heaven``: East's dealt 14, the winning tile being any of them.
    ``earth``: on East's first discard with the dealt 13, no concealed kong before it. ``kept_apart``: a drawn
    tile stayed apart from the hand until the win was confirmed (ZJ-S8). ``penalty_tiles``: those among
    ``concealed`` (ZJ-P8).
    """

    concealed: tuple[str, ...]
    melds: tuple[Meld, ...]
    winning: str
    self_drawn: bool
    seat_wind: str = EAST
    wall_last: bool = False
    kong: bool = False
    heaven: bool = False
    earth: bool = False
    kept_apart: bool = True
    penalty_tiles: tuple[str, ...] = ()

    @property
    def hidden(self) -> bool:
        """Nothing was claimed before the win; a concealed kong claims nothing (ZJ-S6)."""
        return all(meld.kind == "concealed_kong" for meld in self.melds)


def check(hand: WinHand) -> None:
    """Refuse what cannot lie on a table. Raises `HandError`; for the seats of the blessings `check_seat`."""
    for meld in hand.melds:
        check_meld(meld)
    check_number(hand.concealed, len(hand.melds))
    melded = [tile for meld in hand.melds for tile in meld.tiles]
    check_copies((*hand.concealed, hand.winning, *melded))
    if hand.seat_wind not in WINDS:
        raise HandError("hand.no_wind", f"{hand.seat_wind!r} is no wind", wind=hand.seat_wind)
    if hand.kong:
        _check_kong(hand, melded)
    if hand.heaven or hand.earth:
        _check_blessing(hand)


def check_seat(hand: WinHand) -> None:
    """Refuse a blessing at the wrong seat: Heaven is East's, Earth of the others. Raises `HandError`."""
    if hand.heaven and hand.seat_wind != EAST:
        sentence = f"only East wins with the dealt 14 tiles, not {hand.seat_wind}"
        raise HandError("hand.heaven_not_east", sentence, wind=hand.seat_wind)
    if hand.earth and hand.seat_wind == EAST:
        raise HandError("hand.earth_at_east", "East cannot win on a discard of East")


def _check_kong(hand: WinHand, melded: list[str]) -> None:
    if hand.self_drawn:
        if not any(meld.kind in KONGS for meld in hand.melds):
            raise HandError("hand.no_kong", "the tile cannot replace a kong: the hand has none")
    elif hand.wall_last:  # ZJ-S14: the seabed taker may not kong
        raise HandError("hand.kong_on_last", "no kong can be robbed after the last tile: none may be made")
    elif hand.winning in hand.concealed or hand.winning in melded:  # ZJ-S14
        sentence = f"{hand.winning} cannot be robbed: the kong has the other three"
        raise HandError("hand.robbed_held", sentence, tile=hand.winning)


def _check_blessing(hand: WinHand) -> None:
    if hand.heaven and hand.earth:
        raise HandError("hand.two_blessings", "a hand is won with 14 dealt tiles or with 13, not both")
    if hand.heaven and not hand.self_drawn:
        raise HandError("hand.heaven_on_discard", "the dealt 14 tiles do not win on a discard")
    if hand.earth and hand.self_drawn:
        raise HandError("hand.earth_self_drawn", "the Blessing of Earth wins on East's first discard")
    if hand.wall_last:
        raise HandError("hand.blessing_on_last", "the first tile of a hand is not the last of the wall")
    if hand.earth and (hand.melds or hand.kong):
        raise HandError("hand.earth_melded", "on East's first discard no one else has a meld or a kong")
    if not hand.hidden:
        raise HandError("hand.heaven_melded", "nothing can be claimed before East's first discard")
