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
from typing import Any, Protocol

from tablectl.daemon.errors import JournalFailed
from tablectl.daemon.feed import Feed, Tell
from tablectl.daemon.journal import Journal
from tablectl.daemon.record import canonical
from tablectl.daemon.timebase import TableClock
from tablectl.game import step as game
from tablectl.game.effects import Answer, Effect, HandClosed, Operate, Publish, Query
from tablectl.game.inputs import AnyInput, BoardEvent, Command, Deadline, EventsLost, Refused
from tablectl.game.state import State
from tablectl.game.view import view
from tablectl.rules.book import RuleBook

Answered = Callable[[dict[str, Any], int, int], None]
Snapshot = Callable[[int, str, bytes], None]  # (record, its hash, state)
Watch = Callable[[State, int, AnyInput], None]  # called after every input; for checks, never in play


class Device(Protocol):
    """A link, as the core uses it."""

    def operate(self, order: Operate) -> None: ...

    def query(self, query: Query) -> None: ...

    def stop(self) -> None: ...

    def durable(self, boot: int, number: int) -> None: ...

    def ask_clock(self, told: Callable[[int, int, int], None]) -> None:
        """Ask the board's clock; ``told(table µs of the board's clock, last event, unc µs)``."""

    def quality(self) -> dict[str, Any]: ...


