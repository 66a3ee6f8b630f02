"""ATP through a real pseudo-terminal: the kernel's line discipline, pyserial, and a port that vanishes."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from protocols.transports.port import port_at
from sim.endpoints.pty import PtyEndpoint
from tablectl.rehearsal.scenarios.endpoints import twin
from tablectl.rehearsal.scenarios.endpoints.thread import ThreadTable, opened


class Pty:
    """ATP over a pty."""

    name, virtual = "pty", False
    about = "ATP through a pseudo-terminal paced at 115200 baud, the board in a thread of its own, real time"
    capabilities, traits, levers = twin.CAPABILITIES, twin.TRAITS, twin.LEVERS

    def missing(self) -> str:
        return ""

    @asynccontextmanager
    async def open(self, seed: int, speed: int) -> AsyncIterator[ThreadTable]:
        with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
            link = Path(folder) / "table"
            async with opened(
                seed,
                speed,
                lambda made: PtyEndpoint(link, made.table.rng("line")),
                lambda line: port_at(str(link)),
            ) as table:
                yield table
