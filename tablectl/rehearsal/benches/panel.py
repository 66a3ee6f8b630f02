"""A question on the Modbus bus and its answer, beside the same bytes written and read bare.

Two relay boards, each in a process of its own behind a pty that is not paced; both take the 4 ms a real one
takes. Measured is the exchange itself, not how long it waits for the one before.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

from protocols import driver
from protocols.panel import modbus
from protocols.panel.driver import PanelDriver
from tablectl.rehearsal.benches.lab import Lab
from tablectl.rehearsal.benches.row import Row, compared
from tablectl.rehearsal.benches.wire import JOURNAL, PATIENCE_S, Echo, alternate, serial
from tablectl.rehearsal.tapped import WIRING

BOUNDS: dict[str, float | None] = {"p50": 2.0, "p99": None}
FEWER = 10  # a bus has its silences: a tenth of the exchanges takes as long


class Tap:
    """A panel driver that is asked for its clock, which takes one sample of the inputs."""

    def __init__(self, link: Path) -> None:
        self._driver = PanelDriver(serial(link), WIRING)
        self._loop = asyncio.get_running_loop()
        self._greeted: asyncio.Future[None] = self._loop.create_future()
        self._sampled: asyncio.Future[float] = self._loop.create_future()

    async def open(self) -> None:
        """Be greeted."""
        await self._driver.open(self._hear, journal_id=JOURNAL, last_event=0)
        await asyncio.wait_for(self._greeted, PATIENCE_S)

    async def exchange(self) -> float:
        """Seconds from the request leaving to its answer."""
        self._sampled = self._loop.create_future()
        self._driver.ask_clock()
        return await self._sampled

    def _hear(self, report: driver.Report) -> None:
        match report:
            case driver.Hello():
                self._greeted.set_result(None)
            case driver.ClockSample(sent=sent, received=received):
                self._sampled.set_result(received - sent)
            case _:
                pass

    def close(self) -> None:
        self._driver.close()


def measure(lab: Lab) -> list[Row]:
    """The rows of this figure."""
    sizes = replace(lab.sizes, exchanges=max(1, lab.sizes.exchanges // FEWER))
    return asyncio.run(_measure(replace(lab, sizes=sizes)))


async def _measure(lab: Lab) -> list[Row]:
    folder, asked = lab.fresh("panel"), modbus.read_inputs(WIRING.board)
    async with AsyncExitStack() as stack:
        await asyncio.gather(*(lab.peer(stack, "relay", str(folder / name)) for name in ("ours", "bare")))
        tap, bare = Tap(folder / "ours"), Echo(asked.data, asked.size)
        stack.callback(tap.close)
        await tap.open()
        await bare.open(serial(folder / "bare"))
        stack.callback(bare.close)
        return compared("bench.panel", *await alternate(lab, tap.exchange, bare.exchange), BOUNDS)
