"""A hand in one line of text: ``[EEE,2][1111s]234m5567p7p|self kong|2``.

Melds in brackets: after a comma or at once a digit says who offered the tile; a kong without one is
concealed, ``+`` makes it an added one. Then the concealed tiles, the last of which wins. After a bar the
words of `CIRCUMSTANCES` that hold, after another bar the number of flowers that score. Without bars: by
discard, no flowers.
"""

from __future__ import annotations

import re

from tablectl.rules.ccm.hand import WinHand
from tablectl.rules.melds import Meld, MeldKind
from tablectl.rules.tiles import expand

CIRCUMSTANCES = {
    "self": "self_drawn",
    "last": "wall_last",
    "open": "last_of_kind",
    "kong": "kong",
    "flower": "flower",
    "mixed": "mixed",
    "earth": "earth",
}

_LINE = re.compile(
    r"(?P<melds>(?:\[[^\]]*\])*)(?P<tiles>[^|\[\]]*)(?:\|(?P<words>[a-z ]*))?(?:\|(?P<flowers>\d))?"
)
_MELD = re.compile(r"\[([^,\]+]*?[mpsESWNCFP]),?(\d?)(\+?)\]")


def read(text: str) -> WinHand:
    """The hand a line tells of, not yet checked. Raises `ValueError` for a line not of this form."""
    line = _LINE.fullmatch(text)
    if line is None:
        raise ValueError(f"{text!r} is no hand in one line")
    melds = tuple(_meld(*meld) for meld in _MELD.findall(line["melds"].replace(" ", "")))
    if len(melds) != line["melds"].count("["):
        raise ValueError(f"{line['melds']!r} has a meld that cannot be read")
    tiles = expand(line["tiles"])
    if not tiles:
        raise ValueError(f"{text!r} has no winning tile")
    told = set((line["words"] or "").split())
    if unknown := told - CIRCUMSTANCES.keys():
        raise ValueError(f"{min(unknown)!r} is none of {', '.join(CIRCUMSTANCES)}")
    flags = {field: word in told for word, field in CIRCUMSTANCES.items()}
    return WinHand(tiles[:-1], melds, tiles[-1], flowers=int(line["flowers"] or 0), **flags)


def _meld(tiles: str, offered: str, added: str) -> Meld:
    kinds = expand(tiles)
    kind: MeldKind
    if len(set(kinds)) > 1:
        kind = "chow"
    elif len(kinds) == 3:
        kind = "pung"
    else:
        kind = "added_kong" if added else "kong" if offered else "concealed_kong"
    return Meld(kind, kinds)
