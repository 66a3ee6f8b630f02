"""Another machine, or none: the same session and the same record go on.

With the machine off people shuffle and build by hand (ZJ-W10, ZJ-W11): a hand then waits for nobody's motor,
and what the mechanism lacks holds nothing.
"""

from __future__ import annotations

from typing import Any

from tablectl.game import session
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.effects import Adopt
from tablectl.game.hand import HAND, provide
from tablectl.game.state import DeviceState, TableState

OF_THE_MACHINE = ("order", "suspect", "no table", "views", "restart")  # holds it put
FAMILIES = ("fault ", "link ")
STRANGER = "wrong_board"  # why a link refuses a board that is not the one met before


def adopt(step: Step) -> None:
    """Another table takes this one's place. Raises ``RefusedCommand`` while its tiles are in play."""
    state, hand = step.state, step.state.hand
    if hand is not None and hand.in_play:
        raise RefusedCommand("refused.hand_in_play", operation="swap", hand=hand.no, phase=hand.phase)
    name = state.table.device
    if not name:
        raise RefusedCommand("refused.no_table", word="missing")
    serial = state.devices[name].serial
    release(step, *(f"link {other}" for other in state.devices if other != name))
    step.release("stopped")
    state.table = TableState(device=name)
    _take_whoever_comes(step, name)
    for other, device in state.devices.items():
        if other != name and device.word == STRANGER:  # its keypads came with it
            _take_whoever_comes(step, other)
    step.publish("event.machine_swapped", device=name, serial=serial)
    if hand is not None and hand.phase == "raising":
        HAND.fire(step, "set_lost")


def _take_whoever_comes(step: Step, name: str) -> None:
    old = step.state.devices[name]
    step.state.devices[name] = DeviceState(link=old.link, word=old.word, since=step.at, adopted=True)
    step.effects.append(Adopt(name))


def switch(step: Step, on: bool) -> None:
    """Play with the machine, or without. Raises ``RefusedCommand``."""
    state = step.state
    if not state.session.on:
        raise RefusedCommand("refused.no_session")
    if state.session.machine == on:
        raise RefusedCommand("refused.machine_is_so")
    state.session.machine = on
    step.publish("event.machine_on" if on else "event.machine_off")
    if not on:
        release(step)
        forget_dead_order(step)
    elif state.hand is not None and not state.hand.over:
        provide(step)


def release(step: Step, *but: str) -> None:
    """End the holds a mechanism put, ``but`` these: it is not asked any more."""
    for name in list(step.state.holds):
        if name not in but and (name in OF_THE_MACHINE or name.startswith(FAMILIES)):
            step.release(name)


def forget_dead_order(step: Step) -> None:
    """An order to a machine that is not there comes to nothing."""
    table = step.state.table
    device = step.state.devices.get(table.device)
    if table.order is not None and (device is None or device.link != "online"):
        table.order = None


def walls_ready(step: Step, anyway: str = "") -> dict[str, Any]:
    """People have built the walls: the hand opens at the throws. Raises ``RefusedCommand``."""
    state = step.state
    if state.session.machine:
        raise RefusedCommand("refused.machine_builds")
    forget_dead_order(step)
    if state.table.order is not None:  # nothing may move under people's hands
        raise RefusedCommand("refused.order_running", operation=state.table.order.operation)
    if state.hand is None or state.hand.over:
        session.open_hand(step, anyway)
    if not HAND.fire(step, "walls_raised"):
        raise RefusedCommand("refused.walls_stand", hand=step.hand.no)
    return {"hand": step.hand.no}
