"""A hand in one line of text, as the test lists write it: ``[8s8s8s8s,3][PPP,2][4p5p6p,1]3p4p8pS2p``.

Melds in brackets, in the order laid: the digit says who offered the tile (1 the upper seat, 2 opposite,
3 the lower seat), of a chow which of its tiles was claimed; a kong without digit is concealed, ``+`` makes
it an added one and the digit is the feeder of its pung. Then the concealed tiles, the last of which wins.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tablectl.rules.melds import MeldKind
from tablectl.rules.tiles import expand
from tablectl.rules.wuhan.hand import PLAYERS, FedMeld

UPPER = 1
_LINE = re.compile(r"(?P<melds>(?:\[[^\]]*\])*)(?P<tiles>[^\[\]]*)")
_MELD = re.compile(r"\[([^,\]+]*?[mpsESWNCFP]),?([123]?)(\+?)\]")


class Shown(NamedTuple):
    """The tiles of a hand."""

    melds: tuple[FedMeld, ...]
    concealed: tuple[str, ...]
    winning: str


def read(text: str, winner: int) -> Shown:
    """The tiles a line tells of, not yet checked. Raises `ValueError` for a line not of this form."""
    line = _LINE.fullmatch(text.replace(" ", ""))
    if line is None:
        raise ValueError(f"{text!r} is no hand in one line")
    melds = tuple(_meld(tiles, digit, added, winner) for tiles, digit, added in _MELD.findall(line["melds"]))
    if len(melds) != line["melds"].count("["):
        raise ValueError(f"{line['melds']!r} has a meld that cannot be read")
    tiles = expand(line["tiles"])
    if not tiles:
        raise ValueError(f"{text!r} has no winning tile")
    return Shown(melds, tiles[:-1], tiles[-1])


def _meld(tiles: str, digit: str, added: str, winner: int) -> FedMeld:
    kinds = expand(tiles)
    kind: MeldKind
    if len(set(kinds)) > 1:
        return FedMeld("chow", kinds, (winner - UPPER) % PLAYERS)
    if len(kinds) == 3:
        kind = "pung"
    else:
        kind = "added_kong" if added else "kong" if digit else "concealed_kong"
    return FedMeld(kind, kinds, (winner - int(digit)) % PLAYERS if digit else None)
