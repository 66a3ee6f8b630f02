"""A terminal's screen as an SVG picture: text cells in a grid, a Chinese character in two of them.

The picture in the README is of a real run:

    tmux new-session -d -x 108 -y 26 -s demo 'LANG=C.UTF-8 tablectl demo --seed 7'
    sleep 50
    tmux capture-pane -e -p -t demo | python docs/screenshot.py docs/images/demo.svg
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from tablectl.console.width import cells

FONT_PX = 14
CELL_W, CELL_H = 8.4, 18.0  # px; a monospaced font is 0.6 wide
BASELINE = 13.5  # px below the top of a cell
MARGIN = 14.0
PAPER, INK = "#16181d", "#d5d8de"
COLORS = {"31": "#ff6b68", "32": "#7fc97f", "33": "#e5c07b", "36": "#56b6c2", "90": "#8a909c"}
FONTS = "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,'Noto Sans Mono CJK SC','PingFang SC',monospace"
ESCAPE = re.compile(r"\x1b\[([\d;]*)m")
# Drawn, because a font leaves gaps between them: blocks (eighths of a cell from its foot) and lines.
BLOCKS = {"█": 8, "▅": 5, "▄": 4, "▂": 2}
ACROSS, DOWN = "─", "│"
DRAWN = {*BLOCKS, ACROSS, DOWN}


@dataclass(frozen=True, slots=True)
class Cell:
    """One character on the screen."""

    char: str
    row: int
    column: int
    color: str
    bold: bool


def screen(ansi: str) -> list[Cell]:
    """The characters of a captured screen, blanks left out."""
    found = []
    color, bold = INK, False
    for row, line in enumerate(ansi.rstrip("\n").split("\n")):
        column = 0
        for at, part in enumerate(ESCAPE.split(line)):
            if at % 2:
                color, bold = style(part.split(";"), color, bold)
                continue
            for char in part:
                if char != " ":
                    found.append(Cell(char, row, column, color, bold))
                column += cells(char)
    return found


def style(codes: list[str], color: str, bold: bool) -> tuple[str, bool]:
    """Colour and weight after some codes; those that are not used by the views change nothing."""
    for code in codes:
        if code in ("", "0"):
            color, bold = INK, False
        elif code == "1":
            bold = True
        elif code == "39":
            color = INK
        else:
            color = COLORS.get(code, color)
    return color, bold


def runs(shown: list[Cell]) -> Iterator[list[Cell]]:
    """Neighbours of one style: words, and blocks or lines of one kind."""
    run: list[Cell] = []
    for cell in shown:
        if run and not joins(run[-1], cell):
            yield run
            run = []
        run.append(cell)
    yield run


def joins(before: Cell, cell: Cell) -> bool:
    """Does a cell go on where the one before it ended?"""
    beside = cell.row == before.row and cell.column == before.column + cells(before.char)
    alike = (cell.color, cell.bold) == (before.color, before.bold)
    return beside and alike and (cell.char == before.char or not {cell.char, before.char} & DRAWN)


def element(run: list[Cell]) -> str:
    """A run as a shape or as a text, at the place and as wide as its cells whatever the font is."""
    first = run[0]
    x, y = MARGIN + first.column * CELL_W, MARGIN + first.row * CELL_H
    width = sum(cells(cell.char) for cell in run) * CELL_W
    if first.char in BLOCKS:
        height = CELL_H * BLOCKS[first.char] / 8
        return rect(x, y + CELL_H - height, width, height, first.color)
    if first.char == ACROSS:
        return rect(x, y + CELL_H / 2, width, 1, first.color)
    if first.char == DOWN:
        return rect(x + CELL_W / 2, y, 1, CELL_H, first.color)
    weight = ' font-weight="bold"' if first.bold else ""
    text = escape("".join(cell.char for cell in run))
    place = f'x="{x:.1f}" y="{y + BASELINE:.1f}" textLength="{width:.1f}"'
    return f'<text {place} fill="{first.color}"{weight}>{text}</text>'


def rect(x: float, y: float, width: float, height: float, color: str) -> str:
    """A filled rectangle."""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{color}"/>'


def svg(ansi: str) -> Iterator[str]:
    """The picture, element by element."""
    shown = screen(ansi)
    width = 2 * MARGIN + CELL_W * max(cell.column + cells(cell.char) for cell in shown)
    height = 2 * MARGIN + CELL_H * (1 + max(cell.row for cell in shown))
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
    yield f'     width="{width:.0f}" height="{height:.0f}" font-family="{FONTS}" font-size="{FONT_PX}">'
    yield f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>'
    yield from map(element, runs(shown))
    yield "</svg>"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text("\n".join(svg(sys.stdin.read())) + "\n", encoding="utf-8")
