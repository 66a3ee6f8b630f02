"""Ladders as people write them: ``["warning", 5, 10]`` for what would otherwise be three tables.

A step that is a warning and nothing else, or so many points and nothing else, stands for its `Measure`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tablectl.rules.offences import Measure, Offence

WARNING = "warning"
LADDERS = ("ladder", "choices")  # the fields that are lists of measures
WORDING = ("rule", "zh", "en", "words", "also", "like", "provisional", "setting", "off")


def expand(offences: Any) -> Any:
    """A catalogue's plain data with every short step written out. What is no catalogue is left alone."""
    if not isinstance(offences, dict):
        return offences
    return {name: expand_one(data) for name, data in offences.items()}


def expand_one(data: Any) -> Any:
    """The same for one offence."""
    if not isinstance(data, dict):
        return data
    lists = {key: data[key] for key in LADDERS if isinstance(data.get(key), list)}
    return {**data, **{key: [long(step) for step in steps] for key, steps in lists.items()}}


def long(step: Any) -> Any:
    """A step as a table."""
    if step == WARNING:
        return {"warning": True}
    return {"points": step} if isinstance(step, int) and not isinstance(step, bool) else step


def short(measure: Measure) -> Any:
    """A measure as people write it, without what it leaves out."""
    said = plain(measure, Measure())
    if said == {"warning": True}:
        return WARNING
    return said["points"] if list(said) == ["points"] else said


def costs(offence: Offence) -> dict[str, Any]:
    """What an offence comes to, as people write it: everything but its wording and where it comes from."""
    said = plain(offence, Offence(offence.rule, offence.zh, offence.en, ()))
    kept = {key: value for key, value in said.items() if key not in WORDING}
    lists = {key: [short(step) for step in getattr(offence, key)] for key in LADDERS if key in kept}
    return {**kept, **lists}


def plain(told: msgspec.Struct, silent: msgspec.Struct) -> dict[str, Any]:
    """The fields in which a struct differs from another that says nothing, as plain data."""
    ours, theirs = (msgspec.json.decode(msgspec.json.encode(one)) for one in (told, silent))
    return {key: value for key, value in ours.items() if value != theirs[key]}
