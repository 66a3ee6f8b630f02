"""An order over TCP and its *accepted*, and bytes alone, both beside a bare asyncio echo of the same bytes;
and the same through a serial port behind RFC 2217, whose server's telnet layer is pyserial's, byte by byte.

Board and echo are processes of their own on this computer. The exchanges alternate.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from protocols.transports.address import NetAddress, parse
from protocols.transports.port import port_at
from tablectl.rehearsal.benches.lab import Lab
from tablectl.rehearsal.benches.row import Row, compared
from tablectl.rehearsal.benches.wire import Echo, Host, alternate, order_bytes

KINDS = ("tcp", "rfc2217")
FREE: dict[str, float | None] = {"p50": None, "p99": None}
BOUNDS: dict[str, dict[str, float | None]] = {"tcp": {"p50": 2.0, "p99": None}, "rfc2217": FREE}


class Bare(asyncio.Protocol):
    """The least a program can do: a protocol of asyncio, and a future."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._left = 0
        self._loop = asyncio.get_running_loop()
        self._done: asyncio.Future[None] = self._loop.create_future()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._left -= len(data)
        if not self._left:
            self._done.set_result(None)

    async def exchange(self) -> float:
        """Seconds until all is back."""
        assert self._transport is not None
        self._left, self._done = len(self._data), self._loop.create_future()
        began = self._loop.time()
        self._transport.write(self._data)
        await self._done
        return self._loop.time() - began

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()


def measure(lab: Lab) -> list[Row]:
    """The rows of this figure."""
    return [row for kind in KINDS for row in asyncio.run(_measure(lab, kind))]


async def _measure(lab: Lab, kind: str) -> list[Row]:
    async with AsyncExitStack() as stack:
        board, echo, floor = [
            await lab.peer(stack, name, "-") for name in (f"{kind}-atp", f"{kind}-echo", "tcp-echo")
        ]
        place = parse(floor)
        assert isinstance(place, NetAddress)
        bare, data = Bare(order_bytes()), order_bytes()
        await asyncio.get_running_loop().create_connection(lambda: bare, place.host, place.port)
        stack.callback(bare.close)
        host = Host(port_at(board).open)
        stack.callback(host.close)
        await host.open()
        ours = Echo(data)
        await ours.open(port_at(echo).open)
        stack.callback(ours.close)
        orders = await alternate(lab, host.exchange, bare.exchange)
        plain = await alternate(lab, ours.exchange, bare.exchange)
    return [*compared(f"bench.{kind}", *orders, FREE), *compared(f"bench.{kind}_bytes", *plain, BOUNDS[kind])]
