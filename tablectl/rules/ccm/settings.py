"""What the judge and the cashier are told: the values of the section `[score]`, without their articles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Literal

from tablectl.rules.ccm.score import BaoRule, CcmScore, Event, FanValues, Shape
from tablectl.rules.data import read
from tablectl.tomlfile import Document, convert

SOURCE = "ccm/ruleset.toml"
SECTION = "score"


@dataclass(frozen=True, slots=True)
class ScoreSettings:
    """The values of `tablectl.rules.ccm.score.CcmScore`, which explains each."""

    shapes: tuple[Shape, ...]
    selfdraw_vs_zero: bool
    multi_win_unpaid: Literal["stand", "void"]
    fan_values: FanValues
    dihe: int
    wait_with_implied: bool
    menqing_on_discard: bool
    menqing_with_implied: bool
    rob_is_selfdraw: bool
    discard_shares: int
    selfdraw_shares: int
    robbed_shares: int
    liable_shares: int
    doubling: int
    melded_kong: int
    small_kong: int
    small_kong_payer: Literal["each", "feeder"]
    concealed_kong: int
    flower_kong_points: int
    flower_kong: Literal["set", "any_four"]
    chase: int
    bao_consecutive: bool
    bao_melds: int
    bao_order: tuple[BaoRule, ...]
    guapai: Literal["face_up", "none"]
    guapai_reach: int
    zero_win_fine: int
    players_out: int
    first_tie: bool
    blocked_kong: Literal["off_table", "void"]
    penalty_unit: int
    penalty_most: int
    double_penalties: bool
    standard_points: tuple[tuple[Event, int], ...]
    standard_step: int

    @classmethod
    def of(cls, score: CcmScore) -> ScoreSettings:
        """The settings of a ruleset's section."""
        values = {field.name: getattr(score, field.name).value for field in fields(cls)}
        return cls(**{**values, "standard_points": tuple(score.standard_points.value.items())})


@lru_cache(maxsize=1)
def packed() -> ScoreSettings:
    """The settings of the packed ruleset."""
    return changed({})


def changed(values: Mapping[str, Any]) -> ScoreSettings:
    """The packed settings with some other values, by the name of the field.

    Tables are merged. Raises `tablectl.tomlfile.TomlError` for a name or value that is none.
    """
    document = Document(read(SOURCE), SOURCE)
    section = dict(document.data[SECTION])
    for name, value in values.items():
        rule = section.get(name, {})
        merged = {**rule["value"], **value} if isinstance(value, dict) and rule else value
        section[name] = {**rule, "value": merged}
    return ScoreSettings.of(convert({SECTION: section}, dict[str, CcmScore], (document,))[SECTION])
