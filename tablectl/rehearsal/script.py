"""Script files: hands written down, one JSON object a line, replayed tile for tile."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from protocols.vocabulary import SIDES
from sim.compose import compose
from sim.script import Script
from tablectl.game.state import SEATS

RULES = "mcr-136"  # MCR without flowers
ANY_DICE = ((1, 1), (1, 1))  # whether there can be walls does not hang on the dice


class ScriptFileError(Exception):
    """A script file that cannot be played: which line, why, what to do."""


@dataclass(frozen=True, slots=True)
class ScriptedHand:
    """One line: the script, who should win, and the arguments of its session."""

    id: str
    line: int  # of its file
    script: Script
    winner: str | None
    session: dict[str, Any]


def read_scripts(path: Path, line: int | None = None) -> list[ScriptedHand]:
    """Every line of a script file, or line ``line`` (counted from 1). Raises ``ScriptFileError``."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            lines = list(file)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ScriptFileError(f"the script {path} cannot be read: {reason}. Give a JSONL file") from error
    numbered = [(number, text) for number, text in enumerate(lines, 1) if text.strip()]
    if line is not None:
        numbered = [(number, text) for number, text in numbered if number == line]
        if not numbered:
            raise ScriptFileError(f"the script {path} has no line {line}; it has {len(lines)} lines")
    if not numbered:
        raise ScriptFileError(f"the script {path} is empty: write one hand a line")
    return [_read(path, number, text) for number, text in numbered]


def _read(path: Path, number: int, text: str) -> ScriptedHand:
    try:
        data = json.loads(text)
        if not isinstance(data, dict):
            raise ValueError("it is not a JSON object")
        script = Script.parse(data)
        compose(script, ANY_DICE)
        written = next((event.seat for event in script.events if event.do == "win"), None)
        winner = _one_of(data, "winner", SIDES, written)
        round_wind = _one_of(data, "round_wind", SEATS, SEATS[0])
    except ValueError as error:
        raise ScriptFileError(f"{path}, line {number}: {error}") from error
    except RecursionError as error:
        raise ScriptFileError(f"{path}, line {number}: it is nested too deeply to be a script") from error
    return ScriptedHand(
        id=str(data.get("id") or number),
        line=number,
        script=script,
        winner=None if winner is None else f"p{winner}",
        session={"rules": RULES, "east": f"p{script.dealer}", "round": round_wind or SEATS[0]},
    )


def _one_of(data: dict[str, Any], key: str, values: Sequence[Any], default: Any) -> Any:
    """What the hand as a whole says, or None for null. Raises ``ValueError``."""
    value = data.get(key, default)
    if value is not None and (type(value) is not type(values[0]) or value not in values):
        raise ValueError(f"{key} is {value!r}; it can be {', '.join(map(str, values))}")
    return value
