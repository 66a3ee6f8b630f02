"""Where in a TOML text each key and value stands: line and column.

``tomllib`` forgets positions once it has parsed. This reads the same text again, and only that: it expects a
text ``tomllib`` has accepted, so it checks nothing.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

Path = tuple[str | int, ...]  # ("device", 0, "port")


class Place(NamedTuple):
    """Line and column, both from 1; column 0 is not known."""

    line: int
    column: int = 0


_SPACE = re.compile(r"[ \t]*")
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")  # also over comments and line ends
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_TEXT = re.compile(
    r'"""(?:\\.|(?!""").)*"{3,5}'
    r"|'''(?:(?!''').)*'{3,5}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'",
    re.DOTALL,
)
_PLAIN = re.compile(r"[^,\]}\r\n#]+")  # numbers, dates, booleans


def places_of(text: str) -> dict[Path, Place]:
    """Where every table, key and array item begins; ``()`` is the first line."""
    return _Scanner(text).run()


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.places: dict[Path, Place] = {(): Place(1)}
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.last_item: dict[Path, int] = {}  # of each [[array of tables]]

    def run(self) -> dict[Path, Place]:
        table: Path = ()
        while self.skip(_BLANK) < len(self.text):
            if self.take("[["):
                table = self.new_item(self.skip(_SPACE), self.key())
                self.take("]]")
            elif self.take("["):
                at = self.skip(_SPACE)
                table = self.resolve(self.key())
                self.note(table, at)
                self.take("]")
            else:
                self.pair(table)
        return self.places

    def note(self, path: Path, at: int) -> None:
        """This place for the path and for those of its parents that have none yet."""
        line = bisect_right(self.starts, at)
        place = Place(line, at - self.starts[line - 1] + 1)
        for length in range(1, len(path) + 1):
            self.places.setdefault(path[:length], place)

    def resolve(self, parts: Iterable[str]) -> Path:
        """A header's key as a path: inside an array of tables it means the last item."""
        path: Path = ()
        for part in parts:
            path += (part,)
            if path in self.last_item:
                path += (self.last_item[path],)
        return path

    def new_item(self, at: int, parts: list[str]) -> Path:
        array = (*self.resolve(parts[:-1]), parts[-1])
        self.last_item[array] = self.last_item.get(array, -1) + 1
        path = (*array, self.last_item[array])
        self.note(path, at)
        return path

    def pair(self, table: Path) -> None:
        at = self.skip(_SPACE)
        path = (*table, *self.key())
        self.note(path, at)
        self.take("=")
        self.skip(_SPACE)
        self.value(path)

    def value(self, path: Path) -> None:
        if self.take("["):
            index = 0
            while not self.take("]", _BLANK):
                self.note((*path, index), self.at)
                self.value((*path, index))
                self.take(",", _BLANK)
                index += 1
        elif self.take("{"):
            while not self.take("}", _BLANK):
                self.pair(path)
                self.take(",", _BLANK)
        elif not self.match(_TEXT):
            self.match(_PLAIN)

    def key(self) -> list[str]:
        parts = []
        while True:
            self.skip(_SPACE)
            quoted = self.match(_TEXT)
            parts.append(tomllib.loads(f"k = {quoted}")["k"] if quoted else self.match(_BARE_KEY))
            if not self.take("."):
                return parts

    def take(self, mark: str, before: re.Pattern[str] = _SPACE) -> bool:
        """Step over the mark if it comes next, blanks aside."""
        self.skip(before)
        found = self.text.startswith(mark, self.at)
        if found:
            self.at += len(mark)
        return found

    def match(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found.group()

    def skip(self, pattern: re.Pattern[str]) -> int:
        self.match(pattern)
        return self.at
