"""``tablectl sim serve``: a simulated table with four players, at the other end of a pty."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from pathlib import Path
from random import SystemRandom

from sim.endpoints.pty import PtyEndpoint
from sim.script import Script
from sim.world import SimTable
from tablectl.rehearsal.control import listen
from tablectl.rehearsal.customs import customs_of
from tablectl.rehearsal.judge import ScriptJudge, judge_of
from tablectl.rehearsal.script import ScriptFileError, read_scripts
from tablectl.rules.book import load_book
from tablectl.rules.model import Ruleset

FULL = "144"
RULES_OF = {FULL: "mcr", "136": "mcr-136"}
PTY = "pty"


def main(args: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C. Returns the exit code."""
    kind, _, link = str(args.endpoint).partition(":")
    if kind != PTY or not link:
        print(
            f"tablectl sim serve: the endpoint {args.endpoint!r} is not one; write pty:PATH", file=sys.stderr
        )
        return 2
    script = getattr(args, "script", None)
    try:
        rules = rules_of(args.rules, args.tiles)
        scripts = [one.script for one in read_scripts(Path(script), args.line)] if script else None
        return asyncio.run(serve(args, rules, Path(link), scripts))
    except (OSError, ValueError, ScriptFileError) as error:
        print(f"tablectl sim serve: {error}", file=sys.stderr)
        return 2


def rules_of(id_: str | None, tiles: str | None) -> Ruleset:
    """The ruleset the players know: by its name, or the international one for so many tiles. Raises
    ``ValueError`` for a name that is none, or one that is played with another set."""
    book = load_book()
    id_ = id_ or RULES_OF[tiles or FULL]
    if id_ not in book:
        raise ValueError(f"no ruleset {id_!r}; there are {', '.join(book)}")
    used = str(book[id_].wall.tiles.value)
    if tiles and tiles != used:
        raise ValueError(f"{id_} is played with {used} tiles, not {tiles}: leave --tiles out")
    return book[id_]


async def serve(args: argparse.Namespace, rules: Ruleset, link: Path, scripts: list[Script] | None) -> int:
    """Make the table and keep it until told to stop."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    table = SimTable(
        args.seed,
        judge=ScriptJudge() if scripts else judge_of(rules),
        customs=customs_of(rules),
        tiles=rules.wall.tiles.value,
        speed=int(args.speed),
        fidelity=args.fidelity or "identity",
        preset=args.preset,
        script=scripts,
        boots=SystemRandom(),
    )
    endpoint = PtyEndpoint(link, table.rng("line"))
    table.attach(endpoint)
    control = await listen(table, Path(args.control)) if getattr(args, "control", None) else None
    print("ready", link, flush=True)
    try:
        await stop.wait()
    finally:
        if control is not None:
            control.close()
            Path(args.control).unlink(missing_ok=True)
        table.close()
        print("moved", len(table.log.motions), "twice", len(table.log.moved_twice()), flush=True)
    return 0
