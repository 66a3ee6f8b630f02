"""Answers to the lines of case lists: a hand in one line of text with its circumstances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal

import msgspec

from tablectl.rules.data import read as packed_text
from tablectl.rules.errors import HandError
from tablectl.rules.mcr.catalog import edition
from tablectl.rules.mcr.count import count
from tablectl.rules.mcr.notation import read
from tablectl.rules.mcr.score import McrScore
from tablectl.rules.mcr.settings import ScoreSettings
from tablectl.rules.tiles import WINDS
from tablectl.tomlfile import Document

SOURCE = "mcr/ruleset.toml"
UNREADABLE = "line.unreadable"
Wind = Literal[0, 1, 2, 3]


class _Flags(msgspec.Struct):
    self_drawn: bool = False
    last_of_kind: bool = False
    about_kong: bool = False
    wall_last: bool = False
    flowers: int = 0
    seat: Wind = 0
    prevalent: Wind = 0


class _Line(msgspec.Struct):
    hand_text: str
    system: Literal["mcr"] = "mcr"
    flags: _Flags = msgspec.field(default_factory=_Flags)


@lru_cache(maxsize=1)
def packed() -> ScoreSettings:
    """The settings of the packed ruleset."""
    section = Document(packed_text(SOURCE), SOURCE).data["score"]
    return ScoreSettings.of(msgspec.convert(section, McrScore))


def answer(line: Mapping[str, Any], settings: ScoreSettings | None = None) -> dict[str, Any]:
    """Fan by name with points of each and how often, and the total; ``error`` with the reason if refused."""
    chosen = settings or packed()
    try:
        told = msgspec.convert(line, _Line)
        flags = told.flags
        hand = replace(
            read(told.hand_text),
            self_drawn=flags.self_drawn,
            last_of_kind=flags.last_of_kind,
            kong=flags.about_kong,
            wall_last=flags.wall_last,
            flowers=flags.flowers,
            seat_wind=WINDS[flags.seat],
            prevalent_wind=WINDS[flags.prevalent],
        )
        counted = count(hand, chosen)
    except HandError as error:
        return {"error": error.key}
    except (ValueError, msgspec.ValidationError):
        return {"error": UNREADABLE}
    if counted.form is None:
        return {"error": "win.no_shape"}
    fans = edition(chosen)
    added = {fans[one.id].zh: [one.points // one.times, one.times] for one in counted.fans}
    return {"fans": added, "total": counted.total}
