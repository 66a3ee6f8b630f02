"""Holds and standing time: what stops the clocks, and how stopped time is taken out of them.

Suspension is not a phase. While a hold stands, or a win is before the referee, clocks stand, deadlines wait
and no motion starts; facts go on being recorded. When the last reason ends, every deadline moves by the
time it stood, so play is exactly where it was and nobody has been charged.
"""

from __future__ import annotations

from tablectl.game.clocks import standing
from tablectl.game.context import Step
from tablectl.game.state import HandState

LAMPS = {"off": 0, "play": 1, "hold": 2, "win": 3, "closed": 4}


def settle(step: Step) -> None:
    """Bring clocks and lamps in line with the holds; called once at the end of every step."""
    hand = step.state.hand
    if hand is not None and not hand.over:
        if standing(step.state):
            if hand.frozen is None:
                hand.frozen = step.at
        elif hand.frozen is not None:
            _thaw(step, hand.frozen, max(0, step.at - hand.frozen))
            hand.frozen = None
    _show_lamp(step)


def _thaw(step: Step, frozen: int, stood: int) -> None:
    """Move what runs by the time it stood. What began after ``frozen``, the cause of the hold being known
    later than it happened, began then."""
    window, clock = step.hand.window, step.hand.clock
    if window is not None:
        moved = min(0, frozen - window.opened) + stood
        window.opened += moved
        if window.until:  # else it is open until somebody plays on, and a number would close it
            window.until += moved
    if clock is not None:
        clock.started += min(0, frozen - clock.started) + stood


def _given_up(step: Step, hand: HandState) -> bool:
    """Was the deal before this one given up, and is what lies on the felt, or comes up, still that of it?
    Whoever would play with those tiles must be told not to."""
    results = step.state.results
    abandoned = bool(results) and results[-1]["result"] in ("redealt", "void")
    return abandoned and hand.phase in ("building", "raising")


def _show_lamp(step: Step) -> None:
    """Players see the state of the table at their seats, where the board has lamps."""
    table, hand = step.state.table, step.state.hand
    if not step.can("lamps"):
        return
    if hand is None:
        lamp = "off"
    elif hand.over or _given_up(step, hand):
        lamp = "closed"
    elif step.state.holds:
        lamp = "hold"
    elif hand.phase == "adjudication" or hand.won:
        lamp = "win"
    else:
        lamp = "play"
    name = lit_by(step)
    if lamp != table.lamp and step.state.devices[name].link == "online":
        table.lamp = lamp
        order = step.operate(
            "lamps",
            hand=hand.deal if hand else 0,
            side=hand.turn if hand else None,
            count=LAMPS[lamp],
            device=name,
        )
        table.lamp_order = order.id


def lit_by(step: Step) -> str:
    """The device with the seats' lamps: the table's own before a keypad box's. There is one."""
    having = [name for name, device in step.state.devices.items() if "lamps" in device.capabilities]
    return step.state.table.device if step.state.table.device in having else min(having)
