"""The catalogue of fan: names, values, exclusions; as `fans.toml` has them and as an edition changes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import msgspec

from tablectl.rules.data import read
from tablectl.rules.mcr.settings import ScoreSettings
from tablectl.rules.tiles import expand
from tablectl.tomlfile import load

SOURCE = "mcr/fans.toml"

CONCEALED_SELF_DRAWN = "mcr-56"  # 不求人
KNITTED_STRAIGHT = "mcr-35"  # 组合龙
MIXED_KONG = "mcr-mixed-kong"  # 明暗杠
NINE_GATES = "mcr-04"  # 九莲宝灯
SEVEN_PAIRS = "mcr-19"  # 七对
TERMINAL_TRIPLET = "mcr-73"  # 幺九刻
TWO_CONCEALED_KONGS = "mcr-53"  # 双暗杠
UNRELATED = "mcr-34"  # 全不靠

TERMINALS_IMPLIED = {"none": 0, "one": 1, "both": 2}


@dataclass(frozen=True, slots=True)
class Fan:
    """One fan. ``order`` is its place in the book; the sets hold ids of other fan."""

    id: str
    order: int
    zh: str
    en: str
    value: int
    rule: str
    excludes: frozenset[str]
    excludes_own: frozenset[str]
    implies: Mapping[str, int]
    only: frozenset[str]


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    zh: str
    en: str
    rule: str = "MCR-S15"
    excludes: tuple[str, ...] = ()
    excludes_own: tuple[str, ...] = ()
    implies: dict[str, int] = {}
    only: str = ""


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, Fan]:
    """Every fan by id, in the order of the book."""
    grades = load(read(SOURCE), dict[str, dict[str, _Row]], SOURCE)
    ids = {row.zh: id_ for grade in grades.values() for id_, row in grade.items()}
    return {fan.id: fan for fan in _fans(grades, ids)}


def _fans(grades: Mapping[str, Mapping[str, _Row]], ids: Mapping[str, str]) -> Iterator[Fan]:
    def named(names: Iterable[str]) -> frozenset[str]:
        return frozenset(ids[name] for name in names)

    rows = ((int(grade), id_, row) for grade, table in grades.items() for id_, row in table.items())
    for order, (value, id_, row) in enumerate(rows):
        yield Fan(
            id=id_,
            order=order,
            zh=row.zh,
            en=row.en,
            value=value,
            rule=row.rule,
            excludes=named(row.excludes),
            excludes_own=named(row.excludes_own),
            implies={ids[name]: number for name, number in row.implies.items()},
            only=frozenset(expand(row.only)),
        )


@lru_cache(maxsize=32)
def edition(settings: ScoreSettings) -> Mapping[str, Fan]:
    """The catalogue under these settings."""
    fans = dict(catalogue())

    def change(id_: str, **changes: object) -> None:
        fans[id_] = replace(fans[id_], **changes)  # type: ignore[arg-type]

    change(TWO_CONCEALED_KONGS, value=settings.two_concealed_kongs)
    change(MIXED_KONG, value=settings.mixed_kong)
    change(NINE_GATES, implies={TERMINAL_TRIPLET: TERMINALS_IMPLIED[settings.nine_gates_terminal]})
    if settings.seven_pairs_selfdraw == "buqiuren":
        change(SEVEN_PAIRS, excludes=fans[SEVEN_PAIRS].excludes - {CONCEALED_SELF_DRAWN})
    if settings.knitted_in_unrelated == fans[UNRELATED].value:
        change(UNRELATED, excludes=fans[UNRELATED].excludes | {KNITTED_STRAIGHT})
    return fans
