"""A relay board on the bench: one exchange at a time, asked by a person. No table is known yet."""

from __future__ import annotations

import asyncio
from types import TracebackType

from protocols.atp.pump import Pump
from protocols.driver import Counters
from protocols.errors import PanelSilent, TransportError
from protocols.panel import modbus
from protocols.panel.bus import Bus
from protocols.panel.modbus import Answer, Request
from protocols.panel.wiring import Board
from protocols.transports.port import Port

TRIES = 5  # of a read


class Bench:
    """The board while it is open: ``async with Bench(port, board) as bench``. Raises ``TransportError``."""

    def __init__(self, port: Port, board: Board) -> None:
        self._port = port
        self._board = board
        self._loop = asyncio.get_running_loop()
        self._bus = Bus(self._loop.time(), Counters())
        self._pump = Pump(self._bus, on_lost=self._lost)
        self._waiting: asyncio.Future[Answer | None] | None = None

    async def __aenter__(self) -> Bench:
        self._pump.start(await self._port.open(self._pump))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pump.close()
        await self._port.settle()

    async def inputs(self) -> tuple[bool, ...]:
        """What the inputs show. Raises ``PanelSilent``."""
        for _ in range(TRIES):
            answer = await self._exchange(modbus.read_inputs(self._board))
            if answer is not None and not answer.error:
                return answer.bits[: self._board.inputs]
        raise PanelSilent(self._port.address, self._board.unit)

    async def press(self, relay: int, milliseconds: int) -> bool:
        """Press the key behind a relay, once; True if the board said that it did."""
        answer = await self._exchange(modbus.press(self._board, relay, milliseconds))
        if self._board.pulse == "switch":
            wait = self._loop.create_future()
            self._loop.call_later(milliseconds / 1000, wait.set_result, None)
            await wait
            for _ in range(TRIES):
                let_go = await self._exchange(modbus.switch(self._board, relay, False))
                if let_go is not None and not let_go.error:
                    break
        return answer is not None and not answer.error

    async def _exchange(self, request: Request) -> Answer | None:
        waiting: asyncio.Future[Answer | None] = self._loop.create_future()
        self._waiting = waiting

        def answered(answer: Answer | None, sent: float, at: float) -> None:
            if not waiting.done():
                waiting.set_result(answer)

        self._bus.ask(request, answered)
        self._pump.kick()
        return await waiting

    def _lost(self, error: TransportError | None) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(error or PanelSilent(self._port.address, self._board.unit))
