"""Toilet and medical time-outs in mid-hand: a hold beside the phase, until somebody says that it is over.

Its deadline only announces that the time is up. How long it really was stays in its record.
"""

from __future__ import annotations

from typing import Any

from tablectl.game import schedule
from tablectl.game.asking import Deed, playing, reason_of
from tablectl.game.context import SECOND, RefusedCommand, Step
from tablectl.game.hand import provide
from tablectl.game.inputs import Command
from tablectl.game.state import HandState
from tablectl.game.timestate import TimeOut

MINUTE = 60 * SECOND
HELD = {"toilet": "hold.timeout_toilet", "medical": "hold.timeout_medical"}
ENDS = "timeout"  # how such a hold ends: by its own command, not by *resume*


def time_over(step: Step, due: int) -> None:
    """A time-out has lasted as long as planned: say so; it ends when the player is back."""
    for timeout in schedule.away(step.state):
        if timeout.planned and not timeout.told and timeout.started + timeout.planned == due:
            timeout.told = True
            step.publish("event.timeout_time", side=timeout.side, kind=timeout.kind, sound="warning")


def grant(step: Step, command: Command) -> dict[str, Any]:
    """Let a player go. Raises ``RefusedCommand``."""
    hand = playing(step)
    side, kind = _side(hand, command), str(command.args["kind"])
    if any(timeout.side == side for timeout in schedule.away(step.state)):
        raise RefusedCommand("refused.timeout_runs", seat=hand.seats[side].wind)
    minutes = int(command.args.get("minutes") or 0)
    timeout = TimeOut(step.n, hand.no, side, kind, step.at, minutes * MINUTE, reason_of(command))
    step.state.timeouts.append(timeout)
    step.publish("event.timeout", side=side, kind=kind, minutes=minutes)
    step.hold(f"timeout {side}", HELD[kind], ends=ENDS, side=side)
    return {"seat": hand.seats[side].wind, "minutes": minutes}


def end(step: Step, command: Command) -> dict[str, Any]:
    """The player is back. Raises ``RefusedCommand`` if he was not away."""
    hand = step.hand
    side = _side(hand, command)
    timeout = next((timeout for timeout in schedule.away(step.state) if timeout.side == side), None)
    if timeout is None:
        raise RefusedCommand("refused.no_timeout", seat=hand.seats[side].wind)
    length_us = close(step, timeout)
    if not hand.over and not step.state.holds:
        provide(step)
    return {"seat": hand.seats[side].wind, "length_us": length_us}


def close(step: Step, timeout: TimeOut) -> int:
    """End a time-out and its hold; its exact length, µs."""
    timeout.ended = step.at
    length_us = timeout.ended - timeout.started
    step.publish("event.timeout_over", side=timeout.side, kind=timeout.kind, length_us=length_us)
    step.release(f"timeout {timeout.side}")
    return length_us


def close_all(step: Step) -> None:
    """The hand is given up, or the session over: nobody is waited for."""
    for timeout in schedule.away(step.state):
        close(step, timeout)


def _side(hand: HandState, command: Command) -> int:
    wind = str(command.args["seat"])
    return next(side for side, seat in enumerate(hand.seats) if seat.wind == wind)


DEEDS: dict[str, Deed] = {"timeout grant": grant, "timeout end": end}
