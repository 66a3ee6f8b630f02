"""Loses whole lines of the line protocol on their way to the host."""

from __future__ import annotations

import asyncio

from sim.endpoints.memory import MemoryEndpoint

ANSWERS = (b"<ok ", b"<no ", b"<going ", b"<done ", b"<failed ")
EVENTS = (b"<event ",)
LINE_END = b"\n"


class Sieve:
    """Sits on a line in memory, before its noise."""

    def __init__(self, end: MemoryEndpoint) -> None:
        self._passed_on = end.to_host
        self._lose_answers = 0
        self._events_from = 0.0  # loop time until which events are lost
        end.line.to_a = self

    def lose_answers(self, count: int = 1) -> None:
        """The next answers to orders."""
        self._lose_answers = count

    def lose_events(self, seconds: float) -> None:
        """All events for so long."""
        self._events_from = asyncio.get_running_loop().time() + seconds

    def __call__(self, data: bytes) -> list[bytes]:
        kept = [text for text in data.split(LINE_END) if self._passes(text)]
        return self._passed_on(LINE_END.join(kept))

    def _passes(self, text: bytes) -> bool:
        if self._lose_answers and text.startswith(ANSWERS):
            self._lose_answers -= 1
            return False
        return not (text.startswith(EVENTS) and asyncio.get_running_loop().time() < self._events_from)
