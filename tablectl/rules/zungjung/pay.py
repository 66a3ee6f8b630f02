"""Who pays a win, and how much: responsibility, same-round immunity, shares (ZJ-S10 to ZJ-S14), match points.

Sides are 0-3; points are integers, what a side gains being positive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Literal, NamedTuple

from tablectl.rules.errors import HandError
from tablectl.rules.melds import check_copies
from tablectl.rules.zungjung.catalog import numbers
from tablectl.rules.zungjung.settings import ScoreSettings

SIDES = range(4)


class Discard(NamedTuple):
    """A discard of the hand; ``claimed``: for a chow, a pung or a kong."""

    side: int
    tile: str
    claimed: bool = False


@dataclass(frozen=True, slots=True)
class Win:
    """How a hand was won. ``by``: the side that discarded the tile or was robbed of it; None if it was drawn.

    ``invoked``: the immunity was claimed before the tiles were pushed in (ZJ-C9).
    """

    winner: int
    how: Literal["self_draw", "discard", "robbed_kong"]
    tile: str
    by: int | None = None
    invoked: bool = True


def responsible(discards: Sequence[Discard], win: Win, settings: ScoreSettings) -> int | None:
    """The side that answers for the win; None if nobody does and all pay alike (ZJ-S11, ZJ-S13).

    ``discards`` is every discard of the hand in order, a winning one last; a tile added to a kong is none.
    Raises `HandError` for a record that contradicts itself.
    """
    _check(discards, win)
    if win.by is None or not win.invoked:
        return win.by
    if win.how == "robbed_kong" and not settings.immunity_robbed_kong:
        return win.by
    own = [place for place, discard in enumerate(discards) if discard.side == win.winner]
    if own and discards[own[-1]].tile == win.tile:
        return None
    if not own and settings.immunity_first_round == "none":
        return win.by
    window = discards[own[-1] if own else 0 :]
    same = (one for one in window if one.tile == win.tile)
    counting = (one.side for one in same if settings.immunity_counts_claimed or not one.claimed)
    return next(counting, win.by)


def payments(value: int, winner: int, responsible: int | None) -> tuple[int, int, int, int]:
    """What each side gains from a hand of this value (after the limit): 3V for the winner (ZJ-S10 to S12)."""
    share = value if responsible is None else min(value, numbers().share.value)
    gains = [-share for _ in SIDES]
    gains[winner] = 3 * value
    if responsible is not None:
        gains[responsible] = 2 * share - 3 * value
    first, second, third, fourth = gains
    return first, second, third, fourth


def match_points(total: int, settings: ScoreSettings) -> int:
    """Match points of a session total, in hundredths, rounded to the nearest (ZJ-F3, provisional)."""
    scale = numbers().match_scale.value
    if settings.match_points == "raw_total":
        return total * scale
    root = (isqrt(4 * abs(total) * scale * scale) + 1) // 2
    return root if total >= 0 else -root


def _check(discards: Sequence[Discard], win: Win) -> None:
    everyone = {win.winner, *(one.side for one in discards)} | ({win.by} - {None})
    if not everyone <= set(SIDES):
        raise HandError("pay.no_side", "a side is a number from 0 to 3", sides=sorted(map(str, everyone)))
    check_copies([*(one.tile for one in discards), *([] if win.how == "discard" else [win.tile])])
    if (win.how == "self_draw") != (win.by is None):
        raise HandError("pay.by", "a drawn tile comes from nobody, any other from somebody", how=win.how)
    if win.by == win.winner:
        raise HandError("pay.own_tile", "nobody wins on an own discard or kong", side=win.winner)
    if win.how == "discard":
        _check_last(discards, win)
    if win.how == "robbed_kong":
        _check_robbed(discards, win)


def _check_last(discards: Sequence[Discard], win: Win) -> None:
    last = discards[-1] if discards else None
    if last is None or last.claimed or (last.side, last.tile) != (win.by, win.tile):
        sentence = f"{win.tile} of side {win.by} is not the last discard"
        raise HandError("pay.not_last", sentence, tile=win.tile, side=win.by)


def _check_robbed(discards: Sequence[Discard], win: Win) -> None:
    """The pung of the robbed side has all other copies, one of them claimed (ZJ-S14)."""
    same = [one for one in discards if one.tile == win.tile]
    if len(same) > 1 or any(not one.claimed or one.side == win.by for one in same):
        sentence = f"{win.tile} cannot be robbed: a copy of it lies among the discards"
        raise HandError("pay.robbed_discarded", sentence, tile=win.tile)
