"""Chips on the table: who holds how many points, transfers between players, and when a session is over.

A player pays at most what he holds (CJ-S8). Players are 0-3 in turn order, counter-clockwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tablectl.rules.ccm.settings import ScoreSettings
from tablectl.rules.errors import HandError

PLAYERS = 4
Four = tuple[int, int, int, int]
Debt = tuple[int, int | None, int]  # payer, payee (None: nobody, the points leave the table), points
NOTHING: Four = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Transfer:
    """Points due (``raw``) and points paid. ``payee`` is None for points that leave the table (CJ-P10)."""

    payer: int
    payee: int | None
    raw: int
    paid: int


def check(chips: Four) -> None:
    """Refuse what four players cannot hold. Raises `HandError`."""
    if len(chips) != PLAYERS or min(chips) < 0:
        raise HandError("chips.impossible", f"{list(chips)} is not what four players hold", chips=[*chips])


def check_player(player: int) -> None:
    """Refuse a player there is not. Raises `HandError`."""
    if not 0 <= player < PLAYERS:
        raise HandError("chips.no_player", f"there is no player {player}: they are 0 to 3", player=player)


def others(player: int) -> Iterator[int]:
    """The three other players, counter-clockwise."""
    return ((player + step) % PLAYERS for step in range(1, PLAYERS))


def four(points: Iterable[tuple[int, int]]) -> Four:
    """Points by player, several of one player added up."""
    numbers = [0] * PLAYERS
    for player, number in points:
        numbers[player] += number
    return numbers[0], numbers[1], numbers[2], numbers[3]


def limited(chips: Four, debts: Iterable[Debt]) -> tuple[Transfer, ...]:
    """The debts as far as each payer's chips go, in their order (CJ-S8)."""
    left = [*chips]
    transfers: list[Transfer] = []
    for payer, payee, raw in debts:
        paid = min(raw, left[payer])
        left[payer] -= paid
        transfers.append(Transfer(payer, payee, raw, paid))
    return tuple(transfers)


def unpaid(debts: Iterable[Debt]) -> tuple[Transfer, ...]:
    """The debts, nothing of them paid."""
    return tuple(Transfer(payer, payee, raw, 0) for payer, payee, raw in debts)


def booked(debts: Iterable[Debt]) -> Four:
    """The debts as points off the table, in full whatever the payers hold (CJ-S9)."""
    points: list[tuple[int, int]] = []
    for payer, payee, raw in debts:
        points.append((payer, -raw))
        if payee is not None:
            points.append((payee, raw))
    return four(points)


def after(chips: Four, transfers: Iterable[Transfer]) -> Four:
    """What the players hold after the transfers."""
    changes = list(enumerate(chips))
    for one in transfers:
        changes.append((one.payer, -one.paid))
        if one.payee is not None:
            changes.append((one.payee, one.paid))
    return four(changes)


def is_over(chips: Four, settings: ScoreSettings) -> bool:
    """两家无分: so many players without points end the session at once (CJ-F4)."""
    return chips.count(0) >= settings.players_out


def is_first(player: int, chips: Four, settings: ScoreSettings) -> bool:
    """True if nobody holds more; a tie counts only where the ruleset says so (CJ-S9)."""
    most = max(chips)
    return chips[player] == most and (settings.first_tie or chips.count(most) == 1)


def may_end(before: Four, later: Four, gainer: int | None, settings: ScoreSettings) -> bool:
    """禁止非胜式局结 (CJ-S9): False if the payment ends the session and who gains it is not first then.

    A payment that moves nothing ends nothing.
    """
    if later == before or not is_over(later, settings):
        return True
    return gainer is not None and is_first(gainer, later, settings)
