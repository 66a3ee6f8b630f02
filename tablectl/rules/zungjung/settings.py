"""How this judge answers where sources differ."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache

import msgspec

from tablectl.rules.data import read
from tablectl.rules.zungjung.score import (
    HeavenNineGates,
    ImmunityFirstRound,
    MatchPoints,
    MinPoints,
    ZungjungScore,
)
from tablectl.tomlfile import Document

SOURCE = "zungjung/ruleset.toml"
PREFIX = "zj."


@dataclass(frozen=True, slots=True)
class ScoreSettings:
    """The values of a ruleset the judge needs; `ZungjungScore` explains each."""

    min_points: MinPoints
    seven_pairs_four_alike: bool
    heaven_nine_gates: HeavenNineGates
    immunity_counts_claimed: bool
    immunity_first_round: ImmunityFirstRound
    immunity_robbed_kong: bool
    match_points: MatchPoints

    @classmethod
    def of(cls, score: ZungjungScore) -> ScoreSettings:
        """The settings of a ruleset's score section."""
        return cls(**{field.name: getattr(score, field.name).value for field in fields(cls)})


@lru_cache(maxsize=1)
def packed() -> ScoreSettings:
    """The settings of the packed ruleset."""
    score = Document(read(SOURCE), SOURCE).data["score"]
    return ScoreSettings.of(msgspec.convert(score, ZungjungScore))


def changed(settings: ScoreSettings, choice: str) -> ScoreSettings:
    """The settings with one choice made, written as in case files: ``zj.min_points=5``.

    Raises `ValueError` for a setting or a value that is not offered.
    """
    name, _, written = choice.partition("=")
    field = name.removeprefix(PREFIX)
    if field not in {one.name for one in fields(ScoreSettings)} or not name.startswith(PREFIX):
        raise ValueError(f"{name!r} is no setting of the score")
    values = msgspec.to_builtins(settings) | {field: _value(written)}
    return msgspec.convert(values, ScoreSettings)


def _value(written: str) -> bool | int | str:
    if written in ("true", "false"):
        return written == "true"
    return int(written) if written.isdecimal() else written
