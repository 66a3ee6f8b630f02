"""ATP as a driver: a host session on a byte stream in an event loop."""

from __future__ import annotations

import asyncio

from protocols.atp.host import HostSession
from protocols.atp.pump import Pump
from protocols.driver import Counters, Gone, Sink
from protocols.errors import TransportError
from protocols.transports.base import Opener
from protocols.vocabulary import Operation, OperationLimits, Order


class AtpDriver:
    """Implements ``protocols.driver.Driver`` for a board that speaks ATP. Opened once."""

    def __init__(self, opener: Opener) -> None:
        self.counters = Counters()
        self._opener = opener
        self._session: HostSession | None = None
        self._pump: Pump | None = None
        self._sink: Sink | None = None

    async def open(self, sink: Sink, *, journal_id: bytes, last_event: int, boot_id: int = 0) -> None:
        """Open the port and say hello. ``last_event`` counts only with the ``boot_id`` it belongs to.

        Raises ``TransportError`` if the port cannot be opened.
        """
        self._sink = sink
        session = HostSession(
            asyncio.get_running_loop().time(), journal_id=journal_id, last_event=last_event, boot_id=boot_id
        )
        pump = Pump(session, after=self._report, on_lost=self._lost)
        stream = await self._opener(pump)
        self._session, self._pump, self.counters = session, pump, session.counters
        pump.start(stream)

    def operate(self, order: Order) -> None:
        """Give an order; its replies come to the sink."""
        if self._session and self._pump:
            self._session.operate(order, self._now())
            self._pump.kick()

    def query(self, id: int) -> None:
        """Ask what became of an order; a Reply that says ``queried`` comes to the sink."""
        if self._session and self._pump:
            self._session.query(id)
            self._pump.kick()

    def ask_status(self) -> None:
        """Ask for a snapshot."""
        if self._session and self._pump:
            self._session.ask_status()
            self._pump.kick()

    def ask_clock(self) -> int:
        """Ask for the board's clock now; 0 when the driver is closed and no sample will come."""
        if not (self._session and self._pump):
            return 0
        token = self._session.ask_clock()
        self._pump.kick()
        return token

    def stop(self) -> None:
        """Stop all motion, before hello too."""
        if self._session and self._pump:
            self._session.stop(self._now())
            self._pump.kick()
            asyncio.get_running_loop().call_soon(self._report)  # orders it gave up, without waiting

    def acknowledge(self, number: int, boot_id: int) -> None:
        """Events up to ``number`` of that boot are durable."""
        if self._session and self._pump:
            self._session.acknowledge(number, boot_id)
            self._pump.kick()

    def limits(self, operation: Operation) -> OperationLimits:
        """How long to wait for *accepted* and for *done*."""
        return HostSession.limits(operation)

    def close(self) -> None:
        """Close the port; no report comes afterwards."""
        pump = self._pump
        self._session, self._pump, self._sink = None, None, None
        if pump is not None:
            pump.close()

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

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
        sink(
            Gone("port", str(error)) if error is not None else Gone("closed", "the other end closed the line")
        )
