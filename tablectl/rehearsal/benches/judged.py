"""How well the table's time follows what really happened, over a pty, idle and with both cores busy.

The board is a process of its own whose clock drifts; it says when, on the monotonic clock all processes of a
machine share, its clock was 0. So what happened at a board time has a true table time, and the record has
the judged one. The announcement is timed at a subscriber on the Unix socket: from the moment a key was
pressed, a tile moved or a deadline passed.

Hands are played at many times their speed; errors and delays are in real seconds all the same.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim.timebase import TableTimer
from tablectl.api.client import Client
from tablectl.api.dispatch import Dispatcher
from tablectl.api.server import Server
from tablectl.daemon.record import read_records
from tablectl.daemon.restore import input_of
from tablectl.daemon.supervisor import one_table
from tablectl.daemon.timebase import TableClock
from tablectl.game.inputs import BoardEvent, Command, Deadline
from tablectl.rehearsal.benches.daemon import settings_for
from tablectl.rehearsal.benches.event import online
from tablectl.rehearsal.benches.lab import Lab
from tablectl.rehearsal.benches.row import Row, percentile, share_of
from tablectl.rehearsal.referee import Referee

DRIFT_PPM = 50.0
CORES = 2
ERROR_S = 0.005
ANNOUNCED_S = {"idle": 0.020, "busy": 0.100}
MOST = "p99.9"
US = 1_000_000


@dataclass(slots=True)
class Judged:
    """Real seconds: of each event its error and uncertainty, of each announcement its delay."""

    errors: list[float] = field(default_factory=list)
    outside: int = 0  # events whose error was more than the uncertainty stated
    delays: list[float] = field(default_factory=list)


def measure(lab: Lab) -> list[Row]:
    """The rows of this figure."""
    rows = []
    for load, hands, cores in (("idle", lab.sizes.idle_hands, 0), ("busy", lab.sizes.busy_hands, CORES)):
        judged = asyncio.run(_play(lab, load, hands, cores))
        rows += [
            Row(f"bench.judged_{load}", "p50", percentile(judged.errors, 0.5)),
            Row(f"bench.judged_{load}", MOST, percentile(judged.errors, share_of(MOST)), bound=ERROR_S),
            Row(f"bench.judged_outside_{load}", "", judged.outside, unit="", bound=0),
            Row(f"bench.announced_{load}", "p50", percentile(judged.delays, 0.5)),
            Row(f"bench.announced_{load}", "p99", percentile(judged.delays, 0.99), bound=ANNOUNCED_S[load]),
        ]
    return rows


async def _play(lab: Lab, load: str, hands: int, cores: int) -> Judged:
    folder = lab.fresh(f"judged-{load}")
    link, socket = lab.run_dir / f"{load}-board", lab.run_dir / f"{load}.sock"
    speed = lab.sizes.judged_speed
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        arguments = ["atp", str(link), "--paced", "--speed", str(speed), "--drift", str(DRIFT_PPM)]
        board_zero = float(await lab.peer(stack, *arguments))
        settings = settings_for(folder, socket, str(link))
        core = await stack.enter_async_context(one_table(settings, lab.book))
        server = await Server.open(Dispatcher(core), socket)
        stack.push_async_callback(server.close)
        client, viewer = [await Client.open(socket, actor=name) for name in ("referee", "screen")]
        stack.callback(client.close)
        stack.callback(viewer.close)
        heard: dict[int, float] = {}

        def told(kind: str, what: dict[str, Any]) -> None:
            if kind == "event":
                heard.setdefault(what["n"], loop.time())

        await viewer.watch(told)
        await online(client)
        await lab.busy(stack, cores)
        referee = Referee(client, TableTimer(loop, speed), hands=hands, session={"rules": "mcr"})
        await referee.run()
        return _compare(settings.journal, core.clock, board_zero, heard)


def _compare(journal: Path, clock: TableClock, board_zero: float, heard: dict[int, float]) -> Judged:
    """Hold the record, from the session on, against what really happened."""
    judged, playing = Judged(), False
    for record in read_records(journal.open("rb")):
        item = input_of(record) if record.has_input else None
        playing = playing or isinstance(item, Command)
        if not playing or not isinstance(item, BoardEvent | Deadline):
            continue
        if isinstance(item, BoardEvent):
            happened = board_zero + item.board_us / US / (1 + DRIFT_PPM / US)
            error = abs(record.at - clock.at(happened))
            judged.errors.append(error / clock.scale / US)
            judged.outside += error > record.unc + 1  # both are rounded to a µs
        else:
            happened = clock.loop_time_of(item.due)
        if record.n in heard:
            judged.delays.append(heard[record.n] - happened)
    return judged
