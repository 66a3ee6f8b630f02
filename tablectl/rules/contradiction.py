"""What two parts of a ruleset owe one another and do not keep: where it stands, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tablectl.tomllines import Path


class Contradiction(NamedTuple):
    """The places that contradict one another, the text that says why, and what fills it."""

    fields: tuple[Path, ...]
    key: str
    facts: Mapping[str, Any] = {}
