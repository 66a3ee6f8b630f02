"""The picture of one case from call to signature, docs/images/case-timeline.svg: a call, heard and ruled on.

Its moves are walked through the case machine, so that the picture shows nothing the machine does not allow.
"""

from __future__ import annotations

from typing import NamedTuple
from xml.sax.saxutils import escape

from tablectl.game.cases.machine import CaseFlow
from tablectl.locale.catalog import text

WIDTH, LEFT, RIGHT = 860, 110, 30
TOP, ROW, FOOT = 54, 46, 40
SECONDS = 40  # that the picture is wide
STOOD = (0, 26)  # in which the clocks stand for the call: until *resume*
ACTORS = ("South", "referee", "West")


class Move(NamedTuple):
    """One command: at which second, by whom, the triggers it pulls, and the words beside it."""

    at: float
    actor: str
    triggers: tuple[str, ...]
    words: str


MOVES = (
    Move(0, "South", (), "call"),
    Move(7, "referee", ("attend",), "attend"),
    Move(13, "referee", ("hear",), "hear"),
    Move(20, "referee", ("rule", "decide", "apply"), "rule"),
    Move(26, "referee", (), "resume"),
    Move(30, "West", ("sign", "close"), "case sign"),
    Move(36, "referee", (), "case credit"),
)


def states() -> list[tuple[float, str]]:
    """The state after each move that is one. Raises ``ValueError`` where the machine has no such move."""
    state, found = "raised", [(MOVES[0].at, "raised")]
    for move in MOVES:
        for trigger in move.triggers:
            state = after(state, trigger)
        if move.triggers:
            found.append((move.at, state))
    return found


def after(state: str, trigger: str) -> str:
    """Where a trigger leads."""
    for move in CaseFlow.transitions:
        sources = move["source"] if isinstance(move["source"], list) else [move["source"]]
        if move["trigger"] == trigger and state in sources:
            return str(move["dest"])
    raise ValueError(f"a case that is {state} has no move {trigger}")


def x(second: float) -> float:
    return LEFT + second * (WIDTH - LEFT - RIGHT) / SECONDS


def picture() -> str:
    """The SVG."""
    height = TOP + ROW * len(ACTORS) + FOOT
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="12">',
        "<title>A case from call to signature</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        *bars(),
    ]
    for row, actor in enumerate(ACTORS):
        y = TOP + ROW * row + ROW // 2
        lines.append(f'<text x="10" y="{y + 4}" font-weight="bold" fill="#222222">{escape(actor)}</text>')
        lines.append(f'<line x1="{LEFT}" y1="{y}" x2="{WIDTH - RIGHT}" y2="{y}" stroke="#cccccc"/>')
        for move in MOVES:
            if move.actor == actor:
                lines.append(f'<circle cx="{x(move.at):.1f}" cy="{y}" r="6" fill="#2e7d32"/>')
                lines.append(label(x(move.at), y - 11, move.words, "#222222"))
    since, until = STOOD
    y = TOP + ROW * len(ACTORS) + 8
    box = f'x="{x(since):.1f}" y="{y}" width="{x(until) - x(since):.1f}" height="18"'
    lines.append(f'<rect {box} fill="#dddddd"/>')
    words = f"the clocks stand: {until - since} s, given back"
    lines.append(label((x(since) + x(until)) / 2, y + 13, words, "#444444"))
    return "\n".join([*lines, "</svg>", ""])


def bars() -> list[str]:
    """The states of the case over time."""
    found = states()
    ends = [at for at, _ in found[1:]] + [SECONDS]
    lines = []
    for (since, state), until in zip(found, ends, strict=True):
        ended = state == "closed"
        box = f'x="{x(since):.1f}" y="16" width="{x(until) - x(since):.1f}" height="22"'
        lines.append(f'<rect {box} fill="{"#eeeeee" if ended else "#1565c0"}" stroke="#ffffff"/>')
        ink = "#444444" if ended else "#ffffff"
        lines.append(label((x(since) + x(until)) / 2, 31, text(f"case.is.{state}", "en"), ink))
    return lines


def label(middle: float, y: int, word: str, ink: str) -> str:
    """A small word at a place."""
    place = f'x="{middle:.1f}" y="{y}" text-anchor="middle"'
    return f'<text {place} font-size="11" fill="{ink}">{escape(word)}</text>'
