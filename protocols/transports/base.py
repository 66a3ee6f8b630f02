"""One contract for every way bytes can travel: an opener, a stream, a handler."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from protocols.errors import TransportError


class StreamHandler(Protocol):
    """Who is told what comes of a stream. Called in the event loop, never from inside ``write``."""

    def received(self, data: bytes) -> None:
        """At least one byte arrived; pieces are cut anywhere."""

    def lost(self, error: TransportError | None) -> None:
        """The stream is over, told once. None when the other end closed it in order."""


class Stream(Protocol):
    """One open byte stream."""

    def write(self, data: bytes) -> None:
        """Send all of it, in order, as the line takes it. Nothing happens on a stream that is over."""

    def close(self) -> None:
        """End it. The handler is not called any more. Safe to repeat."""


Opener = Callable[[StreamHandler], Awaitable[Stream]]
"""Opens the stream it stands for; raises ``TransportError``."""
