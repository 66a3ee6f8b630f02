"""国标麻将: its rulesets and its judge."""

from __future__ import annotations

from tablectl.rules.errors import HandError
from tablectl.rules.mcr.count import Count, count, counts, wins
from tablectl.rules.mcr.hand import WinHand
from tablectl.rules.mcr.settings import ScoreSettings
from tablectl.rules.melds import Meld

__all__ = [
    "Count",
    "HandError",
    "Meld",
    "ScoreSettings",
    "WinHand",
    "count",
    "counts",
    "wins",
]
