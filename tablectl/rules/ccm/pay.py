"""The cashier of a win: who pays whom, in which order, and which wins do not stand (CJ-S5, S7 to S9, C1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from tablectl.rules.ccm import bao, settled
from tablectl.rules.ccm.bao import Liability
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
    unpaid,
)
from tablectl.rules.ccm.settings import ScoreSettings
from tablectl.rules.ccm.settled import Payment, Settlement
from tablectl.rules.errors import HandError

Mode = Literal["self_draw", "discard", "rob"]


@dataclass(frozen=True, slots=True)
class Winner:
    """A player who won: the total of the hand, whether a technical fan is in it, who is liable for it."""

    player: int
    total: int
    technical: bool = True
    liable: tuple[Liability, ...] = ()


@dataclass(frozen=True, slots=True)
class Win:
    """One or more wins by one tile. ``giver``: the discarder or the robbed konger; None on a self-draw."""

    mode: Mode
    winners: tuple[Winner, ...]
    giver: int | None = None


def settle(chips: Four, win: Win, doubled: bool, settings: ScoreSettings) -> Settlement:
    """The payments in order, counter-clockwise from the giver; ``doubled``: 倍打 (CJ-D1).

    Each winner is judged on the chips then: one who may not win drops out, the next is judged (CJ-S9). Raises
    `HandError` for a win that cannot be.
    """
    check(chips)
    _check(win)
    payments: list[Payment] = []
    held = chips
    for winner in _in_order(win):
        paid = payment(winner, win, chips, held, doubled, settings)
        payments.append(paid)
        held = after(held, paid.transfers)
    return Settlement(tuple(payments), held, is_over(held, settings))


def debts(winner: Winner, win: Win, doubled: bool, settings: ScoreSettings) -> tuple[Debt, ...]:
    """What a win is worth to the winner and who owes it, whatever they hold (CJ-S5, CJ-S7)."""
    points = winner.total * factor(doubled, settings)
    liable = bao.choose(winner.liable, settings)
    if liable is not None:
        return ((liable.player, winner.player, points * settings.liable_shares),)
    if win.giver is None:
        return tuple((one, winner.player, points * settings.selfdraw_shares) for one in others(winner.player))
    shares = settings.discard_shares if win.mode == "discard" else settings.robbed_shares
    return ((win.giver, winner.player, points * shares),)


def factor(doubled: bool, settings: ScoreSettings) -> int:
    """What every gain and loss of a hand is multiplied with (CJ-D1)."""
    return settings.doubling if doubled else 1


def payment(
    winner: Winner, win: Win, at_discard: Four, held: Four, doubled: bool, settings: ScoreSettings
) -> Payment:
    """The payment of one winner of the tile, on the chips held when it came and those held now (CJ-C1)."""
    owed = debts(winner, win, doubled, settings)
    reason = _forbidden(winner, win, at_discard, held, settings)
    if reason == settled.PAYER_OUT and win.giver is not None:
        fine = tuple(_fine(winner.player, win.giver, owed, doubled, settings))
        paid = settled.gated(held, fine, win.giver, settled.booking_allowed(settings), settings)
        return replace(paid, player=winner.player, reason=reason)
    transfers = limited(held, owed)
    if not reason and not may_end(held, after(held, transfers), winner.player, settings):
        reason = settled.NOT_FIRST
    return Payment(winner.player, unpaid(owed) if reason else transfers, reason)


def _forbidden(winner: Winner, win: Win, at_discard: Four, held: Four, settings: ScoreSettings) -> str:
    """Why the win is none before anything is paid (CJ-S1); legality is judged at the discard (CJ-C1)."""
    if not winner.technical:
        return settled.NO_FAN
    if win.giver is None:
        out = any(not held[one] for one in others(winner.player))
        return settled.OPPONENT_OUT if out and not settings.selfdraw_vs_zero else ""
    if not at_discard[win.giver]:
        return settled.PAYER_OUT
    if not held[win.giver] and settings.multi_win_unpaid == "void":
        return settled.NOTHING_LEFT
    return ""


def _fine(
    offender: int, giver: int, owed: tuple[Debt, ...], doubled: bool, settings: ScoreSettings
) -> Iterator[Debt]:
    """Winning off a player without points: the hand's points to him, then ten to each of three (CJ-S8)."""
    yield offender, giver, sum(points for _, _, points in owed)
    times = factor(doubled and settings.double_penalties, settings)
    for one in others(offender):
        yield offender, one, settings.zero_win_fine * times


def _in_order(win: Win) -> list[Winner]:
    first = 0 if win.giver is None else win.giver
    return sorted(win.winners, key=lambda one: (one.player - first) % PLAYERS)


def _check(win: Win) -> None:
    players = [one.player for one in win.winners]
    for player in (*players, *(one.player for winner in win.winners for one in winner.liable)):
        check_player(player)
    if any(winner.total < 0 for winner in win.winners):
        raise HandError("win.total", "the total of a hand is not below 0")
    if not players or len(set(players)) != len(players):
        raise HandError("win.winners", "a win has one or more players, each of them once", winners=players)
    if win.mode == "self_draw":
        if win.giver is not None or len(players) > 1:
            raise HandError("win.self_draw", "a self-drawn tile has one winner and comes from nobody")
        return _check_liable(win)
    if win.giver is None:
        raise HandError("win.no_giver", f"a win by {win.mode} needs the player the tile came from")
    check_player(win.giver)
    if win.giver in players:
        sentence = f"player {win.giver} cannot win by his own tile"
        raise HandError("win.own_tile", sentence, player=win.giver)
    return _check_liable(win)


def _check_liable(win: Win) -> None:
    for winner in win.winners:
        if any(one.player == winner.player for one in winner.liable):
            sentence = f"player {winner.player} cannot be liable for his own win (CJ-S7)"
            raise HandError("win.own_liability", sentence, player=winner.player)
