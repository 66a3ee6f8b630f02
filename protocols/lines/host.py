"""The host's end of the line protocol: a session without I/O, one for each opening of a port.

It asks ``hello`` until a box answers, patiently, for many boards restart when their port is opened. What is
asked is repeated until it is answered; an order under its own id, which a box carries out once. Events are
taken in order, each once; acknowledged when they are recorded.
"""

from __future__ import annotations

from dataclasses import dataclass

from protocols.driver import (
    ClockSample,
    Counters,
    EventsLost,
    Gone,
    OperateFailed,
    Rejected,
    Reply,
    Report,
)
from protocols.lines import words as w
from protocols.lines.limits import limits_of
from protocols.lines.line import BOX, HOST, Reader, fields_of, line
from protocols.vocabulary import Operation, OperationLimits, Order, Stage

REPEAT = 0.25  # seconds until a question is repeated
STOP_REPEAT = 0.1
PING = 0.5  # seconds of silence after which the box is asked for a sign of life; a box waits 1.5 s
SILENCE = 1.75  # seconds without a good line after which it is gone
HELLO = 8.0  # seconds from opening: a bootloader and a slow start
ASK_AFTER = 0.5  # seconds without news after which an order under way is asked after
ERROR_TRIES = 8
ROUND_TRIPS = 512


@dataclass(slots=True)
class _Ask:
    data: bytes
    first_sent: float = 0.0
    due: float = 0.0
    tries: int = 0
    until: float | None = None  # an order is given up then


Key = tuple[str, int]


