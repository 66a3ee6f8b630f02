"""承包: who pays all three shares of a win (WH-S8)."""

from __future__ import annotations

from collections import Counter

from tablectl.rules.wuhan.catalog import FROM_OTHERS, ONE_SUIT, ROBBED, catalogue
from tablectl.rules.wuhan.settings import ScoreSettings
from tablectl.rules.wuhan.win import Win


def payer_of(win: Win, settings: ScoreSettings) -> int | None:
    """The player who pays all, None where everybody pays for himself.

    The robbed kong decides before 全求人, that before the third meld of 清一色.
    """
    if ROBBED in win.big and settings.robbed_kong_pays_all:
        return win.discarder
    if FROM_OTHERS in win.big and win.jiang_fed and not win.self_drawn:
        ready = settings.quanqiuren_bao == "not_ready" and win.discarder_ready
        if not ready:
            return win.discarder
    if ONE_SUIT in win.big:
        return _feeder(win.feeders, settings)
    return None


def _feeder(feeders: tuple[int, ...], settings: ScoreSettings) -> int | None:
    """Who fed the third meld; under ``all_three`` who fed so many himself."""
    third = catalogue().counts.bao_meld.value
    if settings.bao_third == "third_feeder":
        return feeders[third - 1] if len(feeders) >= third else None
    return next((player for player, number in Counter(feeders).items() if number >= third), None)
