"""A page for a terminal: columns aligned by display width, long lines wrapped, nothing moves a cursor."""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.console.sheet.page import Page
from tablectl.console.sheet.parts import Boxes, Grid, Heading, Line
from tablectl.console.width import cells, clean, clip, pad, wrap

INDENT = "  "
GAP = "  "
WIDEST = 44  # cells of the first or last column
NAME = 14  # cells of the others


def lines(page: Page, width: int) -> Iterator[str]:
    """The lines of the page."""
    for part in page.parts:
        match part:
            case Heading(text, 1):
                yield clean(text)
                yield "=" * min(width, cells(clean(text)))
            case Heading(text):
                yield ""
                yield clean(text)
                yield "-" * min(width, cells(clean(text)))
            case Line(text, deep):
                yield from _wrapped(clean(text), INDENT if deep else "", width)
            case Grid():
                yield from _grid(part)
            case Boxes(names):
                yield ""
                yield from (f"{clean(name)}: {'_' * (width // 2)}" for name in names)


def _wrapped(text: str, indent: str, width: int) -> Iterator[str]:
    first, *more = wrap(text, width - len(indent) - len(INDENT)) or [""]
    yield indent + first
    yield from (indent + INDENT + line for line in more)


def _grid(grid: Grid) -> Iterator[str]:
    table = [tuple(map(clean, row)) for row in (grid.head, *grid.rows)]
    last = len(grid.align) - 1
    limits = [WIDEST if column in (0, last) else NAME for column in range(last + 1)]
    widths = [min(limit, max(cells(row[at]) for row in table)) for at, limit in enumerate(limits)]
    for row in table:
        shown = (
            clip(cell, width) if at == last and grid.align[at] == "<" else pad(cell, width, grid.align[at])
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield (INDENT + GAP.join(shown)).rstrip()
