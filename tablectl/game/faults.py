"""Faults of the mechanism: which hold the hand, which block the next build only, which cast doubt."""

from __future__ import annotations

from protocols.vocabulary import NO_SIDE, Fault
from tablectl.game.cases import faults as cases
from tablectl.game.context import Step
from tablectl.game.hand import provide
from tablectl.game.inputs import BoardEvent

WARNINGS = frozenset(  # worth a look, never a reason to stop
    {
        Fault.LAST_TILES_SLOW,
        Fault.OPTIC_WEAK,
        Fault.GEAR_CHANGED,
        Fault.WATCHDOG_RESET,
        Fault.EEPROM_BAD,
        Fault.PROTOCOL_ERROR,
        Fault.FIRMWARE_CHANGED,
        Fault.CONFIG_LOST,
        Fault.PANEL_KEY_STUCK,
        Fault.PANEL_LINK_LOST,
    }
)
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
        Fault.PUSHER_NOT_HOME,  # HOME is its way out, and not while a hand is in play
        Fault.CHAIN_ZERO_LOST,
        Fault.OPTIC_BLOCKED,
        Fault.OPTIC_STUCK,
        Fault.HALL_MISSING,
    }
)
SUSPECT = frozenset({Fault.EXTRA_TILES, Fault.MIXED_SETS, Fault.COUNT_MISMATCH, Fault.POWER_LOST_MID_CYCLE})
DOUBT = "suspect"  # name of the hold that stands until a referee has ruled on doubtful walls


def name(code: int) -> str:
    """The fault's name in lower case; an unknown code keeps its number."""
    try:
        return Fault(code).name.lower()
    except ValueError:
        return f"fault_{code:02x}"


def code_of(fault: str) -> int:
    """The code of a fault's name, 0 if it has none here."""
    return Fault[fault.upper()].value if fault.upper() in Fault.__members__ else 0


def fault_set(step: Step, event: BoardEvent) -> None:
    """A fault stands. Data of the event: value = code, side where it has one."""
    begin(step, name(event.value), event.side)


def fault_cleared(step: Step, event: BoardEvent) -> None:
    """A fault is gone: its hold ends by itself."""
    end(step, name(event.value), event.side)


def begin(step: Step, fault: str, side: int | None) -> None:
    """Enter a fault, hold the hand if it concerns it, and doubt the walls where it casts doubt."""
    table, hand = step.state.table, step.state.hand
    entry = (fault, NO_SIDE if side is None else side)
    if entry not in table.faults:
        table.faults.append(entry)
    step.publish("event.fault", fault=fault, side=side)
    code = code_of(fault)
    if code in SUSPECT:
        table.suspect = fault
        doubt(step)
    playing = hand is not None and not hand.over and step.state.session.machine
    harmless = code in WARNINGS or (hand is not None and hand.in_play and code in STORE)
    if playing and not harmless:
        step.hold(f"fault {fault}", "hold.fault", ends="auto", fault=fault, side=side)
    cases.begin(step, fault, side)


def end(step: Step, fault: str, side: int | None) -> None:
    """Forget a fault; the opening goes on if nothing else holds."""
    table = step.state.table
    entry = (fault, NO_SIDE if side is None else side)
    table.faults = [other for other in table.faults if other != entry]
    step.publish("event.fault_cleared", fault=fault, side=side)
    if not any(other == fault for other, _ in table.faults):
        step.release(f"fault {fault}")
        cases.end(step, fault)
    if step.state.hand is not None and not step.state.holds:
        provide(step)


def doubt(step: Step) -> None:
    """Doubtful walls hold the opening of a hand until a referee rules. A hand in play goes on: its walls
    were raised before."""
    table, hand = step.state.table, step.state.hand
    if not step.state.session.machine:
        return
    if table.suspect and hand is not None and hand.phase in ("building", "raising"):
        step.hold(DOUBT, "hold.suspect", ends="referee", fault=table.suspect)


def sync(step: Step, seen: list[tuple[str, int]]) -> None:
    """Believe the board's snapshot: faults that came or went while nobody heard."""
    for fault, side in list(step.state.table.faults):
        if (fault, side) not in seen:
            end(step, fault, None if side == NO_SIDE else side)
    for fault, side in seen:
        if (fault, side) not in step.state.table.faults:
            begin(step, fault, None if side == NO_SIDE else side)
