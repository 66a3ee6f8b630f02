"""One subscriber's events: written while it reads, queued while it does not, dropped when it never does.

The queue is bounded, so a viewer that stops reading costs a known amount of memory and nobody else a thing;
it is told so last and may come back with ``since``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from .core import Event
from .rpc import notification

QUEUE = 1000  # events kept for a subscriber that does not read


class Feed:
    """The events of one connection from ``seq`` on. ``ended`` is called once, when it is dropped."""

    def __init__(
        self, send: Callable[[bytes], None], ended: Callable[[], None], seq: int, limit: int = QUEUE
    ) -> None:
        self._send = send
        self._ended = ended
        self._sent = seq  # the newest event the subscriber was given
        self._limit = limit
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._paused = False
        self._dropped = False

    def tell(self, event: Event) -> None:
        """Pass on an event, now or when the subscriber reads again."""
        if self._dropped:
            return
        self._waiting.append((event["seq"], notification("event", event)))
        self._flush()
        if len(self._waiting) > self._limit:
            self._drop()

    def pause(self) -> None:
        """The subscriber does not read."""
        self._paused = True

    def resume(self) -> None:
        """The subscriber reads again."""
        self._paused = False
        self._flush()

    def _flush(self) -> None:
        while self._waiting and not self._paused:
            self._sent, line = self._waiting.popleft()
            self._send(line)

    def _drop(self) -> None:
        self._dropped = True
        farewell = {"key": "rpc.dropped", "events": len(self._waiting), "since": self._sent}
        self._waiting.clear()
        self._waiting.append((self._sent, notification("dropped", farewell)))
        self._ended()
