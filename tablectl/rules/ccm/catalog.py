"""The catalogue of fan and extras: names, points, what contains what; from `fans.toml` and a ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import msgspec

from tablectl.rules.ccm.settings import ScoreSettings
from tablectl.rules.data import read
from tablectl.tomlfile import load

SOURCE = "ccm/fans.toml"

MIXED_STRAIGHT = "ccm-01"  # 花龙
PURE_STRAIGHT = "ccm-02"  # 清龙
KNITTED_STRAIGHT = "ccm-03"  # 组合龙
HALF_FLUSH = "ccm-04"  # 混一色
ALL_PUNGS = "ccm-05"  # 对对和
UNRELATED = "ccm-06"  # 大乱
SINGLE_TILE = "ccm-07"  # 全求独钓
LAST_OF_KIND = "ccm-08"  # 夹绝张
THREE_ALIKE = "ccm-09"  # 全大, 全中, 全小
FULL_FLUSH = "ccm-10"  # 清一色
SEVEN_PAIRS = "ccm-11"  # 七对
THREE_DRAGONS = "ccm-12"  # 三箭刻

FLOWER = "ccm-flower"
WAIT = "ccm-wait"
FLOWER_WIN = "ccm-flower-win"
KONG_WIN = "ccm-kong-win"
LAST_DISCARD = "ccm-last-discard"
LAST_DRAW = "ccm-last-draw"
CONCEALED = "ccm-concealed"
EARTH = "ccm-earth"


@dataclass(frozen=True, slots=True)
class Fan:
    """A technical fan or an extra (``extra``). ``order`` is its place in the list."""

    id: str
    order: int
    zh: str
    en: str
    points: int
    rule: str
    extra: bool
    contains: frozenset[str]
    on: Literal["", "draw", "own", "other"]


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    zh: str
    en: str
    rule: str = ""
    points: int = 0
    contains: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    on: Literal["", "draw", "own", "other"] = ""


class _File(msgspec.Struct, forbid_unknown_fields=True):
    fans: dict[str, _Row]
    extras: dict[str, _Row]


@lru_cache(maxsize=1)
def _file() -> _File:
    return load(read(SOURCE), _File, SOURCE)


@lru_cache(maxsize=1)
def words() -> Mapping[str, str]:
    """The extras by the words lists of cases use for them."""
    return {word: id_ for id_, row in _file().extras.items() for word in row.words}


@lru_cache(maxsize=32)
def edition(settings: ScoreSettings) -> Mapping[str, Fan]:
    """Every fan and extra by id, with its points under these settings."""
    given: dict[str, int] = {**msgspec.to_builtins(settings.fan_values), EARTH: settings.dihe}
    return {fan.id: _changed(fan, given, settings) for fan in _listed()}


def _listed() -> Iterator[Fan]:
    tables = ((_file().fans, False, "CJ-S3"), (_file().extras, True, "CJ-S4"))
    rows = ((id_, row, extra, rule) for table, extra, rule in tables for id_, row in table.items())
    for order, (id_, row, extra, rule) in enumerate(rows):
        contains = frozenset(row.contains)
        yield Fan(id_, order, row.zh, row.en, row.points, row.rule or rule, extra, contains, row.on)


def _changed(fan: Fan, given: Mapping[str, int], settings: ScoreSettings) -> Fan:
    contains = fan.contains
    if settings.wait_with_implied and fan.id != SEVEN_PAIRS:  # seven pairs never have it (CJ-S4)
        contains -= {WAIT}
    if settings.menqing_with_implied:
        contains -= {CONCEALED}
    return replace(fan, points=given.get(fan.id, fan.points), contains=contains)
