"""中国竞技麻将: its rulesets, its judge and its cashier."""

from __future__ import annotations

from tablectl.rules.ccm.count import Count, count, counts, wins
from tablectl.rules.ccm.hand import WinHand
from tablectl.rules.ccm.settings import ScoreSettings
from tablectl.rules.errors import HandError
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
