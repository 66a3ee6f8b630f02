"""The one order under way: sent, accepted, done or failed, and what follows when nobody knows.

A motion is ordered once. Without a recorded outcome it is asked for, never sent again; *failed*, *refused*,
*unknown* or late holds the table until a person orders anew.
"""

from __future__ import annotations

from collections.abc import Callable

from tablectl.game import hand as hand_room
from tablectl.game.context import Step
from tablectl.game.effects import AskStatus, Query
from tablectl.game.inputs import OperationReply, OperationSilent
from tablectl.game.state import OrderState

ORDER = "order"  # name of the hold that stands while an order's outcome wants a person


def reply(step: Step, answer: OperationReply) -> None:
    """A board answered. An answer to anything but the order under way changes nothing."""
    order = step.state.table.order
    if answer.id == step.state.table.lamp_order:
        return
    if order is None or order.id != answer.id or order.device != answer.device:
        step.publish("event.late_reply", id=answer.id, stage=answer.stage)
        return
    match answer.stage:
        case "accepted" | "progress":
            order.stage, order.percent = "accepted", answer.percent
        case "done":
            _done(step, order, answer.value)
        case "failed":
            _failed(step, order, "hold.order_failed", fault=answer.fault or "none", side=answer.side)
        case "refused":
            _failed(step, order, "hold.order_refused", refusal=answer.refusal)
        case _:
            _failed(step, order, "hold.order_unknown")


def silent(step: Step, report: OperationSilent) -> None:
    """The board never said whether it began: ask, and fail the order if it cannot say."""
    order = step.state.table.order
    if order is not None and order.id == report.id:
        ask(step)


def ask(step: Step) -> None:
    """Ask what became of the order under way."""
    order = step.state.table.order
    if order is not None:
        order.stage = "asked"
        step.effects.append(Query(order.device, order.id))


def expire(step: Step) -> None:
    """The order's own limit passed: whatever comes later is ignored."""
    order = step.state.table.order
    if order is not None:
        _failed(step, order, "hold.order_late")


def _failed(step: Step, order: OrderState, key: str, **data: object) -> None:
    step.state.table.order = None
    step.effects.append(AskStatus(order.device))
    step.hold(ORDER, key, ends="referee", operation=order.operation, **data)


def _home(step: Step, order: OrderState, value: int) -> None:
    step.state.table.homed, step.state.table.stopped = True, False


def _set_profile(step: Step, order: OrderState, value: int) -> None:
    step.state.table.profile = order.count


def _build(step: Step, order: OrderState, value: int) -> None:
    step.state.table.counted = value
    step.state.table.store = "ready"


def _raise(step: Step, order: OrderState, value: int) -> None:
    step.state.table.top, step.state.table.hand = "walls_up", order.hand


def _lower(step: Step, order: OrderState, value: int) -> None:
    step.state.table.top, step.state.table.hand = "clear", 0


def _abort(step: Step, order: OrderState, value: int) -> None:
    step.state.table.store = "empty"


def _nothing(step: Step, order: OrderState, value: int) -> None:
    """The events of the board say it all."""


_OUTCOMES: dict[str, Callable[[Step, OrderState, int], None]] = {
    "home": _home,
    "set_profile": _set_profile,
    "build": _build,
    "raise": _raise,
    "lower": _lower,
    "dice": _nothing,
    "clear_fault": _nothing,
    "pause": _nothing,
    "resume": _build,
    "purge": _nothing,
    "abort_build": _abort,
}
WANTED = {"building": ("build", "resume"), "raising": ("raise",)}  # what an opening waits for


def _done(step: Step, order: OrderState, value: int) -> None:
    step.state.table.order = None
    _OUTCOMES[order.operation](step, order, value)
    step.effects.append(AskStatus(order.device))
    step.publish("event.done", operation=order.operation, hand=order.hand)
    hand = step.state.hand
    if hand is not None and order.operation in WANTED.get(hand.phase, ()):
        step.release(ORDER)  # a person had it done another way
    hand_room.order_done(step, order.operation)
