"""What SPEC.md requires: each sentence with *must*, under its number.

The sentences are those of ``spec.template.md``, a mark ``{{ATP-R07}}`` in each. What else is known of a
requirement is a row of ``requirements.toml``: whose duty it is, the sentence in Chinese, how the
conformance suite checks it, or why nobody at the other end of a line can.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

HERE = Path(__file__).parent
TEMPLATE = HERE / "spec.template.md"
TABLE = HERE / "requirements.toml"
MARK = re.compile(r"\{\{(ATP-R\d+)\}\}")
MUST = re.compile(r"\bmust\b")
_BREAK = re.compile(r"(?<=[.:])\s+(?=[A-Z*`{])|\n\n+|\n(?=(?:- |\d\. |\|))")  # where a sentence ends
_BULLET = re.compile(r"^(?:- |\d\. )")
_LABEL = re.compile(r"^\*{1,2}[^*]+?[.:]?\*{1,2}:?\s+(?=[A-Z`])")  # of a paragraph
_FILL = re.compile(r"\{\{(\w+)\.(\w+)\}\}")


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement. ``how`` says how it is checked, or why it cannot be; by language."""

    id: str
    of: Literal["board", "host"]
    sentence: dict[str, str]
    how: dict[str, str]
    observed: bool  # from the host's end of a line

    def said(self, lang: str) -> str:
        """The sentence in that language, or in English."""
        return self.sentence.get(lang, self.sentence["en"])

    def checked(self, lang: str) -> str:
        """How it is checked, or why not, in that language or in English."""
        return self.how.get(lang, self.how["en"])


def sentences(template: str) -> list[str]:
    """Every sentence of a template that says *must*, marks included, on one line."""
    prose = re.sub(r"```.*?```", "", template, flags=re.DOTALL)
    found = [" ".join(_BULLET.sub("", piece).split()) for piece in _BREAK.split(prose)]
    return [piece for piece in found if MUST.search(piece)]


def sentence_of(piece: str) -> str:
    """A sentence as a reader sees it: numbers filled in, mark and what follows it left out."""
    from protocols.atp.dictionary import DICTIONARY  # the table itself is read without it

    def number(match: re.Match[str]) -> str:
        return f"{getattr(getattr(DICTIONARY, match[1]), match[2]):g}"

    shown = _FILL.sub(number, piece)
    shown = re.sub(r"\{\{hash\}\}", f"0x{DICTIONARY.hash(DICTIONARY.version):08X}", shown)
    shown = re.sub(r"\{\{version\}\}", str(DICTIONARY.version), shown)
    shown = re.sub(r"\s+([.,:;)])", r"\1", MARK.sub("", shown))
    return _LABEL.sub("", shown).strip().rstrip(":;,")


@cache
def requirements() -> dict[str, Requirement]:
    """All of them by id, in the order of the text. A mark without a row is a ``KeyError``."""
    rows = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    found = {}
    for piece in sentences(TEMPLATE.read_text(encoding="utf-8")):
        for id in MARK.findall(piece):
            row = rows[id]
            found[id] = Requirement(
                id,
                row["of"],
                {"en": sentence_of(piece), "zh-Hans": row["zh"]},
                {"en": row["how"], "zh-Hans": row["how_zh"]},
                row.get("observed", True),
            )
    return found
