"""The picture of when the clock of a turn runs, docs/images/turn-clock.svg; its numbers are the rules'."""

from __future__ import annotations

from typing import NamedTuple
from xml.sax.saxutils import escape

from tablectl.rules.book import load_book

WIDTH, LEFT, RIGHT = 860, 250, 20
ROW, TOP, FOOT = 62, 20, 12
SECONDS = 24  # that the picture is wide


class Act(NamedTuple):
    """Something somebody does, at a second of the picture."""

    at: float
    word: str


class Row(NamedTuple):
    """One case: who plays what, when, the acts in it, and the bars of the clock: from, to, running or not."""

    title: str
    rules: str
    acts: tuple[Act, ...]
    bars: tuple[tuple[float, float, str], ...]


def rows() -> list[Row]:
    """The cases, with the limits of the rulesets in their words."""
    book = load_book()
    mcr, ccm, zj = (book[name].turn for name in ("mcr", "ccm", "zungjung"))
    limits = f"{mcr.discard_s.value} s, CCM {ccm.discard_s.value} s"
    grace, bank = zj.grace_s.value, zj.bank_s.value
    return [
        Row(
            "a turn",
            f"all; MCR {limits}",
            (Act(2, "upper discard"), Act(7, "draw"), Act(13, "own discard")),
            ((2, 13, "runs"),),
        ),
        Row(
            "flowers, kongs",
            "MCR, CCM: no time of their own",
            (Act(2, "upper discard"), Act(6, "kong"), Act(9, "replacement"), Act(15, "own discard")),
            ((2, 15, "runs"),),
        ),
        Row(
            "kong, Zung Jung",
            f"{zj.replacement_restarts.rule}: a turn of its own",
            (Act(2, "upper discard"), Act(6, "kong"), Act(10, "replacement"), Act(17, "own discard")),
            ((2, 10, "runs"), (10, 17, "runs again")),
        ),
        Row(
            "a claimed tile",
            "all: from that discard",
            (Act(2, "discard"), Act(5, "pung"), Act(8, "shown"), Act(13, "own discard")),
            ((2, 13, "runs"),),
        ),
        Row(
            "discarded, then shown",
            f"Zung Jung, {zj.stops_at.rule}: both are needed",
            (Act(2, "discard"), Act(5, "chow"), Act(9, "own discard"), Act(13, "shown"), Act(20, "discard")),
            ((2, 13, "runs"), (13, 20, "next seat's")),
        ),
        Row(
            "after the deal",
            f"Zung Jung, {zj.grace_s.rule}: {grace} s for nobody; bank {bank} s",
            (Act(2, "discard"), Act(9, "end of the grace"), Act(16, "next discard")),
            ((2, 9, "stands"), (9, 16, "runs")),
        ),
        Row(
            "a hold, a win that is judged",
            "all: charged to nobody",
            (Act(2, "upper discard"), Act(7, "referee"), Act(14, "resume"), Act(20, "own discard")),
            ((2, 7, "runs"), (7, 14, "stands"), (14, 20, "runs")),
        ),
    ]


def x(second: float) -> float:
    return LEFT + second * (WIDTH - LEFT - RIGHT) / SECONDS


def picture() -> str:
    """The SVG."""
    made = rows()
    height = TOP + ROW * len(made) + FOOT
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="12">',
        "<title>When the clock of a turn runs</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    for at, row in enumerate(made):
        lines += drawn(row, TOP + ROW * at)
    return "\n".join([*lines, "</svg>", ""])


def drawn(row: Row, top: int) -> list[str]:
    """One case: its words, its bars, its acts."""
    lines = [
        f'<text x="10" y="{top + 26}" font-weight="bold" fill="#222222">{escape(row.title)}</text>',
        f'<text x="10" y="{top + 42}" font-size="11" fill="#666666">{escape(row.rules)}</text>',
    ]
    for since, until, word in row.bars:
        colour, ink = ("#dddddd", "#444444") if word == "stands" else ("#2e7d32", "#ffffff")
        box = f'x="{x(since):.1f}" y="{top + 22}" width="{x(until) - x(since):.1f}" height="18"'
        lines.append(f'<rect {box} fill="{colour}" stroke="#ffffff"/>')
        lines.append(label((x(since) + x(until)) / 2, top + 35, word, ink))
    for act in row.acts:
        place = f'x1="{x(act.at):.1f}" y1="{top + 16}" x2="{x(act.at):.1f}" y2="{top + 44}"'
        lines.append(f'<line {place} stroke="#222222"/>')
        lines.append(label(x(act.at), top + 12, act.word, "#222222"))
    return lines


def label(middle: float, y: int, word: str, ink: str) -> str:
    """A small word at a place."""
    place = f'x="{middle:.1f}" y="{y}" text-anchor="middle"'
    return f'<text {place} font-size="11" fill="{ink}">{escape(word)}</text>'
