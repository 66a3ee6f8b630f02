"""How this judge answers where the sources differ."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Literal

from tablectl.rules.data import read
from tablectl.rules.wuhan.score import WuhanScore
from tablectl.tomlfile import Document, convert

SOURCE = "wuhan/ruleset.toml"


@dataclass(frozen=True, slots=True)
class ScoreSettings:
    """The bare values of `tablectl.rules.wuhan.score.WuhanScore`, which explains each."""

    laizi_next: Literal["skip_zhong", "cycle_all"]
    laizi_kinds: Literal[1, 2]
    pi: bool
    laizi_kong: Literal[4, 2]
    laizi_discard: Literal["x2", "kong"]
    wild_fifth_copy: bool
    chadajiao: bool
    open_by_kong: bool
    laizi_count_face: bool
    laizi_max_used: Literal["none", 2]
    min_points: int
    min_rule: Literal["any_loser", "smallest_loser"]
    min_measure: Literal["raw_share"]
    rob_value: Literal["winner", "konger"]
    kong_ready: Literal["before", "any"]
    quanqiuren_selfdraw: bool
    reading: Literal["max"]
    big_sum: Literal["additive", "doubling"]
    open_mode: Literal["koukou", "kaikou"]
    kong_opening: Literal["both", "once"]
    cap: int
    cap_base: Literal["unit", "hand"]
    liable_cap: int
    gold_cap: int
    gold: Literal["flat", "raise_cap"]
    gold_before_liable: bool
    bao_cap: Literal["per_share", "total"]
    bao_third: Literal["third_feeder", "all_three"]
    quanqiuren_bao: Literal["always", "not_ready"]
    robbed_kong_pays_all: bool

    @classmethod
    def of(cls, score: WuhanScore) -> ScoreSettings:
        """The settings of the section `score` of a ruleset."""
        return cls(**{field.name: getattr(score, field.name).value for field in fields(cls)})


@lru_cache(maxsize=1)
def _packed() -> Document:
    return Document(read(SOURCE), SOURCE)


def packed(changes: Iterable[str] = ()) -> ScoreSettings:
    """The settings of the packed ruleset, some changed: ``wh.gold=raise_cap``.

    Raises `ValueError` for a setting that has nothing to do with a score,
    `tablectl.tomlfile.TomlError` for a value it cannot have.
    """
    document = _packed()
    score = copy.deepcopy(document.data["score"])
    names = {rule["setting"]: rule for rule in score.values() if isinstance(rule, dict)}
    for change in changes:
        name, _, value = change.partition("=")
        if name.strip() not in names:
            raise ValueError(f"{name.strip()!r} is no setting of this judge")
        names[name.strip()]["value"] = _plain(value.strip())
    return ScoreSettings.of(convert(score, WuhanScore, (document,)))


def _plain(value: str) -> Any:
    if value.isdecimal():
        return int(value)
    return {"true": True, "false": False}.get(value, value)
