"""武汉麻将: its judge and its payments."""

from __future__ import annotations

from tablectl.rules.errors import HandError
from tablectl.rules.wuhan.count import Count, count, counts, wins
from tablectl.rules.wuhan.hand import FedMeld, Laid, WinHand, laid_of
from tablectl.rules.wuhan.laizi import laizi_of, pi_of
from tablectl.rules.wuhan.pay import Payment, settle
from tablectl.rules.wuhan.settings import ScoreSettings
from tablectl.rules.wuhan.win import Win

__all__ = [
    "Count",
    "FedMeld",
    "HandError",
    "Laid",
    "Payment",
    "ScoreSettings",
    "Win",
    "WinHand",
    "count",
    "counts",
    "laid_of",
    "laizi_of",
    "pi_of",
    "settle",
    "wins",
]
