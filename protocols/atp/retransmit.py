"""Questions repeated until answered: RFC 6298 round trips, Karn's rule, a window.

Frames are not acknowledged. Whatever has an answer is an *ask*: it is sent, and sent again after the
retransmission time-out, until its answer comes or the session gives the peer up. Giving up is not decided
here. An order is an ask too, and orders never overtake one another: the next leaves when the one before it
was answered, else a lost frame would turn *play, hold* into *hold, play*.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from protocols.atp.codec import Message
from protocols.atp.dictionary import LIMITS, TIMING
from protocols.driver import Counters

Key = tuple[str, int]
_ALPHA, _BETA, _K = 1 / 8, 1 / 4, 4  # RFC 6298, 2.3


class RoundTrip:
    """How long an answer takes, and so how long to wait for one. All in seconds."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self._counters.rto = TIMING.rto_initial

    @property
    def rto(self) -> float:
        """Wait this long before asking again."""
        return self._counters.rto

    def sample(self, seconds: float) -> None:
        """A question asked once was answered after ``seconds`` (never one asked twice: Karn's rule)."""
        c = self._counters
        if c.srtt == 0.0:
            c.srtt, c.rttvar = seconds, seconds / 2
        else:
            c.rttvar += _BETA * (abs(c.srtt - seconds) - c.rttvar)
            c.srtt += _ALPHA * (seconds - c.srtt)
        wait = c.srtt + max(TIMING.rto_granularity, _K * c.rttvar)
        c.rto = min(max(wait, TIMING.rto_min), TIMING.rto_max)
        c.round_trips.append(seconds)
        if len(c.round_trips) > LIMITS.round_trips_kept:
            del c.round_trips[0]

    def back_off(self) -> None:
        """Nobody answered in time: wait twice as long until a sample says better."""
        self._counters.rto = min(self._counters.rto * 2, TIMING.rto_max)


@dataclass(slots=True)
class Ask:
    """One question under way. It has failed ``limit`` seconds after its first sending, 0 = never."""

    key: Key
    message: Message
    ordered: bool = False
    limit: float = 0.0
    first_sent: float = 0.0
    due: float = 0.0
    tries: int = 0


class Asks:
    """The window: a few asks in flight, the rest waiting their turn."""

    def __init__(self, round_trip: RoundTrip) -> None:
        self._round_trip = round_trip
        self._waiting: deque[Ask] = deque()
        self._flying: dict[Key, Ask] = {}

    def __contains__(self, key: Key) -> bool:
        return key in self._flying or any(ask.key == key for ask in self._waiting)

    def put(self, key: Key, message: Message, *, ordered: bool = False, limit: float = 0.0) -> None:
        """Ask this; a question already under way under the same key stays the one asked."""
        if key not in self:
            self._waiting.append(Ask(key, message, ordered, limit))

    def answered(self, key: Key, now: float) -> Ask | None:
        """The ask that was waiting for this answer, now over; None if nobody waited."""
        ask = self._flying.pop(key, None)
        if ask is not None and ask.tries == 1:
            self._round_trip.sample(now - ask.first_sent)
        return ask

    def drop(self, kind: str, id: int | None = None) -> list[Ask]:
        """Stop asking everything of a kind, or the one with that id; returns what was asked."""
        asks = [*self._flying.values(), *self._waiting]
        dropped = [ask for ask in asks if ask.key[0] == kind and id in (None, ask.key[1])]
        for ask in dropped:
            self._flying.pop(ask.key, None)
        self._waiting = deque(ask for ask in self._waiting if ask not in dropped)
        return dropped

    def has(self, kind: str) -> bool:
        """True while something of that kind is being asked."""
        return any(key[0] == kind for key in self._flying) or any(a.key[0] == kind for a in self._waiting)

    def drop_type(self, type: int) -> None:
        """The peer does not know this message type: stop asking. Orders have their own limit."""
        for ask in list(self._flying.values()):
            if type == ask.message.TYPE and not ask.ordered:
                del self._flying[ask.key]

    def expired(self, now: float) -> list[Ask]:
        """Asks whose own limit has passed; they are over."""
        if not self._flying:
            return []
        over = [ask for ask in self._flying.values() if ask.limit and now >= ask.first_sent + ask.limit]
        for ask in over:
            del self._flying[ask.key]
        return over

    def sendable(self, now: float, *, orders: bool = True) -> list[Ask]:
        """Asks to send now, first or again; each is counted as sent. New orders only with ``orders``."""
        if self._waiting:
            self._admit(now, orders)
        if not self._flying:
            return []
        due = [ask for ask in self._flying.values() if now >= ask.due]
        if any(ask.tries for ask in due):
            self._round_trip.back_off()
        for ask in due:
            if ask.tries == 0:
                ask.first_sent = now
            ask.tries += 1
            ask.due = now + self._round_trip.rto
        return due

    def _admit(self, now: float, orders: bool) -> None:
        """Fill the window: one place for an order, so that questions cannot hold orders up."""
        order_flies, places = not orders, LIMITS.window - 1
        for ask in self._flying.values():
            if ask.ordered:
                order_flies = True
            else:
                places -= 1
        kept: deque[Ask] = deque()
        for ask in self._waiting:
            if ask.ordered and not order_flies:
                order_flies = True
            elif not ask.ordered and places > 0:
                places -= 1
            else:
                kept.append(ask)
                continue
            ask.due = now
            self._flying[ask.key] = ask
        self._waiting = kept

    def due(self) -> float | None:
        """When something is to be sent again or expires; asks still waiting do not count."""
        if not self._flying:
            return None
        times = [ask.due for ask in self._flying.values()]
        times += [ask.first_sent + ask.limit for ask in self._flying.values() if ask.limit and ask.tries]
        return min(times)
