"""An order to the board and its *accepted*, beside the least a peer can do and beside pymodbus.

All three are processes of their own at the other end of a pty that is not paced; the exchanges alternate.
No journal takes part.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from protocols import driver
from protocols.atp import messages as m
from protocols.atp.driver import AtpDriver
from protocols.atp.endpoint import Endpoint
from protocols.errors import TransportError
from protocols.transports.base import Opener, Stream
from protocols.transports.serial import open_serial
from protocols.vocabulary import NO_SIDE, Lamp, Operation, Order, Stage
from tablectl.rehearsal.benches.lab import Lab
from tablectl.rehearsal.benches.row import Row, Samples, compared

JOURNAL = bytes(16)
BAUD = 115_200
FASTER = 1.0
BOUNDS: dict[str, float | None] = {"p50": 2.0, "p99": 2.5}
PATIENCE_S = 10.0  # to the board's greeting


class Host:
    """Orders, one at a time. An exchange is measured to *accepted* and is over at *done*."""

    def __init__(self, opener: Opener, make: Callable[[Opener], driver.Driver] = AtpDriver) -> None:
        self._driver = make(opener)
        self._loop = asyncio.get_running_loop()
        self._greeted = self._loop.create_future()
        self._done: asyncio.Future[None] = self._loop.create_future()
        self._accepted = 0.0
        self._id = 0

    async def open(self) -> None:
        """Be greeted."""
        await self._driver.open(self._hear, journal_id=JOURNAL, last_event=0)
        await asyncio.wait_for(self._greeted, PATIENCE_S)

    async def exchange(self) -> float:
        """Seconds from the order to the board's *accepted*."""
        self._id += 1
        self._done = self._loop.create_future()
        self._accepted = 0.0
        began = self._loop.time()
        self._driver.operate(order(self._id))
        await self._done
        return self._accepted - began

    def _hear(self, report: driver.Report) -> None:
        match report:
            case driver.Reply(stage=Stage.ACCEPTED):
                self._accepted = self._loop.time()
            case driver.Reply():
                self._accepted = self._accepted or self._loop.time()  # done at once is accepted, too
                self._done.set_result(None)
            case driver.Hello():
                self._greeted.set_result(None)
            case driver.BoardEvent():
                self._driver.acknowledge(report.number, 0)
            case _:
                pass

    def close(self) -> None:
        self._driver.close()


class Echo:
    """The same bytes, sent and awaited; ``size`` = bytes of the answer, if it is no echo."""

    _stream: Stream

    def __init__(self, data: bytes, size: int = 0) -> None:
        self._data = data
        self._size = size or len(data)
        self._loop = asyncio.get_running_loop()
        self._left = 0
        self._back = 0.0
        self._done: asyncio.Future[None] = self._loop.create_future()

    async def open(self, opener: Opener) -> None:
        """Open the port."""
        self._stream = await opener(self)

    async def exchange(self) -> float:
        """Seconds until all is back."""
        self._left = self._size
        self._done = self._loop.create_future()
        began = self._loop.time()
        self._stream.write(self._data)
        await self._done
        return self._back - began

    def received(self, data: bytes) -> None:
        self._left -= len(data)
        if self._left == 0:
            self._back = self._loop.time()
            self._done.set_result(None)

    def lost(self, error: TransportError | None) -> None:
        self._done.set_exception(error or EOFError())

    def close(self) -> None:
        self._stream.close()


def serial(link: Path) -> Opener:
    """What opens the pty under that name."""
    return partial(open_serial, str(link), baud=BAUD)


def order(id: int) -> Order:
    """An order that moves nothing."""
    return Order(id, Operation.LAMPS, 0, NO_SIDE, Lamp.PLAY)


def order_bytes() -> bytes:
    """What goes over the wire for it."""
    asked, end = order(1), Endpoint("host", driver.Counters())
    end.send(m.Operate(asked.id, asked.operation, asked.side, asked.hand, asked.count))
    return end.drain()


def measure(lab: Lab) -> list[Row]:
    """The rows of this figure."""
    return asyncio.run(_measure(lab))


async def _measure(lab: Lab) -> list[Row]:
    folder = lab.fresh("wire")
    async with AsyncExitStack() as stack:
        await asyncio.gather(*(lab.peer(stack, kind, str(folder / kind)) for kind in ("atp", "echo")))
        host, echo = Host(serial(folder / "atp")), Echo(order_bytes())
        stack.callback(host.close)
        await host.open()
        await echo.open(serial(folder / "echo"))
        stack.callback(echo.close)
        ours, beside = await alternate(lab, host.exchange, echo.exchange)
        rows = compared("bench.wire_echo", ours, beside, BOUNDS)
        register = await _modbus(stack, lab, folder / "modbus")
        if register is not None:
            ours, beside = await alternate(lab, host.exchange, register)
            rows += [
                Row(
                    "bench.wire_modbus", at, ours.at(share), beside=beside.at(share), bound=FASTER, below=True
                )
                for at, share in (("p50", 0.5), ("p99", 0.99))
            ]
        return rows


Exchange = Callable[[], Awaitable[float]]


async def alternate(lab: Lab, one: Exchange, other: Exchange) -> tuple[Samples, Samples]:
    samples = Samples(), Samples()
    for exchange in (one, other):
        for _ in range(lab.sizes.exchanges // 10 + 1):
            await exchange()
    for _ in range(lab.sizes.rounds):
        for kept in samples:
            kept.begin()
        for _ in range(lab.sizes.exchanges):
            samples[0].add(await one())
            samples[1].add(await other())
    return samples


async def _modbus(stack: AsyncExitStack, lab: Lab, link: Path) -> Exchange | None:
    """Writing one register, the same job in Modbus RTU; None where pymodbus is not installed."""
    try:
        from pymodbus.client import AsyncModbusSerialClient
    except ModuleNotFoundError:
        return None
    await lab.peer(stack, "modbus", str(link))
    client = AsyncModbusSerialClient(str(link), baudrate=BAUD)
    stack.callback(client.close)
    await client.connect()
    loop = asyncio.get_running_loop()

    async def exchange() -> float:
        began = loop.time()
        answer = await client.write_register(0, Lamp.PLAY, device_id=1)
        took = loop.time() - began
        assert not answer.isError()
        return took

    return exchange
