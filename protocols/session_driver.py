"""A driver made of a session without I/O: what all protocols' drivers have in common.

The session says what goes over the wire and what is reported; here it gets a stream, a timer and a sink.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from protocols.atp.pump import Pump, Session
from protocols.driver import Counters, Gone, Report, Sink
from protocols.errors import TransportError
from protocols.transports.base import Opener
from protocols.vocabulary import Operation, OperationLimits, Order


class HostSession(Session, Protocol):
    """The host's end of a protocol, one for each opening of a port."""

    counters: Counters
    gone: bool

    def operate(self, order: Order, now: float) -> None: ...

    def query(self, id: int) -> None: ...

    def ask_status(self) -> None: ...

    def ask_clock(self) -> int: ...

    def stop(self, now: float) -> None: ...

    def acknowledge(self, number: int, boot_id: int) -> None: ...

    def take_reports(self) -> list[Report]: ...

    def limits(self, operation: Operation) -> OperationLimits: ...

    def farewell(self) -> bytes:
        """The last bytes to send before the port is closed."""


Begin = Callable[[float, bytes, int, int], HostSession]
"""Makes a session: loop time, journal id, last recorded event and the boot it belongs to."""


class SessionDriver:
    """Implements ``protocols.driver.Driver``. Opened once."""

    def __init__(self, opener: Opener, begin: Begin, limits: Callable[[Operation], OperationLimits]) -> None:
        self.counters = Counters()
        self._opener = opener
        self._begin = begin
        self._limits = limits
        self._session: HostSession | None = None
        self._pump: Pump | None = None
        self._sink: Sink | None = None
        self._farewell: Callable[[bytes], None] = lambda data: None

    async def open(self, sink: Sink, *, journal_id: bytes, last_event: int, boot_id: int = 0) -> None:
        """Open the port and say hello. Raises ``TransportError`` if it cannot be opened."""
        self._sink = sink
        session = self._begin(asyncio.get_running_loop().time(), journal_id, last_event, boot_id)
        pump = Pump(session, after=self._report, on_lost=self._lost)
        stream = await self._opener(pump)
        self._session, self._pump, self.counters = session, pump, session.counters
        self._farewell = stream.write
        pump.start(stream)

    def operate(self, order: Order) -> None:
        """Give an order; its replies come to the sink."""
        if self._session is not None:
            self._session.operate(order, self._now())
            self._kick()

    def query(self, id: int) -> None:
        """Ask what became of an order."""
        if self._session is not None:
            self._session.query(id)
            self._kick()

    def ask_status(self) -> None:
        """Ask for a snapshot."""
        if self._session is not None:
            self._session.ask_status()
            self._kick()

    def ask_clock(self) -> int:
        """Ask for the board's clock now; 0 when the driver is closed and no sample will come."""
        if self._session is None:
            return 0
        token = self._session.ask_clock()
        self._kick()
        return token

    def stop(self) -> None:
        """Stop what can be stopped, before hello too."""
        if self._session is not None:
            self._session.stop(self._now())
            self._kick()

    def acknowledge(self, number: int, boot_id: int) -> None:
        """Events up to ``number`` of that boot are durable."""
        if self._session is not None:
            self._session.acknowledge(number, boot_id)
            self._kick()

    def limits(self, operation: Operation) -> OperationLimits:
        """How long to wait for *accepted* and for *done*."""
        return self._limits(operation)

    def close(self) -> None:
        """Close the port; no report comes afterwards."""
        pump, session = self._pump, self._session
        self._session, self._pump, self._sink = None, None, None
        if pump is not None and session is not None:
            if last := session.farewell():
                self._farewell(last)
            pump.close()

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _kick(self) -> None:
        """Send what came of a call, and tell from the loop what the session answers by itself."""
        if self._pump is not None:
            self._pump.kick()
            asyncio.get_running_loop().call_soon(self._report)

    def _report(self) -> None:
        session = self._session
        if session is None:
            return
        for report in session.take_reports():
            if self._sink is None:  # the sink closed us while it was being told
                return
            self._sink(report)

    def _lost(self, error: TransportError | None) -> None:
        session, sink = self._session, self._sink
        if session is None or sink is None or session.gone:
            return  # it had ended already: one Gone is enough
        session.gone = True
        said = "the other end closed the line"
        sink(Gone("port", str(error)) if error is not None else Gone("closed", said))
