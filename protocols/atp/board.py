"""The board's end of ATP: a session without I/O, for twins and tests.

The owner feeds it bytes (``receive``), writes what ``outgoing`` gives, and calls ``tick`` at ``due``. What
the board is and does is a ``BoardApp``; the app reports back through ``event``, ``progress``, ``done``,
``failed`` and ``stopped``, from inside its own calls or at any other time.
"""

from __future__ import annotations

from typing import Protocol

from protocols import driver
from protocols.atp import messages as m
from protocols.atp import translate
from protocols.atp.codec import Message
from protocols.atp.dictionary import DICTIONARY
from protocols.atp.endpoint import Endpoint
from protocols.atp.liveness import Liveness
from protocols.atp.results import Results
from protocols.atp.retransmit import RoundTrip
from protocols.atp.ring import EventRing
from protocols.driver import Counters, Reply
from protocols.vocabulary import NO_SIDE, SIDES, EventKind, Fault, Operation, Order, Refusal, Source, Stage

_PLACES = frozenset((*SIDES, NO_SIDE))
_SIDED = (Operation.RAISE, Operation.DICE, Operation.LAMPS)  # what uses `side`; the rest must not look at it


class BoardApp(Protocol):
    """What a board must provide. Every call is synchronous and returns at once."""

    def hello(self) -> driver.Hello: ...

    def status(self) -> driver.Status:
        """A snapshot; its ``last_event`` is filled in by the session."""

    def operate(self, order: Order) -> Refusal:
        """Begin an order. ``Refusal.NONE`` accepts it; ``done`` or ``failed`` must follow."""

    def stop(self) -> bool:
        """Stop all motion. True when everything is at rest already; else ``stopped`` must follow."""

    def host_silent(self) -> None:
        """No good frame for the time of silence: stop motion safely."""

    def moving(self) -> bool:
        """True while a motor runs."""

    def board_us(self, now: float) -> int:
        """The board's clock at loop time ``now``, µs since its boot."""


