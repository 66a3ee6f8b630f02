"""``tablectl sheet``: the score sheet of a session, from a journal alone or from a running daemon.

Exit codes: 0 done, 1 no sheet can be made of it, 2 no such file, hand or stage, 4 no daemon.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tablectl.api.errors import BadArgument, NoDaemon
from tablectl.console import terminal
from tablectl.console.sentences import sentence
from tablectl.console.sheet import source, table
from tablectl.console.sheet.page import page
from tablectl.console.sheet.text import lines
from tablectl.console.sheet.words import BOTH, Words
from tablectl.console.terminal import Terminal, json_text
from tablectl.console.typed_rules import book_with
from tablectl.console.width import clean, clean_all
from tablectl.daemon.errors import DaemonError
from tablectl.locale.catalog import language, text

Sheet = Mapping[str, Any]


def main(args: Namespace) -> int:
    """Print the sheet, or write it to a file. Returns the exit code."""
    choice = args.lang or BOTH
    lang = language("" if choice == BOTH else choice)
    screen = Terminal(lang, plain=args.plain, as_json=args.json)
    try:
        sheet = _found(args)
    except source.JournalUnfit as unfit:
        reason = text(unfit.verdict.key, lang, **clean_all(unfit.verdict.data))
        return _failed(text("journal.bad", lang, path=clean(unfit.path), reason=reason), screen)
    except source.NoSession:
        return _failed(text("paper.no_session", lang), screen)
    except NoDaemon as error:
        _failed(f"{sentence(error, lang)} {text('paper.or_journal', lang)}", screen)
        return terminal.NO_DAEMON
    except DaemonError as error:
        return _failed(sentence(error, lang), screen)
    if line := sheet["record"].get("torn"):
        screen.complain(f"tablectl: {text('paper.torn', lang, line=line)}")
    if (args.hand or args.stage) and not sheet["hands"]:
        raise BadArgument("paper.no_hand", hand=args.hand or "–", stage=args.stage or "–")
    return _made(sheet, "json" if args.json else args.format, args.out, Words(choice), screen)


def show(sheet: Sheet, screen: Terminal) -> int:
    """Print the sheet a daemon has made. Returns the exit code."""
    if not sheet.get("players"):
        return _failed(text("paper.no_session", screen.lang), screen)
    return _made(sheet, "json" if screen.as_json else "text", None, Words(BOTH), screen)


def _made(sheet: Sheet, form: str, out: str | None, words: Words, screen: Terminal) -> int:
    """Draw the sheet in one of its forms, on the screen or into a file."""
    if form == "text" and out is None:
        for line in lines(page(sheet, words), screen.width):
            screen.line(line)
        return terminal.OK
    try:
        data = _drawn(sheet, form, words, screen)
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("reportlab"):
            raise
        return _failed(text("paper.no_reportlab", screen.lang), screen)
    if out is not None:
        try:
            Path(out).write_bytes(data)
        except OSError as error:
            raise BadArgument(
                "bad.unwritable", path=clean(out), reason=error.strerror or str(error)
            ) from None
        screen.say("paper.written", path=clean(out))
    elif form == "pdf" and sys.stdout.isatty():
        return _failed(text("paper.pdf_on_screen", screen.lang), screen)
    else:
        sys.stdout.buffer.write(data)
    return terminal.OK


def _drawn(sheet: Sheet, form: str, words: Words, screen: Terminal) -> bytes:
    match form:
        case "json":
            return json_text(sheet).encode() + b"\n"
        case "csv":
            return table.csv_bytes(sheet, words)
        case "pdf":
            from tablectl.console.sheet.pdf import pdf

            return pdf(page(sheet, words))
        case _:
            return "".join(f"{line}\n" for line in lines(page(sheet, words), screen.width)).encode()


def _found(args: Namespace) -> dict[str, Any]:
    hand, stage = args.hand or 0, args.stage or 0
    if args.journal is None:
        return source.of_daemon(args.socket or "", hand=hand, stage=stage)
    return source.of_journal(args.journal, hand=hand, stage=stage, book=book_with(args.rules))


def _failed(said: str, screen: Terminal) -> int:
    screen.complain(f"tablectl: {said}")
    return terminal.FAILED
