"""Something the board senses, durable, told to a subscriber on the Unix socket. Beside a bare append.

This process is the board and the subscriber, so one clock sees both; the daemon is a process of its own
between them. The way over the pty, which is not paced, is in the figure.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

from protocols.vocabulary import EventKind, SeatKey, Source
from sim.endpoints.pty import PtyEndpoint
from sim.timebase import pause
from sim.world import SimTable
from tablectl.api.client import Client
from tablectl.rehearsal.benches.daemon import daemon
from tablectl.rehearsal.benches.disk import Bare, last_line
from tablectl.rehearsal.benches.lab import Lab
from tablectl.rehearsal.benches.row import Row, Samples, compared
from tablectl.rehearsal.judge import ScriptJudge

BOUNDS: dict[str, float | None] = {"p50": 5.0, "p99": 3.0}
TOLD = "event.idle_key"  # what a key at a seat comes to while no hand is played
ONLINE_S = 10.0
LOOK_S = 0.02


class Told:
    """The subscriber: when the event it waits for reached it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.waiting: asyncio.Future[float] = self._loop.create_future()
        self.wanted = TOLD

    def __call__(self, kind: str, what: dict[str, Any]) -> None:
        """Take what the subscription tells."""
        if kind == "event" and what["key"] == self.wanted and not self.waiting.done():
            self.waiting.set_result(self._loop.time())

    def again(self) -> asyncio.Future[float]:
        """The time of the next one."""
        self.waiting = self._loop.create_future()
        return self.waiting


def measure(lab: Lab) -> list[Row]:
    """The rows of this figure."""
    return asyncio.run(_measure(lab))


async def _measure(lab: Lab) -> list[Row]:
    folder, socket, link = lab.fresh("event"), lab.run_dir / "told.sock", lab.run_dir / "board"
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        table = SimTable(1, judge=ScriptJudge())
        stack.callback(table.close)
        table.attach(PtyEndpoint(link, table.rng("line"), paced=False))
        await daemon(stack, lab, folder, socket, link)
        client = await Client.open(socket, actor="bench")
        stack.callback(client.close)
        told = Told()
        await client.watch(told)
        await online(client)

        async def press() -> float:
            heard = told.again()
            began = loop.time()
            table.board.emit(EventKind.SEAT_KEY, 0, SeatKey.WIN, Source.SENSOR)
            return await heard - began

        for _ in range(3):
            await press()
        bare, line = Bare(folder / "bare"), last_line(folder / "journal.jsonl")
        stack.callback(bare.close)
        ours, beside = Samples(), Samples()
        for _ in range(lab.sizes.rounds):
            ours.begin()
            beside.begin()
            for _ in range(lab.sizes.acts):
                ours.add(await press())
                beside.add(bare.append(line))
        return compared("bench.event", ours, beside, BOUNDS)


async def online(client: Client) -> None:
    """Wait until the daemon and its board know each other."""
    loop = asyncio.get_running_loop()
    until = loop.time() + ONLINE_S
    while loop.time() < until:
        links = (await client.query("link status"))["links"].values()
        if links and all(link["state"] == "online" for link in links):
            return
        await pause(LOOK_S)
    raise TimeoutError(f"the board is not online after {ONLINE_S} s")
