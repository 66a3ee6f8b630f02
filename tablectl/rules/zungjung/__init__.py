"""中庸麻雀: its ruleset and its judge."""

from __future__ import annotations

from tablectl.rules.errors import HandError
from tablectl.rules.melds import Meld
from tablectl.rules.zungjung.count import Count, count, counts, wins
from tablectl.rules.zungjung.hand import WinHand
from tablectl.rules.zungjung.settings import ScoreSettings

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
