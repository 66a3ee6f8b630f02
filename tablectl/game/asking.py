"""What every deed asks of its command and its moment: the hand in play, the seat meant, the tile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tablectl.game.context import RefusedCommand, Step
from tablectl.game.inputs import Command
from tablectl.game.state import HandState

Deed = Callable[[Step, Command], dict[str, Any] | None]


class PendingApproval(Exception):
    """A two-person act waits for the second person."""

    def __init__(self, key: str, **data: Any) -> None:
        super().__init__(key)
        self.key = key
        self.data = data


def playing(step: Step) -> HandState:
    """The hand in play. Raises ``RefusedCommand`` if there is none."""
    hand = step.hand
    if hand.over:
        raise RefusedCommand("refused.hand_over", hand=hand.no)
    return hand


def side_of(step: Step, command: Command) -> int:
    """The side of the seat a command names."""
    wind = str(command.args["seat"])
    return next(side for side, seat in enumerate(playing(step).seats) if seat.wind == wind)


def tile_of(command: Command) -> str:
    """The tile a command names, "" if none."""
    return str(command.args.get("tile") or "")


def reason_of(command: Command) -> str:
    """The reason a command gives, "" if none."""
    return str(command.args.get("reason") or "")


def second_person(step: Step, command: Command, act: str, hand: int) -> str:
    """Two persons: the second who asks the same carries it out. The first; raises ``PendingApproval``."""
    key = f"{act} {hand}"
    first = step.state.pending.get(key)
    if first is None or first == command.actor:
        step.state.pending[key] = command.actor
        step.publish("event.pending", act=act, hand=hand, actor=command.actor)
        raise PendingApproval("pending.second_person", act=act, hand=hand)
    del step.state.pending[key]
    return first
