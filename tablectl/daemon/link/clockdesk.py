"""Who asks the board's clock, when, and who waits for the answer.

Five exchanges in quick succession at connect, so that the first event already has a time; one every five
seconds afterwards, which also notices a board whose port fell asleep; and one whenever somebody asks.

A line that delays at random is asked without a pause at connect until enough frames came nearly undelayed,
for four seconds at most. Then the pauses grow with what is known of the clock's rate, for so long can a
good exchange be relied on, down to four exchanges a second. With 20 ms at random each way that is 45 a second
for four seconds, 27 after ten, 13 after a minute; on a slower line an exchange takes longer
and they are fewer. A driver repeats a question until it is answered, so one is enough at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from protocols.clocksync import ClockSync
from protocols.driver import ClockSample

QUICK = 5  # exchanges at connect
EVERY = 5.0  # seconds between exchanges afterwards
RESTLESS = 0.25  # seconds between them at most while the line delays at random
AHEAD = 4  # times the exchanges a line needs, spread over the time since the first
QUICKLY = 1.0  # seconds: on a bad line fewer than QUICK must do
PATIENTLY = 4.0  # seconds: on a bad line fewer than it needs must do
SOON = 0.5  # seconds to the next exchange when something is to be looked at again
UNANSWERED = 2.0  # seconds after which a question is given up and asked anew

Waiter = Callable[[ClockSample], None]


class ClockDesk:
    """The questions to one board's clock on one connection after another."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.sync = ClockSync()
        self._loop = loop
        self._question: Callable[[], object] | None = None
        self._ready: Callable[[], object] | None = None
        self._heard = 0
        self._begun = 0.0
        self._waiting: list[tuple[float, Waiter]] = []
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, question: Callable[[], object], ready: Callable[[], object]) -> None:
        """Start on a new connection. ``question`` asks the board; ``ready`` is called once that is known."""
        self.rest()
        self._question, self._ready = question, ready
        self._heard, self._begun = 0, self._loop.time()
        self._ask()

    def rest(self) -> None:
        """The connection is over: ask nothing, forget who waited."""
        self._question = self._ready = None
        self._waiting.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def ask(self, waiter: Waiter) -> None:
        """Ask now; ``waiter`` gets the first sample whose question left after this call."""
        self._waiting.append((self._loop.time(), waiter))
        self._ask()

    def ask_soon(self) -> None:
        """Ask once more in a moment."""
        self._ask_in(SOON)

    def heard(self, sample: ClockSample) -> None:
        """An exchange came back."""
        self.sync.add(sample)
        self._heard += 1
        served = [waiter for asked, waiter in self._waiting if asked <= sample.sent]
        self._waiting = [entry for entry in self._waiting if entry[0] > sample.sent]
        if self._ready is None:
            self._ask_in(UNANSWERED if self._waiting else self._pause())
        elif self._enough():
            ready, self._ready = self._ready, None
            self._ask_in(self._pause())
            ready()
        else:
            self._ask()
        for waiter in served:
            waiter(sample)

    def _pause(self) -> float:
        """Seconds to the next exchange."""
        if not self.sync.restless:
            return EVERY
        return min(RESTLESS, self.sync.age / (AHEAD * self.sync.needed))

    def _enough(self) -> bool:
        """Is the clock known well enough for the first event, or as well as can be waited for?"""
        since = self._loop.time() - self._begun
        quick, patient = self._heard >= QUICK or since >= QUICKLY, since >= PATIENTLY
        return self.sync.ready and quick and (self.sync.settled or patient)

    def _ask(self) -> None:
        if self._question is not None:
            self._ask_in(UNANSWERED)
            self._question()

    def _ask_in(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(seconds, self._ask)
