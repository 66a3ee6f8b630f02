"""Talking to a board as a host must: beats, acknowledgements, questions asked until they are answered.

A check may switch what is owed unasked off for a while (``hushed``, ``withholding``) to see what the board
does then.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Generic, TypeVar

from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.atp.dictionary import TIMING
from protocols.conformance.evidence import Broken
from protocols.conformance.settings import Settings
from protocols.conformance.wire import BITS_PER_BYTE, Heard, Wire, line_seconds
from protocols.errors import TransportError
from protocols.transports.base import Opener

T = TypeVar("T", bound=Message)
LONGEST = 80  # bytes of the longest frame of version 1, for the time it is under way
WATCHED = 0.5  # seconds between two looks at a board's state, while one is kept on it
QUEUE = 4  # such frames that may lie before an answer


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """An answer, how often it was asked for and how long it took since the first time."""

    message: T
    heard: Heard
    tries: int
    seconds: float


class Talk:
    """A host at one end of a line."""

    def __init__(self, opener: Opener, settings: Settings) -> None:
        self.settings = settings
        self._opener = opener
        self._loop = asyncio.get_running_loop()
        self.wires: list[Wire] = []
        self.hello: m.Hello | None = None
        self._token = settings.rng.randrange(1, 0x8000)
        self._hushed = self._withholding = False
        self._beat: asyncio.TimerHandle | None = None
        self.round_trips: dict[str, list[float]] = defaultdict(list)  # of questions answered at once, by name
        self._cuts: dict[int, list[int]] = defaultdict(list)  # where a boot began, by wire
        self._start_events(0)

    # ---- the line ------------------------------------------------------------------------------------

    @property
    def wire(self) -> Wire:
        """The line as it is now."""
        return self.wires[-1]

    async def open(self) -> None:
        """Open the port. Raises ``TransportError``."""
        wire = Wire(self._opener)
        await wire.open()
        wire.on_heard = self._note
        self.wires.append(wire)

    def close(self) -> None:
        """Leave the board alone."""
        if self._beat is not None:
            self._beat.cancel()
        for wire in self.wires:
            wire.close()

    def now(self) -> float:
        """The loop's time."""
        return self._loop.time()

    @property
    def repeat(self) -> float:
        """Seconds after which a question is asked again."""
        return TIMING.rto_initial + QUEUE * line_seconds(LONGEST, self.settings.baud)

    @property
    def patience(self) -> float:
        """Seconds after which an unanswered question is a lost one."""
        return TIMING.silence + QUEUE * line_seconds(LONGEST, self.settings.baud)

    def under_way(self, size: int) -> float:
        """Seconds so many bytes take on the line."""
        return size * BITS_PER_BYTE / self.settings.baud if self.settings.baud else 0.0

    def eras(self) -> list[list[Heard]]:
        """All frames heard, those of one opening and one boot together."""
        found = []
        for wire in self.wires:
            cuts = [0, *self._cuts.get(id(wire), ()), len(wire.heard)]
            found += [wire.heard[first:last] for first, last in pairwise(cuts) if last > first]
        return found

    def begin_era(self) -> None:
        """The board has booted: what comes from now on has another clock and other numbers."""
        self._cuts[id(self.wire)].append(len(self.wire.heard))

    def _note(self, heard: Heard) -> None:
        """Do what a host owes the board for each frame."""
        message = heard.message
        if isinstance(message, m.Event):
            self.arrivals[message.number].append(heard)
            if not self._withholding and not self._hushed:
                self.acknowledge()
        elif isinstance(message, m.EventsLost):
            self.lost.update(range(message.first, min(message.last, message.first + 0xFFFF) + 1))
        elif isinstance(message, m.Beat) and message.ask and not self._hushed:
            self.wire.send(m.Beat())
        self.took(heard)

    def took(self, heard: Heard) -> None:
        """A frame arrived: for whoever keeps more of it."""

    def _keep_alive(self) -> None:
        now, owed = self.now(), self.wire.spoke + TIMING.beat_moving
        if now >= owed:
            if not self._hushed:
                try:
                    self.wire.send(m.Beat())
                except TransportError:
                    return  # whoever waits for the board is told
            owed = now + TIMING.beat_moving
        self._beat = self._loop.call_at(owed, self._keep_alive)

    @contextmanager
    def hushed(self) -> Iterator[None]:
        """Say nothing unasked for a while: no beats, no acknowledgements."""
        self._hushed = True
        try:
            yield
        finally:
            self._hushed = False

    @contextmanager
    def withholding(self) -> Iterator[None]:
        """Acknowledge no events for a while."""
        self._withholding = True
        try:
            yield
        finally:
            self._withholding = False
            self.acknowledge()

    # ---- questions -----------------------------------------------------------------------------------

    def token(self) -> int:
        """A number for a question, its two bytes unlike each other."""
        self._token = (self._token + 0x0101) & 0x7FFF or 0x0102
        return self._token

    async def ask(
        self,
        question: Message,
        answer: type[T],
        fits: Callable[[T], bool] = lambda message: True,
        *,
        tries: int | None = None,
        **shape: Any,
    ) -> Answer[T]:
        """Ask until answered. Raises ``Broken`` when no answer came, or none after so many ``tries``."""
        found = await self.try_ask(question, answer, fits, tries=tries, **shape)
        if found is None:
            raise self.unanswered(question.LAYOUT.row.name, answer.LAYOUT.row.name)
        return found

    def unanswered(self, question: str, answer: str, seconds: float | None = None) -> Broken:
        """That a question was asked in vain."""
        waited = f"{self.patience if seconds is None else seconds:.1f}"
        return Broken("no_answer", question=question, answer=answer, seconds=waited)

    async def try_ask(
        self,
        question: Message,
        answer: type[T],
        fits: Callable[[T], bool] = lambda message: True,
        *,
        tries: int | None = None,
        **shape: Any,
    ) -> Answer[T] | None:
        """The answer, or None when none came."""
        since, begun, asked = len(self.wire.heard), self.now(), 0

        def wanted(heard: Heard) -> bool:
            return isinstance(heard.message, answer) and fits(heard.message)

        while asked < tries if tries else self.now() < begun + self.patience:
            self.wire.send(question, **shape)
            asked += 1
            heard = await self.wire.until(wanted, self.now() + self.repeat, since)
            if heard is not None:
                assert isinstance(heard.message, answer)
                if asked == 1:
                    self.round_trips[question.LAYOUT.row.name].append(heard.at - begun)
                return Answer(heard.message, heard, asked, heard.at - begun)
        return None

    def timings(self) -> dict[str, float]:
        """The best and the worst round trip of each question that was answered the first time."""
        found = {}
        for name, seconds in self.round_trips.items():
            found[f"{name} best"], found[f"{name} worst"] = min(seconds), max(seconds)
        return found

    async def status(self) -> m.Status:
        """How the board says it stands now."""
        token = self.token()
        return (await self.ask(m.StatusAsk(token), m.Status, lambda status: status.token == token)).message

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Ask for STATUS again and again for a while: the run keeps each, for whoever looks back on it."""
        task = self._loop.create_task(self._watch())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError, TransportError):
                await task

    async def _watch(self) -> None:
        while True:
            with suppress(Broken):
                await self.status()
            await self.wire.listen(WATCHED)

    async def asked_beat(self) -> m.Beat:
        """What the board says in a beat it is asked for."""
        return (await self.ask(m.Beat(ask=1), m.Beat, lambda beat: not beat.ask)).message

    async def clock(self) -> Answer[m.Clock]:
        """What the board's clock says now."""
        token = self.token()
        return await self.ask(m.ClockAsk(token), m.Clock, lambda clock: clock.token == token)

    # ---- events --------------------------------------------------------------------------------------

    def _start_events(self, acknowledged: int) -> None:
        self.first = acknowledged + 1  # event of this boot that is ours to hear
        self.arrivals: dict[int, list[Heard]] = defaultdict(list)
        self.lost: set[int] = set()  # those the board said it holds no more

    def event(self, number: int) -> m.Event | None:
        """An event as it came first."""
        heard = self.arrivals.get(number)
        message = heard[0].message if heard else None
        return message if isinstance(message, m.Event) else None

    def events(self, after: int = 0) -> list[m.Event]:
        """The events heard, each once, in order."""
        found = (self.event(number) for number in sorted(self.arrivals) if number > after)
        return [event for event in found if event is not None]

    def in_order(self) -> int:
        """The newest event with none missing before it."""
        number = self.first
        while number in self.arrivals or number in self.lost:
            number += 1
        return number - 1

    def acknowledge(self) -> None:
        """Tell the board which events have come in order."""
        if self.hello is not None and (upto := self.in_order()) >= self.first:
            self.wire.send(m.AckEvents(upto, self.hello.boot))

    async def caught_up(self) -> int:
        """Wait until every event the board has is here; the number of the newest. Raises ``Broken``."""
        newest = (await self.clock()).message.last_event
        deadline = self.now() + self.patience
        while self.in_order() < newest:
            if self.now() >= deadline:
                raise Broken("event_missing", number=self.in_order() + 1, newest=newest)
            since = len(self.wire.heard)
            self.wire.send(m.ReplayAsk(self.in_order() + 1, newest))
            await self.wire.until(lambda heard: self.in_order() >= newest, self.now() + self.repeat, since)
        return newest