class LinesSession:
    """One connection. Times are loop seconds."""

    def __init__(self, now: float, *, journal_id: bytes, last_event: int = 0, boot_id: int = 0) -> None:
        self.counters = Counters()
        self.gone = False
        self._journal = journal_id.hex()[:16]
        self._reader = Reader(BOX)
        self._reports: list[Report] = []
        self._out = bytearray()
        self._asks: dict[Key, _Ask] = {}
        self._ready = False
        self._boot, self._received, self._recorded = boot_id, last_event, last_event
        self._newest = last_event
        self._again_at: float | None = None  # when missing events are asked for (again)
        self._running: dict[int, float] = {}  # accepted orders: when anything was heard of them
        self._wanted: set[int] = set()  # queries of the daemon
        self._stop_due: float | None = None
        self._token = 0
        self._errors = 0
        self._began = self._heard = self._sent = self._now = now
        self._ask_hello()

    # ---- what the daemon asks ------------------------------------------------------------------------

    def operate(self, order: Order, now: float) -> None:
        """Give an order; the same id again is a repetition."""
        head, fields = w.order_words(order)
        until = now + limits_of(order.operation).accept
        self._ask(("do", order.id), line(HOST, *head, **fields), until)

    def query(self, id: int) -> None:
        """Ask what became of an order. It is not sent any more: it must not begin after the answer."""
        self._asks.pop(("do", id), None)
        self._wanted.add(id)
        self._ask(("what", id), line(HOST, "what", id))

    def ask_status(self) -> None:
        """Ask for a snapshot."""
        if not any(kind == "status" for kind, _ in self._asks):
            token = self._next_token()
            self._ask(("status", token), line(HOST, "status", token))

    def ask_clock(self) -> int:
        """Ask for the box's clock."""
        token = self._next_token()
        self._ask(("clock", token), line(HOST, "clock", token))
        return token

    def stop(self, now: float) -> None:
        """Say *stop* until the box says *stopped*. Orders not yet answered are given up."""
        for key in [key for key in self._asks if key[0] == "do"]:
            self._give_up(key)
        self._stop_due = now

    def acknowledge(self, number: int, boot_id: int) -> None:
        """Events up to ``number`` are durable."""
        if boot_id == self._boot and number > self._recorded:
            self._recorded = number
            self._say("ack", number)

    def limits(self, operation: Operation) -> OperationLimits:
        """How long to wait for *accepted* and for *done*."""
        return limits_of(operation)

    def take_reports(self) -> list[Report]:
        """What was learned since the last call, in order."""
        reports, self._reports = self._reports, []
        return reports

    def farewell(self) -> bytes:
        """Nothing: a box finds out by the silence."""
        return b""

    # ---- the line ------------------------------------------------------------------------------------

    def receive(self, data: bytes, now: float) -> None:
        """Handle bytes from the box."""
        self._now = now
        self.counters.bytes_received += len(data)
        for heard in self._reader.feed(data):
            if self.gone:
                return
            if heard.damaged:
                self.counters.crc_errors += 1
                self.counters.bad_bytes += heard.size
            elif not heard.words:
                self.counters.unknown += 1  # chatter
            else:
                self.counters.frames_received += 1
                self._heard = now
                self._handle(heard.words)

    def outgoing(self, now: float) -> bytes:
        """The bytes to send now."""
        self._now = now
        if self.gone:
            return b""
        if self._stop_due is not None and now >= self._stop_due:
            self._stop_due = now + STOP_REPEAT
            self._say("stop")
        for key, ask in self._asks.items():
            if ask.due <= now and self._may_leave(key):
                ask.first_sent = ask.first_sent or now
                self.counters.retries += ask.tries > 0
                ask.due, ask.tries = now + REPEAT, ask.tries + 1
                self._out += ask.data
        if self._again_at is not None and now >= self._again_at:
            self._again_at = now + REPEAT
            self._say("again", self._received + 1)
        data = bytes(self._out)
        self._out.clear()
        if data:
            self._sent = now
            self.counters.frames_sent += data.count(b"*")
            self.counters.bytes_sent += len(data)
        return data

    def due(self) -> float | None:
        """When ``tick`` wants to be called; None once gone."""
        if self.gone:
            return None
        if self._out:
            return self._now
        times = [self._end_of_patience(), self._stop_due, self._again_at]
        times += [ask.due for key, ask in self._asks.items() if self._may_leave(key)]
        times += [ask.until for ask in self._asks.values()]
        if self._ready:
            times += [max(self._heard, self._sent) + PING]
            times += [heard + ASK_AFTER for heard in self._running.values()]
        return max(self._now, min(time for time in times if time is not None))

    def tick(self, now: float) -> None:
        """Do what time asks for."""
        self._now = now
        if self.gone:
            return
        if now >= self._end_of_patience():
            self._go("silent", "no good line came")
            return
        for key in [key for key, ask in self._asks.items() if ask.until is not None and now >= ask.until]:
            self._give_up(key)
        if not self._ready:
            return
        for id, heard in self._running.items():
            if now >= heard + ASK_AFTER:
                self._running[id] = now
                self._ask(("what", id), line(HOST, "what", id))
        if now >= max(self._heard, self._sent) + PING:
            self._say("ping")

    def _end_of_patience(self) -> float:
        return self._heard + SILENCE if self._ready else self._began + HELLO

    def _may_leave(self, key: Key) -> bool:
        """Before the hello nothing is asked of a box, and while a stop stands nothing is ordered."""
        if not self._ready:
            return key[0] == "hello"
        return key[0] != "do" or self._stop_due is None

    def _say(self, *words: object) -> None:
        self._out += line(HOST, *words)

    def _ask(self, key: Key, data: bytes, until: float | None = None) -> None:
        self._asks.setdefault(key, _Ask(data, due=self._now, until=until))

    def _answered(self, key: Key) -> _Ask | None:
        ask = self._asks.pop(key, None)
        if ask is not None and ask.tries == 1:
            trips = self.counters.round_trips
            trips.append(self._now - ask.first_sent)
            del trips[:-ROUND_TRIPS]
        return ask

    def _next_token(self) -> int:
        self._token = self._token + 1 & 0xFFFF or 1
        return self._token

    def _ask_hello(self) -> None:
        self._ready = False
        token = self._next_token()
        self._ask(("hello", token), line(HOST, "hello", token, w.VERSION, self._journal))

    def _give_up(self, key: Key) -> None:
        ask = self._asks.pop(key)
        self._reports.append(OperateFailed(key[1], ask.tries))

    def _go(self, key: str, detail: str, *why: Report) -> None:
        self.gone = True
        self._out.clear()
        self._reports += [*why, Gone(key, detail)]

    # ---- what the box says ---------------------------------------------------------------------------

    def _handle(self, words: w.Words) -> None:
        try:
            if words[0] == "hello":
                self._on_hello(words)
            elif words[0] == "error":
                self._on_error(words)
            elif not self._ready:
                self.counters.late += 1
            else:
                self._errors = 0
                self._on_news(words)
        except (ValueError, KeyError, IndexError):  # sound, and makes no sense: a newer or broken box
            self.counters.unknown += 1

    def _on_hello(self, words: w.Words) -> None:
        token, versions = w.number(words[1]), words[2].partition("-")
        oldest, newest = w.number(versions[0]), w.number(versions[2] or versions[0])
        if self._answered(("hello", token)) is None:
            self.counters.late += 1
            return
        if not oldest <= w.VERSION <= newest:
            detail = f"the box speaks versions {words[2]}, this host {w.VERSION}"
            self._go("version", detail, Rejected("version", detail))
            return
        hello = w.hello_of(words)
        if hello.boot_id != self._boot:
            self._boot = hello.boot_id
            kept = w.number(fields_of(words).get("acked", "0"))
            self._received = self._recorded = self._newest = kept
            for key in [key for key in self._asks if key[0] == "do"]:
                self._give_up(key)
            self._running.clear()
        elif self._recorded:
            self._say("ack", self._recorded)
        self._ready = True
        self._again_at = None
        self._reports.append(hello)

    def _on_error(self, words: w.Words) -> None:
        self.counters.peer_errors += 1
        self._errors += 1
        if self._errors >= ERROR_TRIES:
            detail = f"{self._errors} answers in a row were errors"
            self._go("errors", detail, Rejected("errors", detail))
        elif words[1:2] == ("hello",) and self._ready:
            self._ask_hello()  # it restarted: nothing is repeated to it before we know

    def _on_news(self, words: w.Words) -> None:
        match words[0]:
            case "event":
                self._on_event(words)
            case "lost":
                self._on_lost(w.number(words[1]), w.number(words[2]))
            case "clock":
                token, board_us, newest = (w.number(word) for word in words[1:4])
                self._announce(newest)
                if (ask := self._answered(("clock", token))) is not None:
                    self._reports.append(ClockSample(ask.first_sent, self._now, board_us, newest, token))
            case "status":
                newest = w.number(fields_of(words).get("last", "0"))
                self._announce(newest)
                if self._answered(("status", w.number(words[1]))) is not None:
                    self._reports.append(w.status_of(words, newest))
            case "stopped":
                self._stop_due = None
            case "pong":
                self._announce(w.number(words[1]) if len(words) > 1 else 0)
            case word if word in w.STAGE_OF:
                self._on_reply(w.reply_of(words))
            case _:
                self.counters.unknown += 1

    def _announce(self, newest: int) -> None:
        self._newest = max(self._newest, newest)
        if self._newest > self._received and self._again_at is None:
            self._again_at = self._now + REPEAT  # most likely they are on their way

    def _on_event(self, words: w.Words) -> None:
        number = w.number(words[1])
        if number <= self._received:
            self.counters.events_repeated += 1
            if number <= self._recorded:
                self._say("ack", self._recorded)
            return
        self._newest = max(self._newest, number)
        if number > self._received + 1:
            self._again_at = self._now if self._again_at is None else self._again_at
            return
        try:
            event = w.event_of(words)
        except (ValueError, IndexError):  # a number and nonsense: waiting for better would be for ever
            event = None
        self._received = number
        self._caught_up()
        if event is None:
            self.counters.unknown += 1  # its number is recorded with the next one's
        else:
            self.counters.events += 1
            self._reports.append(event)

    def _on_lost(self, first: int, last: int) -> None:
        if first <= self._received + 1 <= last:
            self._reports.append(EventsLost(self._received + 1, last))
            self.counters.events_lost += last - self._received
            self._received = last
            self._caught_up()

    def _caught_up(self) -> None:
        self._again_at = None if self._received >= self._newest else self._now + REPEAT

    def _on_reply(self, reply: Reply) -> None:
        id = reply.id
        asked = self._answered(("do", id)) is not None
        wanted = self._answered(("what", id)) is not None and id in self._wanted
        if wanted:
            self._wanted.discard(id)
            self._reports.append(_queried(reply))
        elif asked or id in self._running:
            if reply.stage is Stage.UNKNOWN:
                self._reports.append(_queried(reply))
            elif not (reply.stage is Stage.ACCEPTED and id in self._running):
                self._reports.append(reply)
        else:
            self.counters.late += 1
            return
        if reply.stage in (Stage.ACCEPTED, Stage.PROGRESS):
            self._running[id] = self._now
        else:
            self._running.pop(id, None)


def _queried(reply: Reply) -> Reply:
    return Reply(
        reply.id,
        reply.stage,
        percent=reply.percent,
        refusal=reply.refusal,
        fault=reply.fault,
        side=reply.side,
        value=reply.value,
        queried=True,
    )
