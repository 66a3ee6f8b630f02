"""The one writer: every input passes here, is recorded, applied, and has its effects let out.

An input is applied and appended at once, in the order it came; what it wants done waits until its record
is durable. So whatever a crash loses, nobody has been told and nothing has moved. *Stop* alone leaves at
once and is recorded beside.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from tablectl.daemon.alarm import Alarm
from tablectl.daemon.answers import Answers, content_hash
from tablectl.daemon.device import Device
from tablectl.daemon.errors import JournalFailed
from tablectl.daemon.feed import Feed, Tell
from tablectl.daemon.journal import Journal
from tablectl.daemon.record import Head
from tablectl.daemon.timebase import TableClock
from tablectl.game import sheet
from tablectl.game import step as game
from tablectl.game.effects import Adopt, Answer, AskStatus, Effect, HandClosed, Operate, Publish, Query
from tablectl.game.inputs import (
    AnyInput,
    BoardEvent,
    Command,
    Deadline,
    EventsLost,
    Input,
    LinkChange,
    Refused,
)
from tablectl.game.state import State
from tablectl.game.view import view
from tablectl.rules.book import RuleBook

Answered = Callable[[dict[str, Any], int, int], None]
Snapshot = Callable[[Head, int, bytes], None]  # (record, table time, state)
Watch = Callable[[State, int, AnyInput], None]  # called after every input; for checks, never in play


@dataclass(slots=True)
class _Asked:
    """A command on its way to an answer, and everybody who waits for it."""

    content: str
    stop: bool
    waiting: list[Answered] = field(default_factory=list)


class Core:
    """State, journal and devices of one table. Lives on one event loop; every call returns at once."""

    def __init__(
        self,
        journal: Journal,
        clock: TableClock,
        book: RuleBook,
        *,
        state: State | None = None,
        answers: Answers | None = None,
        loop: asyncio.AbstractEventLoop | None = None,
        snapshot: Snapshot | None = None,
        watch: Watch | None = None,
        name: str = "",
    ) -> None:
        self.journal = journal
        self.name = name  # of the journal
        self.clock = clock
        self.book = book
        self.state = state if state is not None else game.new_state()
        self.devices: dict[str, Device] = {}
        self.feed = Feed(journal.head.n << 8 | 255 if journal.head.n > 1 else 0)
        self.answers = answers if answers is not None else Answers()
        self.failure: JournalFailed | None = None
        self.inputs = 0
        self._loop = loop or asyncio.get_running_loop()
        self._snapshot = snapshot
        self._watch = watch
        self._queue: deque[tuple[AnyInput, int, int]] = deque()
        self._draining = False
        self._asked: dict[tuple[str, str], _Asked] = {}
        self._form = game.form()  # takes a while the first time; no hand waits for it
        self._base = game.to_json(self.state)
        self._tail: list[tuple[int, int, int, AnyInput]] = []  # applied since `_base`
        self._bases: list[
            tuple[int, bytes, list[tuple[int, int, int, AnyInput]]]
        ] = []  # till that is durable
        self._unrecorded: list[dict[str, Any]] = []  # holds of a table that cannot record
        self._alarm = Alarm(self._loop, clock, self.devices, self._decide)

    # what comes in
    def emit(self, item: Input, at: int, unc: int) -> None:
        """Take an input of a device or of the daemon itself."""
        self._put(cast(AnyInput, item), at, unc)

    def submit(self, command: Command, answered: Answered) -> None:
        """Take a command. The same id, actor and content get the first answer again, and nothing else."""
        key, content = (command.actor, command.id), content_hash(command.name, command.args, command.expect)
        known, asked = self.answers.get(*key), self._asked.get(key)
        if (known and known.content != content) or (asked and asked.content != content):
            reused = {"outcome": "refused", "key": "refused.id_reused", "data": {"id": command.id}}
            self._loop.call_soon(answered, reused, known.n if known else 0, self.state.now)
        elif known is not None:
            self._loop.call_soon(answered, known.out, known.n, self.state.now)
        elif asked is not None:
            asked.waiting.append(answered)
        elif self.failure is not None:
            answer = self._no_record(self.failure, stop=command.name == STOP)
            self._loop.call_soon(answered, answer, 0, self.state.now)
        else:
            self._asked[key] = _Asked(content, command.name == STOP, [answered])
            self._put(command, self.clock.now_us(), 0)

    def stop_now(self) -> None:
        """Stop all motion, before anything is recorded."""
        for device in self.devices.values():
            device.stop()

    # what goes out
    def sheet(self, hand: int, stage: int) -> dict[str, Any]:
        """The score sheet of the session as it is on the disk now, or of one hand or stage of it."""
        head = self.journal.durable_head
        mark = sheet.mark(self.name, head.n, head.hash)
        state = self.state if head.n == self.journal.head.n else self._as_durable()
        return {**sheet.document(state, hand=hand, stage=stage), "record": mark}

    def view(self, open: bool) -> dict[str, Any]:
        """The state document. Only a simulated table shows the tiles of a hand in play."""
        simulated = any("simulated" in device.capabilities for device in self.state.devices.values())
        document = view(self.state, self.clock.now_us(), open=open and simulated)
        document["holds"] += self._unrecorded
        document["queue"] = len(self._queue)
        return document

    def link_quality(self) -> dict[str, Any]:
        """Counters, round trips and clocks of every device."""
        return {name: device.quality() for name, device in self.devices.items()}

    def subscribe(
        self, tell: Tell, since: int | None
    ) -> tuple[dict[str, Any], list[dict[str, Any]] | None, Callable[[], None]]:
        """State document, events after ``since`` (None if too old), unsubscribe."""
        backlog, leave = self.feed.subscribe(tell, since)
        return {**self.view(False), "seq": self.feed.seq}, backlog, leave

    def journal_failed(self, failure: JournalFailed) -> None:
        """The disk refuses: nothing more becomes durable, so nothing more leaves but *stop*."""
        self.failure = failure
        self._alarm.set(None)
        self.state = self._as_durable()  # what is not on the disk has not happened, on no screen
        if self.state.hand is not None and self.state.hand.frozen is None:
            self.state.hand.frozen = self.state.now
        self._hold_unrecorded("journal", "hold.journal", reason=failure.fields["reason"])
        for asked in self._asked.values():
            for told in asked.waiting:
                told(self._no_record(failure, stop=asked.stop), 0, self.state.now)
        self._asked.clear()
        self.feed.publish(
            0, self.state.now, [Publish("event.journal_failed", {"reason": failure.fields["reason"]})]
        )

    # the writer
    def _put(self, item: AnyInput, at: int, unc: int) -> None:
        if self.failure is not None:  # the boards keep their events and will send them again
            if isinstance(item, LinkChange):  # what is plugged in is seen all the same
                game.step(self.state, self.journal.head.n + 1, at, unc, item, self.book)
            return
        self._queue.append((item, at, unc))
        if not self._draining:
            self._draining = True
            try:
                while self._queue:
                    self._take(*self._queue.popleft())
            finally:
                self._draining = False
            self._arm()

    def _take(self, item: AnyInput, at: int, unc: int) -> None:
        n = self.journal.head.n + 1
        body: dict[str, Any] = {"at": at, "unc": unc, "in": item}
        try:
            effects = game.step(self.state, n, at, unc, item, self.book)
        except Exception as error:  # a bug: the state is rebuilt without this input, the table held
            self._rebuild()
            self.journal.append({**body, "raised": f"{type(error).__name__}: {error}"})
            self._loop.call_exception_handler({"message": f"input {n} raised", "exception": error})
            self._queue.appendleft((Refused(n, f"{type(error).__name__}: {error}"), at, 0))
            effects = _apology(item)
        else:
            self._tail.append((n, at, unc, item))
            out = next((_answer(e) for e in effects if isinstance(e, Answer)), None)
            self.journal.append(body if out is None else {**body, "out": out})
        self.inputs += 1
        closed = next((e for e in effects if isinstance(e, HandClosed)), None)
        if closed is not None:
            self._close_hand(closed, at)
        last = self.journal.head.n
        self.journal.when_durable(last, lambda: self._release(item, n, at, effects))
        if self._watch is not None:
            self._watch(self.state, n, item)

    def _close_hand(self, closed: HandClosed, at: int) -> None:
        """The result and the digest are records too; a restart replays from the snapshot taken here."""
        base = game.to_json(self.state)
        digest = hashlib.sha256(base).hexdigest()
        result = {**closed.result, "digest": digest, "form": self._form}
        self.journal.append({"at": at, "unc": 0, "result": result})
        head = self.journal.head
        self._bases.append((head.n, self._base, self._tail))
        self._base, self._tail = base, []
        self.journal.when_durable(head.n, lambda: self._bases.pop(0))
        if self._snapshot is not None:
            snapshot = self._snapshot
            self.journal.when_durable(head.n, lambda: snapshot(head, at, base))

    def _rebuild(self) -> None:
        self.state = game.from_json(self._base)
        for n, at, unc, item in self._tail:
            game.step(self.state, n, at, unc, item, self.book)

    def _as_durable(self) -> State:
        """The state by the records that are on the disk, and no other."""
        base, tail = self._base, self._tail
        for last, older, inputs in self._bases:
            if self.journal.durable < last:
                base, tail = older, inputs
                break
        state = game.from_json(base)
        for n, at, unc, item in tail:
            if n <= self.journal.durable:
                game.step(state, n, at, unc, item, self.book)
        return state

    def resume_from(self, base: bytes, tail: list[tuple[int, int, int, AnyInput]]) -> None:
        """Say from where the present state can be rebuilt: a snapshot and the inputs after it."""
        self._base, self._tail = base, tail

    def _release(self, item: AnyInput, n: int, at: int, effects: list[Effect]) -> None:
        """The record is durable: let out what it caused, in order, and let the board forget the event."""
        published: list[Publish] = []
        for effect in effects:
            match effect:
                case Operate() if effect.device in self.devices:
                    self.devices[effect.device].operate(effect)
                case Query() if effect.device in self.devices:
                    self.devices[effect.device].query(effect)
                case AskStatus() if effect.device in self.devices:
                    self.devices[effect.device].ask_status()
                case Adopt() if effect.device in self.devices:
                    self.devices[effect.device].adopt()
                case Publish():
                    published.append(effect)
                case Answer():
                    self._tell_asker(effect, n, at)
                case _:
                    pass
        self.feed.publish(n, at, published)
        if isinstance(item, BoardEvent):  # last: nobody waits for the acknowledgement
            self._durable(item.device, item.boot, item.number)
        elif isinstance(item, EventsLost):
            self._durable(item.device, item.boot, item.last)

    def _durable(self, device: str, boot: int, number: int) -> None:
        if device in self.devices:
            self.devices[device].durable(boot, number)

    def _tell_asker(self, answer: Answer, n: int, at: int) -> None:
        asked = self._asked.pop((answer.actor, answer.id), None)
        if asked is None:
            return
        out = _answer(answer)
        self.answers.put(answer.actor, answer.id, n, asked.content, out)
        for told in asked.waiting:
            told(out, n, at)

    def _hold_unrecorded(self, name: str, key: str, **data: Any) -> None:
        hold = {"name": name, "key": key, "since": self.state.now, "ends": "auto", "data": data}
        if all(other["name"] != name for other in self._unrecorded):
            self._unrecorded.append(hold)

    def _no_record(self, failure: JournalFailed, *, stop: bool = False) -> dict[str, Any]:
        reason = failure.fields["reason"]
        if stop:  # it left before anything else, and only its record is missing
            self._hold_unrecorded("stopped", "hold.stopped_unrecorded")
            return {"outcome": "accepted", "key": "answer.stopped_unrecorded", "data": {"reason": reason}}
        return {"outcome": "refused", "key": "refused.journal_failed", "data": {"reason": reason}}

    # deadlines
    def _arm(self) -> None:
        self._alarm.set(self.state if self.failure is None else None)

    def _decide(self, name: str, due: int, unc: int) -> None:
        self._put(Deadline(name, due), due, unc)

    def close(self) -> None:
        """Arm nothing more."""
        self._alarm.set(None)


STOP = "machine stop"


def _answer(answer: Answer) -> dict[str, Any]:
    return {"outcome": answer.outcome, "key": answer.key, "data": answer.data}


def _apology(item: AnyInput) -> list[Effect]:
    """A command that hit a bug still gets an answer."""
    if isinstance(item, Command):
        return [Answer(item.actor, item.id, "refused", "refused.bug")]
    return []
