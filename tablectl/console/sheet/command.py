"""``tablectl sheet``: the score sheet of a session, from a journal alone or from a running daemon.

Exit codes: 0 done, 1 no sheet can be made of it, 2 no such file or hand, 4 no daemon.
"""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from tablectl.api.errors import NoDaemon
from tablectl.console import terminal
from tablectl.console.sentences import sentence
from tablectl.console.sheet import source
from tablectl.console.sheet.page import page
from tablectl.console.sheet.text import lines
from tablectl.console.sheet.words import BOTH, Words
from tablectl.console.terminal import Terminal
from tablectl.console.width import clean, clean_all
from tablectl.daemon.errors import DaemonError
from tablectl.locale.catalog import language, text


def main(args: Namespace) -> int:
    """Print the sheet, or write it to a file. Returns the exit code."""
    choice = args.lang or BOTH
    lang = language("" if choice == BOTH else choice)
    screen = Terminal(lang, plain=args.plain, as_json=args.json)
    try:
        sheet = _found(args)
    except source.JournalUnfit as unfit:
        reason = text(unfit.verdict.key, lang, **clean_all(unfit.verdict.data))
        screen.complain("tablectl: " + text("journal.bad", lang, path=clean(unfit.path), reason=reason))
        return terminal.FAILED
    except source.NoSession:
        screen.complain("tablectl: " + text("paper.no_session", lang))
        return terminal.FAILED
    except NoDaemon as error:
        screen.complain(f"tablectl: {sentence(error, lang)} {text('paper.or_journal', lang)}")
        return terminal.NO_DAEMON
    except DaemonError as error:
        screen.complain(f"tablectl: {sentence(error, lang)}")
        return terminal.FAILED
    for line in lines(page(sheet, Words(choice)), screen.width):
        screen.line(line)
    return terminal.OK


def _found(args: Namespace) -> dict[str, Any]:
    hand, stage = args.hand or 0, args.stage or 0
    if args.journal is None:
        return source.of_daemon(args.socket or "", hand=hand, stage=stage)
    return source.of_journal(args.journal, hand=hand, stage=stage)
