"""Tiles in one line of text: as the case files write them, and as the rule file writes its positions.

Case files: ``[5m5m5m5m,2][6m7m8m,1][3p3p3p3p]9p9p``. Melds in brackets; the digit says who offered the
tile, a kong without one is concealed, ``+`` makes it an added one. Then the concealed tiles, the last of
which wins.

Rule file: ``{B1111} [B3333 big] [RRR] D11 D3*``. B bamboo, C characters, D dots before their numbers; the
winds E S W N; R G O = 中 發 白. ``[]`` open, ``{}`` a concealed kong, ``*`` behind the winning tile, without
it the last one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tablectl.rules.melds import Meld, MeldKind
from tablectl.rules.tiles import expand

_LINE = re.compile(r"(?P<melds>(?:\[[^\]]*\])*)(?P<tiles>[^\[\]]*)")
_MELD = re.compile(r"\[([^,\]+]*?[mpsESWNCFP]),?(\d?)(\+?)\]")

_PART = re.compile(r"\[([^\]]+)\]|\{([^}]+)\}|([BCD][1-9]+|[ESWNRGO])(\*?)")
_OPEN = re.compile(r"(\S+?)(?: (big|small))?")
_SUITS = {"B": "s", "C": "m", "D": "p"}
_DRAGONS = {"R": "C", "G": "F", "O": "P"}


class Laid(NamedTuple):
    """The tiles of a won hand, in the order of `WinHand`."""

    concealed: tuple[str, ...]
    melds: tuple[Meld, ...]
    winning: str


def read(text: str) -> Laid:
    """The tiles of a line of the case files. Raises `ValueError` for a line not of this form."""
    line = _LINE.fullmatch(text.replace(" ", ""))
    if line is None:
        raise ValueError(f"{text!r} is no hand in one line")
    melds = tuple(_meld(expand(tiles), offered, added) for tiles, offered, added in _MELD.findall(line[1]))
    if len(melds) != line["melds"].count("["):
        raise ValueError(f"{line['melds']!r} has a meld that cannot be read")
    tiles = expand(line["tiles"])
    if not tiles:
        raise ValueError(f"{text!r} has no winning tile")
    return Laid(tiles[:-1], melds, tiles[-1])


def _meld(tiles: tuple[str, ...], offered: str, added: str) -> Meld:
    if len(tiles) == 4 and len(set(tiles)) == 1:
        return Meld("added_kong" if added else "kong" if offered else "concealed_kong", tiles)
    return Meld(_open_kind(tiles), tiles)


def _open_kind(tiles: tuple[str, ...]) -> MeldKind:
    if len(set(tiles)) > 1:
        return "chow"
    return "pung" if len(tiles) < 4 else "kong"


def read_position(text: str) -> Laid:
    """The tiles of a position of the rule file. Raises `ValueError` for a text not of this form."""
    if _PART.sub("", text).strip():
        raise ValueError(f"{text!r} is no position")
    concealed: list[str] = []
    melds: list[Meld] = []
    winning = ""
    for opened, hidden, tiles, star in _PART.findall(text):
        if opened:
            melds.append(_open_meld(opened))
        elif hidden:
            melds.append(Meld("concealed_kong", tuple(_tiles(hidden))))
        else:
            concealed += _tiles(tiles)
            if star:
                winning = concealed.pop()
    if not winning and not concealed:
        raise ValueError(f"{text!r} has no winning tile")
    return Laid(tuple(concealed), tuple(melds), winning) if winning else _last_wins(concealed, melds)


def _last_wins(concealed: list[str], melds: list[Meld]) -> Laid:
    return Laid(tuple(concealed[:-1]), tuple(melds), concealed[-1])


def _open_meld(text: str) -> Meld:
    written = _OPEN.fullmatch(text)
    if written is None:
        raise ValueError(f"{text!r} is no meld")
    tiles = tuple(_tiles(written[1]))
    return Meld("added_kong" if written[2] == "small" else _open_kind(tiles), tiles)


def _tiles(text: str) -> Iterator[str]:
    for part in re.findall(r"[BCD][1-9]+|.", text):
        if len(part) > 1:
            yield from (number + _SUITS[part[0]] for number in part[1:])
        elif part in "ESWN":
            yield part
        elif part in _DRAGONS:
            yield _DRAGONS[part]
        else:
            raise ValueError(f"{part!r} cannot stand there in {text!r}")
