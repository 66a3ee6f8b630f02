"""Faults of events, clock and state."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace

from protocols.atp import messages as m
from protocols.atp.board import BoardApp
from protocols.atp.codec import Message
from protocols.atp.frame import Frame
from protocols.vocabulary import EventKind, Fault, Operation, Source
from sim.faulty.session import Tampered

SHORT_RING = 16
FORGETFUL = 5  # each so many-th event is dropped for good
STALE = 2.0  # seconds for which a snapshot is told again
CACHED = 0.5  # seconds for which a reading of the clock is


class SkipsNumbers(Tampered):
    """Some event numbers are never used."""

    def event(self, kind: EventKind, **values: object) -> int:
        if self._ring.newest % FORGETFUL == FORGETFUL - 1:
            self._ring.newest += 1
        return super().event(kind, **values)  # type: ignore[arg-type]


class DropsEvents(Tampered):
    """Each fifth event is lost, repetitions and all."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [] if isinstance(message, m.Event) and message.number % FORGETFUL == 0 else [message]


class RestampsEvents(Tampered):
    """An event carries the time it was sent, another one at each repetition."""

    def say(self, frame: Frame, now: float) -> Iterable[Frame]:
        if frame.type == m.Event.TYPE:
            event = replace(m.Event.from_bytes(frame.body), board_us=self._app.board_us(now))
            return [frame._replace(body=event.to_bytes())]
        return [frame]


class Unstamped(Tampered):
    """Events carry no time."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [replace(message, board_us=0) if isinstance(message, m.Event) else message]


class WaitsToBeAsked(Tampered):
    """An event is not sent when it happens, only when it is asked for."""

    def tell(self, message: Message) -> Iterable[Message]:
        if isinstance(message, m.Event) and message.number not in self.known:
            self.known.add(message.number)
            return []
        return [message]

    def __init__(self, app: BoardApp, now: float) -> None:
        super().__init__(app, now)
        self.known: set[int] = set()

    def tick(self, now: float) -> None:
        self._ring._due = None
        super().tick(now)

    def due(self) -> float | None:
        self._ring._due = None
        return super().due()


class ShortRing(Tampered):
    """It keeps sixteen events."""

    def __init__(self, app: BoardApp, now: float) -> None:
        super().__init__(app, now)
        self._ring._held = deque(maxlen=SHORT_RING)


class NeverRepeats(Tampered):
    """An event is sent once, and again only when asked for."""

    def tick(self, now: float) -> None:
        self._ring._due = None
        super().tick(now)

    def due(self) -> float | None:
        self._ring._due = None
        return super().due()


class RepeatsForEver(Tampered):
    """The newest event is repeated whether it was acknowledged or not."""

    def _handle(self, message: Message, now: float) -> None:
        if isinstance(message, m.AckEvents):
            message = replace(message, upto=min(message.upto, max(0, self._ring.newest - 1)))
        super()._handle(message, now)


class ObeysAnyBoot(Tampered):
    """An acknowledgement in the name of another boot is obeyed."""

    def _handle(self, message: Message, now: float) -> None:
        if isinstance(message, m.AckEvents):
            message = replace(message, boot=self._boot)
        super()._handle(message, now)


class SilentAboutLosses(Tampered):
    """What is no longer held is left out without a word."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [] if isinstance(message, m.EventsLost) else [message]


class SaysAllIsLost(Tampered):
    """A replay that begins too early is lost as a whole."""

    def _handle(self, message: Message, now: float) -> None:
        held = self._ring._held
        if isinstance(message, m.ReplayAsk) and held and message.first < held[0].number:
            self._end.send(m.EventsLost(message.first, message.last or self._ring.newest))
            return
        super()._handle(message, now)


class LiteralLast(Tampered):
    """A replay up to 0 ends before it begins."""

    def _handle(self, message: Message, now: float) -> None:
        if isinstance(message, m.ReplayAsk) and not message.last:
            return
        super()._handle(message, now)


