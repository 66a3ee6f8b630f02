"""A declared win (和): clocks stop, the referee confirms or rejects, play goes on or the hand closes.

Where the tiles are known the rule book has judged the win by the record; the referee decides by its verdict,
or against it with a reason.
"""

from __future__ import annotations

from typing import Any

from tablectl.game import adjudication, awards, claims, clocks, ledger
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.hand import HAND
from tablectl.game.state import Claim, HandState, WinState
from tablectl.game.watch import bars, calls, falsewin
from tablectl.rules.verdicts.verdict import Verdict


def self_drawn(step: Step, side: int) -> None:
    """A win on a tile drawn by the seat itself. Raises ``RefusedCommand``."""
    hand = step.hand
    seat = hand.seats[side]
    if hand.phase not in ("decide", "last_draws") or hand.turn != side:
        raise RefusedCommand("refused.not_your_turn", seat=seat.wind)
    bars.refuse(step, side, "win")
    claims.overtaken(step)
    calls.looked_too_long(step, side)
    awards.declare_win(step, side, "self_drawn")


def before_referee(step: Step) -> WinState:
    """The win that is to be judged. Raises ``RefusedCommand`` if there is none."""
    win = step.hand.win
    if win is None or step.hand.phase != "adjudication":
        raise RefusedCommand("refused.no_win_declared")
    return win


def confirm(step: Step, how: str = "", *, overrule: str = "", immunity: bool = True) -> dict[str, Any]:
    """The referee finds the win right: the hand closes (MCR-C4). ``overrule``: why, where the rule book says
    it is none or a ruling bars the seat. ``immunity`` False: the rule of the same round was not invoked
    (ZJ-C9). Raises ``RefusedCommand``."""
    win = before_referee(step)
    barred = bars.bar_on(step.seat(win.side), "win") is not None  # found while he looked at it
    if barred and not overrule:
        bars.refuse(step, win.side, "win", tile=win.tile)
    if (how and how != win.how) or immunity != win.immunity:
        win.how, win.immunity = how or win.how, immunity
        adjudication.judge(step)
    verdict = win.verdict
    if verdict is not None and not verdict.legal:
        if not overrule:
            raise RefusedCommand(
                "refused.no_win_by_rule", reason=verdict.reason, rule=verdict.rule, total=verdict.total
            )
        _overrule(step, win, overrule)
    elif barred:
        _overrule(step, win, overrule)
    hand = step.hand
    hand.won.append(win)
    HAND.fire(step, "win_confirmed")
    if not hand.over:
        claims.next_winner(step)
    return {"seat": step.seat(win.side).wind, "how": win.how}


def reject(step: Step, reason: str) -> dict[str, Any]:
    """The referee finds no win: a false one (MCR-P7..P10, ZJ-P19, CJ-P4), for the penalty catalogue. Other
    claims on the same tile are looked at, and play goes on where it was. Raises ``RefusedCommand``."""
    hand = step.hand
    win = before_referee(step)
    if win.verdict is not None and win.verdict.legal:
        _overrule(step, win, reason)
    if win.verdict is not None and win.verdict.by_chips:
        _not_paid(step, win.side, win.verdict)
    else:
        falsewin.flag(step, win, reason)
    _play_on(step, win.side)
    return {"seat": hand.seats[win.side].wind}


def cancel(step: Step, side: int) -> dict[str, Any]:
    """The seat takes its call of a win back before it has shown its tiles (ZJ-P20). Raises
    ``RefusedCommand``."""
    hand = step.hand
    win = hand.win if hand.phase == "adjudication" else None
    if win is not None and win.side == side:
        if win.shown is not None:
            raise RefusedCommand("refused.win_shown", seat=hand.seats[side].wind)
        tile = win.tile
        _play_on(step, side)
    elif (claim := _open_call(hand, side)) is not None:
        claim.state, tile = "rejected", hand.window.tile if hand.window else ""
    else:
        raise RefusedCommand("refused.no_win_declared")
    step.irregular("win_cancelled", side, tile=tile)
    return {"seat": hand.seats[side].wind}


def _open_call(hand: HandState, side: int) -> Claim | None:
    """A win the seat has called that is not decided yet."""
    calls = hand.window.claims if hand.window is not None else []
    mine = (claim for claim in calls if claim.side == side and claim.word == "win" and claim.state == "open")
    return next(mine, None)


def _play_on(step: Step, side: int) -> None:
    """There is no win: others may have the tile, and play goes on where it was."""
    hand = step.hand
    HAND.fire(step, "win_rejected")
    hand.win = None
    window = hand.window
    if window is not None:
        for claim in window.claims:
            if claim.side == side and claim.word == "win":
                claim.state = "rejected"
        # Time stood while the referee looked: the window is over only if it was over then.
        claims.decide(step, final=0 < window.until <= clocks.played(step))


def _overrule(step: Step, win: WinState, reason: str) -> None:
    """The referee decides against the rule book; why stays in the record."""
    win.overruled = reason
    step.publish("event.overruled", side=win.side, reason=reason)


def _not_paid(step: Step, side: int, verdict: Verdict) -> None:
    """The hand wins, but not off these chips: its owner plays on (CJ-S9), fined where the rules say so
    (CJ-S8)."""
    step.publish("event.win_not_paid", side=side, reason=verdict.reason, rule=verdict.rule)
    hand = step.hand.no
    if any(verdict.deltas):
        ledger.by_record(step, "penalty", hand, ledger.by_player(step, verdict.deltas))
    elif any(verdict.off_table):
        ledger.by_record(step, "off_table", hand, ledger.by_player(step, verdict.off_table), table=False)
