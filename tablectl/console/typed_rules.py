"""A rule system as somebody types it: by its id, or by the file of a house ruleset."""

from __future__ import annotations

from pathlib import Path

from tablectl.api.arguments import one_of, shown
from tablectl.api.errors import BadArgument
from tablectl.rules.book import RuleBook, load_book
from tablectl.rules.model import Ruleset
from tablectl.tomlfile import Document, TomlError

from .sentences import sentence

ENDING = ".toml"


class BadRulesFile(BadArgument):
    """What is wrong with a house ruleset, with its line."""

    def __init__(self, wrong: TomlError) -> None:
        super().__init__(wrong.key)
        self.wrong = wrong

    def text(self, lang: str) -> str:
        """The sentence in one language."""
        return sentence(self.wrong, lang)


def typed(word: str) -> Ruleset:
    """The ruleset of an id or file. Raises `BadArgument`, with the nearest id or the line that is wrong."""
    if word.endswith(ENDING) or "/" in word:
        book, id_ = house(word)
        return book[id_]
    book = load_book()
    if word not in book:
        beside = _file_beside(word)
        if beside:
            raise BadArgument("bad.rules_beside", given=shown(word), valid=" ".join(book), path=shown(beside))
        raise one_of(word, book, "bad.rules")
    return book[word]


def _file_beside(word: str) -> str:
    """How to write the file of this folder somebody may have meant by an id that is none; "" without one."""
    if Path(word).is_file():
        return f"./{word}"
    return word + ENDING if Path(word + ENDING).is_file() else ""


def book_with(path: str | None) -> RuleBook:
    """All rulesets, together with that of a file if there is one. Raises `BadArgument`."""
    return load_book() if path is None else house(path)[0]


def house(path: str) -> tuple[RuleBook, str]:
    """All rulesets together with that of a file, and its id. Raises `BadArgument`."""
    try:
        if Path(path).exists() and not Path(path).is_file():  # a pipe would keep us waiting for ever
            raise BadArgument("bad.no_file", path=path)
        content = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 + error.object[: error.start].count(b"\n")
        raise BadArgument("config.not_text", path=path, line=line) from error
    except OSError as error:
        raise BadArgument("bad.file", path=path, reason=error.strerror or str(error)) from error
    try:
        return load_book([(path, content)]), str(Document(content, path).data["id"])
    except TomlError as error:
        raise BadRulesFile(error) from error
