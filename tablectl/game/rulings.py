"""A referee mends the course of a hand: void, redeal, a wrong throw, break, dealer or count.

Nothing that happened is taken out of the record; a ruling is an act of its own that changes what follows.
"""

from __future__ import annotations

from typing import Any

from tablectl.game import clocks, opening, session, timeouts, windows
from tablectl.game.asking import Deed, playing, reason_of, second_person, side_of, tile_of
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.hand import HAND
from tablectl.game.inputs import Command
from tablectl.game.state import SEATS, HandState

OF_A_HAND = ("referee", "views", "events", "order", "restart")  # holds that end with the hand they held
BEFORE_TILES = ("dice", "dealing")
FIRST_BLOCK = 4  # tiles a player has taken when an opening can no longer be begun anew (ZJ-P26, ZJ-P27)


def hand_void(step: Step, command: Command) -> dict[str, Any]:
    """End the hand without a result."""
    hand = playing(step)
    first = second_person(step, command, "hand void", hand.no)
    abandon(step, "void", reason_of(command))
    return {"hand": hand.no, "first": first}


def hand_redeal(step: Step, command: Command) -> dict[str, Any]:
    """Play the same hand anew, with the same dealer; what was played of it stays in the record."""
    hand = playing(step)
    first = second_person(step, command, "hand redeal", hand.no)
    abandon(step, "redealt", reason_of(command))
    session.open_again(step)
    return {"hand": hand.no, "first": first}


def abandon(step: Step, result: str, reason: str) -> None:
    """End the hand without a result, with the holds that were its own."""
    HAND.fire(step, "abandoned", result=result, reason=reason)
    timeouts.close_all(step)
    calls = [name for name in step.state.holds if name.startswith("call ")]
    for name in (*OF_A_HAND, *calls):
        step.release(name)


def throw_void(step: Step, command: Command) -> None:
    """Throw again: the wrong person threw, or threw wrongly. It stands once a tile is taken (ZJ-P25)."""
    hand = _untouched(step)
    if not hand.throws:
        raise RefusedCommand("refused.no_throw")
    hand.throws.pop()
    hand.break_side, hand.break_stack = None, 0
    HAND.fire(step, "throw_voided")
    step.publish("event.throw_void", side=hand.thrower, reason=reason_of(command))


def wall_break(step: Step, command: Command) -> dict[str, Any]:
    """Say where the wall is to be broken instead; it stands once every player has four tiles (ZJ-P26)."""
    hand = playing(step)
    if hand.phase not in BEFORE_TILES or all(seat.concealed >= FIRST_BLOCK for seat in hand.seats):
        raise step.refusal("wrong_break")
    side, stacks = int(command.args["side"]), int(command.args["stack"])
    if stacks > step.rules.wall.stacks_per_side.value:
        raise RefusedCommand("refused.no_such_stack", most=step.rules.wall.stacks_per_side.value)
    hand.break_side, hand.break_stack = side, stacks
    step.publish("event.broken", side=side, stacks=stacks)
    return {"side": side, "stack": stacks}


def deal_dealer(step: Step, command: Command) -> dict[str, Any]:
    """The wrong East has dealt too far: he is East now, and the true one has lost his deal (ZJ-P27)."""
    hand = playing(step)
    side = side_of(step, command)
    if hand.phase not in BEFORE_TILES:
        raise RefusedCommand("refused.not_dealing", phase=hand.phase)
    was, hand.dealer, hand.turn = hand.dealer, side, side
    step.state.session.dealer = side
    for place, seat in enumerate(hand.seats):
        seat.wind = SEATS[(place - side) % len(SEATS)]
    step.publish("event.dealer_changed", side=side, was=was, reason=reason_of(command))
    return {"hand": hand.no}


def _untouched(step: Step) -> HandState:
    hand = playing(step)
    if hand.phase not in BEFORE_TILES or hand.head:
        raise step.refusal("wrong_thrower")
    return hand


def deal_done(step: Step, command: Command) -> None:
    """Somebody says that all hands are taken, where nobody senses it."""
    if playing(step).phase != "dealing":
        raise RefusedCommand("refused.not_dealing", phase=step.hand.phase)
    opening.finish_deal(step)


def indicator(step: Step, command: Command) -> dict[str, Any]:
    """The tile that was turned up after the deal, where nobody reads it (WH-W2)."""
    playing(step)
    if step.rules.wall.indicator.value == "none":
        raise RefusedCommand("refused.no_indicator_here")
    opening.turn_indicator(step, None, tile_of(command))
    return {"wild": list(step.hand.wild)}


def wall_leave(step: Step, command: Command) -> dict[str, Any]:
    """A tile was lifted and put back: the next to draw leaves it as its drawer's next draw (ZJ-C3)."""
    hand = playing(step)
    lifted = hand.lifted
    if lifted is None or lifted.left or hand.phase not in ("draw", "claims") or hand.turn == lifted.side:
        raise RefusedCommand("refused.nothing_lifted")
    lifted.left = True
    hand.head += 1
    step.publish("event.tile_left", side=lifted.side, wall_left=hand.wall_left)
    return {"seat": hand.seats[lifted.side].wind}


def wall_correct(step: Step, command: Command) -> dict[str, Any]:
    """Say how many tiles the wall really holds."""
    hand = playing(step)
    was, left = hand.wall_left, int(command.args["left"])
    hand.corrected += was - left
    step.publish("event.wall_corrected", was=was, left=left, reason=reason_of(command))
    if hand.live_left <= 0:
        if hand.phase in ("claims", "draw"):
            clocks.end(step, "taken")  # who was to draw has nothing to draw
        windows.wall_ended(step)
        HAND.fire(step, "wall_ended")  # nobody can draw: if nobody has to discard either, that was the hand
    return {"was": was, "left": left}


DEEDS: dict[str, Deed] = {
    "hand void": hand_void,
    "hand redeal": hand_redeal,
    "throw void": throw_void,
    "wall break": wall_break,
    "wall leave": wall_leave,
    "wall correct": wall_correct,
    "deal done": deal_done,
    "deal dealer": deal_dealer,
    "indicator": indicator,
}
