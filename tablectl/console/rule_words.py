"""Values of a ruleset as people read them: yes and no, seconds, winds, tiles, ladders; no program's words.

A word of a closed set has a text of its own, ``value.<field>.<word>`` or, where sections
differ, ``value.<section>.<field>.<word>``; so has a number that means something
else than an amount, as a limit of 0 that is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tablectl.locale.catalog import known, text
from tablectl.rules.show import Row

from . import penalty_words

SEPARATOR = {"en": ", ", "zh-Hans": "、"}
COLON = {"en": ": ", "zh-Hans": "："}
MINUTE, HOUR = 60, 3600

Words = Callable[[str, Any, str], str]  # section.field, value, language


def what(row: Row, lang: str) -> str:
    """What a row is about, in a few words."""
    if row.title:
        return row.title["zh" if lang.startswith("zh") else "en"]
    return text(f"rules.{row.section}.{row.field}", lang)


def shown(row: Row, lang: str) -> str:
    """The value of a row; '' where the row has none."""
    if row.value is None:
        return ""
    if row.section == "offences":
        return penalty_words.offence(row.value, lang)
    if row.section == "machine":
        return penalty_words.policy(row.value, lang)
    return _value(f"{row.section}.{row.field}", row.value, lang)


def _value(field: str, value: Any, lang: str) -> str:
    if isinstance(value, bool):
        return text(f"value.bool.{'true' if value else 'false'}", lang)
    if value in ([], {}):
        return _word(field, "empty", lang) or text("value.list.empty", lang)
    if (form := FORMS.get(field.partition(".")[2])) is not None:
        return form(field, value, lang)
    if isinstance(value, list):
        return _join((_value(field, item, lang) for item in value), lang)
    if isinstance(value, dict):
        return _join((f"{_word(field, name, lang) or name} {item}" for name, item in value.items()), lang)
    return _word(field, value, lang) or (_time(value, lang) if field.endswith("_s") else str(value))


def _word(field: str, value: Any, lang: str) -> str:
    """The word's own text, looked for under ``section.field`` and then under ``field``; '' without one."""
    for key in (f"value.{field}.{value}", f"value.{field.partition('.')[2] or field}.{value}"):
        if known(key):
            return text(key, lang)
    return ""


def _join(parts: Iterable[str], lang: str) -> str:
    return SEPARATOR.get(lang, ", ").join(parts)


def _time(seconds: int, lang: str) -> str:
    for unit, size in (("hours", HOUR), ("minutes", MINUTE)):
        if seconds and seconds % size == 0:
            return text(f"unit.{unit}", lang, number=seconds // size)
    return text("unit.seconds", lang, number=seconds)


def _of_family(family: str) -> Words:
    return lambda _, value, lang: _join((text(f"{family}.{item}", lang) for item in value), lang)


def _tiles(_: str, value: Any, lang: str) -> str:
    return _join((_word("tile", item, lang) or text(f"tile.{item}", lang) for item in value), lang)


def _ranks(_: str, value: Any, lang: str) -> str:
    return " > ".join(_join((text(f"word.{word}", lang) for word in group), lang) for group in value)


def _chips(_: str, value: Any, lang: str) -> str:
    return _join((text("unit.of", lang, count=count, worth=worth) for worth, count in value), lang)


def _changes(_: str, value: Any, lang: str) -> str:
    def change(moves: dict[str, str]) -> str:
        pairs = (f"{text(f'wind.{old}', lang)}→{text(f'wind.{new}', lang)}" for old, new in moves.items())
        return _join(pairs, lang)

    return "; ".join(map(change, value))


def _counted(unit: str) -> Words:
    return lambda field, value, lang: _word(field, value, lang) or text(f"unit.{unit}", lang, number=value)


FORMS: dict[str, Words] = {
    "words": _of_family("word"),
    "draw_closes": _of_family("word"),
    "claim_reopens": _of_family("word"),
    "last_discard": _of_family("word"),
    "robbable": _of_family("word"),
    "rounds": _of_family("wind"),
    "priority": _ranks,
    "unclaimable": _tiles,
    "single": _tiles,
    "forbidden": _tiles,
    "chips": _chips,
    "seat_changes": _changes,
    "redraw_after": _counted("hands"),
    "break_after": _counted("round"),
}
