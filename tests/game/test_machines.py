"""The machines themselves: every name in a table resolves, every state can be reached and left."""

from __future__ import annotations

import pytest

from tablectl.game.hand import HAND
from tablectl.game.session import SESSION
from tablectl.game.signing import SHEET
from tablectl.game.tracks import STORE, TOP

MACHINES = {"hand": HAND, "session": SESSION, "top": TOP, "store": STORE, "sheet": SHEET}


@pytest.mark.parametrize("flow", MACHINES.values(), ids=MACHINES)
def test_every_callback_name_resolves(flow):
    for event in flow.machine.events.values():
        for moves in event.transitions.values():
            for move in moves:
                for callback in (*move.before, *move.after, *move.prepare):
                    assert callable(getattr(flow, callback)), callback
                for condition in move.conditions:
                    assert callable(getattr(flow, condition.func)), condition.func


@pytest.mark.parametrize("flow", MACHINES.values(), ids=MACHINES)
def test_every_state_but_the_first_is_some_moves_destination(flow):
    reached = {
        move.dest
        for event in flow.machine.events.values()
        for moves in event.transitions.values()
        for move in moves
    }
    only_by_status = {"lowering", "paused"}
    assert set(flow.states) - reached - only_by_status <= {flow.states[0]}
