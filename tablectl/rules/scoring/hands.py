"""The tiles of a won hand from a line of text, in one of several notations.

Melds stand in brackets, as the case files write them: ``[EEE,3]`` (the digit: offered by 1 the left, 2 the
opposite, 3 the right seat), ``[123m,1]``, ``[1111s]`` a concealed kong, ``[1111s,2+]`` an added one, of whose
pung 2 offered a tile. Then the concealed tiles with the winning one: the last, unless another is named.

Read without a name are the tiles' own names (``123m 5s EE``) and Chinese (``一二三万 五条 東東``). The other
notations contradict those or one another and must be named (`Notation`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tablectl.rules import tiles
from tablectl.rules.errors import HandError
from tablectl.rules.melds import Meld, MeldKind
from tablectl.rules.zungjung import notation as zungjung

Notation = Literal["own", "mpsz", "cases-z", "mahjonggb", "zungjung"]
Reader = Callable[[str], tuple[str, ...]]

SEATS = 4
LEFT = 1
_MELD = re.compile(r"\[([^\[\]]*)\]")
_BEHIND = re.compile(r"([^,+]*?)\s*(?:,\s*([123])|(?<=[mpszESWNCFP])([123]))?\s*(\+?)\s*")
_THEIR_BEHIND = re.compile(r"([^,+]*?)\s*(?:,\s*([123])())?\s*(\+?)\s*")  # F1 ends with a digit of its own
_CHINESE = str.maketrans(
    "一二三四五六七八九万萬条條索饼餅筒東东南西北中發发白板【】［］，　",
    "123456789mmsssppp" + "EESWNCFFPP[][], ",
)
_TILES = re.compile(r"(?:[1-9]+[mps]|[ESWNCFP])*")
_NUMBERED = re.compile(r"\d*\D?")
_MPSZ = str.maketrans("1234567", "ESWNPFC")  # 5z 白, 6z 發, 7z 中
_CASES = str.maketrans("1234567", "ESWNCFP")  # 5z 中, 6z 發, 7z 白
_THEIRS = re.compile(r"[WTB][1-9]|F[1-4]|J[1-3]|H[1-8]")
_THEIR_SUITS = {"W": "m", "T": "s", "B": "p"}


@dataclass(frozen=True, slots=True)
class ShownMeld(Meld):
    """A set on the table. ``digit``: who gave its tile (1 left, 2 opposite, 3 right), None where nobody did
    or nobody says; a chow is always the left seat's."""

    digit: int | None = None

    def feeder(self, winner: int) -> int | None:
        """Who gave the tile, players being 0-3 in turn order."""
        return None if self.digit is None else (winner - self.digit) % SEATS


@dataclass(frozen=True, slots=True)
class Shown:
    """The tiles of a won hand; the winning one is not among ``concealed``."""

    concealed: tuple[str, ...]
    melds: tuple[ShownMeld, ...]
    winning: str


def read(text: str, winning: str = "", notation: Notation = "own") -> Shown:
    """The hand a text tells of, not yet checked.

    Raises `HandError` for what cannot be read, and for a winning tile that is named but not there.
    """
    if notation == "zungjung":
        return _position(text, winning)
    reader = _READERS[notation]
    text = text.translate(_CHINESE) if notation == "own" else text
    melds = [_meld(inside, reader) for inside in _MELD.findall(text)]
    rest = _MELD.sub(" ", text)
    if notation == "cases-z":
        kongs, rest = _drawn_kongs(rest, reader)
        melds += kongs
    concealed = list(reader(rest))
    named = tile(winning, notation) if winning else ""
    return _won(concealed, tuple(melds), named)


def tile(text: str, notation: Notation = "own") -> str:
    """One tile. Raises `HandError` for none or several."""
    reader = _position_tiles if notation == "zungjung" else _READERS[notation]
    found = reader(text.translate(_CHINESE) if notation == "own" else text)
    if len(found) != 1:
        raise HandError("hand.one_tile", f"{text!r} is not one tile", given=text)
    return found[0]


def _won(concealed: list[str], melds: tuple[ShownMeld, ...], named: str) -> Shown:
    if not concealed:
        raise HandError("hand.nothing", "there is no winning tile: no tile stands outside the melds")
    winning = named or concealed[-1]
    if winning not in concealed:
        sentence = f"{winning} cannot win: it does not stand among the tiles outside the melds"
        raise HandError("hand.win_not_there", sentence, tile=winning)
    place = len(concealed) - 1 - concealed[::-1].index(winning)
    return Shown((*concealed[:place], *concealed[place + 1 :]), melds, winning)


