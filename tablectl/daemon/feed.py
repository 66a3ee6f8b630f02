"""What the table publishes: numbered events, the newest of them kept for those who were away.

``seq`` is the causing record and the place in its effects, so it only grows, also over a restart.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from tablectl.game.effects import Publish

Event = dict[str, Any]
Tell = Callable[[Event], None]

KEPT = 4096  # a hand publishes about a thousand


class Feed:
    """One publisher, any number of subscribers. A subscriber's own slowness is its own affair."""

    def __init__(self, start: int = 0) -> None:
        self.seq = self._start = start  # what came before is not kept
        self._kept: deque[Event] = deque(maxlen=KEPT)
        self._subscribers: dict[int, Tell] = {}
        self._next = 0

    def publish(self, n: int, at: int, published: list[Publish]) -> None:
        """Number and tell the events of record ``n``."""
        for index, event in enumerate(published):
            self.seq = max(self.seq + 1, n << 8 | index)
            told = {"seq": self.seq, "n": n, "at": at, "key": event.key, "data": event.data}
            self._kept.append(told)
            for tell in list(self._subscribers.values()):
                tell(told)

    def subscribe(self, tell: Tell, since: int | None) -> tuple[list[Event] | None, Callable[[], None]]:
        """Events after ``since`` still kept (None if some are gone), and how to leave."""
        key, self._next = self._next, self._next + 1
        self._subscribers[key] = tell
        return self._after(since), lambda: self._subscribers.pop(key, None) and None

    def _after(self, since: int | None) -> list[Event] | None:
        if since is None:
            return []
        full = len(self._kept) == self._kept.maxlen
        oldest = self._kept[0]["seq"] - 1 if full else self._start
        if not oldest <= since <= self.seq:
            return None
        return [event for event in self._kept if event["seq"] > since]
