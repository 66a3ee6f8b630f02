"""A fence around a driver of another package: what it raises ends its own connection and nothing else.

The link sees a driver as any other. A call that raises is told as *gone*, once, with its traceback in the
log; a report that is none of the contract's too. What blocks cannot be fenced: the watchdog finds it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_args

from protocols.driver import Counters, Driver, Gone, Report, Sink
from protocols.errors import DriverBroken, TransportError
from protocols.transports.base import Opener
from protocols.vocabulary import Operation, OperationLimits, Order
from tablectl.daemon import plugins

LOG = logging.getLogger("tablectl")
REPORTS = get_args(Report)
LIMITS = OperationLimits(accept=1.0, done=60.0)  # of a driver that cannot say them any more
T = TypeVar("T")


class Fenced:
    """Implements ``protocols.driver.Driver``. Opened once; the stranger's driver is made then."""

    def __init__(self, name: str, opener: Opener, options: Mapping[str, Any]) -> None:
        self._name = name
        self._opener = opener
        self._options = options
        self._inner: Driver | None = None
        self._sink: Sink | None = None
        self.counters = Counters()

    async def open(self, sink: Sink, *, journal_id: bytes, last_event: int, boot_id: int = 0) -> None:
        """Load, make and open the driver. Raises ``TransportError``, of which ``DriverBroken`` is one."""
        self._inner = plugins.make(self._name, self._opener, self._options)
        self._sink = sink
        try:
            await self._inner.open(self._hear, journal_id=journal_id, last_event=last_event, boot_id=boot_id)
        except TransportError:
            raise
        except Exception as error:
            LOG.warning("driver %s", self._name, exc_info=True)
            raise DriverBroken("failed", self._name, self._package(), repr(error)) from error
        found = getattr(self._inner, "counters", None)
        self.counters = found if isinstance(found, Counters) else self.counters

    def operate(self, order: Order) -> None:
        """Give an order."""
        self._call(lambda inner: inner.operate(order))

    def query(self, id: int) -> None:
        """Ask what became of an order."""
        self._call(lambda inner: inner.query(id))

    def ask_status(self) -> None:
        """Ask for a snapshot."""
        self._call(lambda inner: inner.ask_status())

    def ask_clock(self) -> int:
        """Ask for the board's clock; 0 when no sample will come."""
        token = self._call(lambda inner: inner.ask_clock())
        return token if isinstance(token, int) else 0

    def stop(self) -> None:
        """Stop all motion."""
        self._call(lambda inner: inner.stop())

    def acknowledge(self, number: int, boot_id: int) -> None:
        """Events up to ``number`` are durable."""
        self._call(lambda inner: inner.acknowledge(number, boot_id))

    def limits(self, operation: Operation) -> OperationLimits:
        """How long to wait for *accepted* and for *done*."""
        found = self._call(lambda inner: inner.limits(operation))
        return found if isinstance(found, OperationLimits) else LIMITS

    def close(self) -> None:
        """Close it; no report comes afterwards."""
        inner, self._inner, self._sink = self._inner, None, None
        if inner is not None:
            try:
                inner.close()
            except Exception:
                LOG.warning("driver %s", self._name, exc_info=True)

    def _hear(self, report: Report) -> None:
        if self._sink is None:
            return
        if isinstance(report, REPORTS):
            self._sink(report)
        else:
            self._fail(TypeError(f"{type(report).__name__} is no report"))

    def _call(self, what: Callable[[Driver], T]) -> T | None:
        if self._inner is None:
            return None
        try:
            return what(self._inner)
        except Exception as error:
            self._fail(error)
            return None

    def _fail(self, error: Exception) -> None:
        """Tell it from the loop: the caller of a driver is not prepared for a report from inside the call."""
        sink, self._sink = self._sink, None
        if sink is not None:
            LOG.warning("driver %s", self._name, exc_info=error)
            asyncio.get_running_loop().call_soon(self._tell, sink, Gone("driver", repr(error)))

    def _tell(self, sink: Sink, gone: Gone) -> None:
        if self._inner is not None:  # not closed meanwhile
            sink(gone)

    def _package(self) -> str:
        return plugins.package_of(plugins.offered()[self._name][0])
