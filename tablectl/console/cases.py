"""``tablectl cases``: the open cases of a table; with a number the sheet a referee rules by.

Exit codes: 0 shown, 2 no such case, 4 no daemon.
"""

from __future__ import annotations

import os
from argparse import Namespace
from typing import Any

from tablectl.api.arguments import MAX_WHO
from tablectl.api.blocking import Caller
from tablectl.api.errors import BadArgument, NoDaemon
from tablectl.api.registry import BY_NAME

from . import terminal
from .case_view import case_lines, sheet
from .sentences import sentence
from .socket_path import find_socket
from .terminal import OK, Terminal
from .view import tidy
from .width import wrap


def main(args: Namespace) -> int:
    """Print the cases, or one. Raises ``BadArgument`` for a case there is not."""
    screen = Terminal(args.lang, plain=args.plain, as_json=args.json, chosen=args.chosen)
    actor = (os.environ.get("USER") or "local")[:MAX_WHO]
    try:
        with Caller(find_socket(args.socket or "", os.environ), actor=actor, role="anyone") as caller:
            answer = caller.ask(BY_NAME["status"], {})
            screen.at(answer.get("house"))
            document: dict[str, Any] = answer["state"]
    except NoDaemon as error:
        screen.complain(f"tablectl: {sentence(error, screen.lang)}")
        return terminal.NO_DAEMON
    return show(document, args.case, screen)


def show(document: dict[str, Any], number: int | None, screen: Terminal) -> int:
    """Print the cases of a state document, or the sheet of one. Raises ``BadArgument``."""
    cases = [case for case in document.get("cases") or [] if number in (None, case["no"])]
    if number is not None and not cases:
        known = ", ".join(str(case["no"]) for case in document.get("cases") or []) or "–"
        raise BadArgument("case_view.no_case", no=number, known=known)
    if screen.as_json:
        screen.json({"cases": cases})
        return OK
    shown = tidy({**document, "cases": cases})
    if number is None:
        lines = [line for line, _ in case_lines(shown, screen.lang)]
        if not lines:
            screen.say("case_view.none")
    else:
        lines = list(sheet(shown["cases"][0], shown, screen.lang))
    for line in lines:
        for part in [line] if screen.plain else wrap(line, screen.width):
            screen.line(part)
    return OK
