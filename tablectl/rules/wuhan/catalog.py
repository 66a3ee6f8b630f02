"""The catalogue of 武汉麻将 as `patterns.toml` has it: patterns, factors, reasons of a refusal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from tablectl.rules.data import read
from tablectl.rules.tiles import expand
from tablectl.rules.values import Rule
from tablectl.tomlfile import load

SOURCE = "wuhan/patterns.toml"

SMALL = "wh-00"  # 小胡
PUNGS = "wh-01"  # 碰碰胡
ONE_SUIT = "wh-02"  # 清一色
JIANG = "wh-03"  # 将一色
HONOURS = "wh-04"  # 风一色
FROM_OTHERS = "wh-05"  # 全求人
REPLACEMENT = "wh-06"  # 杠上花
LAST_FOUR = "wh-07"  # 海底捞
ROBBED = "wh-08"  # 抢杠


class Pattern(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of win. ``points`` is its base, ``factor`` what it multiplies the winner's factor by."""

    zh: str
    en: str
    points: int
    rule: str
    any_pair: bool = False
    only: str = ""
    factor: int = 1


class Factors(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What amounts are multiplied by; a pair is a fraction (WH-S3, WH-S4)."""

    opening: Rule[int]
    melded_kong: Rule[int]
    concealed_kong: Rule[int]
    hongzhong_kong: Rule[int]
    laizi_discard: Rule[int]
    pi_kong: Rule[int]
    hard: Rule[int]
    self_draw_small: Rule[int]
    self_draw_big: Rule[tuple[int, int]]
    discarder_small: Rule[int]
    discarder_big: Rule[tuple[int, int]]
    dealer_small: Rule[int]
    more_big: Rule[int]


class Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers and tiles the rules of a win name."""

    laizi_in_small: Rule[int]
    bao_meld: Rule[int]
    pair: Rule[str]


class Honours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The order of the honours."""

    cycle: Rule[str]


class Reason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a hand is no win."""

    zh: str
    en: str
    rule: str


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    patterns: dict[str, Pattern]
    factors: Factors
    counts: Counts
    honours: Honours
    reasons: dict[str, Reason]


@dataclass(frozen=True, slots=True)
class Kinds:
    """Kinds of tiles the rules name: 将 (2/5/8), those of 风一色, the honours in their cycle."""

    jiang: frozenset[str]
    honours: frozenset[str]
    cycle: tuple[str, ...]


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """The packed catalogue."""
    return load(read(SOURCE), Catalogue, SOURCE)


def patterns() -> Mapping[str, Pattern]:
    """Every pattern by its id, the small win first."""
    return catalogue().patterns


@lru_cache(maxsize=1)
def kinds() -> Kinds:
    """The kinds the rules name."""
    whole = catalogue()
    return Kinds(
        jiang=frozenset(expand(whole.counts.pair.value)),
        honours=frozenset(expand(whole.patterns[HONOURS].only)),
        cycle=expand(whole.honours.cycle.value),
    )
