"""``tablectl demo``: a table that plays by itself, live over a pty or as fast as it can be computed."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from pathlib import Path
from typing import Any

from sim.errors import PresetError
from sim.seats import Fidelity
from sim.timebase import wall_seconds
from tablectl.api.arguments import one_of
from tablectl.api.errors import ApiError, BadArgument
from tablectl.console.screen import Screen
from tablectl.console.terminal import Terminal
from tablectl.locale import catalog
from tablectl.rehearsal import live, virtual
from tablectl.rehearsal.campaign import whole_session
from tablectl.rehearsal.child import ChildFailedError
from tablectl.rehearsal.incidents.company import Company
from tablectl.rehearsal.incidents.outcome import IncidentsOutcome
from tablectl.rehearsal.incidents.page import page
from tablectl.rehearsal.incidents.schedule import FEWEST
from tablectl.rehearsal.outcome import Outcome, merge
from tablectl.rehearsal.room import Setting, needs_eyes
from tablectl.rehearsal.script import ScriptedHand, ScriptFileError, read_scripts
from tablectl.rehearsal.sheet import ranking, sheet
from tablectl.rehearsal.store import new_folder
from tablectl.rules.book import RuleBook, load_book
from tablectl.rules.ccm.score import CcmScore

MAX = "max"
CHAMPIONSHIP = "championship"  # standard points are those of an event (CJ-F5)
INTERRUPTED = 130
MINUTE_US = 60_000_000


def main(args: argparse.Namespace) -> int:
    """Play, print the record, and return 0 if all went right, else 1; 2 for what cannot be played. Raises
    ``BadArgument``."""
    logging.getLogger("transitions").setLevel(logging.ERROR)
    terminal = Terminal(args.lang, plain=args.plain, as_json=args.json)
    book = load_book()
    if args.rules not in book:
        raise one_of(args.rules, book, "bad.rules")
    if args.session and (args.hands or args.script):
        raise BadArgument("bad.session_plays_all")
    if args.incidents and (args.script or args.fidelity == Fidelity.COUNT):
        terminal.complain(catalog.text("story.needs_tiles", terminal.lang))
        return 2
    if args.incidents and args.hands and args.hands < FEWEST:
        terminal.complain(catalog.text("story.needs_hands", terminal.lang, fewest=FEWEST))
        return 2
    try:
        scripts = read_scripts(Path(args.script), args.line) if args.script else []
        outcome = play(args, book, terminal, scripts)
    except (ScriptFileError, PresetError) as error:
        terminal.complain(f"tablectl demo: {error}")
        return 2
    except (ChildFailedError, ApiError, OSError) as error:
        terminal.complain(f"tablectl demo: {error}")
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    if args.json:
        terminal.json(outcome.to_json())
    else:
        for line in sheet(outcome, book, args.lang):
            terminal.line(line)
        for line in ranking(outcome, book, args.lang) if args.session else ():
            terminal.line(line)
        if isinstance(outcome, IncidentsOutcome):
            for line in page(outcome, args.lang):
                terminal.line(line)
    return 0 if outcome.ok else 1


def play(
    args: argparse.Namespace, book: RuleBook, terminal: Terminal, scripts: list[ScriptedHand]
) -> Outcome:
    """Play the session asked for, or each script by itself."""
    # A script is there for what happens in it: it takes its time only if somebody asks to watch.
    speed = str(args.speed or (MAX if scripts or args.incidents else "10"))
    if not scripts:
        return _one(args, book, terminal, speed, None)
    outcomes = []
    for scripted in scripts:
        outcome = _one(args, book, terminal, speed, scripted)
        won = outcome.hands[0].get("winner") if outcome.hands else None
        outcome.ok = outcome.ok and won == scripted.winner and not outcome.irregular
        outcomes.append(outcome)
    return merge(outcomes)


def _one(
    args: argparse.Namespace, book: RuleBook, terminal: Terminal, speed: str, scripted: ScriptedHand | None
) -> Outcome:
    folder = new_folder(os.environ)
    began = wall_seconds()
    session = scripted.session if scripted else {"rules": args.rules}
    rules = str(session["rules"])
    whole = args.session or (args.incidents and not args.hands)
    hands = None if whole else 1 if scripted else (args.hands or 1)
    company = None
    if args.incidents:
        company = Company(args.seed, book[rules], args.hands or whole_session(book[rules]))
    if hands is not None and hands > book[rules].session.hands.value:
        session = {**session, "hands": hands}
    if whole:
        session = {**session, "draw": True}
        if isinstance(book[rules].score, CcmScore):
            session["event"] = CHAMPIONSHIP
    setting = Setting(
        rules=rules,
        seed=args.seed,
        fidelity=args.fidelity or Fidelity.IDENTITY,
        script=[scripted.script] if scripted else None,
        lang=args.lang,
    )
    if speed == MAX:
        path = folder / live.JOURNAL
        seen = Progress(terminal) if whole else None
        outcome = virtual.rehearse(
            setting, book, path, hands=hands, session=session, seen=seen or _unseen, company=company
        )
        if seen is not None:
            seen.done()
    else:
        screen = None if args.json else Screen(terminal)
        more = ["--fidelity", str(setting.fidelity)]
        if scripted:
            more += ["--script", str(args.script), "--line", str(scripted.line)]
        reads = needs_eyes(setting, book)
        asked = live.Play(args.seed, int(speed), hands, session, more, reads, args.lang)
        outcome = asyncio.run(
            live.rehearse(asked, book, folder, screen=screen, open=args.open, company=company)
        )
    outcome.wall_s = round(wall_seconds() - began, 3)
    return outcome


def _unseen(kind: str, what: dict[str, Any]) -> None:
    """Nobody looks on."""


class Progress:
    """Says after each hand how far a session is, on standard error."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._live = sys.stderr.isatty() and not terminal.plain
        self._hands = 0

    def __call__(self, kind: str, what: dict[str, Any]) -> None:
        """Something was told; a hand that closed is one more."""
        if kind != "event" or what["key"] != "event.hand_closed":
            return
        self._hands += 1
        minutes = what["data"]["ended"] // MINUTE_US
        self._say(catalog.text("demo.progress", self._terminal.lang, hands=self._hands, minutes=minutes))

    def _say(self, line: str) -> None:
        sys.stderr.write(f"{line}\x1b[K\r" if self._live else f"{line}\n")
        sys.stderr.flush()

    def done(self) -> None:
        """Leave the line free for what comes."""
        if self._live:
            sys.stderr.write("\r\x1b[K")
