"""A core that accepts everything and remembers it, and a client's end of a dispatcher's bytes."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from typing import Any

from tablectl.api.core import Answered, Event, Subscription
from tablectl.api.dispatch import Dispatcher
from tablectl.game.inputs import Command

AT = 5_000_000


class FakeCore:
    """Answers at once, or when ``release`` is called."""

    def __init__(self, *, online: bool = True) -> None:
        self.commands: list[Command] = []
        self.stops = 0
        self.answers: dict[str, dict[str, Any]] = {}  # by command name
        self.document: dict[str, Any] = {
            "now": AT,
            "links": {"table": {"state": "online" if online else "lost"}},
        }
        self.tells: list[Callable[[Event], None]] = []
        self.kept: list[Event] = []
        self.oldest = 0  # events up to this one are forgotten
        self.patient = False
        self.waiting: list[Callable[[], None]] = []

    def submit(self, command: Command, answered: Answered) -> None:
        self.commands.append(command)
        n = len(self.commands)
        answer = self.answers.get(command.name, {"outcome": "accepted", "key": "", "data": {}})
        if command.refused:
            answer = {"outcome": "refused", "key": command.refused, "data": {"role": command.role}}
        if self.patient:
            self.waiting.append(lambda: answered(answer, n, AT))
        else:
            answered(answer, n, AT)

    def release(self) -> None:
        while self.waiting:
            self.waiting.pop(0)()

    def stop_now(self) -> None:
        self.stops += 1

    def view(self, open: bool) -> dict[str, Any]:
        return {**self.document, "open": open}

    def sheet(self, hand: int, stage: int) -> dict[str, Any]:
        return {"hand": hand, "stage": stage, "players": []}

    def link_quality(self) -> dict[str, Any]:
        return {"table": {"state": self.document["links"]["table"]["state"], "frames_sent": 1}}

    def subscribe(self, tell: Callable[[Event], None], since: int | None) -> Subscription:
        self.tells.append(tell)
        seq = self.kept[-1]["seq"] if self.kept else 0
        known = since is not None and self.oldest <= since <= seq
        backlog = [event for event in self.kept if event["seq"] > (since or 0)] if known else None
        return (
            {**self.view(False), "seq": seq},
            [] if since is None else backlog,
            lambda: self.tells.remove(tell),
        )

    def publish(self, count: int = 1, **data: Any) -> None:
        for _ in range(count):
            seq = (self.kept[-1]["seq"] if self.kept else 0) + 1
            event = {"seq": seq, "n": seq, "at": AT, "key": "event.discarded", "data": {"side": 0, **data}}
            self.kept.append(event)
            for tell in list(self.tells):
                tell(event)


class Wire:
    """A client's end: sends bytes, collects what comes back."""

    def __init__(self, core: FakeCore | None = None, **options: Any) -> None:
        self.core = core or FakeCore()
        self.lines: list[dict[str, Any]] = []
        self.turns: deque[Callable[[], None]] = deque()
        self.hung_up = False
        self.connection = Dispatcher(self.core, soon=self.turns.append, **options).connect(
            self._read, self._gone
        )

    def _gone(self) -> None:
        self.hung_up = True

    def turn(self) -> None:
        """Let the next turn of the loop come."""
        self.turns.popleft()()

    def _read(self, data: bytes) -> None:
        assert data.endswith(b"\n")
        assert data.count(b"\n") == 1
        self.lines.append(json.loads(data))

    def call(self, method: str, params: Any = None, **more: Any) -> dict[str, Any]:
        """Send a request and return the reply that came at once."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}, **more}
        return self.raw(json.dumps(body).encode() + b"\n")

    def raw(self, data: bytes) -> dict[str, Any]:
        before = len(self.lines)
        self.connection.receive(data)
        while self.turns:
            self.turn()
        assert len(self.lines) > before, "nothing came back"
        return self.lines[before]

    def events(self) -> list[int]:
        """Numbers of the events notified so far."""
        return [line["params"]["seq"] for line in self.lines if line.get("method") == "event"]
