"""How sheets write what they are full of: points with their sign, sets of tiles, values of a ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tablectl.rules.tiles import ZH, number, suit

PERCENT = 100


def signed(points: int) -> str:
    """Points with their sign; nothing changes hands is 0."""
    return f"{points:+d}".replace("-", "−") if points else "0"


def parts(number_: int, per: int) -> str:
    """Standard points that are counted in parts: ``4``, ``0.5``, ``−8.94``, ``7/3``."""
    worth = Fraction(number_, per)
    sign, size = ("−" if worth < 0 else ""), abs(worth)
    if size.denominator == 1:
        return f"{sign}{size.numerator}"
    if PERCENT % size.denominator:
        return f"{sign}{size.numerator}/{size.denominator}"
    whole, rest = divmod(size.numerator * PERCENT // size.denominator, PERCENT)
    return f"{sign}{whole}." + f"{rest:02}".rstrip("0")


def group(tiles: Sequence[str], lang: str) -> str:
    """A set of tiles: ``123m`` and ``EEE``, or 一二三万 and 东东东."""
    if lang.startswith("zh"):
        if len({suit(tile) for tile in tiles}) == 1 and suit(tiles[0]):
            return "".join(ZH[tile][0] for tile in tiles) + ZH[tiles[0]][1:]
        return "".join(ZH[tile] for tile in tiles)
    written = ""
    for place, tile in enumerate(tiles):
        last = place + 1 == len(tiles) or suit(tiles[place + 1]) != suit(tile)
        written += tile if not suit(tile) or last else str(number(tile))
    return written


def plain(value: Any) -> str:
    """A value of a ruleset in a line: ``true``, ``(4 4 4)``."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return f"({' '.join(f'{key} {plain(item)}' for key, item in value.items())})"
    return f"({' '.join(map(plain, value))})" if isinstance(value, list) else str(value)
