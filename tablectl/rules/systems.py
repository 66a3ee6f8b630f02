"""What differs by rule system and needs code: one door to the judges of all four."""

from __future__ import annotations

from tablectl.rules import wuhan
from tablectl.rules.errors import HandError
from tablectl.rules.model import Ruleset
from tablectl.rules.wuhan.score import WuhanScore


def wild_kinds(rules: Ruleset, indicator: str) -> list[str]:
    """The wild kinds (癞子) an indicator tile names (WH-W2); empty for one not read, or where none are."""
    if not isinstance(rules.score, WuhanScore) or not indicator:
        return []
    try:
        return list(wuhan.laizi_of(indicator, wuhan.ScoreSettings.of(rules.score)))
    except HandError:  # a flower was read: a fact that names nothing
        return []
