"""The catalogue of patterns and the other numbers of the game, as `patterns.toml` has them (ZJ-S9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from tablectl.rules.data import read
from tablectl.rules.values import Rule, Section
from tablectl.tomlfile import load

SOURCE = "zungjung/patterns.toml"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern. ``order`` is its place in the book; ``adds`` holds all that may join it, None all."""

    id: str
    order: int
    series: str
    zh: str
    en: str
    points: int
    rule: str
    each: bool
    adds: frozenset[str] | None


class Numbers(Section, frozen=True):
    """Limits and shares, in points."""

    compound_limit: Rule[int]
    listed: Rule[int]
    chicken: Rule[int]
    share: Rule[int]
    match_scale: Rule[int]


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    zh: str
    en: str
    points: int
    rule: str = "ZJ-S9"
    each: bool = False
    adds: tuple[str, ...] | None = None


class _File(msgspec.Struct, forbid_unknown_fields=True):
    numbers: Numbers
    patterns: dict[str, _Row]


@lru_cache(maxsize=1)
def _file() -> _File:
    return load(read(SOURCE), _File, SOURCE)


def numbers() -> Numbers:
    """The numbers beside the patterns."""
    return _file().numbers


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, Pattern]:
    """Every pattern by id, in the order of the book."""
    return {
        id_: Pattern(
            id=id_,
            order=order,
            series=".".join(id_.split(".")[:2]),
            zh=row.zh,
            en=row.en,
            points=row.points,
            rule=row.rule,
            each=row.each,
            adds=None if row.adds is None else frozenset(row.adds),
        )
        for order, (id_, row) in enumerate(_file().patterns.items())
    }
