"""A ruleset as rows, and two of them side by side: what `tablectl rules` prints, without a language."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from tablectl.rules.ladders import costs, plain
from tablectl.rules.model import Articles, Ruleset
from tablectl.rules.offences import FaultPolicy
from tablectl.rules.values import Rule, Section


@dataclass(frozen=True, slots=True)
class Row:
    """One value: where it stands, what it is, the article it comes from.

    ``value`` is plain data (numbers, words, lists, tables of these), None in the section ``articles``, whose
    rows only name the article; ``setting`` is empty where the book leaves no choice. An offence, or a row of
    the table of faults, brings its name in both languages, and what it comes to as people write it; no book
    speaks of faults.
    """

    section: str
    field: str
    value: Any
    rule: str
    provisional: bool
    setting: str
    title: dict[str, str] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that is not the same in two rulesets; None where one of them has no such field."""

    section: str
    field: str
    left: Row | None
    right: Row | None

    @property
    def there(self) -> Row:
        """The row of a side that has the field."""
        row = self.left or self.right
        assert row is not None  # a field of neither side is no difference
        return row


def rows(ruleset: Ruleset, provisional_only: bool = False) -> list[Row]:
    """All values in the order of the rule file, or only those no book gives."""
    return [row for row in _rows(ruleset) if row.provisional or not provisional_only]


def differences(left: Ruleset, right: Ruleset, *, origins: bool = False) -> list[Difference]:
    """The fields whose values differ; with ``origins`` also those whose article, mark or setting does.

    Two systems never share an article, so between them only values tell; a house ruleset and its base do.
    """
    ours, theirs = ({(row.section, row.field): row for row in rows(one)} for one in (left, right))
    sections = list(dict.fromkeys(section for section, _ in (*ours, *theirs)))
    fields = sorted(dict.fromkeys((*ours, *theirs)), key=lambda field: sections.index(field[0]))
    pairs = [Difference(*field, ours.get(field), theirs.get(field)) for field in fields]
    return [pair for pair in pairs if _differs(pair, origins)]


def _differs(pair: Difference, origins: bool) -> bool:
    if pair.left is None or pair.right is None:
        return True
    return pair.left != pair.right if origins else pair.left.value != pair.right.value


def _rows(ruleset: Ruleset) -> Iterator[Row]:
    yield from _values(ruleset)
    for name, offence in ruleset.offences.items():
        title = {"zh": offence.zh, "en": offence.en}
        yield Row("offences", name, costs(offence), offence.rule, offence.provisional, offence.setting, title)
    for name, policy in ruleset.machine.items():
        silent = FaultPolicy(policy.zh, policy.en, policy.opening, policy.recoverable, policy.lost)
        verdicts = {"opening": policy.opening, "recoverable": policy.recoverable, "lost": policy.lost}
        title = {"zh": policy.zh, "en": policy.en}
        yield Row("machine", name, {**verdicts, **plain(policy, silent)}, "", False, "", title)


def _values(ruleset: Ruleset) -> Iterator[Row]:
    for section in ruleset.__struct_fields__:
        part = getattr(ruleset, section)
        if not isinstance(part, Section):
            continue
        for field in part.__struct_fields__:
            rule = getattr(part, field)
            if isinstance(rule, Rule):
                value = msgspec.json.decode(msgspec.json.encode(rule.value))
                yield Row(section, field, value, rule.rule, rule.provisional, rule.setting)
            elif isinstance(part, Articles):
                yield Row(section, field, None, rule, False, "")
