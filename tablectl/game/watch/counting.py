"""How many tiles a seat has: too few is a short hand (小相公), too many a long one (ZJ-P11, ZJ-P12, MCR-P15).

Where every tile taken and thrown is sensed the table counts by itself when a seat has finished its turn;
elsewhere somebody has to count and say so.
"""

from __future__ import annotations

from tablectl.game.context import Step
from tablectl.game.state import SINGLE, SeatState

HAND = 13  # tiles of a seat that is not on turn, a kong counted as three (ZJ-C18)


def own_size(seat: SeatState) -> int:
    """Tiles of the seat counted as a hand of 13: a kong counts as three, a tile laid out alone as none."""
    return seat.concealed + 3 * sum(meld.kind != SINGLE for meld in seat.melds)


def turn_over(step: Step, side: int) -> None:
    """The seat has discarded: it must have 13 tiles now."""
    if step.can("draw_sense") and step.can("discard_sense"):
        seat = step.seat(side)
        compare(step, side, own_size(seat) - seat.early, HAND)


def drawn_too_many(step: Step, side: int) -> None:
    """A seat that has drawn in its turn has drawn once more."""
    seat = step.seat(side)
    compare(step, side, own_size(seat) - seat.early, HAND + 1)


def compare(step: Step, side: int, counted: int, right: int) -> None:
    """Flag a wrong number, once as long as it stays the same."""
    seat = step.seat(side)
    off = counted - right
    changed, seat.off_by = off != seat.off_by, off
    if changed and off < 0:
        step.irregular("short_hand", side, counted=counted, right=right)
    elif changed and off > 0:
        step.irregular("long_hand", side, counted=counted, right=right)
