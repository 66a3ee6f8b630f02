"""One exchange after another on a half-duplex bus, each under one deadline of its own.

Whatever comes, an exchange ends at its deadline: bytes that dribble in do not prolong it. Only reads are
asked again. An order whose answer is lost is lost: nobody knows whether the relay closed, and pressing again
could press twice.

Some RS-485 adapters hear themselves. The answer to a write repeats the request, so an echo would pass for
the board's word; whether this adapter echoes is learned from reads, whose answers look otherwise, and no
write is sent before a read was answered.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from protocols.driver import Counters
from protocols.panel.modbus import Answer, Request, find_answer

ANSWER = 0.3  # seconds for a whole exchange: 30 ms at 9600 baud, and a USB adapter's and a slow board's share
GAP = 0.005  # seconds of silence before a frame: 3.5 characters at 9600 baud are 4 ms
AFTER_LOSS = 0.1  # seconds of silence after a lost answer, so that a late one is not taken for the next
KEPT = 512  # bytes heard in one exchange; more is noise
ROUND_TRIPS = 512
Done = Callable[[Answer | None, float, float], None]  # the answer or None, when sent, when answered


@dataclass(slots=True)
class _Exchange:
    request: Request
    done: Done
    sent: float = 0.0
    deadline: float = 0.0


class Bus:
    """The exchanges of one connection. Times are loop seconds."""

    def __init__(self, now: float, counters: Counters) -> None:
        self.counters = counters
        self.echo: bool | None = None  # None: no read was answered yet
        self.heard = now  # when a sound answer came last
        self._waiting: deque[_Exchange] = deque()
        self._running: _Exchange | None = None
        self._buffer = bytearray()
        self._quiet_until = now

    @property
    def idle(self) -> bool:
        """True when nothing is under way or waits."""
        return self._running is None and not self._waiting

    def ask(self, request: Request, done: Done, *, first: bool = False) -> None:
        """Put an exchange in the queue; ``first`` = before all that waits."""
        exchange = _Exchange(request, done)
        if first:
            self._waiting.appendleft(exchange)
        else:
            self._waiting.append(exchange)

    def receive(self, data: bytes, now: float) -> None:
        """Bytes from the line."""
        self.counters.bytes_received += len(data)
        running = self._running
        if running is None:
            self.counters.late += 1
            self._quiet_until = max(self._quiet_until, now + GAP)
            return
        self._buffer += data
        del self._buffer[:-KEPT]
        answer = self._answer(running.request)
        if answer is not None:
            self.heard = now
            self.counters.frames_received += 1
            self.counters.peer_errors += answer.error != 0
            trips = self.counters.round_trips
            trips.append(now - running.sent)
            del trips[:-ROUND_TRIPS]
            self._end(now, GAP)
            running.done(answer, running.sent, now)

    def _answer(self, request: Request) -> Answer | None:
        """The answer in what was heard, behind the echo if there is one."""
        heard = bytes(self._buffer)
        echoed = heard.startswith(request.data)
        if request.writes:
            return find_answer(request, heard[len(request.data) :] if self.echo else heard)
        answer = find_answer(request, heard[len(request.data) :] if echoed else heard)
        if answer is not None:
            self.echo = echoed
        return answer

    def outgoing(self, now: float) -> bytes:
        """The bytes to send now."""
        if self._running is not None or not self._waiting or now < self._quiet_until:
            return b""
        running = self._running = self._waiting.popleft()
        running.sent, running.deadline = now, now + ANSWER
        self._buffer.clear()
        self.counters.frames_sent += 1
        self.counters.bytes_sent += len(running.request.data)
        return running.request.data

    def due(self) -> float | None:
        """When something is to be done, None if nothing waits."""
        if self._running is not None:
            return self._running.deadline
        return self._quiet_until if self._waiting else None

    def tick(self, now: float) -> None:
        """Give up the exchange whose deadline has passed."""
        running = self._running
        if running is None or now < running.deadline:
            return
        rest = len(self._buffer) - (len(running.request.data) if self.echo else 0)
        if rest > 0:  # something came, and it was no answer
            self.counters.crc_errors += 1
            self.counters.bad_bytes += rest
        self._end(now, AFTER_LOSS)
        running.done(None, running.sent, now)

    def _end(self, now: float, rest: float) -> None:
        self._running = None
        self._buffer.clear()
        self._quiet_until = now + rest
