"""Runs one session on one stream in an event loop: bytes in, bytes out, one timer.

Both ends use it, the driver around a host session and a twin around a board session.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from protocols.errors import TransportError
from protocols.transports.base import Stream


class Session(Protocol):
    """What both sessions have in common."""

    def receive(self, data: bytes, now: float) -> None: ...

    def outgoing(self, now: float) -> bytes: ...

    def due(self) -> float | None: ...

    def tick(self, now: float) -> None: ...


def _nothing() -> None:
    return


def _unheard(error: TransportError | None) -> None:
    return


class Pump:
    """The handler of a stream. ``after`` is called when the session may have something to say upwards,
    ``on_lost`` when the stream is over."""

    def __init__(
        self,
        session: Session,
        *,
        after: Callable[[], None] = _nothing,
        on_lost: Callable[[TransportError | None], None] = _unheard,
    ) -> None:
        self._session = session
        self._after = after
        self._on_lost = on_lost
        self._loop = asyncio.get_running_loop()
        self._stream: Stream | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0  # of the session, as it was at the last kick

    def start(self, stream: Stream) -> None:
        """The stream is open: say what there is to say."""
        self._stream = stream
        self.kick()

    def received(self, data: bytes) -> None:
        """Bytes arrived."""
        self._session.receive(data, self._loop.time())
        self._after()  # what was heard is told first: somebody waits for it
        self.kick()

    def lost(self, error: TransportError | None) -> None:
        """The stream is over."""
        self._stream = None
        self._cancel()
        self._on_lost(error)

    def kick(self) -> None:
        """Something was asked of the session: send what came of it and set the timer."""
        if self._stream is None:
            return
        data = self._session.outgoing(self._loop.time())
        if data:
            self._stream.write(data)
        due = self._session.due()
        self._due = due or 0.0
        # A timer that is early only looks and sleeps again; moving it at every frame would cost more.
        if due is not None and (self._timer is None or due < self._timer.when()):
            self._cancel()
            self._timer = self._loop.call_at(due, self._wake)

    def _wake(self) -> None:
        now = self._loop.time()
        # Early; asked again, for a motor that began meanwhile makes the session due sooner.
        if self._due > now and (due := self._session.due()) is not None and due > now:
            self._timer = self._loop.call_at(due, self._wake)
            return
        self._timer = None
        self._session.tick(now)
        self.kick()
        self._after()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def close(self) -> None:
        """Close the stream; nobody is called afterwards."""
        self._cancel()
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()
