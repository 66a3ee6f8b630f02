"""The session in the header of the terminal view: its stage, its time, and what it asks for."""

from __future__ import annotations

from typing import Any

from tablectl.locale.catalog import text

SECOND_US = 1_000_000
COUNTS = {"start": "view.count_start", "end": "view.count_end"}


def session_parts(doc: dict[str, Any], lang: str) -> list[str]:
    """What stands behind the name of the rules: stage, dealer repeat, doubled points, time left."""
    session = doc.get("session") or {}
    parts = []
    if session.get("stages", 1) > 1:
        parts.append(text("view.stage", lang, stage=session.get("stage"), stages=session["stages"]))
    if session.get("repeat"):
        parts.append(text("view.repeat", lang))
    if session.get("doubled"):
        parts.append(text("view.doubled", lang))
    if clock := session.get("clock"):
        key = "view.time_left" if clock.get("since") is not None else "view.time_stands"
        parts.append(text(key, lang, left=minutes(left_us(clock, doc.get("now", 0)))))
    if session.get("last_hand"):
        parts.append(text("view.last_hand", lang))
    if session.get("machine") is False:
        parts.append(text("view.machine_off", lang))
    return parts


def session_lines(doc: dict[str, Any], lang: str) -> list[str]:
    """What the session waits for, a line each: points nobody entered, signatures, a break that is due."""
    session = doc.get("session") or {}
    lines = []
    if missing := session.get("missing_points"):
        lines.append("◆ " + text("view.missing_points", lang, hands=missing))
    for moment in session.get("counts_due", ()):
        lines.append("◆ " + text(COUNTS[moment], lang))
    if differs := session.get("count_differs"):
        lines.append("◆ " + text("view.count_differs", lang, players=list(differs)))
    if unsigned := session.get("unsigned"):
        lines.append("◆ " + text("view.unsigned", lang, hands=unsigned))
    if session.get("break_due"):
        lines.append("◆ " + text("view.break_due", lang))
    return lines


def left_us(clock: dict[str, Any], now: int) -> int:
    """What is left of the session's time at table time ``now``."""
    since = clock.get("since")
    spent = clock.get("spent_us", 0) + (max(0, now - since) if since is not None else 0)
    return max(0, int(clock.get("limit_us", 0) - spent))


def minutes(us: int) -> str:
    """A time as a clock on the wall shows it: ``1:02:03``."""
    seconds = us // SECOND_US
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
