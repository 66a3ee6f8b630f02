"""A hand laid before the judge: its tiles, and how it was won."""

from __future__ import annotations

from dataclasses import dataclass

from tablectl.rules import tiles
from tablectl.rules.errors import HandError
from tablectl.rules.melds import KONGS, Meld, check_copies, check_meld, check_number


@dataclass(frozen=True, slots=True)
class WinHand:
    """A hand and its winning tile, which is not among ``concealed``.

    ``flowers``: those that score, so not the four of a flower kong (CJ-S6). ``last_of_kind``: a pung of the
    winning tile lies open on the table (CJ-S11); of an own or a robbed one nobody need say so. ``wall_last``:
    won in the last round, by one of the last four tiles of the wall or a discard after the first of them
    (CJ-S4). ``kong``: the tile replaced a kong (self-drawn) or was robbed from one. ``flower``: it replaced
    a flower. ``mixed``: the drawn tile was put among the others before the win was shown (CJ-C2). ``earth``:
    地和 was announced (CJ-C3).
    """

    concealed: tuple[str, ...]
    melds: tuple[Meld, ...]
    winning: str
    self_drawn: bool
    flowers: int = 0
    last_of_kind: bool = False
    wall_last: bool = False
    kong: bool = False
    flower: bool = False
    mixed: bool = False
    earth: bool = False

    @property
    def hidden(self) -> bool:
        """Nothing was claimed before the win; a concealed kong claims nothing."""
        return all(meld.kind == "concealed_kong" for meld in self.melds)

    @property
    def robbed(self) -> bool:
        """Won by robbing a kong."""
        return self.kong and not self.self_drawn

    @property
    def pung_lies_open(self) -> bool:
        """The other three of the winning tile lie in a pung on the table, whosever it is."""
        own = any(meld.kind == "pung" and self.winning in meld.tiles for meld in self.melds)
        return own or self.robbed or self.last_of_kind


def check(hand: WinHand) -> None:
    """Refuse what cannot lie on a table. Raises `HandError`."""
    for meld in hand.melds:
        check_meld(meld)
    check_number(hand.concealed, len(hand.melds))
    melded = (tile for meld in hand.melds for tile in meld.tiles)
    check_copies((*hand.concealed, hand.winning, *melded))
    if not 0 <= hand.flowers <= len(tiles.FLOWERS):
        raise HandError("hand.flowers", f"{hand.flowers} flowers: there are eight", count=hand.flowers)
    _check_last_of_kind(hand)
    _check_draw(hand)


def _check_last_of_kind(hand: WinHand) -> None:
    winning = hand.winning
    held = hand.concealed.count(winning)
    chows = sum(winning in meld.tiles for meld in hand.melds if meld.kind == "chow")
    if hand.last_of_kind and held + chows:
        sentence = f"{winning} is not the last of its kind: another is in the hand"
        raise HandError("hand.not_last_of_kind", sentence, tile=winning)
    if hand.robbed and (held or any(winning in meld.tiles for meld in hand.melds)):
        sentence = f"{winning} cannot be robbed: the kong has the other three"
        raise HandError("hand.robbed_held", sentence, tile=winning)


def _check_draw(hand: WinHand) -> None:
    if hand.self_drawn:
        if hand.kong and hand.flower:
            sentence = "the tile cannot replace a kong and a flower both"
            raise HandError("hand.two_replacements", sentence)
        if hand.kong and not any(meld.kind in KONGS for meld in hand.melds):
            raise HandError("hand.no_kong", "the tile cannot replace a kong: the hand has none")
        return
    if hand.flower:
        raise HandError("hand.flower_not_drawn", "a tile of another player replaces no flower")
    if hand.mixed:
        raise HandError("hand.mixed_not_drawn", "a tile of another player was not mixed in")