class BoardSession:
    """One boot of a board, as seen on its wire."""

    def __init__(self, app: BoardApp, now: float) -> None:
        self.counters = Counters()
        self._app = app
        self._end = Endpoint("board", self.counters)
        self._ring = EventRing(RoundTrip(self.counters))
        self._results = Results()
        self._life = Liveness(now)
        self._now = now
        self._boot = app.hello().boot_id
        self._greeted = False  # before a hello nothing is done and nothing said unasked
        self._quiet = False  # the host fell silent: nothing is sent into the void
        self._stop_asked = False  # a STOP waits for its answer
        self._beginning: int | None = None  # order the app is deciding on
        self._held_back: list[Message] = []  # what the app reported of it before it was accepted

    # ---- the line ------------------------------------------------------------------------------------

    def receive(self, data: bytes, now: float) -> None:
        """Handle bytes from the host."""
        self._now = now
        for message in self._end.feed(data):
            self._life.heard = now
            if self._quiet:
                self._quiet = False
                if not isinstance(message, m.HelloAsk):  # a greeting is answered first, then does the same
                    self._send_all(self._ring.resume(now))
            self._handle(message, now)

    def outgoing(self, now: float) -> bytes:
        """The bytes to send now."""
        self._now = now
        data = self._end.drain()
        if data:
            self._life.sent = now
            self._ring.left(now)
        return data

    def due(self) -> float | None:
        """When ``tick`` wants to be called, None if only bytes or the app can wake it."""
        if self._end.pending:
            return self._now
        if not self._greeted or self._quiet:
            return None
        life, events = self._life.due(self._app.moving()), self._ring.due()
        return life if events is None else min(life, events)

    def tick(self, now: float) -> None:
        """Do what time asks for: re-send, beat, notice that the host is gone."""
        self._now = now
        if not self._greeted or self._quiet:
            return
        if self._life.silent(now):
            self._quiet = True
            self._app.host_silent()
            return
        again = self._ring.overdue(now)
        self.counters.retries += len(again)
        self._send_all(again)
        moving = self._app.moving()
        if self._life.should_ask(now, moving):
            self._life.asked(now)
            self._end.send(self._beat(ask=True))
        elif self._life.owes_beat(now, moving) and not self._end.pending:
            self._end.send(self._beat())

    def _beat(self, *, ask: bool = False) -> m.Beat:
        return m.Beat(ask, self._app.moving(), self._ring.newest)

    def _send_all(self, messages: list[m.Event]) -> None:
        for message in messages:
            self._end.send(message)

    # ---- what the host says --------------------------------------------------------------------------

    def _handle(self, message: Message, now: float) -> None:
        match message:
            case m.HelloAsk():
                self._greet(message, now)
            case m.Stop():
                self._stop_asked = True
                if self._app.stop():
                    self.stopped()
            case m.Error():
                self.counters.peer_errors += 1  # never answered: two ends must not complain in a circle
            case _ if not self._greeted:
                self._end.send(m.Error(m.ErrorCode.NO_HELLO, message.TYPE))
            case m.IdentityAsk():
                self._end.send(translate.identity_message(self._app.hello(), message.part))
            case m.AbilitiesAsk():
                self._end.send(translate.abilities_message(self._app.hello()))
            case m.Operate():
                self._operate(message)
            case m.Query():
                kept = self._results.get(message.id) or Reply(message.id, Stage.UNKNOWN)
                self._end.send(translate.reply_message(kept, queried=True))
            case m.StatusAsk():
                status = self._app.status()
                self._end.send(translate.status_message(status, message.token, self._ring.newest))
            case m.ClockAsk():
                self._end.send(m.Clock(message.token, self._app.board_us(now), self._ring.newest))
            case m.AckEvents():
                if message.boot == self._boot:
                    self._ring.acknowledge(message.upto, now)
            case m.ReplayAsk():
                lost, events = self._ring.replay(message.first, message.last, now)
                if lost is not None:
                    self._end.send(lost)
                self._send_all(events)
            case m.Beat():
                if message.ask:
                    self._end.send(self._beat())

    def _greet(self, ask: m.HelloAsk, now: float) -> None:
        self._end.send(translate.hello_message(self._app.hello(), ask.token, self._ring.acknowledged))
        if ask.version_min <= DICTIONARY.version <= ask.version_max:
            self._greeted = True
            self._results.greet(ask.journal)
            self._send_all(self._ring.resume(now))

    # ---- orders --------------------------------------------------------------------------------------

    def _operate(self, message: m.Operate) -> None:
        kept = self._results.get(message.id)
        if kept is None and self._results.is_old(message.id):
            kept = Reply(message.id, Stage.UNKNOWN)
        if kept is not None:
            self._end.send(translate.reply_message(kept))
            return
        refusal = Refusal.BUSY if message.id in self._results.orphans else self._begin(message)
        if refusal is Refusal.NONE:
            self._end.send(m.Accepted(message.id, 0, message.operation))
        else:
            self._reply(Reply(message.id, Stage.REFUSED, refusal=refusal, operation=message.operation))
        for held in self._held_back:
            if refusal is Refusal.NONE or isinstance(held, m.Event):
                self._end.send(held)
        self._held_back.clear()

    def _begin(self, message: m.Operate) -> Refusal:
        """Let the app decide; the order is in memory before anything can move for it."""
        try:
            operation = Operation(message.operation)
        except ValueError:
            return Refusal.UNSUPPORTED
        if operation in _SIDED and message.side not in _PLACES:
            return Refusal.BAD_ARGUMENT
        self._results.put(Reply(message.id, Stage.ACCEPTED, operation=operation))
        self._beginning = message.id
        try:
            return self._app.operate(Order(message.id, operation, message.hand, message.side, message.count))
        finally:
            self._beginning = None

    def _reply(self, reply: Reply) -> None:
        self._results.put(reply)
        message = translate.reply_message(reply)
        if reply.id == self._beginning:
            self._held_back.append(message)
        elif self._greeted and not self._quiet:
            self._end.send(message)

    def _stage(self, id: int, stage: Stage, **values: int) -> None:
        if id in self._results.orphans:  # another journal's order: nobody is told
            if stage.final:
                self._results.orphans.discard(id)
            return
        kept = self._results.get(id)
        if kept is None or kept.stage.final:
            return  # reported twice by the app
        self._reply(
            Reply(
                id,
                stage,
                percent=values.get("percent", 0),
                fault=Fault(values.get("fault", Fault.NONE)),
                side=values.get("side", NO_SIDE),
                value=values.get("value", 0),
                operation=kept.operation,
            )
        )

    # ---- what the app reports ------------------------------------------------------------------------

    def event(
        self,
        kind: EventKind,
        *,
        board_us: int,
        side: int = NO_SIDE,
        source: Source = Source.SENSOR,
        value: int = 0,
        tiles: tuple[str, ...] = (),
    ) -> int:
        """Something was sensed at board time ``board_us``; returns its number."""
        number = self._ring.newest + 1
        event = translate.event_message(driver.BoardEvent(number, board_us, kind, side, source, value, tiles))
        self._ring.add(event)
        self.counters.events += 1
        if self._greeted and not self._quiet:
            self._ring.queued(number)
            if self._beginning is None:
                self._end.send(event)
            else:
                self._held_back.append(event)  # what an order began is told behind its ACCEPTED
        return number

    def progress(self, id: int, percent: int) -> None:
        """The order is so far."""
        self._stage(id, Stage.PROGRESS, percent=percent)

    def done(self, id: int, value: int = 0) -> None:
        """The state ordered is reached."""
        self._stage(id, Stage.DONE, value=value)

    def failed(self, id: int, fault: Fault, side: int = NO_SIDE) -> None:
        """The order cannot be finished."""
        self._stage(id, Stage.FAILED, fault=fault, side=side)

    def stopped(self) -> None:
        """Everything has come to rest after a stop, whoever wanted it."""
        if self._stop_asked:
            self._stop_asked = False
            self._end.send(m.Stopped())
