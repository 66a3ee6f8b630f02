"""How wrong a false win was (诈和, 错和): by how far its tiles were from ready, where they are known.

The sign of it is `false_win` with one of these: `below_minimum`, complete but not to be won with (too few
points, not opened, no technical fan, a penalty tile); `wrong_tile`, it waited, but not for this tile;
`near`, one tile short of waiting; `far`, more. Where the tiles are not known it has none.
"""

from __future__ import annotations

from tablectl.game import evidence
from tablectl.game.context import Step
from tablectl.game.state import WinState
from tablectl.rules.errors import HandError
from tablectl.rules.verdicts import ready


def flag(step: Step, win: WinState, reason: str) -> None:
    """Record that the win before the referee is none, how wrong it was, and the tiles that were shown."""
    tiles = shown(step, win)
    step.irregular("false_win", win.side, detail=detail(step, win), reason=reason, tiles=tiles)


def detail(step: Step, win: WinState) -> str:
    """Which kind of false win it is; "" where nobody can say, or where only the referee finds it one."""
    verdict = win.verdict
    if verdict is None or verdict.legal:
        return ""
    try:
        facts = evidence.facts_of(step, win)
        far = None if facts is None else ready.to_ready(step.rules, facts)
    except HandError:
        far = None
    if far is None:
        return ""
    return {-1: "below_minimum", 0: "wrong_tile", 1: "near"}.get(far, "far")


def shown(step: Step, win: WinState) -> list[str]:
    """The winner's own tiles that lie open now: his hand, with the winning tile if he drew it."""
    held = evidence.held(step, win)
    if held is None:
        return []
    concealed, winning = held
    return [*concealed, winning] if win.how == "self_drawn" else list(concealed)
