"""An act: a command on the Unix socket, durable, answered. Beside a bare durable append of the same bytes.

The daemon is a process of its own, as in play; acts and appends alternate on the same disk. On a disk that
needs 20 ms for a sync an act must cost one sync, not two.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from sim.timebase import wall_seconds
from tablectl.api.blocking import Caller
from tablectl.api.client import Client
from tablectl.api.dispatch import Dispatcher
from tablectl.api.registry import BY_NAME
from tablectl.api.server import Server
from tablectl.daemon.supervisor import one_table
from tablectl.rehearsal.benches.daemon import daemon, settings_for
from tablectl.rehearsal.benches.disk import Bare, SlowLayer, last_line
from tablectl.rehearsal.benches.lab import Lab
from tablectl.rehearsal.benches.row import Row, Samples, compared

BOUNDS: dict[str, float | None] = {"p50": 5.0, "p99": 3.0}
SLOW_S = 0.020
ACTS = (("session start", False), ("session stop", True))  # by turns; the second wants to be confirmed


def measure(lab: Lab) -> list[Row]:
    """The rows of this figure."""
    return [*asyncio.run(_act(lab)), *asyncio.run(_slow(lab))]


async def _act(lab: Lab) -> list[Row]:
    folder, socket = lab.fresh("act"), lab.run_dir / "act.sock"
    async with AsyncExitStack() as stack:
        await daemon(stack, lab, folder, socket, folder / "no-port")
        caller = stack.enter_context(Caller(str(socket), actor="bench", role="referee"))
        bare = Bare(folder / "bare")
        stack.callback(bare.close)
        lines = []
        for turn in range(2 * len(ACTS)):
            _ask(caller, turn)
            lines.append(last_line(folder / "journal.jsonl"))
        ours, beside = Samples(), Samples()
        for _ in range(lab.sizes.rounds):
            ours.begin()
            beside.begin()
            for turn in range(lab.sizes.acts):
                ours.add(_ask(caller, turn))
                beside.add(bare.append(lines[turn % len(ACTS)]))
            if lab.sizes.acts % len(ACTS):
                _ask(caller, lab.sizes.acts)
        return compared("bench.act", ours, beside, BOUNDS)


def _ask(caller: Caller, turn: int) -> float:
    name, confirm = ACTS[turn % len(ACTS)]
    envelope = {"id": f"{wall_seconds():.9f}"} | ({"confirm": True} if confirm else {})
    began = wall_seconds()
    answer = caller.ask(BY_NAME[name], {}, **envelope)
    took = wall_seconds() - began
    assert answer["outcome"] == "accepted", answer
    return took


async def _slow(lab: Lab) -> list[Row]:
    """The same on a slow disk, in this process, so that its syncs can be counted."""
    folder, socket = lab.fresh("slow"), lab.run_dir / "slow.sock"
    layer = SlowLayer(SLOW_S)
    settings = settings_for(folder, socket)
    bare = Bare(folder / "bare", SlowLayer(SLOW_S))
    ours, beside = Samples(), Samples()
    ours.begin()
    beside.begin()
    async with AsyncExitStack() as stack:
        stack.callback(bare.close)
        core = await stack.enter_async_context(one_table(settings, lab.book, layer=layer))
        server = await Server.open(Dispatcher(core), socket)
        stack.push_async_callback(server.close)
        client = await Client.open(socket, actor="bench")
        stack.callback(client.close)
        loop = asyncio.get_running_loop()
        before = layer.syncs
        for turn in range(lab.sizes.slow_acts):
            name, confirm = ACTS[turn % len(ACTS)]
            began = loop.time()
            await client.command(name, confirm=confirm)
            ours.add(loop.time() - began)
            beside.add(bare.append(last_line(settings.journal)))
        syncs = (layer.syncs - before) / lab.sizes.slow_acts
    return [
        Row("bench.act_syncs", "", syncs, unit="", bound=1.0),
        *compared("bench.act_slow", ours, beside, {"p50": BOUNDS["p50"]}),
    ]
