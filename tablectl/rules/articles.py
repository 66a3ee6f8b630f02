"""What each rule is about, in a line: the articles a screen shows beside a number, a refusal, a penalty.

The wording is the product's own and binds nobody; the rule books do.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from tablectl.rules.data import ARTICLES, read
from tablectl.tomlfile import load


class Article(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule by its id. ``note`` marks one that says nothing about what happens at a table."""

    en: str
    zh: str
    note: bool = False

    def text(self, lang: str) -> str:
        """The line in a language."""
        return self.zh if lang.startswith("zh") else self.en


@cache
def articles() -> Mapping[str, Article]:
    """Every rule of the four systems by its id, in the order of the books."""
    return load(read(ARTICLES), dict[str, Article], ARTICLES)


def kind(id_: str) -> str:
    """The letter that says what a rule is about: ``W`` in ``ZJ-W4``."""
    return id_.partition("-")[2][:1]