@dataclass(slots=True)
class _Asked:
    """A command's identity and its answer, once there is one."""

    content: str
    answer: dict[str, Any] | None = None
    n: int = 0
    at: int = 0
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
        loop: asyncio.AbstractEventLoop | None = None,
        snapshot: Snapshot | None = None,
        watch: Watch | None = None,
    ) -> None:
        self.journal = journal
        self.clock = clock
        self.book = book
        self.state = state if state is not None else game.new_state()
        self.devices: dict[str, Device] = {}
        self.feed = Feed()
        self.failure: JournalFailed | None = None
        self.inputs = 0
        self._loop = loop or asyncio.get_running_loop()
        self._snapshot = snapshot
        self._watch = watch
        self._queue: deque[tuple[AnyInput, int, int, Answered | None]] = deque()
        self._draining = False
        self._asked: dict[tuple[str, str], _Asked] = {}
        self._base = game.to_json(self.state)
        self._tail: list[tuple[int, int, int, AnyInput]] = []  # applied since `_base`
        self._timer: asyncio.TimerHandle | None = None
        self._armed: tuple[str, int] | None = None

    # what comes in
    def emit(self, item: AnyInput, at: int, unc: int) -> None:
        """Take an input of a device or of the daemon itself."""
        self._put(item, at, unc, None)

    def submit(self, command: Command, answered: Answered) -> None:
        """Take a command. The same id, actor and content get the first answer again, and nothing else."""
        key, content = (command.actor, command.id), _content(command)
        asked = self._asked.get(key)
        if asked is None:
            self._asked[key] = _Asked(content, waiting=[answered])
            self._put(command, self.clock.now_us(), 0, None)
        elif asked.content != content:
            reused = {"outcome": "refused", "key": "refused.id_reused", "data": {"id": command.id}}
            self._loop.call_soon(answered, reused, asked.n, asked.at)
        elif asked.answer is not None:
            self._loop.call_soon(answered, asked.answer, asked.n, asked.at)
        else:
            asked.waiting.append(answered)

    def remember(self, command: Command, answer: dict[str, Any], n: int, at: int) -> None:
        """Enter a command found in the record, so that its id is never carried out again."""
        self._asked[command.actor, command.id] = _Asked(_content(command), answer, n, at)

    def stop_now(self) -> None:
        """Stop all motion, before anything is recorded."""
        for device in self.devices.values():
            device.stop()

    # what goes out
    def view(self, open: bool) -> dict[str, Any]:
        """The state document."""
        document = view(self.state, self.clock.now_us(), open=open)
        if self.failure is not None:
            hold = {"name": "journal", "key": "hold.journal", "since": self.state.now, "ends": "auto"}
            document["holds"].append({**hold, "data": {"reason": self.failure.fields["reason"]}})
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
        self._disarm()
        for asked in self._asked.values():
            self._refuse_waiting(asked)
        self.feed.publish(0, self.state.now, [Publish("event.journal_failed", {"reason": failure.fields["reason"]})])

    # the writer
    def _put(self, item: AnyInput, at: int, unc: int, answered: Answered | None) -> None:
        self._queue.append((item, at, unc, answered))
        if not self._draining:
            self._draining = True
            try:
                while self._queue:
                    self._take(*self._queue.popleft())
            finally:
                self._draining = False
            self._arm()

    def _take(self, item: AnyInput, at: int, unc: int, answered: Answered | None) -> None:
        n = self.journal.head.n + 1
        body: dict[str, Any] = {"at": at, "unc": unc, "in": item}
        try:
            effects = game.step(self.state, n, at, unc, item, self.book)
        except Exception as error:  # a bug: the state is rebuilt without this input, the table held
            self._rebuild()
            self.journal.append({**body, "raised": f"{type(error).__name__}: {error}"})
            self._loop.call_exception_handler({"message": f"input {n} raised", "exception": error})
            self._queue.appendleft((Refused(n, f"{type(error).__name__}: {error}"), at, 0, None))
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
        if self.failure is not None and isinstance(item, Command):
            self._refuse_waiting(self._asked[item.actor, item.id])
        if self._watch is not None:
            self._watch(self.state, n, item)

    def _close_hand(self, closed: HandClosed, at: int) -> None:
        """The result and the digest are records too; a restart replays from the snapshot taken here."""
        base = game.to_json(self.state)
        digest = hashlib.sha256(base).hexdigest()
        self.journal.append({"at": at, "unc": 0, "result": {**closed.result, "digest": digest}})
        self._base, self._tail = base, []
        head = self.journal.head
        if self._snapshot is not None:
            snapshot = self._snapshot
            self.journal.when_durable(head.n, lambda: snapshot(head.n, head.hash, base))

    def _rebuild(self) -> None:
        self.state = game.from_json(self._base)
        for n, at, unc, item in self._tail:
            game.step(self.state, n, at, unc, item, self.book)

    def resume_from(self, base: bytes, tail: list[tuple[int, int, int, AnyInput]]) -> None:
        """Say from where the present state can be rebuilt: a snapshot and the inputs after it."""
        self._base, self._tail = base, tail

    def _release(self, item: AnyInput, n: int, at: int, effects: list[Effect]) -> None:
        """The record is durable: let out what it caused, in order."""
        if isinstance(item, BoardEvent):
            self._durable(item.device, item.boot, item.number)
        elif isinstance(item, EventsLost):
            self._durable(item.device, item.boot, item.last)
        published: list[Publish] = []
        for effect in effects:
            match effect:
                case Operate() if effect.device in self.devices:
                    self.devices[effect.device].operate(effect)
                case Query() if effect.device in self.devices:
                    self.devices[effect.device].query(effect)
                case Publish():
                    published.append(effect)
                case Answer():
                    self._tell_asker(effect, n, at)
                case _:
                    pass
        self.feed.publish(n, at, published)

    def _durable(self, device: str, boot: int, number: int) -> None:
        if device in self.devices:
            self.devices[device].durable(boot, number)

    def _tell_asker(self, answer: Answer, n: int, at: int) -> None:
        asked = self._asked.get((answer.actor, answer.id))
        if asked is None:
            return
        asked.answer, asked.n, asked.at = _answer(answer), n, at
        for told in asked.waiting:
            told(asked.answer, n, at)
        asked.waiting = []

    def _refuse_waiting(self, asked: _Asked) -> None:
        assert self.failure is not None
        refused = {
            "outcome": "refused",
            "key": "refused.journal_failed",
            "data": {"reason": self.failure.fields["reason"]},
        }
        for told in asked.waiting:
            self._loop.call_soon(told, refused, 0, self.state.now)
        asked.waiting = []

    # deadlines
    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._armed = None

    def _arm(self) -> None:
        """Wake at the next deadline. Deadlines live in the state; a timer only says when to look."""
        due = game.deadlines(self.state)
        first = due[0] if due and self.failure is None else None
        if first == self._armed and self._timer is not None:
            return
        self._disarm()
        if first is not None:
            self._armed = first
            self._timer = self._loop.call_at(self.clock.loop_time_of(first[1]), self._ring)

    def rearm(self) -> None:
        """Table time runs at another scale now: look again when to wake."""
        self._disarm()
        self._arm()

    def _ring(self) -> None:
        name_due, self._timer = self._armed, None
        if name_due is None:
            return
        name, due = name_due
        if self.clock.now_us() < due:
            self._armed = None
            self._arm()
        elif name == "order" or not self.devices:
            self._armed = None
            self._put(Deadline(name, due), due, 0, None)
        else:
            self._ask_boards(name, due)

    def _ask_boards(self, name: str, due: int) -> None:
        """Decide only when every board's clock is past the deadline and no event of it is missing: a press
        stamped earlier wins, however late it arrives. A board that does not answer loses its link first."""
        waiting = set(self.devices)

        def told(device: str, board_at: int, last_event: int, unc: int) -> None:
            known = self.state.devices[device].last_event if device in self.state.devices else 0
            if self._armed != (name, due):
                return  # something beat it
            if board_at < due or last_event > known:
                self._retry_ring()
                return
            waiting.discard(device)
            if not waiting:
                self._armed = None
                self._put(Deadline(name, due), due, unc, None)

        for device, link in self.devices.items():

            def heard(at: int, last: int, unc: int, device: str = device) -> None:
                told(device, at, last, unc)

            link.ask_clock(heard)

    def _retry_ring(self) -> None:
        if self._timer is None:
            self._timer = self._loop.call_later(ASK_AGAIN_S, self._ring)

    def close(self) -> None:
        """Arm nothing more."""
        self._disarm()


ASK_AGAIN_S = 0.01  # the event that was missing is on its way: it is asked for by the wire itself


def _content(command: Command) -> str:
    return hashlib.sha256(canonical([command.name, command.args, command.expect])).hexdigest()


def _answer(answer: Answer) -> dict[str, Any]:
    return {"outcome": answer.outcome, "key": answer.key, "data": answer.data}


def _apology(item: AnyInput) -> list[Effect]:
    """A command that hit a bug still gets an answer."""
    if isinstance(item, Command):
        return [Answer(item.actor, item.id, "refused", "refused.bug")]
    return []
