"""What the rules say between two hands: who deals next, whether a round or the stage is over."""

from __future__ import annotations

from typing import Any

from tablectl.game import ledger
from tablectl.game.context import Step
from tablectl.game.state import SEATS


def winners(result: dict[str, Any]) -> list[int]:
    """The sides that won a hand."""
    sides = [result["side"]] if result.get("side") is not None else []
    return sides + [winner["side"] for winner in result.get("winners", ())]


def deal_moves(step: Step) -> bool:
    """Does the deal move on after the hand that has just closed? One that does not count is dealt again."""
    keeps = step.rules.session.dealer_keeps.value
    hand = step.hand
    result = hand.result or {}
    match result.get("result"):
        case "win":
            return "win" not in keeps or hand.dealer not in winners(result)
        case "draw" | "aborted":
            return "draw" not in keeps
        case _:
            return False


def counted(step: Step) -> bool:
    """Does the hand that has just closed count as one of the session's?"""
    return (step.hand.result or {}).get("result") not in ledger.NOT_COUNTED


def round_over(step: Step) -> bool:
    """Has the deal gone round once more?"""
    session = step.state.session
    return session.moves and (session.passed + 1) % len(SEATS) == 0


def rounds_done(step: Step) -> int:
    """Rounds of this stage that are complete."""
    session = step.state.session
    return (session.passed + (1 if session.moves else 0)) // len(SEATS)


def why_over(step: Step) -> str:
    """Why no further hand is played in this stage, "" if one is."""
    session = step.state.session
    rounds = step.rules.session.rounds.value
    if ledger.broke(step):
        return "broke"
    if session.last_hand and session.hand_no >= session.last_hand and counted(step):
        return "last_hand"
    if session.hands and session.played >= session.hands:
        return "hands"
    if not session.hands and round_over(step) and session.passed + 1 >= len(rounds) * len(SEATS):
        return "hands"
    return "time" if session.clock.up else ""
