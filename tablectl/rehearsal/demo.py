"""``tablectl demo``: a table that plays by itself, live over a pty or as fast as it can be computed."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
from pathlib import Path

from sim.errors import PresetError
from sim.timebase import wall_seconds
from tablectl.api.errors import ApiError
from tablectl.console.screen import Screen
from tablectl.console.terminal import Terminal
from tablectl.rehearsal import live, virtual
from tablectl.rehearsal.child import ChildFailedError
from tablectl.rehearsal.outcome import Outcome, merge
from tablectl.rehearsal.room import Setting
from tablectl.rehearsal.script import ScriptedHand, ScriptFileError, read_scripts
from tablectl.rehearsal.sheet import sheet
from tablectl.rehearsal.store import new_folder
from tablectl.rules.book import RuleBook, load_book

MAX = "max"
INTERRUPTED = 130


def main(args: argparse.Namespace) -> int:
    """Play, print the record, and return 0 if all went right, else 1; 2 for what cannot be played."""
    logging.getLogger("transitions").setLevel(logging.ERROR)
    terminal = Terminal(args.lang, plain=args.plain, as_json=args.json)
    book = load_book()
    if args.rules not in book:
        terminal.complain(f"tablectl demo: no ruleset {args.rules!r}; there are {', '.join(book)}")
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
    return 0 if outcome.ok else 1


def play(
    args: argparse.Namespace, book: RuleBook, terminal: Terminal, scripts: list[ScriptedHand]
) -> Outcome:
    """Play the session asked for, or each script by itself."""
    # A script is there for what happens in it: it takes its time only if somebody asks to watch.
    speed = str(args.speed or (MAX if scripts else "10"))
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
    hands = 1 if scripted else (args.hands or 1)
    rules = str(session["rules"])
    if hands > book[rules].session.hands.value:
        session = {**session, "hands": hands}
    if speed == MAX:
        setting = Setting(
            rules=rules,
            seed=args.seed,
            fidelity=args.fidelity or "identity",
            script=[scripted.script] if scripted else None,
        )
        path = folder / live.JOURNAL
        outcome = virtual.rehearse(setting, book, path, hands=hands, session=session)
    else:
        screen = None if args.json else Screen(terminal)
        more = ["--fidelity", args.fidelity or "identity"]
        if scripted:
            more += ["--script", str(args.script), "--line", str(scripted.line)]
        tiles = book[rules].wall.tiles.value
        asked = live.Play(args.seed, int(speed), tiles, hands, session, more)
        outcome = asyncio.run(live.rehearse(asked, book, folder, screen=screen, open=args.open))
    outcome.wall_s = round(wall_seconds() - began, 3)
    return outcome
