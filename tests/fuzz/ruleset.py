"""A club's own ruleset beside the packed ones."""

from __future__ import annotations

from tablectl.rules.book import load_book
from tablectl.rules.data import RULESETS, read
from tablectl.tomlfile import TomlError


def one(data: bytes) -> None:
    """A book with one ruleset more, or the line of the mistake."""
    text = data.decode("utf-8", "replace")
    try:
        book = load_book([("club.toml", text)])
    except TomlError as error:
        assert error.line >= 1
        assert str(error)
    else:
        assert len(book) == len(RULESETS) + 1
        assert all(len(book.hash(id_)) == 64 for id_ in book)


def seeds() -> list[bytes]:
    """Variants of the packed ones, and the packed ones under another name."""
    whole = [read(name).replace('id = "', 'id = "club-', 1).encode() for name in RULESETS]
    small = [
        b'id = "club"\nextends = "mcr"\n[claims]\nwindow_s = 5\n',
        b'id = "club"\nextends = "mcr"\n[wall]\ntiles = {value = 136, rule = "MCR-W1"}\n',
        b'id = "club"\nextends = "club"\n',
    ]
    return [*small, *whole]