def _meld(inside: str, reader: Reader) -> ShownMeld:
    parts = (_THEIR_BEHIND if reader is _theirs else _BEHIND).fullmatch(inside)
    if parts is None:
        raise HandError("hand.unreadable", f"[{inside}] is no meld", given=f"[{inside}]")
    shown, after_comma, at_once, added = parts.groups()
    digit = after_comma or at_once
    return _of_kind(reader(shown), int(digit) if digit else None, bool(added), inside)


def _of_kind(kinds: tuple[str, ...], digit: int | None, added: bool, inside: str) -> ShownMeld:
    if len(kinds) not in (SEATS - 1, SEATS):
        given = f"[{inside}]"
        raise HandError("hand.meld_size", f"{given} has {len(kinds)} tiles: a meld has three or four",
                        given=given, count=len(kinds))  # fmt: skip
    kind: MeldKind
    if len(set(kinds)) > 1:
        return ShownMeld("chow", kinds, LEFT)
    if len(kinds) < SEATS:
        kind = "pung"
    else:
        kind = "added_kong" if added else "kong" if digit else "concealed_kong"
    return ShownMeld(kind, kinds, digit)


def _own(text: str) -> tuple[str, ...]:
    plain = "".join(text.split())
    for flower in re.findall(r"f[1-8]", plain):
        raise HandError("hand.flower_held", f"{flower} is a flower: it lies beside the hand", tile=flower)
    try:
        return tiles.expand(plain)
    except ValueError as error:
        raise HandError("hand.unreadable", str(error), given=_at_fault(plain)) from None


def _at_fault(text: str) -> str:
    """The first part of a text that is no tile: numbers and what stands behind them."""
    rest = _TILES.sub("", text, count=1)
    found = _NUMBERED.match(rest)
    return found[0] if found else rest


def _z(table: dict[int, int]) -> Reader:
    """Tiles whose honours are numbers before a z."""

    def read_z(text: str) -> tuple[str, ...]:
        if wrong := re.search(r"(?:[089]\d*z)|(?<![\d])z|[A-Z]", text):
            raise HandError("hand.unreadable", f"{wrong[0]!r} is no tile", given=wrong[0])
        return _own(re.sub(r"(\d+)z", lambda part: part[1].translate(table), text))

    return read_z


def _drawn_kongs(text: str, reader: Reader) -> tuple[list[ShownMeld], str]:
    """Groups of four equal tiles, which drawings leave without brackets: concealed kongs."""
    groups = [(group, reader(group)) for group in text.split()]
    kongs = [found for _, found in groups if len(found) == SEATS and len(set(found)) == 1]
    rest = " ".join(group for group, found in groups if found not in kongs)
    return [ShownMeld("concealed_kong", found) for found in kongs], rest


def _theirs(text: str) -> tuple[str, ...]:
    """PyMahjongGB: W 万, T 条, B 饼 before the number, F1-4 winds, J1-3 dragons."""
    text = "".join(text.split())
    if rest := _THEIRS.sub("", text):
        raise HandError("hand.unreadable", f"{rest!r} is no tile", given=rest)
    return tuple(map(_of_theirs, _THEIRS.findall(text)))


def _of_theirs(name: str) -> str:
    family, number = name[0], int(name[1])
    if family == "H":
        raise HandError("hand.flower_held", f"{name} is a flower: it lies beside the hand", tile=name)
    if family in _THEIR_SUITS:
        return f"{number}{_THEIR_SUITS[family]}"
    return (tiles.WINDS if family == "F" else tiles.DRAGONS)[number - 1]


def _position(text: str, winning: str) -> Shown:
    """B bamboo, C characters, D dots before their numbers; R G O = 中 發 白; ``{}`` a concealed kong."""
    try:
        laid = zungjung.read_position(text)
    except ValueError as error:
        raise HandError("hand.unreadable", str(error), given=text) from None
    melds = tuple(ShownMeld(meld.kind, meld.tiles) for meld in laid.melds)
    named = tile(winning, "zungjung") if winning else laid.winning
    return _won([*laid.concealed, laid.winning], melds, named)


def _position_tiles(text: str) -> tuple[str, ...]:
    try:
        laid = zungjung.read_position(text)
    except ValueError as error:
        raise HandError("hand.unreadable", str(error), given=text) from None
    return (*laid.concealed, laid.winning)


_READERS: dict[str, Reader] = {
    "own": _own,
    "mpsz": _z(_MPSZ),
    "cases-z": _z(_CASES),
    "mahjonggb": _theirs,
    "zungjung": _position_tiles,
}
