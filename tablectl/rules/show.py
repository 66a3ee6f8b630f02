"""A ruleset as rows for a screen: what `tablectl rules show` prints, in no language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from tablectl.rules.model import Ruleset
from tablectl.rules.values import Rule, Section


@dataclass(frozen=True, slots=True)
class Row:
    """One value: where it stands, what it is, the article it comes from.

    ``value`` is plain data (numbers, words, lists, tables of these); ``setting`` is empty where the book
    leaves no choice.
    """

    section: str
    field: str
    value: Any
    rule: str
    provisional: bool
    setting: str


def rows(ruleset: Ruleset, provisional_only: bool = False) -> list[Row]:
    """All values in the order of the rule file, or only those no book gives."""
    return [row for row in _rows(ruleset) if row.provisional or not provisional_only]


def _rows(ruleset: Ruleset) -> Iterator[Row]:
    for section in ruleset.__struct_fields__:
        part = getattr(ruleset, section)
        if not isinstance(part, Section):
            continue
        for field in part.__struct_fields__:
            rule = getattr(part, field)
            if isinstance(rule, Rule):
                value = msgspec.to_builtins(rule.value)
                yield Row(section, field, value, rule.rule, rule.provisional, rule.setting)
