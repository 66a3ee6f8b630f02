"""Faults of the mechanism: which hold the hand, which block the next build only, which cast doubt."""

from __future__ import annotations

from protocols.vocabulary import Fault
from tablectl.game.context import Step
from tablectl.game.hand import provide
from tablectl.game.inputs import BoardEvent

WARNINGS = frozenset({Fault.LAST_TILES_SLOW, Fault.OPTIC_WEAK, Fault.GEAR_CHANGED})
STORE = frozenset(  # play goes on: the set in store is not the one on top
    {
        Fault.HEAD_JAM,
        Fault.CHAIN_JAM,
        Fault.CORNER_JAM,
        Fault.DRUM_JAM,
        Fault.FEED_SLOT_BLOCKED,
        Fault.MISSING_TILES,
        Fault.EXTRA_TILES,
        Fault.MIXED_SETS,
        Fault.COUNT_MISMATCH,
        Fault.BUILD_TIMEOUT,
    }
)
SUSPECT = frozenset({Fault.EXTRA_TILES, Fault.MIXED_SETS, Fault.COUNT_MISMATCH, Fault.POWER_LOST_MID_CYCLE})


def name(code: int) -> str:
    """The fault's name in lower case; an unknown code keeps its number."""
    try:
        return Fault(code).name.lower()
    except ValueError:
        return f"fault_{code:02x}"


def fault_set(step: Step, event: BoardEvent) -> None:
    """A fault stands. Data of the event: value = code, side where it has one."""
    table, hand = step.state.table, step.state.hand
    side = 255 if event.side is None else event.side
    fault = name(event.value)
    if (fault, side) not in table.faults:
        table.faults.append((fault, side))
    step.publish("event.fault", fault=fault, side=event.side)
    if event.value in SUSPECT:
        table.suspect = fault
    playing = hand is not None and not hand.over
    harmless = event.value in WARNINGS or (hand is not None and hand.in_play and event.value in STORE)
    if playing and not harmless:
        step.hold(f"fault {fault}", "hold.fault", ends="auto", fault=fault, side=event.side)


def fault_cleared(step: Step, event: BoardEvent) -> None:
    """A fault is gone: its hold ends by itself."""
    fault = name(event.value)
    side = 255 if event.side is None else event.side
    step.state.table.faults = [f for f in step.state.table.faults if f != (fault, side)]
    step.publish("event.fault_cleared", fault=fault, side=event.side)
    if not any(f == fault for f, _ in step.state.table.faults):
        step.release(f"fault {fault}")
    if step.state.hand is not None and not step.state.holds:
        provide(step)
