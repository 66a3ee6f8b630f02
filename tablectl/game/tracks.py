"""The table machine: two small tracks, the set on top and the set in store.

They mirror what the board says. Top: *unknown* (sensors cannot tell), *clear*, *loading* (centre open,
players push tiles in), *raising*, *walls_up*, *lowering*. Store: *unknown*, *empty*, *building*, *ready*,
*short* (waits for missing tiles), *paused*. A board is believed: an event that fits no row leaves the
track, and the next STATUS puts it right.
"""

from __future__ import annotations

from typing import Any, ClassVar

from tablectl.game.context import Step
from tablectl.game.flow import Flow, row
from tablectl.game.inputs import BoardEvent

SUSPECT_AFTER = ("extra_tiles", "mixed_sets", "count_mismatch", "power_lost_mid_cycle")


class TopTrack(Flow):
    """The set on top."""

    states = ("unknown", "clear", "loading", "raising", "walls_up", "lowering")
    transitions: ClassVar[list[dict[str, Any]]] = [
        row("centre_opened", "*", "loading"),
        row("centre_closed", "loading", "raising", conditions="raise_ordered"),
        row("centre_closed", "loading", "clear"),
        row("walls_up", "*", "walls_up"),
        row("walls_down", "*", "clear"),
    ]

    def read(self) -> str:
        return self.step.state.table.top

    def write(self, value: str) -> None:
        self.step.state.table.top = value

    def raise_ordered(self, event: object) -> bool:
        """Are the walls on their way up?"""
        order = self.step.state.table.order
        return order is not None and order.operation == "raise"


class StoreTrack(Flow):
    """The set in store."""

    states = ("unknown", "empty", "building", "ready", "short", "paused")
    transitions: ClassVar[list[dict[str, Any]]] = [
        row("build_started", "*", "building"),
        row("build_done", "*", "ready"),
        row("missing_tiles", "*", "short"),
        row("walls_up", "*", "empty"),
    ]

    def read(self) -> str:
        return self.step.state.table.store

    def write(self, value: str) -> None:
        self.step.state.table.store = value


TOP = TopTrack()
STORE = StoreTrack()


def mirror(step: Step, event: BoardEvent) -> None:
    """Let the tracks follow one event of the mechanism and keep its counts."""
    table = step.state.table
    for track in (TOP, STORE):
        if event.event in track.machine.events:
            track.fire(step, event.event)
    match event.event:
        case "side_done" if event.side is not None:
            table.store_stacks[event.side] = event.value
        case "build_started":
            table.store_stacks, table.counted = [0, 0, 0, 0], 0
        case "build_done":
            table.counted = event.value
        case "walls_up":
            if table.lamp == "closed":  # a board may take new walls for a new hand: this one was given up
                table.lamp = "unknown"
            table.hand = event.value
            table.top_stacks, table.store_stacks = table.store_stacks, [0, 0, 0, 0]
            table.counted = 0
        case "walls_down":
            table.hand, table.top_stacks = 0, [0, 0, 0, 0]
        case "profile_changed":
            table.profile = event.value
        case "stopped":
            table.stopped, table.homed = True, False
        case _:
            pass
