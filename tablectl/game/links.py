"""Links, reconnects, restarts: what the table holds for, and when it may go on by itself.

A link hold ends by itself when the same board (same boot) is back, no motion was in flight, and both views
of the table agree; otherwise it becomes a question to the referee. Orders without a recorded outcome are
asked for, never sent again.
"""

from __future__ import annotations

from typing import Any

from tablectl.game import faults, orders, repeats
from tablectl.game.context import Step
from tablectl.game.effects import AskStatus
from tablectl.game.hand import NO_TABLE, provide, walls_seen
from tablectl.game.inputs import BoardStatus, EventsLost, LinkChange, Refused, Restarted
from tablectl.game.state import DeviceState
from tablectl.game.timestate import Restart

DOWN = ("lost", "backoff", "refused", "closed")
MACHINE = {"dice", "pause_insert"}  # one of them has whatever builds walls; a keypad box has none


def needed(step: Step) -> bool:
    """Does anything at the table wait for its devices? Played without a machine, nothing does."""
    hand = step.state.hand
    if step.state.session.on and not step.state.session.machine:
        return False
    return (hand is not None and not hand.over) or step.state.table.order is not None


def change(step: Step, change: LinkChange) -> None:
    """A device's link reached another state."""
    device = step.state.devices.setdefault(change.device, DeviceState())
    device.link, device.word, device.since = change.state, change.word, step.at
    step.publish("event.link", device=change.device, state=change.state, word=change.word, **change.detail)
    name = f"link {change.device}"
    if change.state == "reconcile":
        _identify(step, device, change)
    elif change.state == "online":
        hold = step.state.holds.get(name)
        if hold is not None and hold.ends == "auto":
            step.release(name)
        _restart_over(step)
        if change.device == step.state.table.device:
            step.release(NO_TABLE)
        order = step.state.table.order
        if order is not None and order.device == change.device and order.stage == "lost":
            orders.ask(step)
        if step.state.hand is not None and not step.state.holds:
            provide(step)
    elif change.state in DOWN:
        order = step.state.table.order
        if order is not None and order.device == change.device:
            order.stage = "lost"
        if needed(step):
            step.hold(name, "hold.link", ends="auto", device=change.device, word=change.word)


def _identify(step: Step, device: DeviceState, change: LinkChange) -> None:
    """The board said who it is: a new boot is a question to the referee, never a silent continuation."""
    name = f"link {change.device}"
    rebooted = bool(device.boot) and device.boot != change.boot
    device.serial, device.firmware = change.serial, change.firmware
    device.capabilities, device.limits = list(change.capabilities), dict(change.limits)
    if rebooted or not device.boot:
        device.last_event = 0
        repeats.forget_stamps(step)
    device.boot = change.boot
    table = step.state.table
    if MACHINE & set(change.capabilities) and not table.device:
        table.device = change.device
    if "lamps" in change.capabilities:
        table.lamp = "unknown"  # an order may have been lost with the link: show it anew
    if rebooted and table.device == change.device:
        table.homed = False
        if needed(step):
            step.release(name)
            step.hold(name, "hold.rebooted", ends="referee", device=change.device)


def reconcile(step: Step, status: BoardStatus) -> None:
    """Compare the board's snapshot with the record, believe the board, and hold where they differ. It comes
    while a link settles and after every order."""
    table = step.state.table
    device = step.state.devices.setdefault(status.device, DeviceState())
    if table.device != status.device and (table.device or not MACHINE & set(device.capabilities)):
        return
    order = table.order
    running = order is not None and order.id == status.running_id
    views: dict[str, list[Any]] = {}
    hand = step.state.hand
    if hand is not None and hand.in_play and not running:
        if table.top != status.top:
            views["top"] = [table.top, status.top]
        if status.hand not in (0, table.hand):  # a board that rebooted no longer knows whose walls these are
            views["hand"] = [table.hand, status.hand]
    table.top, table.store, table.stopped = status.top, status.store, status.stopped
    table.homed, table.hand, table.profile = status.homed, status.hand, status.profile
    table.top_stacks, table.store_stacks = list(status.top_stacks), list(status.store_stacks)
    faults.sync(step, [(fault, side) for fault, side in status.faults])
    if table.store == "ready":
        table.counted = 2 * sum(table.store_stacks)
    walls_seen(step)
    if views:
        words = "; ".join(f"{name}: {ours} / {theirs}" for name, (ours, theirs) in views.items())
        step.hold("views", "hold.views_differ", ends="referee", views=views, words=words)
        step.publish("event.views_differ", views=views)
    elif device.link != "online" and order is not None and needed(step):
        # A motion was in flight: its outcome is asked for, and a person looks before play goes on.
        name = f"link {status.device}"
        if name in step.state.holds:
            step.state.holds[name].ends = "referee"


def lost_events(step: Step, lost: EventsLost) -> None:
    """Events will never come: what happened at the table is not in the record, so a person must look."""
    step.publish("event.events_lost", device=lost.device, first=lost.first, last=lost.last)
    device = step.state.devices.setdefault(lost.device, DeviceState())
    device.last_event = max(device.last_event, lost.last)
    step.effects.append(AskStatus(lost.device))  # the mechanism may have moved in what was lost
    if needed(step):
        step.hold("events", "hold.events_lost", ends="referee", first=lost.first, last=lost.last)


def restarted(step: Step, restart: Restarted) -> None:
    """The daemon is back on this record: hold until every view agrees again."""
    for device in step.state.devices.values():
        device.link, device.word = "closed", "restart"
    step.state.table.lamp = "unknown"
    order = step.state.table.order
    if order is not None:
        order.stage = "lost"
    step.state.restart = Restart(step.at, restart.gap_s)
    step.publish(
        "event.restarted",
        version=restart.version,
        torn=restart.torn,
        reason=restart.reason,
        gap_s=restart.gap_s,
    )
    if needed(step):
        step.hold("restart", "hold.restart", ends="referee" if order is not None else "auto")


def _restart_over(step: Step) -> None:
    hold = step.state.holds.get("restart")
    online = all(device.link == "online" for device in step.state.devices.values())
    if hold is not None and hold.ends == "auto" and online:
        step.release("restart")


def raised(step: Step, refused: Refused) -> None:
    """An input broke the program: the state is as if it had not come; a person must look."""
    step.publish("event.bug", record=refused.record, error=refused.error)
    step.hold("bug", "hold.bug", ends="referee", record=refused.record)
