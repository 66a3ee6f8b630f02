"""The building blocks of a ruleset: a value with its article, and a section of such values."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")


class Rule(msgspec.Struct, Generic[T], frozen=True, forbid_unknown_fields=True):
    """One value and the rule that gives it."""

    value: T
    rule: str
    provisional: bool = False
    setting: str = ""  # the named setting of the rule file (`mcr.break`), where there is one


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the sections of a ruleset."""
