"""ATP over the network of this computer: bytes over TCP, and a serial port by RFC 2217."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from protocols.transports.port import Port, port_at
from sim.endpoints.base import Endpoint as Line
from sim.endpoints.net import Rfc2217Endpoint, TcpEndpoint
from tablectl.rehearsal.scenarios.endpoints import twin
from tablectl.rehearsal.scenarios.endpoints.thread import ThreadTable, opened

HERE = "127.0.0.1"


class Tcp:
    """ATP over a TCP connection."""

    name, virtual = "tcp", False
    about = "ATP over TCP on this computer, the board in a thread of its own, real time"
    capabilities, traits, levers = twin.CAPABILITIES, twin.TRAITS, twin.LEVERS
    line: type[TcpEndpoint] = TcpEndpoint

    def missing(self) -> str:
        return ""

    @asynccontextmanager
    async def open(self, seed: int, speed: int) -> AsyncIterator[ThreadTable]:
        async with opened(
            seed, speed, lambda made: self.line(HERE, 0, made.table.rng("line")), self._port
        ) as table:
            yield table

    def _port(self, line: Line) -> Port:
        assert isinstance(line, TcpEndpoint)
        return port_at(f"{self.name}:{line.host}:{line.port}")


class Rfc2217(Tcp):
    """ATP through a serial port of another computer."""

    name = "rfc2217"
    about = "ATP through a serial port behind RFC 2217 on this computer, in a thread of its own, real time"
    line = Rfc2217Endpoint