class CachedClock(Tampered):
    """The clock is read twice a second and told from memory."""

    read = -1.0
    us = 0

    def say(self, frame: Frame, now: float) -> Iterable[Frame]:
        if frame.type == m.Clock.TYPE:
            clock = m.Clock.from_bytes(frame.body)
            if now - self.read > CACHED:
                self.read, self.us = now, clock.board_us
            return [frame._replace(body=replace(clock, board_us=self.us).to_bytes())]
        return [frame]


class ClockBehindEvents(Tampered):
    """CLOCK does not know of the newest event."""

    def tell(self, message: Message) -> Iterable[Message]:
        if isinstance(message, m.Clock):
            return [replace(message, last_event=max(0, message.last_event - 1))]
        return [message]


class ClockJumpsBack(Tampered):
    """Every ten seconds the clock goes back by one."""

    def tell(self, message: Message) -> Iterable[Message]:
        if isinstance(message, m.Clock):
            return [
                replace(message, board_us=message.board_us - 1_000_000 * (message.board_us // 10_000_000))
            ]
        return [message]


class StaleStatus(Tampered):
    """STATUS is made every two seconds and told from memory."""

    made = -STALE
    last: m.Status | None = None

    def say(self, frame: Frame, now: float) -> Iterable[Frame]:
        if frame.type == m.Status.TYPE:
            status = m.Status.from_bytes(frame.body)
            if self.last is None or now - self.made > STALE:
                self.made, self.last = now, status
            return [frame._replace(body=replace(self.last, token=status.token).to_bytes())]
        return [frame]


class StatusOfAnotherBoot(Tampered):
    """STATUS names another boot than HELLO."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [replace(message, boot=message.boot ^ 1) if isinstance(message, m.Status) else message]


class NamesTheLatest(Tampered):
    """Of two orders under way STATUS names the one accepted last."""

    latest: m.Operate | None = None

    def _operate(self, message: m.Operate) -> None:
        super()._operate(message)
        kept = self._results.get(message.id)
        if kept is not None and not kept.stage.final:
            self.latest = message

    def tell(self, message: Message) -> Iterable[Message]:
        if isinstance(message, m.Status) and message.running_id and self.latest is not None:
            kept = self._results.get(self.latest.id)
            if kept is not None and not kept.stage.final:
                return [replace(message, running_id=self.latest.id, running=self.latest.operation)]
        return [message]


class HidesFaults(Tampered):
    """STATUS names no fault."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [replace(message, faults=bytes(4)) if isinstance(message, m.Status) else message]


class HomedAnyhow(Tampered):
    """It says it is homed even when an axis was cut."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [replace(message, homed=1) if isinstance(message, m.Status) else message]


class NeverStopped(Tampered):
    """STATUS never says that a stop stands."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [replace(message, stopped=0) if isinstance(message, m.Status) else message]


class FailsAtRest(Tampered):
    """While a stop stands it fails what would move nothing."""

    def tell(self, message: Message) -> Iterable[Message]:
        if not isinstance(message, m.Done) or message.operation not in (
            Operation.LAMPS,
            Operation.CLEAR_FAULT,
        ):
            return [message]
        failed = m.Failed(message.id, message.queried, message.operation, Fault.COVER_OPEN)
        return [failed if self._app.status().stopped else message]


class EventlessStop(Tampered):
    """No event tells of a stop."""

    def event(self, kind: EventKind, **values: object) -> int:
        if kind is EventKind.STOPPED:
            return self._ring.newest
        return super().event(kind, **values)  # type: ignore[arg-type]


class EventEachStop(Tampered):
    """Each STOP is an event, also while one stands."""

    def _handle(self, message: Message, now: float) -> None:
        if isinstance(message, m.Stop) and self._app.status().stopped and not self._app.moving():
            super().event(EventKind.STOPPED, board_us=self._app.board_us(now))
        super()._handle(message, now)


class BlamesPeople(Tampered):
    """Every event is said to have been caused at the panel."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [replace(message, source=Source.PANEL) if isinstance(message, m.Event) else message]


class PlacesEverything(Tampered):
    """Events that are of no side name one."""

    def tell(self, message: Message) -> Iterable[Message]:
        return [replace(message, side=message.side & 3) if isinstance(message, m.Event) else message]
