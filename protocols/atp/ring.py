"""The board's side of numbered events: a ring of the newest, re-sent until acknowledged.

Events are numbered from 1 at each boot. Acknowledged ones stay in the ring until newer ones push them out,
so that any number still held can be sent again. ``receiver`` is the other side.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from protocols.atp import messages as m
from protocols.atp.dictionary import LIMITS
from protocols.atp.retransmit import RoundTrip


class EventRing:
    """What a board has sensed and must still get across."""

    def __init__(self, round_trip: RoundTrip) -> None:
        self._round_trip = round_trip
        self._held: deque[m.Event] = deque(maxlen=LIMITS.ring)
        self._fresh: list[int] = []  # queued, their moment of sending not known yet
        self._sent_once: dict[int, float] = {}  # number -> when, for Karn's rule
        self._due: float | None = None
        self.newest = 0
        self.acknowledged = 0

    def add(self, event: m.Event) -> None:
        """Keep an event; its number must be ``newest + 1``. The oldest of a full ring is forgotten."""
        if len(self._held) == LIMITS.ring:
            self._sent_once.pop(self._held[0].number, None)
        self._held.append(event)
        self.newest = event.number

    def queued(self, number: int) -> None:
        """The event was put on its way for the first time."""
        self._fresh.append(number)

    def left(self, now: float) -> None:
        """Everything queued has left."""
        for number in self._fresh:
            if number >= self._held[0].number:
                self._sent_once[number] = now
        if self._fresh and self._due is None:
            self._due = now + self._round_trip.rto
        self._fresh.clear()

    def _unacknowledged(self) -> Iterator[m.Event]:
        return (event for event in self._held if event.number > self.acknowledged)

    def acknowledge(self, upto: int, now: float) -> None:
        """The host has everything up to ``upto`` on its disk."""
        upto = min(upto, self.newest)
        if upto <= self.acknowledged:
            return
        sent = self._sent_once.get(upto)
        if sent is not None:
            self._round_trip.sample(now - sent)
        self._sent_once = {number: at for number, at in self._sent_once.items() if number > upto}
        self.acknowledged = upto
        self._due = now + self._round_trip.rto if upto < self.newest else None

    def resume(self, now: float) -> list[m.Event]:
        """The host is back: everything unacknowledged is to be sent."""
        return self._again(self._unacknowledged(), now)

    def overdue(self, now: float) -> list[m.Event]:
        """The oldest unacknowledged events, when it is time to send them again."""
        if self._due is None or now < self._due:
            return []
        self._round_trip.back_off()
        return self._again(list(self._unacknowledged())[: LIMITS.event_burst], now)

    def replay(self, first: int, last: int, now: float) -> tuple[m.EventsLost | None, list[m.Event]]:
        """What is held of ``first``..``last`` (0 = newest), and what of it is not."""
        last = min(last or self.newest, self.newest)
        oldest = self._held[0].number if self._held else self.newest + 1
        lost = m.EventsLost(first, min(last, oldest - 1)) if first < oldest and first <= last else None
        return lost, self._again((e for e in self._held if first <= e.number <= last), now)

    def _again(self, events: Iterable[m.Event], now: float) -> list[m.Event]:
        events = list(events)
        for event in events:
            self._sent_once.pop(event.number, None)
        self._due = now + self._round_trip.rto if self.acknowledged < self.newest else None
        return events

    def due(self) -> float | None:
        """When to look for overdue events."""
        return self._due
