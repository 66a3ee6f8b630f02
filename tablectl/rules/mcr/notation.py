"""A hand in one line of text, as test lists and referees write it: ``[EEE,2][1111s]234m5567p7p|ES1000|2``.

Melds in brackets: after a comma or at once a digit says who offered the tile; a kong without one is
concealed, ``+`` makes it an added one. Then the concealed tiles, the last of which wins. After the bar the
prevalent and the seat wind and four flags: self-drawn, last of its kind, last of the wall, kong; after
another bar the number of flowers. Without bars: East, East, by discard.
"""

from __future__ import annotations

import re

from tablectl.rules.mcr.hand import WinHand
from tablectl.rules.melds import Meld, MeldKind
from tablectl.rules.tiles import expand

_LINE = re.compile(
    r"(?P<melds>(?:\[[^\]]*\])*)(?P<tiles>[^|\[\]]*)"
    r"(?:\|(?P<winds>[ESWN]{2})(?P<flags>[01]{4}))?(?:\|(?P<flowers>\d))?"
)
_MELD = re.compile(r"\[([^,\]+]*?[mpsESWNCFP]),?(\d?)(\+?)\]")


def read(text: str) -> WinHand:
    """The hand a line tells of, not yet checked. Raises `ValueError` for a line not of this form."""
    line = _LINE.fullmatch(text.replace(" ", ""))
    if line is None:
        raise ValueError(f"{text!r} is no hand in one line")
    melds = tuple(_meld(*meld) for meld in _MELD.findall(line["melds"]))
    if len(melds) != line["melds"].count("["):
        raise ValueError(f"{line['melds']!r} has a meld that cannot be read")
    tiles = expand(line["tiles"])
    if not tiles:
        raise ValueError(f"{text!r} has no winning tile")
    self_drawn, last_of_kind, wall_last, kong = (flag == "1" for flag in line["flags"] or "0000")
    winds = line["winds"] or "EE"
    return WinHand(
        concealed=tiles[:-1],
        melds=melds,
        winning=tiles[-1],
        self_drawn=self_drawn,
        seat_wind=winds[1],
        prevalent_wind=winds[0],
        flowers=int(line["flowers"] or 0),
        last_of_kind=last_of_kind,
        wall_last=wall_last,
        kong=kong,
    )


def read_melds(text: str) -> list[tuple[Meld, int]]:
    """The sets of a line that has nothing else, and who offered each tile (1 left, 2 opposite, 3 right, 0 not
    said). Raises `ValueError` for a text not of this form."""
    packed = text.replace(" ", "")
    found = _MELD.findall(packed)
    if _MELD.sub("", packed):
        raise ValueError(f"{text!r} has a meld that cannot be read")
    return [(_meld(*meld), int(meld[1] or 0)) for meld in found]


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
