"""From request bytes to the core and back: the API without a socket.

A socket, and the rehearsal under virtual time, feed the same bytes to a ``Connection`` and get the same
bytes back. Nothing here decides what is legal; it checks that a request can be one, and that the role may
give the command at all.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from tablectl.game.inputs import Command

from . import rpc
from .answer import complete
from .arguments import MAX_NAME, MAX_TEXT, MAX_WHO, nearest, one_of, read_arguments
from .core import Answer, Core
from .errors import BadArgument, RequestError
from .feed import QUEUE, Feed
from .house import House
from .registry import BY_METHOD
from .spec import ROLES, CommandSpec, Role

MAX_UNANSWERED = 64  # commands of one connection that may wait for their records
LINES_A_TURN = 16  # waiting lines answered in one turn of the loop, of all connections together
MAX_WAITING = 1024 * 1024  # bytes of a connection's lines that may wait for their turn
SECRET_BYTES = 32  # of chance: nobody guesses it, or finds another that has the same SHA-256
LINE_COST = 64  # bytes a waiting line takes beside its own
OPEN_ROLE: Role = "referee"  # who may see the tiles of a hand in play
NO_HOUSE = House()
ENVELOPE = ("id", "actor", "role", "expect", "confirm", "args")


class Dispatcher:
    """The API over a core. ``actor`` and ``role`` are those of a connection that names none.

    Connections with more than one line take turns, so that none can keep the loop from the table; ``soon``
    calls in the loop's next turn. ``secret`` is the chance of commands that need some, ``house`` what the
    club has configured.
    """

    def __init__(
        self,
        core: Core,
        *,
        actor: str = "local",
        role: Role = "referee",
        queue: int = QUEUE,
        soon: Callable[[Callable[[], None]], object] | None = None,
        secret: Callable[[], str] = lambda: secrets.token_hex(SECRET_BYTES),
        house: House = NO_HOUSE,
    ) -> None:
        self.core = core
        self.house = house
        self.actor = actor
        self.role = role
        self.queue = queue
        self.secret = secret
        self._soon = soon or (lambda call: asyncio.get_running_loop().call_soon(call))
        self._busy: deque[Connection] = deque()
        self._working = False

    def connect(
        self, send: Callable[[bytes], None], hang_up: Callable[[], None] = lambda: None
    ) -> Connection:
        """A new client; what it is to read goes to ``send``, a line at a time. ``hang_up`` drops it."""
        return Connection(self, send, hang_up)

    def line_up(self, connection: Connection) -> None:
        """A connection has lines that wait: it gets its turns."""
        self._busy.append(connection)
        self._work_soon()

    def _work_soon(self) -> None:
        if self._busy and not self._working:
            self._working = True
            self._soon(self._work)

    def _work(self) -> None:
        try:
            for _ in range(LINES_A_TURN):
                if not self._busy:
                    break
                connection = self._busy.popleft()
                if connection.take_turn():
                    self._busy.append(connection)
        finally:
            self._working = False
            self._work_soon()


@dataclass(frozen=True, slots=True)
class Envelope:
    """What a request says beside its arguments."""

    spec: CommandSpec
    id: str
    actor: str
    role: Role
    expect: str
    confirm: bool
    args: dict[str, Any]

    def allows(self, role: Role) -> bool:
        """True if who asks has at least this role."""
        return ROLES.index(self.role) >= ROLES.index(role)


class Connection:
    """One client: its unfinished line, its unanswered commands, its subscription."""

    def __init__(
        self, dispatcher: Dispatcher, send: Callable[[bytes], None], hang_up: Callable[[], None]
    ) -> None:
        self._dispatcher = dispatcher
        self._send = send
        self._hang_up = hang_up
        self._waiting: deque[bytes | None] = deque()
        self._waiting_cost = 0
        self._lined_up = False
        self._reader = rpc.LineReader()
        self._unanswered = 0
        self._feed: Feed | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._paused = False
        self._closed = False

    def receive(self, data: bytes) -> None:
        """Bytes from the client, in any pieces. What was still under way when it closed is gone.

        The first line is answered at once, more of them in turn. A stop among them acts now, and once more
        in its turn: what was commanded before it is stopped too.
        """
        if self._closed:
            return
        lines = [line for line in self._reader.feed(data) if line is None or line.strip()]
        self._waiting.extend(lines)
        self._waiting_cost += sum(map(_cost, lines))
        if self._waiting and (self._paused or len(self._waiting) > 1) and self._has_stop(lines):
            self._dispatcher.core.stop_now()
        if self._waiting_cost > MAX_WAITING:
            self._drop()
        elif not self._lined_up and self.take_turn():
            self._line_up()

    def take_turn(self) -> bool:
        """Answer the first line that waits, unless the client does not read. True if more may follow."""
        self._lined_up = False
        if self._paused or not self._waiting:
            return False
        line = self._waiting.popleft()
        self._waiting_cost -= _cost(line)
        if line is None:
            error = RequestError(rpc.INVALID_REQUEST, "rpc.too_long", limit=rpc.MAX_LINE)
            self._write(rpc.failure(None, error.code, error))
        else:
            self._request(line)
        self._lined_up = bool(self._waiting) and not self._paused
        return self._lined_up

    @property
    def is_idle(self) -> bool:
        """True if the client waits for nothing: no answer, no event."""
        return not self._waiting and not self._unanswered and self._unsubscribe is None

    def pause(self) -> None:
        """The client does not read: keep its events back."""
        self._paused = True
        if self._feed is not None:
            self._feed.pause()

    def resume(self) -> None:
        """The client reads again."""
        self._paused = False
        if self._feed is not None:
            self._feed.resume()
        if self._waiting and not self._lined_up:
            self._line_up()

    def close(self) -> None:
        """The client is gone. Its commands stand; nobody hears their answers."""
        self._closed = True
        self._waiting.clear()
        self._waiting_cost = 0
        self._end_subscription()

    def _line_up(self) -> None:
        self._lined_up = True
        self._dispatcher.line_up(self)

    def _has_stop(self, lines: list[bytes | None]) -> bool:
        """True if a stop is among the lines; one that hides among many that only look like it is late."""
        candidates = (line for line in lines if line is not None and b"machine.stop" in line)
        return any(self._is_stop(line) for line in islice(candidates, LINES_A_TURN))

    def _is_stop(self, line: bytes) -> bool:
        try:
            return read_envelope(rpc.parse(line), self._dispatcher).spec.undo == "stop"
        except (RequestError, BadArgument):
            return False

    def _drop(self) -> None:
        error = RequestError(rpc.BUSY, "rpc.too_much", limit=MAX_WAITING)
        self._write(rpc.failure(None, error.code, error))
        self.close()
        self._hang_up()

    def _request(self, line: bytes) -> None:
        request_id: rpc.RequestId = None
        try:
            request = rpc.parse(line)
            request_id = request.id
            self._call(request_id, read_envelope(request, self._dispatcher))
        except RequestError as error:
            self._write(rpc.failure(error.data.get("id", request_id), error.code, error))
        except BadArgument as error:
            self._write(rpc.failure(request_id, rpc.INVALID_PARAMS, error))

    def _call(self, request_id: rpc.RequestId, asked: Envelope) -> None:
        spec = asked.spec
        if spec.query:
            self._query(request_id, asked)
            return
        if spec.undo == "stop":
            self._dispatcher.core.stop_now()
        if self._unanswered >= MAX_UNANSWERED:
            raise RequestError(rpc.BUSY, "rpc.busy", limit=MAX_UNANSWERED)

        def answered(answer: Answer, n: int, at: int) -> None:
            self._unanswered -= 1
            self._say(request_id, complete(spec, asked.args, answer, n, at))

        self._unanswered += 1
        command = Command(
            asked.id,
            asked.actor,
            asked.role,
            spec.name,
            asked.args,
            asked.expect,
            secret=self._dispatcher.secret() if spec.chance else "",
            refused=guard(asked),
        )
        self._dispatcher.core.submit(command, answered)

    def _query(self, request_id: rpc.RequestId, asked: Envelope) -> None:
        core, is_open = self._dispatcher.core, asked.args.get("open", False)
        needs = OPEN_ROLE if is_open else asked.spec.role
        if not asked.allows(needs):
            raise BadArgument("refused.role", command=asked.spec.name, needs=f"role.{needs}")
        match asked.spec.name:
            case "watch":
                self._subscribe(request_id, asked.args.get("since"), is_open)
            case "session sheet":
                args = asked.args
                made = core.sheet(args.get("hand", 0), args.get("stage", 0))
                self._say(request_id, {"sheet": made})
            case "link status":
                self._say(request_id, {"links": core.link_quality()})
            case _:
                self._say(request_id, {"state": core.view(is_open), "links": core.link_quality()})

    def _subscribe(self, request_id: rpc.RequestId, since: int | None, is_open: bool) -> None:
        self._end_subscription()
        core = self._dispatcher.core

        def tell(event: dict[str, Any]) -> None:
            if self._feed is not None:
                self._feed.tell(event)

        state, backlog, unsubscribe = core.subscribe(tell, since)
        events = backlog or []
        seq = events[-1]["seq"] if events else state.get("seq", 0)
        answer = {
            "seq": seq,
            "reset": since is not None and backlog is None,
            "state": core.view(True) if is_open else state,
            "events": events,
        }
        self._unsubscribe = unsubscribe
        self._feed = Feed(self._write, self._end_subscription, seq, self._dispatcher.queue)
        self._say(request_id, answer)

    def _end_subscription(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

    def _say(self, request_id: rpc.RequestId, result: dict[str, Any]) -> None:
        self._write(rpc.result(request_id, {**result, "house": self._dispatcher.house.told}))

    def _write(self, line: bytes) -> None:
        if not self._closed:
            self._send(line)


def read_envelope(request: rpc.Request, defaults: Dispatcher) -> Envelope:
    """The command, who gives it and its checked arguments. Raises ``RequestError`` or ``BadArgument``."""
    spec = BY_METHOD.get(request.method)
    if spec is None:
        meant = nearest(request.method, BY_METHOD) or nearest(request.method.replace(" ", "."), BY_METHOD)
        fields = {"id": request.id, "method": _short(request.method)}
        raise RequestError(rpc.METHOD_NOT_FOUND, "rpc.unknown_method", nearest=meant, **fields)
    params = request.params
    for name in params:
        if name not in ENVELOPE:
            raise one_of(name, ENVELOPE, "rpc.unknown_param")
    args = params.get("args", {})
    if not isinstance(args, dict):
        raise BadArgument("rpc.args_object")
    role = params.get("role", defaults.role)
    if role not in ROLES:
        raise one_of(role, ROLES, "bad.choice", argument="role")
    confirm = params.get("confirm", False)
    if not isinstance(confirm, bool):
        raise BadArgument("rpc.confirm_flag")
    return Envelope(
        spec,
        _word(params, "id", "" if spec.query else None),
        _word(params, "actor", defaults.actor),
        role,
        _word(params, "expect", ""),
        confirm,
        read_arguments(spec, args, defaults.house.defaults),
    )


def guard(asked: Envelope) -> str:
    """Why the command may not be given like this, as a text key, or ''. The refusal is recorded."""
    if not asked.allows(asked.spec.role):
        return "refused.role"
    if asked.spec.undo == "destructive" and not asked.confirm:
        return "refused.confirm"
    return ""


def _word(params: dict[str, Any], name: str, default: str | None) -> str:
    value = params.get(name, default)
    limit = MAX_TEXT if name == "expect" else MAX_WHO
    if value is None or value == "" != default:
        raise BadArgument("rpc.no_command_id" if name == "id" else "rpc.no_word", argument=name)
    if not isinstance(value, str) or len(value) > limit:
        raise BadArgument("rpc.bad_word", argument=name, limit=limit)
    return value


def _cost(line: bytes | None) -> int:
    return LINE_COST + len(line or b"")


def _short(text: str) -> str:
    return text if len(text) <= MAX_NAME else text[: MAX_NAME - 1] + "…"
