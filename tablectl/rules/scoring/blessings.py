"""Circumstances that are told but that a system has no fan for: named, not passed over in silence."""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.rules.scoring.asked import Asked
from tablectl.rules.scoring.verdict import LeftOut, Name

_NAMES = {
    "heaven": Name("heaven", "天和", "Heaven: won with the dealt tiles", ""),
    "earth": Name("earth", "地和", "Earth: won on the first discard", ""),
    "last_of_kind": Name("last_of_kind", "和绝张", "last of its kind", ""),
}


def unknown(asked: Asked, rule: str, *told: str) -> Iterator[LeftOut]:
    """What was told of ``told`` (heaven and earth unless said) and counts nothing by this article."""
    for circumstance in told or ("heaven", "earth"):
        if getattr(asked, circumstance):
            yield LeftOut(_NAMES[circumstance], rule)
