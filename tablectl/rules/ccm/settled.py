"""What comes of an event that moves chips: the payments, what stays off the table, what everybody holds."""

from __future__ import annotations

from dataclasses import dataclass

from tablectl.rules.ccm.chips import (
    NOTHING,
    Debt,
    Four,
    Transfer,
    after,
    booked,
    four,
    limited,
    may_end,
    unpaid,
)
from tablectl.rules.ccm.settings import ScoreSettings

NO_FAN = "no technical fan"  # CJ-S1(b)
PAYER_OUT = "payer has no points"  # CJ-S1(c); the winner is fined (CJ-S8)
OPPONENT_OUT = "opponent has no points"  # a self-draw where `ccm.selfdraw_vs_zero` forbids it
NOTHING_LEFT = "nothing left to pay"  # a later winner where `ccm.multi_win_unpaid` is void
NOT_FIRST = "winner would not be first"  # CJ-S9


@dataclass(frozen=True, slots=True)
class Payment:
    """The transfers for one player.

    ``reason``: why his win does not stand; empty if it does, or was none. ``off_table``: points booked for
    after the session instead of being paid (CJ-S9).
    """

    player: int | None
    transfers: tuple[Transfer, ...]
    reason: str = ""
    off_table: Four = NOTHING

    @property
    def raw(self) -> Four:
        """What each payer owes, his chips aside."""
        return four((one.payer, one.raw) for one in self.transfers)

    @property
    def paid(self) -> Four:
        """What each payer pays."""
        return four((one.payer, one.paid) for one in self.transfers)


@dataclass(frozen=True, slots=True)
class Settlement:
    """The payments in their order, and the ``chips`` held then.

    ``end``: the session is over, two players hold nothing (CJ-F4).
    """

    payments: tuple[Payment, ...]
    chips: Four
    end: bool

    @property
    def off_table(self) -> Four:
        """What is booked for after the session, by all payments together (CJ-S9)."""
        return four(pair for one in self.payments for pair in enumerate(one.off_table))

    @property
    def winners(self) -> tuple[int, ...]:
        """Whose payment stands, in the order they were paid."""
        return tuple(one.player for one in self.payments if one.player is not None and not one.reason)

    @property
    def reason(self) -> str:
        """Why nothing of it stands: the first reason; empty if one of the payments does."""
        reasons = [one.reason for one in self.payments]
        return reasons[0] if reasons and all(reasons) else ""


def gated(
    chips: Four, owed: tuple[Debt, ...], gainer: int | None, bookable: bool, settings: ScoreSettings
) -> Payment:
    """A payment that is no win: as far as the chips go; none of it if it may not end the session (CJ-S9).

    ``bookable``: what is not paid then is booked off the table in full.
    """
    transfers = limited(chips, owed)
    if may_end(chips, after(chips, transfers), gainer, settings):
        return Payment(gainer, transfers)
    return Payment(gainer, unpaid(owed), off_table=booked(owed) if bookable else NOTHING)


def booking_allowed(settings: ScoreSettings) -> bool:
    """Kongs and penalties that are not paid on the table are booked, not void (CJ-S9)."""
    return settings.blocked_kong == "off_table"
