"""The tiles and their names: ``1m`` characters, ``1p`` dots, ``1s`` bamboo, winds, dragons, flowers.

Names are case-sensitive: ``s`` is a suit, ``S`` the south wind. A *kind* is one of the 34 tiles there are
four of; a flower is one of eight single tiles.
"""

from __future__ import annotations

from collections.abc import Iterable

SUITS = ("m", "p", "s")
NUMBERS = range(1, 10)
WINDS = ("E", "S", "W", "N")
DRAGONS = ("C", "F", "P")
HONOURS = (*WINDS, *DRAGONS)
FLOWERS = tuple(f"f{number}" for number in range(1, 9))
KINDS = (*(f"{number}{suit}" for suit in SUITS for number in NUMBERS), *HONOURS)
TILES = (*KINDS, *FLOWERS)  # in sorting order
ORDER = {tile: place for place, tile in enumerate(TILES)}

ZH = {
    **{
        f"{n}{suit}": "一二三四五六七八九"[n - 1] + name
        for suit, name in zip(SUITS, "万饼条", strict=True)
        for n in NUMBERS
    },
    **dict(zip(HONOURS, "东南西北中發白", strict=True)),
    **dict(zip(FLOWERS, "梅蘭菊竹春夏秋冬", strict=True)),
}

GLYPHS = dict(
    zip(
        TILES,
        "🀇🀈🀉🀊🀋🀌🀍🀎🀏🀙🀚🀛🀜🀝🀞🀟🀠🀡🀐🀑🀒🀓🀔🀕🀖🀗🀘🀀🀁🀂🀃🀄🀅🀆🀢🀣🀥🀤🀦🀧🀨🀩",
        strict=True,
    )
)


def is_flower(tile: str) -> bool:
    """True for one of the eight flowers."""
    return tile.startswith("f")


def suit(tile: str) -> str:
    """``m``, ``p`` or ``s``; empty for honours and flowers."""
    return tile[1] if len(tile) == 2 and tile[1] in SUITS else ""


def number(tile: str) -> int:
    """1-9 of a suited tile; 0 for honours and flowers."""
    return int(tile[0]) if suit(tile) else 0


def copies(tile: str) -> int:
    """How many there are in a set."""
    return 1 if is_flower(tile) else 4


def full_set(flowers: bool) -> list[str]:
    """All 144 tiles of a set, or the 136 without flowers, sorted."""
    return [tile for tile in (TILES if flowers else KINDS) for _ in range(copies(tile))]


def in_order(tiles: Iterable[str]) -> list[str]:
    """The tiles sorted: characters, dots, bamboo, winds, dragons, flowers."""
    return sorted(tiles, key=ORDER.__getitem__)


def expand(text: str) -> tuple[str, ...]:
    """Tiles from the short notation, blanks ignored: ``123m 5s EE`` is 1m 2m 3m 5s E E.

    Raises `ValueError` for anything else.
    """
    tiles: list[str] = []
    numbers: list[str] = []
    for letter in text.replace(" ", ""):
        if letter.isdecimal() and letter != "0":
            numbers.append(letter)
        elif letter in SUITS and numbers:
            tiles += [one + letter for one in numbers]
            numbers = []
        elif letter in HONOURS and not numbers:
            tiles.append(letter)
        else:
            raise ValueError(f"{letter!r} cannot stand there in {text!r}")
    if numbers:
        raise ValueError(f"a suit is missing at the end of {text!r}")
    return tuple(tiles)
