"""What a case waits for: data the daemon arms, like every deadline."""

from __future__ import annotations

from tablectl.game.state import State


def deadlines(state: State) -> list[tuple[str, int]]:
    """(name, table time) of appeals that are to be decided."""
    return [
        (f"appeal {case.no}", case.appeal.until)
        for case in state.cases
        if case.phase == "appealed" and case.appeal is not None and case.appeal.until and not case.appeal.told
    ]
