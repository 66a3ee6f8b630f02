"""Where a score sheet comes from: a journal alone, or a running daemon.

A journal is checked before it is believed, and every hand of it is played again: what comes out is the sheet
of what was recorded, whoever prints it.
"""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import Any

from tablectl.api.errors import BadArgument
from tablectl.console.width import clean
from tablectl.daemon import history, rerun
from tablectl.daemon.record import Flaw, Verdict, read_line, read_lines
from tablectl.daemon.recovery import refuse_irregular
from tablectl.game import sheet
from tablectl.rules.book import RuleBook, load_book

JOURNAL = "journal.jsonl"


class JournalUnfit(Exception):
    """A journal no sheet is made of; ``verdict`` says what is wrong with it."""

    def __init__(self, path: str, verdict: Verdict) -> None:
        super().__init__(path)
        self.path = path
        self.verdict = verdict


class NoSession(Exception):
    """There is no session in the record."""


def of_daemon(socket: str, *, hand: int = 0, stage: int = 0) -> dict[str, Any]:
    """The sheet of the session a daemon runs, or ran last. Raises ``ApiError``."""
    from tablectl.api.blocking import Caller
    from tablectl.api.registry import BY_NAME
    from tablectl.console.socket_path import find_socket

    args = {name: value for name, value in (("hand", hand), ("stage", stage)) if value}
    path = find_socket(socket, os.environ)
    with Caller(path, actor=(os.environ.get("USER") or "local"), role="anyone") as caller:
        answer = caller.ask(BY_NAME["session sheet"], args)
        found = answer.get("sheet")
        if not isinstance(found, dict):
            raise caller.stranger()
    if not found.get("players"):
        raise NoSession
    return found


def of_journal(asked: str, *, hand: int = 0, stage: int = 0, book: RuleBook | None = None) -> dict[str, Any]:
    """The sheet of the newest session of a journal, a file or the folder it lies in.

    A last line that is cut off, or still being written, is left out and named. Raises ``BadArgument``,
    ``JournalUnfit``, ``DaemonError``, ``NoSession``.
    """
    path = Path(asked)
    path = path / JOURNAL if path.is_dir() else path
    try:
        refuse_irregular(path)  # it is read twice
        verdict = history.verify(path)
        if not verdict.ok and (verdict.key != Flaw.TORN or not verdict.records):
            raise JournalUnfit(str(path), verdict)
        with path.open("rb") as stream:
            first = read_line(next(read_lines(stream)))
            lines = islice(read_lines(stream), verdict.records - 1)
            replayed = rerun.replay(lines, load_book() if book is None else book)
    except OSError as error:
        raise BadArgument("bad.file", path=clean(str(path)), reason=error.strerror or str(error)) from None
    if not replayed.state.session.players:
        raise NoSession
    name = first.journal.id if first is not None and first.journal is not None else ""
    differs = [difference.n for difference in replayed.differences]
    torn = 0 if verdict.ok else verdict.bad_line or 0
    made = sheet.document(replayed.state, hand=hand, stage=stage)
    return {**made, "record": sheet.mark(name, verdict.head.n, verdict.head.hash, differs, torn)}
