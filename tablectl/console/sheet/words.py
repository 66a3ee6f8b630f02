"""The words of a sheet in one language or both: a label, a sentence, a name that has both."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tablectl.locale.catalog import known, text
from tablectl.rules.articles import articles

BOTH = "both"
CHOICES = {BOTH: ("zh-Hans", "en"), "zh": ("zh-Hans",), "en": ("en",)}
PERCENT = 100


class Words:
    """What a sheet says, in each of its languages."""

    def __init__(self, choice: str) -> None:
        self.languages = CHOICES[choice]

    def label(self, key: str, /, **data: Any) -> str:
        """A few words: the languages side by side."""
        return " ".join(dict.fromkeys(text(key, lang, **data) for lang in self.languages))

    def sentence(self, key: str, /, **data: Any) -> str:
        """A sentence: one language after the other."""
        return " / ".join(dict.fromkeys(text(key, lang, **data) for lang in self.languages))

    def name(self, named: Mapping[str, Any]) -> str:
        """Something with a ``zh`` and an ``en`` name: a fan, a rule system."""
        return " ".join(str(named["zh" if lang.startswith("zh") else "en"]) for lang in self.languages)

    def article(self, rule: str) -> str:
        """What a rule is about, behind its id."""
        article = articles().get(rule)
        if article is None:
            return rule
        return f"{rule}: " + " / ".join(article.text(lang) for lang in self.languages)

    def reason(self, reason: str) -> str:
        """What somebody gave as reason, or the sentence of a key the record holds in its place."""
        return self.sentence(reason) if known(reason) else reason


def signed(points: int) -> str:
    """Points with their sign; nothing changes hands is 0."""
    return f"{points:+d}".replace("-", "−") if points else "0"


def parts(number: int, per: int) -> str:
    """Standard points that are counted in parts: ``4``, ``0.5``, ``−8.94``, ``7/3``."""
    worth = Fraction(number, per)
    sign, size = ("−" if worth < 0 else ""), abs(worth)
    if size.denominator == 1:
        return f"{sign}{size.numerator}"
    if PERCENT % size.denominator:
        return f"{sign}{size.numerator}/{size.denominator}"
    whole, rest = divmod(size.numerator * PERCENT // size.denominator, PERCENT)
    return f"{sign}{whole}." + f"{rest:02}".rstrip("0")
