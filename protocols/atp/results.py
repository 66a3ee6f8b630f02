"""What became of the last orders, by id: the memory that keeps a repeated order from moving twice."""

from __future__ import annotations

from protocols.atp.dictionary import LIMITS
from protocols.driver import Reply


class Results:
    """The latest stage of the last few orders of one journal."""

    def __init__(self) -> None:
        self._journal = b""
        self._kept: dict[int, Reply] = {}  # oldest first
        self._forgotten = 0  # highest id no longer kept; ids grow, so nothing at or below it is new
        self.orphans: set[int] = set()  # ids of another journal whose orders still run

    def greet(self, journal: bytes) -> None:
        """A host with this journal speaks from now on; another journal's results mean nothing to it."""
        if journal != self._journal:
            self._journal = journal
            self.orphans |= {id for id, kept in self._kept.items() if not kept.stage.final}
            self._kept.clear()
            self._forgotten = 0

    def get(self, id: int) -> Reply | None:
        """The stored stage, None if there is none."""
        return self._kept.get(id)

    def is_old(self, id: int) -> bool:
        """True for an id that was there and is forgotten, or came before such a one: never to be begun."""
        return id <= self._forgotten and id not in self._kept

    def put(self, reply: Reply) -> None:
        """Keep a stage; the oldest finished results make room, orders under way never do."""
        self._kept[reply.id] = reply
        while len(self._kept) > LIMITS.results_kept:
            finished = (id for id, kept in self._kept.items() if kept.stage.final and id != reply.id)
            id = next(finished, None)
            if id is None:
                break
            del self._kept[id]
            self._forgotten = max(self._forgotten, id)
