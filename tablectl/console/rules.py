"""``tablectl rules show``: every value of a rule system, its rule, and whether it is provisional."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict
from typing import Any

from tablectl.api.arguments import one_of
from tablectl.locale.catalog import text
from tablectl.rules.book import load_book
from tablectl.rules.show import Row, rows

from .terminal import OK, Terminal
from .width import clean, pad

FIELD_CELLS, VALUE_CELLS, RULE_CELLS = 32, 28, 8


def show(args: Namespace) -> int:
    """Print a rule system."""
    book = load_book()
    if args.id not in book:
        raise one_of(args.id, book, "bad.rules")
    ruleset = book[args.id]
    terminal = Terminal(args.lang, plain=args.plain, as_json=args.json)
    found = rows(ruleset, args.provisional)
    if args.json:
        terminal.json({"id": ruleset.id, "values": [asdict(row) for row in found]})
        return OK
    terminal.line(f"{ruleset.id} · {ruleset.name.zh} · {ruleset.name.en}")
    for row in found:
        terminal.line(clean(_line(row, terminal.lang)))
    return OK


def _line(row: Row, lang: str) -> str:
    mark = f"? {text('rules.provisional', lang)}" if row.provisional else ""
    columns = [
        pad(f"{row.section}.{row.field}", FIELD_CELLS),
        _padded(_plain(row.value), VALUE_CELLS),
        pad(row.rule, RULE_CELLS),
        row.setting,
        mark,
    ]
    return " ".join(columns).rstrip()


def _padded(value: str, width: int) -> str:
    """A long value is not cut: the columns after it move."""
    return value if len(value) > width else pad(value, width)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(f"({_plain(item)})" if isinstance(item, list) else _plain(item) for item in value)
    if isinstance(value, dict):
        return " ".join(f"{key}→{_plain(item)}" for key, item in value.items())
    return str(value)
