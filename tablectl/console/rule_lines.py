"""Rows of rulesets as lines of a terminal, as plain lines for a screen reader, and as data for a program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from tablectl.locale.catalog import LANGUAGES, text
from tablectl.rules.show import Difference, Row

from .rule_words import COLON, shown, what
from .terminal import Terminal
from .width import pad, wrap

FIELD_CELLS, RULE_CELLS = 25, 9
INDENT = "  "


def row_lines(rows: Sequence[Row], terminal: Terminal) -> Iterator[str]:
    """Each value: its key in a rule file, what it is about, the value, its article, its marks."""
    section = ""
    middle = terminal.width - len(INDENT) - FIELD_CELLS - RULE_CELLS
    for row in rows:
        if terminal.plain:
            yield "; ".join(
                filter(None, (f"{row.section}.{row.field}: {_said(row, terminal.lang)}", row.rule))
            )
            continue
        if row.section != section:
            section = row.section
            yield from _heading(section, terminal.lang)
        first, *more = wrap(_said(row, terminal.lang), middle - 1)
        yield (INDENT + pad(row.field, FIELD_CELLS) + pad(first, middle) + row.rule).rstrip()
        yield from (" " * (len(INDENT) + FIELD_CELLS) + line for line in more)


def pair_lines(pairs: Sequence[Difference], left: str, right: str, terminal: Terminal) -> Iterator[str]:
    """Each difference: what it is about, then both values with their articles beside one another."""
    section = ""
    half = (terminal.width - len(INDENT)) // 2
    if pairs and not terminal.plain:
        yield INDENT + pad(left, half) + right
    for pair in pairs:
        about = what(pair.there, terminal.lang)
        values = [_valued(row, terminal.lang) for row in (pair.left, pair.right)]
        if terminal.plain:
            yield f"{pair.section}.{pair.field}: {about}; {left}: {values[0]}; {right}: {values[1]}"
            continue
        if pair.section != section:
            section = pair.section
            yield from _heading(section, terminal.lang)
        yield f"{pair.field}: {about}"
        columns = [wrap(value, half - 1) for value in values]
        for line in range(max(map(len, columns))):
            cells = [column[line] if line < len(column) else "" for column in columns]
            yield (INDENT + pad(cells[0], half) + cells[1]).rstrip()


def row_data(row: Row) -> dict[str, Any]:
    """A row for a program: the plain value, and in each language what it is about and how it is read."""
    said = {lang: {"what": what(row, lang), "value": shown(row, lang)} for lang in LANGUAGES}
    return {**asdict(row), "text": said}


def pair_data(pair: Difference) -> dict[str, Any]:
    """A difference for a program; a side without the field is null."""
    left, right = (row_data(row) if row else None for row in (pair.left, pair.right))
    return {"section": pair.section, "field": pair.field, "left": left, "right": right}


def _heading(section: str, lang: str) -> Iterator[str]:
    yield ""
    yield f"[{section}] {text(f'section.{section}', lang)}"


def _said(row: Row, lang: str) -> str:
    about, value = what(row, lang), shown(row, lang)
    return (f"{about}{COLON.get(lang, ': ')}{value}" if value else about) + _marks(row, lang)


def _valued(row: Row | None, lang: str) -> str:
    if row is None:
        return f"– ({text('rules.absent', lang)})"
    value = shown(row, lang)
    rule = f" ({row.rule})" if row.rule else ""
    return (value + rule if value else row.rule) + _marks(row, lang)


def _marks(row: Row, lang: str) -> str:
    setting = f" [{row.setting}]" if row.setting else ""
    return setting + (f" {text('rules.provisional_mark', lang)}" if row.provisional else "")
