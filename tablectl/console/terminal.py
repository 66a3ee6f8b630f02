"""What leaves the command line: harmless, in whatever the terminal can show, without a traceback.

Exit codes: 0 done, 2 usage, 3 refused, 4 no daemon, 5 no table, 6 waits for another person; 130 and 141 as
a shell reports Ctrl-C and a reader that went away.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import unicodedata
from typing import Any, Literal, TextIO

from tablectl.locale import catalog

OK, FAILED, USAGE, REFUSED, NO_DAEMON, NO_TABLE, PENDING = 0, 1, 2, 3, 4, 5, 6
INTERRUPTED, NO_READER = 130, 141
OUTPUT_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
NARROWEST = 80
LOWEST = 10
MOST_CELLS = 1000  # columns or rows: what the environment says beyond these is no terminal


class UsageError(Exception):
    """The command line cannot be understood; the sentence says why, in the language asked for."""


class Terminal:
    """Where a command prints, and how: language, colour, plain or JSON.

    ``chosen``: whoever sits here asked for this language. Else it speaks the table's.
    """

    def __init__(
        self, lang: str, *, plain: bool = False, as_json: bool = False, chosen: bool = False
    ) -> None:
        self.lang = lang
        self._chosen = chosen
        self.plain = plain
        self.as_json = as_json
        self.color = not plain and sys.stdout.isatty() and not os.environ.get("NO_COLOR")

    def at(self, house: Any) -> None:
        """Stand at a table: what its daemon says of the house."""
        language = house.get("language") if isinstance(house, dict) else None
        if language in catalog.LANGUAGES and not self._chosen:
            self.lang = language

    @property
    def width(self) -> int:
        """Columns of the terminal."""
        import shutil

        return min(max(NARROWEST, shutil.get_terminal_size((NARROWEST, 24)).columns), MOST_CELLS)

    @property
    def height(self) -> int:
        """Rows of the terminal."""
        import shutil

        return min(max(LOWEST, shutil.get_terminal_size((NARROWEST, 24)).lines), MOST_CELLS)

    @property
    def is_screen(self) -> bool:
        """True if it can be redrawn."""
        return not self.plain and sys.stdout.isatty()

    def say(self, key: str, /, **data: Any) -> None:
        """Print a sentence."""
        self.line(catalog.text(key, self.lang, **data))

    def line(self, text: str) -> None:
        """Print a line whose parts are clean already."""
        print(text, flush=True)

    def complain(self, text: str) -> None:
        """Print a sentence about what went wrong."""
        print(text, file=sys.stderr, flush=True)

    def json(self, value: Any) -> None:
        """Print a value as one line of JSON."""
        self.line(json_text(value, utf8="utf" in (sys.stdout.encoding or "").lower()))


def json_text(value: Any, *, utf8: bool = True) -> str:
    """JSON whose strings carry no control or bidirectional characters, not even unescaped C1 ones."""
    import json

    text = json.dumps(value, ensure_ascii=not utf8)
    if text.isascii():
        return text
    return "".join(
        char if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") else f"\\u{ord(char):04x}"
        for char in text
    )


def prepare_streams() -> None:
    """What a terminal cannot show is replaced instead of ending the program; a closed stream is empty."""
    sys.stdin = sys.stdin or _nothing("r")  # in this order: each takes the place of the one that is closed
    sys.stdout = sys.stdout or _nothing("w")
    sys.stderr = sys.stderr or _nothing("w")
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _nothing(mode: Literal["r", "w"]) -> TextIO:
    return open(os.devnull, mode, encoding="utf-8")


def reader_gone() -> int:
    """The reader of our output went away: stay silent until the end. Returns the exit code."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return NO_READER


def cannot_write(error: OSError, lang: str) -> int:
    """The output has no room or no device any more: say so once. Returns the exit code."""
    reader_gone()
    with contextlib.suppress(OSError):
        reason = os.strerror(error.errno or 0)
        print(f"tablectl: {catalog.text('error.output', lang, reason=reason)}", file=sys.stderr, flush=True)
    return FAILED
