"""Sets on the table, the same in every rule system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
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


def check_meld(meld: Meld) -> None:
    """Refuse tiles that are not the set they are called. Raises `HandError`."""
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


def check_number(concealed: Iterable[str], melds: int) -> None:
    """Refuse a hand of too few or too many tiles, the winning one not among them. Raises `HandError`."""
    count, needed = len(tuple(concealed)), 3 * (SETS - melds) + 1
    if count != needed:
        sentence = f"{count} concealed tiles beside {melds} melds: it takes {needed}"
        raise HandError("hand.wrong_number", sentence, count=count, needed=needed)


def check_copies(everything: Iterable[str]) -> None:
    """Refuse what is no tile of a hand, and five of a kind. Raises `HandError`."""
    for tile, number in Counter(everything).items():
        if tile not in tiles.KINDS:
            raise HandError("hand.no_tile", f"{tile!r} is no tile of a hand", tile=tile)
        if number > tiles.copies(tile):
            raise HandError(
                "hand.too_many_alike", f"{number} of {tile}: there are four", tile=tile, count=number
            )
