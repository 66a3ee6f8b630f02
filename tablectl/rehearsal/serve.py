"""``tablectl sim serve``: a simulated table with four players, at the end of a pty or a network port.

``pty:PATH``, ``tcp:HOST:PORT`` or ``rfc2217:PORT`` (this computer only; a host may be named). Port 0 is any
that is free; *ready* says which. With ``--keypad`` it is a table as it is sold, behind two boxes.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random, SystemRandom

from protocols.errors import AddressError
from protocols.transports.address import NetAddress, parse
from sim.endpoints.base import Endpoint
from sim.endpoints.net import Rfc2217Endpoint, TcpEndpoint
from sim.endpoints.pty import PtyEndpoint
from sim.panel.table import TappedTable
from sim.script import Script
from sim.world import SimTable
from tablectl.api.arguments import one_of, shown
from tablectl.api.errors import BadArgument
from tablectl.daemon.wiring import write_wiring
from tablectl.rehearsal.control import listen
from tablectl.rehearsal.customs import customs_of
from tablectl.rehearsal.judge import ScriptJudge, judge_of
from tablectl.rehearsal.script import ScriptFileError, read_scripts
from tablectl.rehearsal.tapped import wiring_for
from tablectl.rules.book import load_book
from tablectl.rules.model import Ruleset

FULL = "144"
RULES_OF = {FULL: "mcr", "136": "mcr-136"}
PTY = "pty"
HERE = "127.0.0.1"
ENDPOINTS = "pty:PATH, tcp:HOST:PORT, rfc2217:PORT"
MakeEndpoint = Callable[[Random], Endpoint]


def main(args: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C. Returns the exit code. Raises ``BadArgument``."""
    make = endpoint_at(str(args.endpoint))
    script = getattr(args, "script", None)
    keypad = getattr(args, "keypad", None)
    if in_vain := ignored(args):
        key = "bad.sold_table" if keypad else "bad.no_sold_table"
        raise BadArgument(key, options=in_vain)
    try:
        rules = rules_of(args.rules, args.tiles)
        if keypad:
            return asyncio.run(serve_sold(args, rules, make, str(keypad)))
        scripts = [one.script for one in read_scripts(Path(script), args.line)] if script else None
        return asyncio.run(serve(args, rules, make, scripts))
    except (OSError, ValueError, ScriptFileError) as error:
        print(f"tablectl sim serve: {error}", file=sys.stderr)
        return 2


def ignored(args: argparse.Namespace) -> list[str]:
    """The options given that would do nothing: a table as it is sold plays at its own speed and fidelity,
    without faults or script, and only that one has wiring."""
    if not getattr(args, "keypad", None):
        return ["--wiring"] if getattr(args, "wiring", None) else []
    usual = {"speed": 1, "preset": "perfect", "fidelity": None, "script": None, "line": None, "control": None}
    return [f"--{name}" for name, value in usual.items() if getattr(args, name, value) != value]


def rules_of(id_: str | None, tiles: str | None) -> Ruleset:
    """The ruleset the players know: by its name, or the international one for so many tiles. Raises
    ``BadArgument`` for a name that is none, or one that is played with another set."""
    book = load_book()
    id_ = id_ or RULES_OF[tiles or FULL]
    if id_ not in book:
        raise one_of(id_, book, "bad.rules")
    used = str(book[id_].wall.tiles.value)
    if tiles and tiles != used:
        raise BadArgument("bad.tiles_of_rules", rules=id_, used=used, given=tiles)
    return book[id_]


def endpoint_at(address: str) -> MakeEndpoint:
    """What makes the endpoint of that address. Raises ``BadArgument`` where it is none."""
    wrong = BadArgument("bad.endpoint", given=shown(address), valid=ENDPOINTS)
    kind, _, rest = address.partition(":")
    if kind == PTY and rest:
        return lambda rng: PtyEndpoint(rest, rng)
    try:
        place = parse(f"rfc2217:{HERE}:{rest}" if kind == "rfc2217" and rest.isdigit() else address)
    except AddressError as error:
        raise wrong from error
    if not isinstance(place, NetAddress):
        raise wrong
    end = TcpEndpoint if place.kind == "tcp" else Rfc2217Endpoint
    return lambda rng: end(place.host, place.port, rng)


def _where(endpoint: Endpoint) -> str:
    """How a host reaches it."""
    if isinstance(endpoint, PtyEndpoint):
        return str(endpoint.link)
    assert isinstance(endpoint, TcpEndpoint)
    kind = "rfc2217" if isinstance(endpoint, Rfc2217Endpoint) else "tcp"
    return str(NetAddress(kind, endpoint.host, endpoint.port))


async def serve_sold(args: argparse.Namespace, rules: Ruleset, make: MakeEndpoint, keypad: str) -> int:
    """A table as it is sold, with two boxes, until told to stop. Raises ``BadArgument``."""
    make_keypad = endpoint_at(keypad)
    wiring = wiring_for(rules.wall.tiles.value)
    table = TappedTable(args.seed, wiring, judge=judge_of(rules), customs=customs_of(rules))
    ends = [make(table.rng("line")), make_keypad(table.rng("keys"))]
    table.attach(ends[0], ends[1])
    if args.wiring:
        Path(args.wiring).write_text(write_wiring(wiring), encoding="utf-8")
    print("ready", *map(_where, ends), flush=True)
    try:
        await _told_to_stop()
    finally:
        table.close()
        log = table.machine.log
        print("moved", len(log.motions), "twice", len(log.moved_twice()), flush=True)
    return 0


async def _told_to_stop() -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()


async def serve(
    args: argparse.Namespace, rules: Ruleset, make: MakeEndpoint, scripts: list[Script] | None
) -> int:
    """Make the table and keep it until told to stop."""
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
    endpoint = make(table.rng("line"))
    table.attach(endpoint)
    control = await listen(table, Path(args.control)) if getattr(args, "control", None) else None
    print("ready", _where(endpoint), flush=True)
    try:
        await _told_to_stop()
    finally:
        if control is not None:
            control.close()
            Path(args.control).unlink(missing_ok=True)
        table.close()
        print("moved", len(table.log.motions), "twice", len(table.log.moved_twice()), flush=True)
    return 0
