"""The box's end of the line protocol: a session without I/O, for twins and tests.

It keeps the newest events until they are acknowledged and says them again; it keeps the last results, so a
repeated order is answered and not carried out again. What the box is and does is a ``BoardApp``.
"""

from __future__ import annotations

from collections import deque

from protocols.atp.board import BoardApp
from protocols.driver import BoardEvent, Counters, Reply
from protocols.lines import words as w
from protocols.lines.line import BOX, HOST, Reader, line
from protocols.vocabulary import NO_SIDE, EventKind, Fault, Refusal, Source, Stage

AGAIN = 0.3  # seconds until unacknowledged events are said again
AT_ONCE = 4  # of them
SILENCE = 1.5  # seconds after which the host is gone
EVENTS, RESULTS = 32, 8  # kept


class BoxSession:
    """One boot of a box, as seen on its line."""

    def __init__(self, app: BoardApp, now: float) -> None:
        self.counters = Counters()
        self._app = app
        self._reader = Reader(HOST)
        self._out = bytearray()
        self._events: deque[BoardEvent] = deque(maxlen=EVENTS)
        self._newest = self._acked = 0
        self._again_at: float | None = None
        self._results: dict[int, Reply] = {}
        self._journal = ""
        self._greeted = self._quiet = False
        self._stopping = False
        self._heard = self._now = now

    # ---- the line ------------------------------------------------------------------------------------

    def receive(self, data: bytes, now: float) -> None:
        """Handle bytes from the host."""
        self._now = now
        for heard in self._reader.feed(data):
            if not heard.words:
                self.counters.crc_errors += heard.damaged
                continue
            self._heard, self._quiet = now, False
            self.counters.frames_received += 1
            try:
                self._handle(heard.words)
            except (ValueError, KeyError, IndexError):
                self._say("error", "words")

    def outgoing(self, now: float) -> bytes:
        """The bytes to send now."""
        self._now = now
        data = bytes(self._out)
        self._out.clear()
        return data

    def due(self) -> float | None:
        """When ``tick`` wants to be called."""
        if self._out:
            return self._now
        if not self._greeted or self._quiet:
            return None
        silent = self._heard + SILENCE
        return silent if self._again_at is None else min(silent, self._again_at)

    def tick(self, now: float) -> None:
        """Say events again; notice that the host is gone."""
        self._now = now
        if not self._greeted or self._quiet:
            return
        if now >= self._heard + SILENCE:
            self._quiet = True
            self._app.host_silent()
        elif self._again_at is not None and now >= self._again_at:
            self._tell_again(self._acked + 1)

    def _say(self, *words: object, **fields: object) -> None:
        self._out += line(BOX, *words, **fields)

    # ---- what the host says --------------------------------------------------------------------------

    def _handle(self, words: w.Words) -> None:
        match words[0]:
            case "hello":
                self._greet(words)
            case "stop":
                self._stopping = True
                if self._app.stop():
                    self.stopped()
            case _ if not self._greeted:
                self._say("error", "hello")
            case "do":
                self._operate(words)
            case "what":
                id = w.number(words[1])
                self._say(*w.reply_words(self._results.get(id) or Reply(id, Stage.UNKNOWN)))
            case "status":
                fields = w.status_fields(self._app.status())
                self._say("status", words[1], last=self._newest, **fields)
            case "clock":
                self._say("clock", words[1], self._app.board_us(self._now), self._newest)
            case "ack":
                self._acked = max(self._acked, min(w.number(words[1]), self._newest))
                self._again_at = self._now + AGAIN if self._acked < self._newest else None
            case "again":
                self._tell_again(w.number(words[1]))
            case "ping":
                self._say("pong", self._newest)
            case _:
                self._say("error", "words")

    def _greet(self, words: w.Words) -> None:
        if words[3:4] != (self._journal,):  # another record's results mean nothing to it
            self._journal = words[3] if len(words) > 3 else ""
            self._results = {id: kept for id, kept in self._results.items() if not kept.stage.final}
        self._greeted = True
        self._say("hello", words[1], w.VERSION, acked=self._acked, **w.hello_fields(self._app.hello()))
        self._tell_again(self._acked + 1)

    def _tell_again(self, first: int) -> None:
        oldest = self._events[0].number if self._events else self._newest + 1
        if first < oldest and first <= self._newest:
            self._say("lost", first, oldest - 1)
        for event in [event for event in self._events if event.number >= first][:AT_ONCE]:
            self.counters.retries += 1
            self._say(*w.event_words(event))
        self._again_at = self._now + AGAIN if self._acked < self._newest else None

    def _operate(self, words: w.Words) -> None:
        id = w.number(words[1])
        if (kept := self._results.get(id)) is not None:
            self._say(*w.reply_words(kept))
            return
        order = w.order_of(words)
        if order is None:
            self._keep(Reply(id, Stage.REFUSED, refusal=Refusal.UNSUPPORTED))
            return
        self._results[id] = Reply(id, Stage.ACCEPTED)  # in memory before anything moves for it
        refusal = self._app.operate(order)
        if refusal is not Refusal.NONE:
            self._keep(Reply(id, Stage.REFUSED, refusal=refusal))
        elif not self._results[id].stage.final:
            self._keep(Reply(id, Stage.ACCEPTED))

    def _keep(self, reply: Reply) -> None:
        self._results[reply.id] = reply
        finished = [id for id, kept in self._results.items() if kept.stage.final and id != reply.id]
        for id in finished[: max(0, len(self._results) - RESULTS)]:
            del self._results[id]
        if self._greeted and not self._quiet:
            self._say(*w.reply_words(reply))

    def _stage(self, reply: Reply) -> None:
        kept = self._results.get(reply.id)
        if kept is not None and not kept.stage.final:
            self._keep(reply)

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
        """Something was sensed; returns its number."""
        self._newest += 1
        event = BoardEvent(self._newest, board_us, kind, side, source, value, tiles)
        self._events.append(event)
        self.counters.events += 1
        if self._greeted and not self._quiet:
            self._say(*w.event_words(event))
            self._again_at = self._again_at or self._now + AGAIN
        return self._newest

    def progress(self, id: int, percent: int) -> None:
        """The order is so far."""
        self._stage(Reply(id, Stage.PROGRESS, percent=percent))

    def done(self, id: int, value: int = 0) -> None:
        """The state ordered is reached."""
        self._stage(Reply(id, Stage.DONE, value=value))

    def failed(self, id: int, fault: Fault, side: int = NO_SIDE) -> None:
        """The order cannot be finished."""
        self._stage(Reply(id, Stage.FAILED, fault=fault, side=side))

    def stopped(self) -> None:
        """Everything has come to rest after a stop."""
        if self._stopping:
            self._stopping = False
            self._say("stopped")
