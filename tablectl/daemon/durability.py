"""What a journal promises, and the part of keeping it that needs no disk: who waits for which record."""

from __future__ import annotations

import asyncio
import heapq
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Protocol

from tablectl.daemon.errors import JournalClosed, JournalFailed
from tablectl.daemon.record import Chain, Head

OnFailure = Callable[[JournalFailed], object]
DurableCallback = Callable[[], object]


class Journal(Protocol):
    """What the daemon's one writer needs of a journal."""

    @property
    def head(self) -> Head:
        """The last record appended. The next one gets ``head.n + 1``."""

    @property
    def durable(self) -> int:
        """The number of the last durable record."""

    @property
    def durable_head(self) -> Head:
        """The last durable record."""

    def append(self, body: Mapping[str, Any]) -> int:
        """Append a record and return its number at once. Raises ``RecordUnfit``, ``JournalClosed``."""

    def when_durable(self, n: int, callback: DurableCallback) -> None:
        """Call ``callback`` in the loop once record ``n`` is durable, in the order of the records."""

    def write_beside(self, name: str, data: bytes) -> None:
        """Replace the file ``name`` in the journal's folder once all appended so far is durable."""

    async def close(self) -> None:
        """Make everything durable and stop."""


class Durability(ABC):
    """What is durable and who waits for it: the part that both journals share. Lives in the loop."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, name: str, head: Head, on_failure: OnFailure | None
    ) -> None:
        self._loop = loop
        self._name = name
        self._chain = Chain(head)
        self._durable_head = head
        self._heads: deque[Head] = deque()  # of the records that are not durable yet
        self._callbacks: list[tuple[int, int, DurableCallback]] = []  # a heap: record, order of asking
        self._order = count()
        self._on_failure = on_failure
        self.failure: JournalFailed | None = None
        self._closed = False

    @property
    def head(self) -> Head:
        return self._chain.head

    @property
    def durable(self) -> int:
        return self._durable_head.n

    @property
    def durable_head(self) -> Head:
        return self._durable_head

    def append(self, body: Mapping[str, Any]) -> int:
        if self._closed:
            raise JournalClosed(path=self._name)
        line = self._chain.seal(body)
        if self.failure is None:  # afterwards the table is held; its records lead nowhere and are dropped
            self._heads.append(self.head)
            self._take(line)
        return self.head.n

    def when_durable(self, n: int, callback: DurableCallback) -> None:
        if self.failure is None or n <= self.durable:
            heapq.heappush(self._callbacks, (n, next(self._order), callback))
            if n <= self.durable:
                self._loop.call_soon(self._release)

    @abstractmethod
    def _take(self, line: bytes) -> None:
        """Take a line that is to become durable; `_advance` says when it is."""

    def _advance(self, n: int) -> None:
        while self._heads and self._heads[0].n <= n:
            self._durable_head = self._heads.popleft()
        self._release()

    def _release(self) -> None:
        while self._callbacks and self._callbacks[0][0] <= self.durable:
            _, _, callback = heapq.heappop(self._callbacks)
            try:
                callback()
            except Exception as error:  # one waiter's bug must not hold up the others
                context = {"message": "a callback of the journal raised", "exception": error}
                self._loop.call_exception_handler(context)

    def _fail(self, error: BaseException) -> None:
        if self.failure is not None:
            return
        self.failure = JournalFailed(path=self._name, n=self.durable, reason=_words(error))
        self.failure.__cause__ = error
        self._release()
        self._callbacks.clear()
        if self._on_failure is not None:
            self._on_failure(self.failure)


def _words(error: BaseException) -> str:
    return (error.strerror if isinstance(error, OSError) else "") or str(error) or type(error).__name__
