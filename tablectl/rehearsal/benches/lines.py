"""An order in the line protocol and its answer, beside an asyncio echo of the same line.

A keypad box and the echo are processes of their own, each at the other end of a pty that is not paced.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from protocols.lines.driver import LinesDriver
from protocols.lines.line import HOST, line
from protocols.lines.words import order_words
from tablectl.rehearsal.benches.lab import Lab
from tablectl.rehearsal.benches.row import Row, compared
from tablectl.rehearsal.benches.wire import Echo, Host, alternate, order, serial

FREE: dict[str, float | None] = {"p50": None, "p99": None}
ID = 1000  # as long as most of those that are asked for


def measure(lab: Lab) -> list[Row]:
    """The rows of this figure."""
    return asyncio.run(_measure(lab))


async def _measure(lab: Lab) -> list[Row]:
    folder = lab.fresh("lines")
    head, fields = order_words(order(ID))
    async with AsyncExitStack() as stack:
        await asyncio.gather(*(lab.peer(stack, kind, str(folder / kind)) for kind in ("lines", "echo")))
        host, echo = Host(serial(folder / "lines"), LinesDriver), Echo(line(HOST, *head, **fields))
        stack.callback(host.close)
        await host.open()
        await echo.open(serial(folder / "echo"))
        stack.callback(echo.close)
        return compared("bench.lines", *await alternate(lab, host.exchange, echo.exchange), FREE)
