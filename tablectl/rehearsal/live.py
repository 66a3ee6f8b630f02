"""A rehearsal in real time: the daemon in one process, the table's firmware in another, a pty between.

This process is the parent: it starts both as children, is itself the screen and the scripted referee (an
ordinary client of the API), and takes both down with it however it ends.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sim.timebase import TableTimer
from tablectl.api.client import Client
from tablectl.console.screen import Screen
from tablectl.console.watch import Live
from tablectl.locale.catalog import FALLBACK
from tablectl.rehearsal import control
from tablectl.rehearsal.child import Child
from tablectl.rehearsal.house import House
from tablectl.rehearsal.incidents.company import Company
from tablectl.rehearsal.incidents.outcome import IncidentsOutcome, settle
from tablectl.rehearsal.outcome import Outcome, take_counters, take_journal
from tablectl.rehearsal.referee import Referee, Report
from tablectl.rules.book import RuleBook

JOURNAL = "journal.jsonl"
SOCKET, CONTROL = "api.sock", "control.sock"


@dataclass(frozen=True, slots=True)
class Play:
    """What is played: so many hands, or a whole session with its points (None). ``table`` are further
    arguments of the simulated table. ``reads``: the referee tells the indicator, which no sensor reads.
    ``lang``: what people at the table speak."""

    seed: int
    speed: int
    hands: int | None
    session: dict[str, Any]
    table: Sequence[str] = ()
    reads: bool = False
    lang: str = FALLBACK


async def rehearse(
    play: Play,
    book: RuleBook,
    folder: Path,
    *,
    screen: Screen | None = None,
    open: bool = False,
    company: Company | None = None,
) -> Outcome:
    """Play in ``folder``, which keeps the journal and the logs; with ``company`` a session with incidents.
    Raises ``ChildFailedError``."""
    outcome = Outcome() if company is None else IncidentsOutcome()
    async with AsyncExitStack() as stack:
        run_dir = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tablectl-")))
        daemon = await _start(stack, play, folder, run_dir)
        report, links = await _referee(stack, play, book, run_dir, screen, open, daemon, company)
    outcome.refused, outcome.irregular, outcome.released = report.refused, report.irregular, report.released
    take_counters(outcome, links)
    take_journal(outcome, folder / JOURNAL, book)
    over = play.hands is None or outcome.ended == "broke"  # two have no points left: no further hand (CJ-F4)
    complete = bool(outcome.hands) if over else len(outcome.hands) == play.hands
    if company is not None:
        settle(outcome, company, folder / JOURNAL, book)
    outcome.ok = complete and not outcome.violations and not outcome.refused
    return outcome


def _unheard(kind: str, what: dict[str, Any]) -> None:
    """Nobody else listens."""


async def _start(stack: AsyncExitStack, play: Play, folder: Path, run_dir: Path) -> list[Child]:
    """Start the table and the daemon side by side and wait until both are ready."""
    port, socket = run_dir / "table", run_dir / SOCKET
    table = [
        "sim",
        "serve",
        "--endpoint",
        f"pty:{port}",
        "--seed",
        str(play.seed),
        "--speed",
        str(play.speed),
        "--control",
        str(run_dir / CONTROL),
    ]
    daemon = ["run", "--port", str(port), "--state-dir", str(folder), "--socket", str(socket)]
    config = run_dir / "tablectl.toml"
    config.write_text("")  # a demo is not the club's table: nothing of its configuration counts here
    children = []
    for name, args in (
        ("simulated table", [*table, "--rules", str(play.session["rules"]), *play.table]),
        ("daemon", [*daemon, "--config", str(config)]),
    ):
        child = await Child.spawn(name, args, os.environ, folder / f"{name.split()[-1]}.log")
        stack.push_async_callback(child.end)
        children.append(child)
    await asyncio.gather(*(child.ready() for child in children))
    return children


async def _referee(
    stack: AsyncExitStack,
    play: Play,
    book: RuleBook,
    run_dir: Path,
    screen: Screen | None,
    open: bool,
    children: list[Child],
    company: Company | None,
) -> tuple[Report, dict[str, Any]]:
    """Be the referee, and the screen where there is one, until the last hand is closed."""
    loop = asyncio.get_running_loop()
    socket = run_dir / SOCKET
    client = await Client.open(socket, actor="referee")
    stack.callback(client.close)
    if company is not None:
        clients = {
            actor: await Client.open(socket, actor=actor, role=role) for actor, role in company.people()
        }
        for other in clients.values():
            stack.callback(other.close)
        company.arrive(clients, partial(control.ask, run_dir / CONTROL))
    referee = Referee(
        client,
        TableTimer(loop, play.speed),
        hands=play.hands,
        session=play.session,
        scores=play.hands is None or company is not None,
        seen=_unheard if company is None else company.hearing(_unheard),
        partner=None if company is None else company.second,
        court=None if company is None else company.court,
        house=House(book[str(play.session["rules"])], play.seed) if play.hands is None else None,
        eyes=partial(control.ask, run_dir / CONTROL, "indicator") if play.reads else None,
        aloud=partial(control.ask, run_dir / CONTROL),
        lang=play.lang,
    )
    tasks = [loop.create_task(child.watch()) for child in children]
    if screen is not None:
        viewer = await Client.open(socket, actor="screen", role="referee")
        stack.callback(viewer.close)
        stack.enter_context(screen)
        tasks.append(loop.create_task(Live(viewer, screen, open=open).run()))
    playing = loop.create_task(referee.run())
    try:
        await asyncio.wait([playing, *tasks], return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            if task.done() and not playing.done():
                task.result()
        report = await playing
        return report, (await client.query("link status"))["links"]
    finally:
        for running in (*tasks, playing):
            running.cancel()
        await asyncio.gather(*tasks, playing, return_exceptions=True)
