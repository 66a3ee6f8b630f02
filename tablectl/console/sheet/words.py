"""The words of a sheet in one language or both: a label, a sentence, a name that has both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablectl.console.figures import group
from tablectl.locale.catalog import known, text
from tablectl.rules.articles import articles

BOTH = "both"
CHOICES = {BOTH: ("zh-Hans", "en"), "zh": ("zh-Hans",), "en": ("en",)}


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

    def tiles(self, tiles: list[str]) -> str:
        """A set of tiles; side by side the languages share the letters."""
        return group(tiles, self.languages[-1])

    def name(self, named: Mapping[str, Any]) -> str:
        """Something with a ``zh`` and an ``en`` name: a fan, a rule system."""
        return " ".join(str(named["zh" if lang.startswith("zh") else "en"]) for lang in self.languages)

    def article(self, rule: str) -> str:
        """What a rule is about, behind its id."""
        article = articles().get(rule)
        if article is None:
            return rule
        return f"{rule}: " + " / ".join(article.text(lang) for lang in self.languages)

    def why(self, entry: Mapping[str, Any]) -> str:
        """Why an entry is there: the ruling it is of, else the reason somebody gave."""
        ruling = entry.get("ruling")
        if not ruling:
            return self.reason(entry["reason"])
        what = " ".join(part for part in (ruling["rule"], self.name(ruling)) if part)
        said = self.sentence("paper.ruling", case=ruling["case"], what=what)
        return f"{said} ({self.reason(ruling['reason'])})" if ruling["reason"] else said

    def reason(self, reason: str) -> str:
        """What somebody gave as reason, or the sentence of a key the record holds in its place."""
        return self.sentence(reason) if known(reason) else reason
