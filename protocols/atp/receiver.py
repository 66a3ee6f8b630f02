"""The host's side of numbered events: each exactly once, in order, and what cannot be had said aloud.

``EventOrder`` sorts, ``GapChase`` asks for what is missing, ``EventReceiver`` joins them with the
acknowledgement, which follows the record on disk and not the arrival.
"""

from __future__ import annotations

from protocols.atp import messages as m
from protocols.atp import translate
from protocols.atp.codec import Message
from protocols.atp.dictionary import LIMITS
from protocols.atp.retransmit import RoundTrip
from protocols.driver import BoardEvent, Counters, EventsLost


class EventOrder:
    """Puts events in order, each once, and knows what is missing.

    Of those that come too early it keeps the oldest, as many as a board's ring holds. A newer one is dropped
    and asked for again: whatever a broken board sends, memory stays bounded.
    """

    def __init__(self, after: int) -> None:
        self._early: dict[int, m.Event] = {}  # at most LIMITS.ring
        self.expected = after + 1
        self._known = after  # newest number the board is known to have

    def start(self, after: int) -> None:
        """Numbering begins behind ``after``; what waited belongs to another boot."""
        self._early.clear()
        self.expected = after + 1
        self._known = after

    def announce(self, newest: int) -> None:
        """The board said it has events up to ``newest``."""
        self._known = max(self._known, newest)

    def take(self, event: m.Event) -> list[m.Event] | None:
        """The events now in order, maybe none; None when this one was there before."""
        if event.number < self.expected or event.number in self._early:
            return None
        self.announce(event.number)
        self._early[event.number] = event
        found = self._in_order()
        if len(self._early) > LIMITS.ring:
            del self._early[max(self._early)]
        return found

    def lose(self, first: int, last: int) -> list[m.Event | EventsLost]:
        """The board no longer holds ``first``..``last``: what follows, with each hole where it is."""
        out: list[m.Event | EventsLost] = []
        if not first <= self.expected <= last:
            return out  # an old answer, or about a later hole that is asked for in its turn
        self.announce(last)
        while self.expected <= last:
            held = self._in_order()
            out += held
            if not held:
                end = min([last, *(number - 1 for number in self._early)])
                out.append(EventsLost(self.expected, end))
                self.expected = end + 1
        out += self._in_order()
        return out

    def gap(self) -> tuple[int, int] | None:
        """First and last of the oldest missing events."""
        if self.expected > self._known:
            return None
        return self.expected, min(self._early, default=self._known + 1) - 1

    def _in_order(self) -> list[m.Event]:
        out = []
        while (event := self._early.pop(self.expected, None)) is not None:
            out.append(event)
            self.expected += 1
        return out


class GapChase:
    """Asks for missing events: at once for a new gap, again when nothing of it came in time."""

    def __init__(self, round_trip: RoundTrip) -> None:
        self._round_trip = round_trip
        self._gap: tuple[int, int] | None = None
        self._asked_upto = 0
        self._due: float | None = None

    def see(self, gap: tuple[int, int] | None, now: float) -> None:
        """The oldest gap as it is now."""
        if gap is None:
            self._due = None
        elif self._gap is None or gap[1] > self._asked_upto:
            self._due = now
        elif gap[0] > self._gap[0]:  # the answer is coming in: give it time
            self._due = now + self._round_trip.rto
        self._gap = gap

    def sendable(self, now: float) -> m.ReplayAsk | None:
        """The question to send now."""
        if self._gap is None or self._due is None or now < self._due:
            return None
        if self._gap[1] <= self._asked_upto:
            self._round_trip.back_off()
        first, self._asked_upto = self._gap
        self._due = now + self._round_trip.rto
        return m.ReplayAsk(first, self._asked_upto)

    def start(self) -> None:
        """Numbering began anew."""
        self._gap, self._asked_upto, self._due = None, 0, None

    def due(self) -> float | None:
        """When to ask again."""
        return self._due


class EventReceiver:
    """Everything a host does with the events of one board."""

    def __init__(self, round_trip: RoundTrip, counters: Counters, boot: int, recorded: int) -> None:
        """``recorded`` is the newest event of ``boot`` that is on disk already."""
        self._counters = counters
        self._order = EventOrder(recorded)
        self._chase = GapChase(round_trip)
        self._reported = recorded  # newest number told upwards: its record acknowledges all before it
        self._seen = recorded  # newest number in order, of a kind nobody here knows too
        self._ack_due = False
        self.boot = boot
        self.acknowledged = recorded

    def start(self, boot: int, acknowledged: int) -> None:
        """Another boot: its numbers begin anew, behind what any host has acknowledged."""
        self.boot, self.acknowledged = boot, acknowledged
        self._order.start(acknowledged)
        self._chase.start()
        self._reported = self._seen = acknowledged
        self._ack_due = False

    def take(self, event: m.Event) -> list[BoardEvent | EventsLost]:
        """An event arrived; what can be reported now."""
        taken = self._order.take(event)
        if taken is not None:
            return self._report(list(taken))
        self._counters.events_repeated += 1
        if event.number <= self.acknowledged:
            self._ack_due = True  # our acknowledgement was lost
        return []

    def lose(self, message: m.EventsLost) -> list[BoardEvent | EventsLost]:
        """The board no longer holds some; what can be reported now."""
        return self._report(self._order.lose(message.first, message.last))

    def announce(self, newest: int) -> None:
        """The board said what its newest event is."""
        self._order.announce(newest)

    def chase(self, now: float) -> None:
        """Look for gaps after whatever arrived."""
        self._chase.see(self._order.gap(), now)

    def acknowledge(self, number: int, boot: int) -> None:
        """Events up to ``number`` of ``boot`` are durable."""
        if boot == self.boot and number > self.acknowledged:
            self.acknowledged = number
            self._ack_due = True
            self._pass_unknown()

    def repeat_acknowledgement(self) -> None:
        """Tell the board again what is recorded, so that it resumes behind it."""
        self._ack_due = self.acknowledged > 0

    def sendable(self, now: float) -> list[Message]:
        """What to tell the board now."""
        out: list[Message] = []
        if self._ack_due:
            self._ack_due = False
            out.append(m.AckEvents(self.acknowledged, self.boot))
        replay = self._chase.sendable(now)
        if replay is not None:
            out.append(replay)
        return out

    def due(self, now: float) -> float | None:
        """When ``sendable`` has something."""
        return now if self._ack_due else self._chase.due()

    def _report(self, found: list[m.Event | EventsLost]) -> list[BoardEvent | EventsLost]:
        reports: list[BoardEvent | EventsLost] = []
        for item in found:
            if isinstance(item, EventsLost):
                self._counters.events_lost += item.last - item.first + 1
                self._reported = self._seen = item.last
                reports.append(item)
                continue
            self._seen = item.number
            event = translate.event_report(item)
            if event is None:
                self._counters.unknown += 1
                self._pass_unknown()
            else:
                self._counters.events += 1
                self._reported = item.number
                reports.append(event)
        return reports

    def _pass_unknown(self) -> None:
        """Events nobody records are acknowledged with what lies before them."""
        if self._seen > self.acknowledged >= self._reported:
            self.acknowledged = self._seen
            self._ack_due = True
