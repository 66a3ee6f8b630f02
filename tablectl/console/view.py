"""The live view of a table as text, drawn from the state document. Pure: a document in, lines out.

Every field of the document is optional: what is not known is left out, never guessed. A document older than
two seconds is painted grey and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tablectl.locale.catalog import text

from .case_view import case_lines
from .paint import BOLD, GREEN, GREY, RED, YELLOW, Brush
from .seat_column import column, columns
from .session_line import session_lines, session_parts
from .wall_picture import notes, picture
from .width import cells, clean_all, clip, pad, wrap

EVENTS = 6
CASES = 3  # in the live view; `tablectl cases` has them all
STALE_S = 2.0
SIDE_FIELDS = ("side", "origin", "dealer", "expected")
NO_SIDE = 255
LINK_SIGNS = {"online": ("●", GREEN), "lost": ("✕", RED), "refused": ("✕", RED), "closed": ("○", GREY)}
Document = dict[str, Any]


def render(
    doc: Document,
    events: Sequence[dict[str, Any]],
    lang: str,
    width: int,
    color: bool,
    age_s: float = 0.0,
    height: int = 0,
) -> str:
    """The whole view, lines of at most ``width`` cells; ``events`` are the newest, the last one last.
    Where it has more than ``height`` rows (0 = no bound) those above the links are left out."""
    doc = tidy(doc)
    stale = age_s > STALE_S
    brush = Brush(color and not stale)
    lines = [_header(doc, lang, width, brush)]
    if stale:
        lines.append("■ " + text("view.stale", lang, seconds=int(age_s)))
    lines += [brush(part, RED) for line in hold_lines(doc, lang) for part in wrap(line, width)]
    lines += [brush(part, code) for line, code in case_lines(doc, lang, CASES) for part in wrap(line, width)]
    lines += [brush(part, YELLOW) for line in session_lines(doc, lang) for part in wrap(line, width)]
    lines += wrap(machine_line(doc, lang), width)
    lines.append("─" * width)
    lines += _walls_and_events(doc, [clean_all(event) for event in events][-EVENTS:], lang, width, brush)
    lines.append("─" * width)
    lines += columns(doc, lang, width, brush)
    lines.append("─" * width)
    lines = fitted(
        lines,
        [brush(part, code) for line, code in link_lines(doc, lang) for part in wrap(line, width)],
        height,
    )
    if stale and color:
        grey = Brush(True)
        lines = [grey(line, GREY) for line in lines]
    return "\n".join(lines)


def fitted(above: list[str], below: list[str], height: int) -> list[str]:
    """Both in ``height`` rows: what is below stays, as long as it takes no more than half of them."""
    if height:
        below = below[: height // 2]
        above = above[: height - len(below)]  # the top matters most: phase and holds
    return above + below


def tidy(doc: Document) -> Document:
    """The document with harmless texts and without the fields that are None: those are not known."""
    result: Document = _without_none(clean_all(doc))
    return result


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_none(item) for item in value]
    return value


def event_text(event: dict[str, Any], doc: Document, lang: str) -> str:
    """An event in words; sides are named by their wind in this hand."""
    seats = {seat.get("side"): seat.get("seat") for seat in (doc.get("hand") or {}).get("seats", [])}
    if winds := (event.get("data") or {}).get("winds"):
        seats = dict(enumerate(winds))  # those of its own hand, whatever hand is played now
    data = _seated(event.get("data") or {}, seats)
    if isinstance(data.get("facts"), dict):
        data["facts"] = _seated(data["facts"], seats)
    return text(event.get("key", ""), lang, **data)


def _seated(data: dict[str, Any], seats: dict[Any, Any]) -> dict[str, Any]:
    """Event data with sides replaced by the letters of their seats."""
    return {k: seats.get(v, v) if k in SIDE_FIELDS and isinstance(v, int) else v for k, v in data.items()}


def event_line(event: dict[str, Any], doc: Document, lang: str) -> str:
    """An event as a line of ``--plain``: seconds of table time, then words."""
    event = clean_all(event)
    return f"{event.get('at', 0) / 1_000_000:9.1f}  {event_text(event, tidy(doc), lang)}"


def hold_lines(doc: Document, lang: str) -> list[str]:
    """Each hold in words."""
    lines = []
    for hold in doc.get("holds") or []:
        reason = event_text({"key": hold.get("key", ""), "data": hold.get("data", {})}, doc, lang)
        seconds = max(0, doc.get("now", 0) - hold.get("since", 0)) // 1_000_000
        since = text("view.since", lang, seconds=seconds)
        lines.append(f"■ {text('view.held', lang)} {reason} ({hold.get('name')}, {since})")
    return lines


def machine_line(doc: Document, lang: str) -> str:
    """The mechanism: both tracks, what moves, faults."""
    table = doc.get("table") or {}
    parts = [text(f"view.{track}", lang, state=table[track]) for track in ("top", "store") if track in table]
    if order := table.get("order"):
        parts.append(text("view.moving", lang, **order))
    if table.get("stopped"):
        parts.append("■ " + text("view.stopped", lang))
    for fault, side in table.get("faults") or []:
        seats = {seat.get("side"): seat.get("seat") for seat in (doc.get("hand") or {}).get("seats", [])}
        name = f"wind.{seats[side]}" if side in seats else f"side.{side}"
        where = "" if side in (None, NO_SIDE) else text(name, lang) + " "
        parts.append(f"✕ {where}{text(f'fault.{fault}', lang)}")
    return " · ".join(parts) or text("view.no_data", lang)


def link_lines(doc: Document, lang: str) -> list[tuple[str, str]]:
    """The health of each link, and its colour."""
    lines = []
    quality = doc.get("quality") or {}
    for name, link in (doc.get("links") or {}).items():
        state, word = link.get("state", "closed"), link.get("word", "")
        shape, code = LINK_SIGNS.get(state, ("◐", YELLOW))
        line = f"{shape} {text('view.link', lang)} {name}: {text(f'link_state.{state}', lang)}"
        if word and state != "online":
            line += f" · {text(f'link.{word}', lang)}"
        lines.append((" · ".join([line, *quality_parts(quality.get(name) or {}, lang)]), code))
    return lines


def quality_parts(numbers: dict[str, Any], lang: str) -> list[str]:
    """Counters, round trip and clock of a line, those that are known."""
    parts = []
    if "frames_sent" in numbers:
        trips = numbers.get("round_trip_us") or {}
        trip = "/".join(f"{trips[p] / 1000:.1f}" for p in ("p50", "p99") if p in trips) or "–"
        parts.append(
            text(
                "view.quality",
                lang,
                sent=numbers["frames_sent"],
                received=numbers.get("frames_received", 0),
                retries=numbers.get("retries", 0),
                crc=numbers.get("crc_errors", 0),
                rtt=trip,
            )
        )
    clock = numbers.get("clock") or {}
    if clock.get("ready"):
        parts.append(text("view.clock_quality", lang, unc=clock.get("uncertainty_us", "–")))
    return parts


def plain_lines(doc: Document, lang: str) -> list[str]:
    """The same without drawing: for screen readers and pipes."""
    doc = tidy(doc)
    hand = doc.get("hand") or {}
    lines = [" · ".join([*_title(doc, lang), text(f"phase.{hand.get('phase', 'none')}", lang)])]
    lines += [
        *hold_lines(doc, lang),
        *(line for line, _ in case_lines(doc, lang)),
        *session_lines(doc, lang),
        machine_line(doc, lang),
    ]
    for side in range(4):
        said = [line.strip() for line, _ in column(doc, side, lang) if line.strip()]
        lines.append(" · ".join(said))
    return lines + [line for line, _ in link_lines(doc, lang)]


def _title(doc: Document, lang: str) -> list[str]:
    session, hand = doc.get("session") or {}, doc.get("hand") or {}
    name = (doc.get("house") or {}).get("name")
    parts = [session.get("rules") or "tablectl", text(f"session.{session.get('state', 'idle')}", lang)]
    if hand:
        total = session.get("hands")
        parts.append(text("view.hand_of" if total else "view.hand", lang, no=hand.get("no"), total=total))
    if session.get("round") and hand:
        parts.append(text("view.prevalent", lang, round=session["round"]))
    return [*filter(None, [name]), *parts, *session_parts(doc, lang)]


def _header(doc: Document, lang: str, width: int, brush: Brush) -> str:
    phase = (doc.get("hand") or {}).get("phase", "none")
    shape, code = _phase_sign(doc, phase)
    word = f"{shape} {text(f'phase.{phase}', 'en')} {text(f'phase.{phase}', 'zh-Hans')}"
    title = pad(" · ".join(_title(doc, lang)), width - cells(word) - 1)
    return brush(title, BOLD) + " " + brush(word, BOLD, code)


def _phase_sign(doc: Document, phase: str) -> tuple[str, str]:
    if doc.get("holds"):
        return "■", RED
    if phase in ("claims", "robbing", "adjudication"):
        return "◆", YELLOW
    if phase in ("none", "closed", "void"):
        return "○", GREY
    return "▶", GREEN


def _walls_and_events(
    doc: Document, events: list[dict[str, Any]], lang: str, width: int, brush: Brush
) -> list[str]:
    hand, table = doc.get("hand") or {}, doc.get("table") or {}
    winds = ["–"] * 4
    seats = ["" for _ in winds]
    for seat in hand.get("seats", []):
        seats[seat["side"]] = seat.get("seat", "")
        winds[seat["side"]] = text(f"wind.{seat.get('seat')}", lang)
    stacks = list(table.get("top_stacks") or [0, 0, 0, 0])
    square = picture(hand, stacks, winds, notes(hand, seats, lang))
    room = width - cells(square[0]) - 3
    said = [text("view.events", lang), *(event_text(event, doc, lang) for event in events)]
    said += [""] * (len(square) - len(said))
    lines = []
    for row, line in enumerate(square):
        codes = (BOLD,) if row == 0 else ()
        lines.append(f"{line} │ {brush(clip(said[row], room), *codes)}".rstrip())
    return lines
