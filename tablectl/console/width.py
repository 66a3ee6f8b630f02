"""How wide a text is on a terminal, and texts made harmless for one.

A Chinese character takes two cells, a combining mark none; padding by ``len`` would break every column.
Text from people and boards is data: control and bidirectional characters are shown as symbols, never sent.
"""

from __future__ import annotations

import unicodedata
from typing import Any

CONTROL_PICTURES = 0x2400  # ␀ ␁ … for U+0000…
DELETE = 0x7F
REPLACEMENT = "\ufffd"
JOINERS = "\u200c\u200d"  # needed to write Persian, Hindi and emoji; they move nothing


def cells(text: str) -> int:
    """The terminal cells a text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_cells_of, text))


def _cells_of(char: str) -> int:
    if unicodedata.east_asian_width(char) in "WF":
        return 2
    return 0 if unicodedata.category(char) in ("Mn", "Me", "Cf") else 1


def clip(text: str, width: int) -> str:
    """At most ``width`` cells of a text; a cut one ends with …"""
    if cells(text) <= width:
        return text
    result, used = "", 0
    for char in text:
        used += _cells_of(char)
        if used > width - 1:
            break
        result += char
    return result + "…" if width > 0 else ""


def pad(text: str, width: int, align: str = "<") -> str:
    """Exactly ``width`` cells: clipped or filled, left (``<``), right (``>``) or centred (``^``)."""
    text = clip(text, width)
    room = width - cells(text)
    if align == ">":
        return " " * room + text
    if align == "^":
        return " " * (room // 2) + text + " " * (room - room // 2)
    return text + " " * room


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most ``width`` cells; broken at spaces, and anywhere between wide characters."""
    lines, line = [], ""
    for word in _words(text):
        if line and cells(line + word.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += word
    return [*lines, line.rstrip()]


def _words(text: str) -> list[str]:
    words: list[str] = [""]
    for char in text:
        if _cells_of(char) == 2:
            words += [char, ""]
        else:
            words[-1] += char
            if char == " ":
                words.append("")
    return [word for word in words if word]


def clean(text: str) -> str:
    """A text that moves no cursor, changes no colour, turns no direction and has one line."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_clean_char, text))


def _clean_char(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(CONTROL_PICTURES + code)
    if code == DELETE:
        return "␡"
    if char in JOINERS or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
        return char
    return REPLACEMENT


def clean_all(value: Any) -> Any:
    """The same structure with every text in it cleaned."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(str(key)): clean_all(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean_all(item) for item in value]
    return value
