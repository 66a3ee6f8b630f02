"""Requests to wait with drawing (ZJ-T5): the others may still look at their tiles in the grace.

If the dealer discards inside the grace, West or North may ask South to wait with drawing; after South has
discarded, North may ask West. He waits until the end of the grace; a draw against it is flagged.
"""

from __future__ import annotations

from typing import Any

from tablectl.game.asking import playing, side_of
from tablectl.game.clocks import played
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.inputs import Command

OPENING = 2  # discards after which the next seat may still be asked
ASKERS = {1: ("W", "N"), 2: ("N",)}  # by the discards there are


def ask(step: Step, command: Command) -> dict[str, Any]:
    """A seat asks the next to draw to wait. Raises ``RefusedCommand``."""
    hand = playing(step)
    by = hand.seats[side_of(step, command)].wind
    asked, rule = hand.seats[hand.turn].wind, step.rules.turn.wait_requests.rule
    if not step.rules.turn.wait_requests.value:
        raise RefusedCommand("refused.no_wait_here")
    if not hand.in_grace or hand.turns > OPENING or played(step) >= hand.grace_until:
        raise RefusedCommand("refused.wait_too_late", seat=asked, rule=rule)
    if by not in ASKERS[hand.turns]:
        raise RefusedCommand("refused.wait_not_yours", seat=by, askers=list(ASKERS[hand.turns]), rule=rule)
    if hand.phase not in ("claims", "draw") or hand.after_claim:
        raise RefusedCommand("refused.wait_has_drawn", seat=asked)
    hand.waits.setdefault(asked, by)
    until = hand.grace_until
    step.publish("event.asked_to_wait", side=hand.turn, by=by, left_us=until - played(step))
    return {"seat": asked, "until": until}


def discarded(step: Step) -> None:
    """The dealer's first discard: was it inside the grace?"""
    hand = step.hand
    if hand.turns == 1:
        hand.in_grace = played(step) < hand.grace_until


def drawn(step: Step, side: int) -> None:
    """A tile was drawn in turn: flag it if its drawer was asked to wait and the grace is not over."""
    hand = step.hand
    by = hand.waits.get(hand.seats[side].wind) if hand.waits else None
    if by is not None and hand.turns <= OPENING and played(step) < hand.grace_until:
        step.irregular("draw_against_wait", side, by=by, early_us=hand.grace_until - played(step))
