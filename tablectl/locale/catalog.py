"""The texts a person sees: one key a text, one file a language, never an exception on the way to a screen.

A language file is TOML of one flat dotted key a line (``event.held = "…"``), read here line by line because
a start of the command line has no time for a TOML parser; a test compares both. A value is a ``str.format``
template. A placeholder may name the family its value belongs to: ``{fault:fault}`` shows the text
``fault.<value>``, ``{side:seat}`` a seat (a letter) or a side (a number), ``{spent:us}`` µs as seconds.
A value that is itself a key is shown as its text, filled from ``facts`` where the data has some. What is
missing shows as its own name.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

LANGUAGES: Final = ("en", "zh-Hans")
FALLBACK: Final = "en"
_loaded: dict[str, dict[str, str]] = {}


def text(key: str, lang: str, /, **data: Any) -> str:
    """The sentence ``key`` names, filled with ``data``; the key itself where there is none."""
    template = _find(key, lang)
    if template is None:
        return key
    try:
        return template.format_map(_Fields(data, lang)).rstrip()
    except (ValueError, LookupError, AttributeError, TypeError):
        return template


def known(key: str) -> bool:
    """True if the key has a text."""
    return _find(key, FALLBACK) is not None


def keys(lang: str) -> Mapping[str, str]:
    """Every key of a language and its template."""
    if lang not in _loaded:
        path = os.path.join(os.path.dirname(__file__), f"{lang}.toml")
        with open(path, encoding="utf-8") as file:
            _loaded[lang] = read_flat(file.read())
    return _loaded[lang]


def read_flat(content: str) -> dict[str, str]:
    """The keys of a language file: ``key = "value"`` lines, comments and blank lines."""
    result: dict[str, str] = {}
    for line in content.splitlines():
        key, equals, value = line.partition(" = ")
        if not equals or line.startswith("#"):
            continue
        value = value.strip()[1:-1]
        if "\\" in value:
            value = value.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")
        result[key.strip()] = value
    return result


def language(asked: str = "", environ: Mapping[str, str] = os.environ) -> str:
    """The language to speak: what was asked for, $TABLECTL_LANG, or the locale's; English otherwise. A
    language of $TABLECTL_LANG that is not spoken here counts as none."""
    if asked:
        return match(asked) or FALLBACK
    if chosen := match(environ.get("TABLECTL_LANG", "")):
        return chosen
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(variable):
            return match(environ[variable]) or FALLBACK
    return FALLBACK


def is_chosen(asked: str = "", environ: Mapping[str, str] = os.environ) -> bool:
    """True if somebody asked `tablectl` for a language, rather than the computer for its locale."""
    return bool(asked or match(environ.get("TABLECTL_LANG", "")))


def match(name: str) -> str:
    """The language a locale name (``zh_CN.UTF-8``, ``zh-Hans``, ``EN``) asks for, or ''."""
    short = name.replace("_", "-").lower()
    return next((lang for lang in LANGUAGES if short[:2] == lang[:2] and not short[2:3].isalpha()), "")


def _find(key: str, lang: str) -> str | None:
    found = keys(lang if lang in LANGUAGES else FALLBACK).get(key)
    return keys(FALLBACK).get(key) if found is None else found


class _Fields(dict[str, "_Value"]):
    """The fields of a template: absent ones show their own name."""

    def __init__(self, data: Mapping[str, Any], lang: str) -> None:
        super().__init__((name, _Value(value, lang, data)) for name, value in data.items())

    def __missing__(self, name: str) -> _Literal:
        return _Literal("{" + name + "}")


class _Literal(str):
    """A text that ignores every format specification."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return str(self)


class _Value:
    """One field, shown as the family its placeholder names."""

    __slots__ = ("data", "lang", "value")

    def __init__(self, value: Any, lang: str, data: Mapping[str, Any]) -> None:
        self.value = value
        self.lang = lang
        self.data = data

    def __format__(self, family: str) -> str:
        value = self.value
        if isinstance(value, list | tuple):
            return " ".join(format(_Value(item, self.lang, self.data), family) for item in value)
        if value is None:
            return "–"
        if family == "us" and isinstance(value, int):
            return f"{value / 1_000_000:.1f}"
        if family == "seat" and isinstance(value, int):
            family = "side"
        if family and (found := _find(f"{family}.{value}", self.lang)) is not None:
            return found
        if isinstance(value, str) and "." in value and _find(value, self.lang) is not None:
            facts = self.data.get("facts")
            fields = {**self.data, **(facts if isinstance(facts, Mapping) else {})}
            return text(value, self.lang, **{k: v for k, v in fields.items() if v != value})
        return str(value)
