"""Payments beside a win: kongs and 追牌, paid at once (CJ-S6), and penalties (CJ-P1, CJ-P10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tablectl.rules.ccm.chips import (
    PLAYERS,
    Debt,
    Four,
    after,
    check,
    check_player,
    is_over,
    limited,
    may_end,
    others,
)
from tablectl.rules.ccm.pay import factor
from tablectl.rules.ccm.settings import ScoreSettings
from tablectl.rules.ccm.settled import Settlement, booking_allowed, gated
from tablectl.rules.errors import HandError

KongKind = Literal["melded", "small", "concealed", "flower"]


@dataclass(frozen=True, slots=True)
class Discarded:
    """A discard as 追牌 looks at it; ``claimed``: somebody took it."""

    player: int
    tile: str
    claimed: bool = False


def kong(
    chips: Four, kind: KongKind, player: int, giver: int | None, doubled: bool, settings: ScoreSettings
) -> Settlement:
    """The payment for a kong. ``giver``: the feeder of a melded one, or of the pung under a small one.

    One that would end the session is not paid on the table unless the player of the kong is first then
    (CJ-S9). Raises `HandError` for one that cannot be.
    """
    check(chips)
    owed = _owed(kind, player, giver, doubled, settings)
    return _settled(chips, owed, player, booking_allowed(settings), settings)


def may_discard_flower(chips: Four, player: int, doubled: bool, settings: ScoreSettings) -> bool:
    """True if the fourth flower of a kong may be discarded: its payment may not end the session (CJ-S9)."""
    check(chips)
    transfers = limited(chips, _owed("flower", player, None, doubled, settings))
    return not may_end(chips, after(chips, transfers), player, settings)


def chase(chips: Four, payer: int, doubled: bool, settings: ScoreSettings) -> Settlement:
    """追牌: the first of four pays each of the others, counter-clockwise as far as he can (CJ-S6).

    One that would end the session is booked off the table (CJ-S9).
    """
    check(chips)
    check_player(payer)
    points = settings.chase * factor(doubled, settings)
    owed = tuple((payer, one, points) for one in others(payer))
    return _settled(chips, owed, None, True, settings)


def chased(discards: Sequence[Discarded]) -> int | None:
    """Who pays for 追牌 after the last of the discards: four in turn of one kind, unclaimed (CJ-S6)."""
    last = discards[-PLAYERS:]
    if len(last) < PLAYERS or len({one.tile for one in last}) > 1:
        return None
    first = last[0].player
    in_turn = all(one.player == (first + step) % PLAYERS for step, one in enumerate(last))
    between = any(one.claimed for one in last[:-1])
    return first if in_turn and not between else None


def penalty(
    chips: Four, payer: int, payee: int | None, points: int, doubled: bool, settings: ScoreSettings
) -> Settlement:
    """罚分 to the damaged side, or off the table for good (``payee`` None): 死分 (CJ-P1, CJ-P10).

    Doubled in 倍打 only where the ruleset says so, and never above the most there is. Raises `HandError`.
    """
    check(chips)
    for player in (payer, *(() if payee is None else (payee,))):
        check_player(player)
    if payer == payee:
        raise HandError("penalty.own", "nobody pays a penalty to himself", player=payer)
    unit, most = settings.penalty_unit, settings.penalty_most
    if points % unit or not unit <= points <= most:
        sentence = f"a penalty is {unit} to {most} points in steps of {unit}, not {points} (CJ-P1)"
        raise HandError("penalty.points", sentence, points=points)
    points = min(most, points * factor(doubled and settings.double_penalties, settings))
    owed = ((payer, payee, points),)
    return _settled(chips, owed, payee, booking_allowed(settings), settings)


def _settled(
    chips: Four, owed: tuple[Debt, ...], gainer: int | None, bookable: bool, settings: ScoreSettings
) -> Settlement:
    payment = gated(chips, owed, gainer, bookable, settings)
    later = after(chips, payment.transfers)
    return Settlement((payment,), later, is_over(later, settings))


def _owed(
    kind: KongKind, player: int, giver: int | None, doubled: bool, settings: ScoreSettings
) -> tuple[Debt, ...]:
    check_player(player)
    values = {
        "melded": settings.melded_kong,
        "small": settings.small_kong,
        "concealed": settings.concealed_kong,
        "flower": settings.flower_kong_points,
    }
    points = values[kind] * factor(doubled, settings)
    if kind == "melded" or (kind == "small" and settings.small_kong_payer == "feeder"):
        return ((_feeder(kind, player, giver), player, points * (PLAYERS - 1)),)
    return tuple((one, player, points) for one in others(player))


def _feeder(kind: KongKind, player: int, giver: int | None) -> int:
    if giver is None:
        raise HandError("kong.no_feeder", f"a {kind} kong needs the player who fed it", kind=kind)
    check_player(giver)
    if giver == player:
        raise HandError("kong.own_tile", f"player {player} cannot feed himself", player=player)
    return giver
