"""Payments in mid-hand: a kong that stands and 追牌 are paid as soon as the table shows them (CJ-S6).

Called once a step, so it does not matter by which act they came about. Where tiles are not read the referee
enters them. What a payment may not move on the table is booked beside it (CJ-S9).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, cast

from tablectl.game import evidence, ledger
from tablectl.game.context import Step
from tablectl.game.state import KONGS, HandState, Meld
from tablectl.rules.errors import HandError
from tablectl.rules.model import Ruleset
from tablectl.rules.verdicts import at_once
from tablectl.rules.verdicts.facts import Four
from tablectl.rules.verdicts.verdict import four

TILES = 4  # of a kong


class Payment(NamedTuple):
    """One that is due, and how to remember that it was looked at."""

    kind: at_once.Kind
    side: int
    giver: int | None
    seen: Callable[[], None]


def settle(step: Step) -> None:
    """Pay what has become due, one payment a step: each is a line of its own record."""
    hand, rules = step.state.hand, step.state.ruleset
    if hand is None or rules is None or hand.over or hand.phase == "adjudication":
        return
    if not at_once.played(rules) or not step.can("tile_read"):
        return
    payment = next(_pending(hand, rules), None)
    if payment is None:
        return
    payment.seen()
    session = step.state.session
    try:
        due = at_once.due(payment.kind, payment.side, payment.giver, chips(step), session.doubled, rules)
    except HandError:  # what was read is no such kong: the referee's to see
        return
    if any(due.deltas):
        ledger.by_record(step, "kong", hand.no, ledger.by_player(step, due.deltas))
    elif any(due.off_table):
        ledger.by_record(step, "off_table", hand.no, ledger.by_player(step, due.off_table), table=False)


def chips(step: Step) -> Four:
    """What lies before each side."""
    session = step.state.session
    return four(session.at(side).points for side in range(len(step.hand.seats)))


def _pending(hand: HandState, rules: Ruleset) -> Iterator[Payment]:
    for side, seat in enumerate(hand.seats):
        for meld in seat.melds:
            if _stands(hand, side, meld):
                yield Payment(cast(at_once.Kind, meld.kind), side, meld.origin, partial(_paid, meld))
        if at_once.flower_kongs(seat.flowers, rules) > seat.flower_kongs:
            yield Payment("flower_kong", side, None, partial(_counted, hand, side))
    if hand.turns > hand.chased:
        hand.chased = hand.turns
        payer = at_once.chased(evidence.thrown(hand))
        if payer is not None:
            yield Payment("chase", payer, None, lambda: None)


def _stands(hand: HandState, side: int, meld: Meld) -> bool:
    """Is it a kong that lies there unpaid, and that nobody may rob any more?"""
    if meld.kind not in KONGS or meld.paid or not meld.shown or len(meld.tiles) != TILES:
        return False
    window = hand.window
    robbing = window is not None and window.kind == "kong" and window.side == side
    return not (robbing and window is not None and window.tile == meld.tiles[0])


def _paid(meld: Meld) -> None:
    meld.paid = True


def _counted(hand: HandState, side: int) -> None:
    hand.seats[side].flower_kongs += 1


def blocked_flower_kong(step: Step, side: int, tile: str) -> bool:
    """Would the flower make a flower kong that may not be paid on the table? Then it may be discarded
    instead (CJ-S9)."""
    rules, seat = step.rules, step.seat(side)
    if not at_once.played(rules) or not tile:
        return False
    if at_once.flower_kongs([*seat.flowers, tile], rules) <= at_once.flower_kongs(seat.flowers, rules):
        return False
    due = at_once.due("flower_kong", side, None, chips(step), step.state.session.doubled, rules)
    return not any(due.deltas)
