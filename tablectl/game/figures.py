"""What four numbers somebody enters must be: they sum to zero, and who won the hand does not pay for it."""

from __future__ import annotations

from collections.abc import Mapping

from tablectl.game import slips
from tablectl.game.context import RefusedCommand, Step


def check_sum(given: Mapping[str, int], deltas: Mapping[str, int]) -> None:
    """Points go from one player to another. Raises ``RefusedCommand`` naming the likely slip."""
    total = sum(deltas.values())
    if total == 0:
        return
    slip = slips.likely(given, deltas)
    sum_ = slips.signed(total)
    if slip is None:
        raise RefusedCommand("refused.not_zero", sum=sum_)
    facts = {"player": slip.player, "was": slips.signed(slip.was), "right": slips.signed(slip.right)}
    match slip.kind:
        case "missing":
            raise RefusedCommand("refused.not_zero_missing", sum=sum_, **facts)
        case "sign":
            raise RefusedCommand("refused.not_zero_sign", sum=sum_, **facts)
        case _:
            raise RefusedCommand("refused.not_zero_digits", sum=sum_, **facts)


def check_won(step: Step, hand: int, deltas: Mapping[str, int], reason: str, anyway: str) -> str:
    """A won hand moves points, and to who won it; where it really does not ``anyway`` says why. The reason
    to book it with. Raises ``RefusedCommand`` with the likely slip."""
    last = next((r for r in reversed(step.state.results) if r["hand"] == hand), None)
    if last is None or last["result"] != "win":
        return reason
    winners = [win["winner"] for win in last.get("winners") or [last]]
    slip = slips.of_winners(deltas, winners)
    if slip is None and any(deltas.values()):
        return reason
    if not anyway:
        raise _won_oddly(hand, winners[0], slip)
    return f"{reason}; {anyway}" if reason else anyway


def _won_oddly(hand: int, winner: str, slip: slips.Slip | None) -> RefusedCommand:
    """The refusal for a won hand whose points go nowhere (``slip`` None), or away from who won it."""
    if slip is None:
        return RefusedCommand("refused.won_for_nothing", hand=hand, player=winner)
    facts = {"hand": hand, "player": slip.player, "was": slips.signed(slip.was)}
    match slip.kind:
        case "turned":
            return RefusedCommand("refused.winner_pays_turned", **facts)
        case "exchanged":
            return RefusedCommand("refused.winner_pays_exchanged", other=slip.other, **facts)
        case _:
            return RefusedCommand("refused.winner_pays", **facts)
