"""The host's end of ATP: a session without I/O, one for each opening of a port.

The owner feeds it bytes (``receive``), writes what ``outgoing`` gives, calls ``tick`` at ``due``, and takes
what it learned with ``take_reports``. It says hello first and sends nothing else before the answer, but
*stop*. It ends itself with one ``Gone`` report, after which it does nothing any more.
"""

from __future__ import annotations

from typing import Literal

from protocols import driver
from protocols.atp import messages as m
from protocols.atp import translate
from protocols.atp.codec import Message
from protocols.atp.dictionary import DICTIONARY, LIMITS, TIMING
from protocols.atp.endpoint import Endpoint
from protocols.atp.introduction import Introduction
from protocols.atp.liveness import Liveness
from protocols.atp.orders import Orders
from protocols.atp.receiver import EventReceiver
from protocols.atp.retransmit import Asks, RoundTrip
from protocols.driver import Counters, Gone, OperateFailed, Rejected, Report
from protocols.vocabulary import Operation, OperationLimits, Order, Stage

State = Literal["hello", "identity", "ready"]


class HostSession:
    """One connection, from the first hello to the end. Times are loop seconds."""

    def __init__(self, now: float, *, journal_id: bytes, last_event: int = 0, boot_id: int = 0) -> None:
        """``last_event`` is the newest recorded event of boot ``boot_id``; both 0 when none is known."""
        self.counters = Counters()
        self._journal = journal_id
        self._reports: list[Report] = []
        self._end = Endpoint("host", self.counters)
        self._round_trip = RoundTrip(self.counters)
        self._asks = Asks(self._round_trip)
        self._orders = Orders()
        self._events = EventReceiver(self._round_trip, self.counters, boot_id, last_event if boot_id else 0)
        self._life = Liveness(now)
        self._now = now
        self._token = 0
        self._stop_due: float | None = None
        self._peer_moves = False
        self._errors = 0  # error answers since the last real one
        self._state: State = "hello"
        self._who = Introduction()
        self._held_from: int | None = None  # reports from here on wait until we know whose they are
        self.gone = False
        self._ask_hello()

    # ---- what the daemon asks ------------------------------------------------------------------------

    def operate(self, order: Order, now: float) -> None:
        """Give an order; the same id again is a repetition."""
        message = m.Operate(order.id, order.operation, order.side, order.hand, order.count)
        limit = self.limits(order.operation).accept
        self._orders.ordered(order.id, now)
        self._asks.put(("operate", order.id), message, ordered=True, limit=limit)

    def query(self, id: int) -> None:
        """Ask what became of an order; the answer is a Reply that says ``queried``.

        An order still being sent is not sent any more: its frames must all lie before the question, else
        it could begin after the board said it knows nothing of it.
        """
        self._asks.drop("operate", id)
        self._orders.wanted(id)
        self._asks.put(("query", id), m.Query(id))

    def ask_status(self) -> None:
        """Ask for a snapshot, unless one is being asked for."""
        if not self._asks.has("status"):
            token = self._next_token()
            self._asks.put(("status", token), m.StatusAsk(token))

    def ask_clock(self) -> int:
        """Ask for the board's clock now; returns the token of the sample."""
        token = self._next_token()
        self._asks.put(("clock", token), m.ClockAsk(token))
        return token

    def stop(self, now: float) -> None:
        """Say STOP now and until STOPPED comes; orders wait. One not yet answered is given up, for a lost
        frame of it sent again would move the table after the stop."""
        for ask in self._asks.drop("operate"):
            self._fail_order(ask.key[1], ask.tries)
        self._stop_due = now

    def acknowledge(self, number: int, boot_id: int) -> None:
        """Events up to ``number`` of that boot are durable."""
        self._events.acknowledge(number, boot_id)

    def farewell(self) -> bytes:
        """A board needs no goodbye: silence stops it."""
        return b""

    @staticmethod
    def limits(operation: Operation) -> OperationLimits:
        """How long to wait for *accepted* and for *done*."""
        return DICTIONARY.operations[operation]

    def take_reports(self) -> list[Report]:
        """What was learned since the last call, in order; a board's Hello comes before all else of it."""
        if not self._reports:
            return []
        end = len(self._reports) if self._held_from is None else self._held_from
        reports, self._reports = self._reports[:end], self._reports[end:]
        if self._held_from is not None:
            self._held_from = 0
        return reports

    # ---- the line ------------------------------------------------------------------------------------

    def receive(self, data: bytes, now: float) -> None:
        """Handle bytes from the board."""
        self._now = now
        for message in self._end.feed(data):
            if self.gone:
                return
            self._life.heard = now
            if isinstance(message, m.Error):
                self._on_error(message)
            elif isinstance(message, m.Hello):
                self._on_hello(message, now)
            elif isinstance(message, m.Stopped):
                self._stop_due = None
                self._errors = 0
            elif self._state == "hello":
                self.counters.late += 1
            else:
                self._handle(message, now)

    def outgoing(self, now: float) -> bytes:
        """The bytes to send now."""
        self._now = now
        if self.gone:
            return b""
        if self._stop_due is not None and now >= self._stop_due:
            self._stop_due = now + TIMING.stop_repeat
            self._end.send(m.Stop())
        for ask in self._open_asks.sendable(now, orders=self._stop_due is None):
            self.counters.retries += ask.tries > 1
            self._end.send(ask.message)
        if self._state != "hello":
            for message in self._events.sendable(now):
                self._end.send(message)
        data = self._end.drain()
        if data:
            self._life.sent = now
        return data

    def due(self) -> float | None:
        """When ``tick`` wants to be called; None once gone."""
        if self.gone:
            return None
        if self._end.pending:
            return self._now
        if self._state == "hello":
            due = self._life.heard + TIMING.hello
            others: tuple[float | None, ...] = (self._stop_due, self._hello.due())
        else:
            due = self._life.due(self._moving)
            asks, orders, events = self._open_asks.due(), self._orders.due(), self._events.due(self._now)
            others = (self._stop_due, asks, orders, events)
        for other in others:
            if other is not None and other < due:
                due = other
        return due

    def tick(self, now: float) -> None:
        """Do what time asks for; ``outgoing`` has the bytes of it."""
        self._now = now
        if self.gone:
            return
        if now >= self._life.heard + self._patience:
            self._go("silent", f"nothing good heard for {self._patience} s")
            return
        for ask in self._asks.expired(now):
            self._fail_order(ask.key[1], ask.tries)
        if self._state == "hello":
            return
        for id in self._orders.unheard(now):
            self._asks.put(("query", id), m.Query(id))
        if self._life.should_ask(now, self._moving):
            self._life.asked(now)
            self._end.send(m.Beat(ask=1))
        elif self._life.owes_beat(now, self._moving) and not self._end.pending:
            self._end.send(m.Beat())

    @property
    def _moving(self) -> bool:
        return self._peer_moves or self._orders.moving

    @property
    def _patience(self) -> float:
        return TIMING.hello if self._state == "hello" else TIMING.silence

    @property
    def _open_asks(self) -> Asks:
        """What may be asked now: nothing is asked of a board before we know which it is."""
        return self._asks if self._state == "ready" else self._hello

    def _next_token(self) -> int:
        self._token = self._token + 1 & 0xFFFF or 1
        return self._token

    # ---- beginning and end ---------------------------------------------------------------------------

    def _ask_hello(self) -> None:
        self._state = "hello"
        self._hello = Asks(self._round_trip)
        token, version = self._next_token(), DICTIONARY.version
        self._hello.put(("hello", token), m.HelloAsk(token, version, version, self._journal))

    def _on_hello(self, message: m.Hello, now: float) -> None:
        if self._hello.answered(("hello", message.token), now) is None:
            self.counters.late += 1
            return
        self._errors = 0
        version = DICTIONARY.version
        if not message.version_min <= version <= message.version_max:
            spoken = f"the board speaks versions {message.version_min}-{message.version_max}"
            self._reject("version", f"{spoken}, this host {version}")
            return
        # A newer board's hash is of a dictionary this host cannot know; it still has to speak ours.
        known = message.version_max == version and message.dictionary
        if known and message.dictionary != DICTIONARY.hash(version):
            here = f"{DICTIONARY.hash(version):08x}"
            self._reject("dictionary", f"the board's is {message.dictionary:08x}, this host's {here}")
            return
        if message.boot != self._who.boot:
            self._new_boot(message)
        else:
            self._events.repeat_acknowledgement()
        self._state = "identity"
        self._held_from = len(self._reports)
        for question in self._who.questions():
            self._hello.put(question.key, question.message)
        self._introduced()

    def _new_boot(self, message: m.Hello) -> None:
        """Numbers begin anew, and an order the old boot may have begun must not reach this one."""
        self._end.forget_peer()
        if message.boot != self._events.boot:
            self._events.start(message.boot, message.acknowledged)
        else:
            self._events.repeat_acknowledgement()
        if self._who.boot:
            for ask in self._asks.drop("operate"):
                self._fail_order(ask.key[1], ask.tries)
            self._orders.clear()
        self._who = Introduction(message)

    def _introduced(self) -> None:
        """Once every part is there, the board is known and everything else may begin."""
        hello = self._who.complete()
        if hello is not None and self._state == "identity":
            self._state = "ready"
            self._reports.insert(self._held_from or 0, hello)
            self._held_from = None

    def _on_error(self, message: m.Error) -> None:
        self.counters.peer_errors += 1
        self._errors += 1
        if self._errors >= LIMITS.error_tries:
            detail = f"{self._errors} answers in a row were errors (code {message.code})"
            self._go("errors", detail, Rejected("errors", detail))
        elif message.code == m.ErrorCode.VERSION:
            self._reject("version", f"the board does not speak version {DICTIONARY.version}")
        elif message.code == m.ErrorCode.NO_HELLO and self._state != "hello":
            self._ask_hello()  # it booted; nothing is repeated to it before we know
        elif message.code == m.ErrorCode.UNKNOWN_TYPE:
            self._asks.drop_type(message.about_type)

    def _reject(self, key: str, detail: str) -> None:
        self._go("version", detail, Rejected(key, detail))

    def _go(self, key: str, detail: str, *why: Report) -> None:
        if self._held_from is not None:
            # events of a board that never said who it is; unacknowledged, so it will send them again
            del self._reports[self._held_from :]
            self._held_from = None
        self.gone = True
        self._end.discard()
        self._reports += [*why, Gone(key, detail)]

    # ---- what the board says -------------------------------------------------------------------------

    def _handle(self, message: Message, now: float) -> None:
        if not isinstance(message, m.Beat):  # a peer may live and still answer nothing but errors
            self._errors = 0
        match message:
            case m.Event():
                self._reports += self._events.take(message)
            case m.EventsLost():
                self._reports += self._events.lose(message)
            case m.Beat():
                self._peer_moves = bool(message.moving)
                self._events.announce(message.last_event)
                if message.ask:
                    self._end.send(m.Beat())
            case m.Identity():
                self._hello.answered(("identity", message.part), now)
                self._who.parts[message.part] = message.data
                self._introduced()
            case m.Abilities():
                self._hello.answered(("abilities", 0), now)
                self._who.abilities = message
                self._introduced()
            case m.Clock():
                self._on_clock(message, now)
            case m.Status():
                if self._asks.answered(("status", message.token), now) is None:
                    self.counters.late += 1
                    return
                self._events.announce(message.last_event)
                self._reports.append(translate.status_report(message))
            case _:
                self._on_stage(message, now)
        self._events.chase(now)

    def _on_clock(self, message: m.Clock, now: float) -> None:
        ask = self._asks.answered(("clock", message.token), now)
        if ask is None:
            self.counters.late += 1
            return
        self._events.announce(message.last_event)
        # From the first sending on: whichever of them was answered, the clock was read in between.
        sample = driver.ClockSample(ask.first_sent, now, message.board_us, message.last_event, message.token)
        self._reports.append(sample)

    def _on_stage(self, message: Message, now: float) -> None:
        reply = translate.reply_report(message)
        if reply is None:
            return
        unknown = reply.stage is Stage.UNKNOWN
        if reply.queried:
            self._asks.answered(("query", reply.id), now)
        if unknown or not reply.queried:
            self._asks.answered(("operate", reply.id), now)
        news = self._orders.heard(reply, now)
        if news is None:
            self.counters.late += 1
        else:
            self._reports += news

    def _fail_order(self, id: int, tries: int) -> None:
        self._orders.abandon(id)
        self._reports.append(OperateFailed(id, tries))
