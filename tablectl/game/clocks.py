"""Turn clocks and deadlines: data the daemon arms, never timers.

A deadline is decided when the table's time has passed it with no event missing; until then a press that
was made earlier still counts, however late it arrives.
"""

from __future__ import annotations

from tablectl.game import schedule
from tablectl.game.cases import limits
from tablectl.game.context import SECOND, Step
from tablectl.game.state import Clock, State


def standing(state: State) -> bool:
    """True while the clocks of the hand must stand: a hold, or a win before the referee."""
    hand = state.hand
    return bool(state.holds) or (hand is not None and hand.phase == "adjudication")


def start(step: Step, side: int, limit_s: int, at: int | None = None) -> None:
    """Start a turn's time, from now or from an earlier moment such as the upper discard (MCR-T1)."""
    hand = step.hand
    started = max(step.at if at is None else at, hand.grace_until)
    if hand.frozen is not None:  # thawing moves it on by the whole time that stood
        started = min(started, hand.frozen)
    hand.clock = Clock(side, limit_s * SECOND, started)


def spent(state: State, now: int) -> int:
    """µs of the running turn used so far; standing time is not in it."""
    hand = state.hand
    if hand is None or hand.clock is None:
        return 0
    until = now if hand.frozen is None else min(now, hand.frozen)
    return max(0, until - hand.clock.started)


def played(step: Step) -> int:
    """The time of this input as play saw it: while the clocks stand, the moment they stopped."""
    frozen = step.hand.frozen
    return step.at if frozen is None else min(step.at, frozen)


def deadlines(state: State) -> list[tuple[str, int]]:
    """(name, table time) of every deadline that runs now, earliest first. While clocks stand only the
    session's time and the mechanism's own limit run, and that only while its device answers."""
    found = schedule.deadlines(state) + limits.deadlines(state)
    order = state.table.order
    if order is not None and order.due and order.stage in ("sent", "accepted"):
        device = state.devices.get(order.device)
        if device is not None and device.link == "online":
            found.append(("order", order.due))
    hand = state.hand
    if hand is not None and not hand.over and not standing(state):
        if hand.window is not None and hand.window.until:
            found.append(("window", hand.window.until))
        if hand.clock is not None and not hand.clock.over:
            found.append(("turn", hand.clock.started + hand.clock.limit))
    return sorted(found, key=lambda deadline: (deadline[1], deadline[0]))
