"""``tablectl score``: a hand told in words, or a file of them, before the judge of a rule system."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from tablectl.api.arguments import one_of
from tablectl.api.errors import BadArgument
from tablectl.locale.catalog import LANGUAGES, known, text
from tablectl.rules import systems
from tablectl.rules.book import load_book
from tablectl.rules.errors import HandError
from tablectl.rules.model import Ruleset
from tablectl.rules.scoring.asked import Asked
from tablectl.rules.scoring.choices import changed
from tablectl.rules.scoring.lines import answer
from tablectl.rules.scoring.plain import plain

from .score_lines import sheet
from .terminal import OK, REFUSED, Terminal
from .width import clean

STANDARD_INPUT = "-"
OPTIONS = Asked.__struct_encode_fields__


def main(args: Namespace) -> int:
    """Print what the hand is worth, or answer every line of the file. Returns the exit code."""
    terminal = Terminal(args.lang, plain=args.plain, as_json=args.json)
    book = load_book()
    given = _given(args)
    if args.rules is not None and args.rules not in book:
        raise one_of(args.rules, book, "bad.rules")
    if args.batch is not None:
        if args.tiles is not None:
            raise BadArgument("bad.extra_word", command="score", given=clean(args.tiles))
        return _batch(args.batch, book, given, args.explain, terminal)
    for name in ("rules", "tiles"):
        if name not in given:
            raise BadArgument(
                "bad.missing", command="score", argument="tiles" if name == "tiles" else "--rules"
            )
    return _one(msgspec.convert(given, Asked), book, args.explain, terminal)


def sentence(error: HandError, lang: str) -> str:
    """Why a hand is refused: which tile, which circumstance, and what to do."""
    key = error.key if "." in error.key else f"hand.{error.key}"
    return clean(text(key, lang, **error.data) if known(key) else str(error))


def _one(asked: Asked, book: Mapping[str, Ruleset], explain: bool, terminal: Terminal) -> int:
    try:
        rules = changed(book[asked.rules], asked.settings)
        verdict = systems.score(asked, rules)
    except HandError as error:
        if terminal.as_json:
            terminal.json(_refused(error))
        else:
            terminal.complain(f"tablectl: {sentence(error, terminal.lang)}")
        return REFUSED
    if terminal.as_json:
        terminal.json(plain(verdict, rules, explain=explain))
        return OK
    for line in sheet(verdict, rules, terminal, explain=explain):
        terminal.line(clean(line))
    return OK


def _batch(
    path: str, book: Mapping[str, Ruleset], given: Mapping[str, Any], explain: bool, terminal: Terminal
) -> int:
    """An object a line, in order; what is wrong with a line is its answer, and the rest goes on."""
    for line in _lines(path):
        terminal.json(_answered(line, book, given, explain))
    return OK


def _lines(path: str) -> Iterator[bytes]:
    try:
        if path == STANDARD_INPUT:
            yield from sys.stdin.buffer
            return
        with Path(path).open("rb") as file:
            yield from file
    except OSError as error:
        raise BadArgument("bad.file", path=path, reason=error.strerror or str(error)) from error


def _answered(
    line: bytes, book: Mapping[str, Ruleset], given: Mapping[str, Any], explain: bool
) -> dict[str, Any]:
    try:
        read = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        return _refused(HandError("line.json", f"the line is no JSON: {error}", reason=str(error)))
    try:
        return answer(read, book, given, explain=explain)
    except HandError as error:
        return _refused(error)


def _refused(error: HandError) -> dict[str, Any]:
    return {"error": error.key, "text": {lang: sentence(error, lang) for lang in LANGUAGES}}


def _given(args: Namespace) -> dict[str, Any]:
    """What the command line says of a hand, by the names of `Asked`."""
    told = {name: getattr(args, name) for name in OPTIONS if getattr(args, name, None)}
    if "chips" in told:
        told["chips"] = _chips(told["chips"])
    return told


def _chips(written: str) -> tuple[int, ...]:
    numbers = written.replace(",", " ").split()
    if len(numbers) != len("ESWN") or not all(one.isdecimal() and len(one) < 9 for one in numbers):
        raise BadArgument("bad.chips", given=clean(written))
    return tuple(map(int, numbers))
