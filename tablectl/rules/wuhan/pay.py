"""Who pays what (WH-S1 to WH-S10): pure arithmetic, in units of money, always summing to zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tablectl.rules.wuhan.catalog import REPLACEMENT, ROBBED
from tablectl.rules.wuhan.factors import base_of, loser_factor, winner_factor
from tablectl.rules.wuhan.hand import PLAYERS
from tablectl.rules.wuhan.liability import payer_of
from tablectl.rules.wuhan.settings import ScoreSettings
from tablectl.rules.wuhan.win import Win


@dataclass(frozen=True, slots=True)
class Payment:
    """What a win costs each player; the winner has 0 in ``raw`` and ``shares``.

    ``base`` x ``factor`` x the loser's own factors are the ``raw`` shares, capped they are ``shares``.
    ``payer`` is liable and pays them all. ``deltas`` is what changes hands.
    """

    base: int
    factor: int
    raw: tuple[int, ...]
    shares: tuple[int, ...]
    gold: bool
    payer: int | None
    deltas: tuple[int, ...]


def settle(win: Win, settings: ScoreSettings) -> Payment:
    """The payments of a win (WH-S1)."""
    base = base_of(win.big, settings)
    sized = _as_konger(win) if win.way == "rob_kong" and settings.rob_value == "konger" else win
    factor = winner_factor(sized, settings)
    raw = [
        0 if player == sized.winner else int(base * factor * loser_factor(sized, player, settings))
        for player in range(PLAYERS)
    ]
    # Sized as the konger's win, the winner would have been a loser: the konger owes that share.
    raw[sized.winner], raw[win.winner] = raw[win.winner], 0
    payer = payer_of(win, settings)
    liable = payer is not None or ROBBED in win.big
    shares, gold = capped(raw, win.losers, base, liable, settings)
    deltas = [-share for share in shares]
    if payer is not None:
        total = sum(shares)
        if settings.bao_cap == "total":
            total = min(total, settings.liable_cap * _cap_unit(base, settings))
        deltas = [-total if player == payer else 0 for player in range(PLAYERS)]
    deltas[win.winner] = -sum(deltas)
    return Payment(base, int(factor), tuple(raw), shares, gold, payer, tuple(deltas))


def _as_konger(win: Win) -> Win:
    """The robbed kong as if it had stood and the konger had won on its replacement (``wh.rob_value``)."""
    assert win.discarder is not None  # a kong is robbed from somebody
    laid = [*win.laid]
    own = laid[win.discarder]
    laid[win.discarder] = replace(own, pung=own.pung - 1, added_kong=own.added_kong + 1)
    big = tuple(REPLACEMENT if pattern == ROBBED else pattern for pattern in win.big)
    return replace(win, winner=win.discarder, way="kong_draw", discarder=None, laid=tuple(laid), big=big)


def capped(
    raw: Sequence[int], losers: Sequence[int], base: int, liable: bool, settings: ScoreSettings
) -> tuple[tuple[int, ...], bool]:
    """The shares after the caps, and whether gold (金顶) is reached (WH-S6).

    ``liable``: at 抢杠 and 承包, where the cap is higher.
    """
    unit = _cap_unit(base, settings)
    cap, liable_cap, gold_cap = settings.cap * unit, settings.liable_cap * unit, settings.gold_cap * unit
    gold = all(raw[player] >= cap for player in losers) and (settings.gold_before_liable or not liable)
    if gold and settings.gold == "flat":
        return tuple(gold_cap if player in losers else 0 for player in range(PLAYERS)), True
    limit = gold_cap if gold else liable_cap if liable else cap
    return tuple(min(share, limit) for share in raw), gold


def _cap_unit(base: int, settings: ScoreSettings) -> int:
    return base if settings.cap_base == "hand" else 1


def reaches_minimum(raw: Sequence[int], losers: Sequence[int], settings: ScoreSettings) -> bool:
    """起胡: one loser's raw share, or every loser's, reaches the minimum (WH-C7)."""
    shares = [raw[player] for player in losers]
    measured = max(shares) if settings.min_rule == "any_loser" else min(shares)
    return measured >= settings.min_points


def at_draw(winnable: Sequence[Sequence[int] | None], settings: ScoreSettings) -> tuple[int, ...]:
    """查大叫 (WH-D2): what a draw costs, nothing unless it is played.

    ``winnable`` has for each player None if he is not ready, otherwise what his best win would cost each
    of the four. Every unready player pays each ready one that.
    """
    deltas = [0] * PLAYERS
    if not settings.chadajiao:
        return tuple(deltas)
    for ready, shares in enumerate(winnable):
        if shares is None:
            continue
        for player, share in enumerate(shares):
            if winnable[player] is None:
                deltas[player] -= share
                deltas[ready] += share
    return tuple(deltas)
