"""From request bytes to the core and back: the API without a socket.

A socket, and the rehearsal under virtual time, feed the same bytes to a ``Connection`` and get the same
bytes back. Nothing here decides what is legal; it checks that a request can be one, and that the role may
give the command at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tablectl.game.inputs import Command

from . import rpc
from .answer import complete
from .arguments import MAX_NAME, MAX_TEXT, nearest, one_of, read_arguments
from .core import Answer, Core
from .errors import BadArgument, RequestError
from .feed import QUEUE, Feed
from .registry import BY_METHOD, ROLES, CommandSpec, Role

MAX_UNANSWERED = 64  # commands of one connection that may wait for their records
OPEN_ROLE: Role = "referee"  # who may see the tiles of a hand in play
ENVELOPE = ("id", "actor", "role", "expect", "confirm", "args")


class Dispatcher:
    """The API over a core. ``actor`` and ``role`` are those of a connection that names none."""

    def __init__(
        self, core: Core, *, actor: str = "local", role: Role = "referee", queue: int = QUEUE
    ) -> None:
        self.core = core
        self.actor = actor
        self.role = role
        self.queue = queue

    def connect(self, send: Callable[[bytes], None]) -> Connection:
        """A new client; what it is to read goes to ``send``, a line at a time."""
        return Connection(self, send)


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

    def __init__(self, dispatcher: Dispatcher, send: Callable[[bytes], None]) -> None:
        self._dispatcher = dispatcher
        self._send = send
        self._reader = rpc.LineReader()
        self._unanswered = 0
        self._feed: Feed | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._paused = False
        self._closed = False

    def receive(self, data: bytes) -> None:
        """Bytes from the client, in any pieces. What was still under way when it closed is gone."""
        for line in self._reader.feed(data):
            if self._closed:
                return
            if line is None:
                error = RequestError(rpc.INVALID_REQUEST, "rpc.too_long", limit=rpc.MAX_LINE)
                self._write(rpc.failure(None, error.code, error))
            elif line.strip():
                self._request(line)

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

    def close(self) -> None:
        """The client is gone. Its commands stand; nobody hears their answers."""
        self._closed = True
        self._end_subscription()

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
        if self._unanswered >= MAX_UNANSWERED:
            raise RequestError(rpc.BUSY, "rpc.busy", limit=MAX_UNANSWERED)
        if spec.undo == "stop":
            self._dispatcher.core.stop_now()

        def answered(answer: Answer, n: int, at: int) -> None:
            self._unanswered -= 1
            self._write(rpc.result(request_id, complete(spec, asked.args, answer, n, at)))

        self._unanswered += 1
        command = Command(
            asked.id, asked.actor, asked.role, spec.name, asked.args, asked.expect, refused=guard(asked)
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
            case "link status":
                self._write(rpc.result(request_id, {"links": core.link_quality()}))
            case _:
                answer = {"state": core.view(is_open), "links": core.link_quality()}
                self._write(rpc.result(request_id, answer))

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
        if self._paused:
            self._feed.pause()
        self._write(rpc.result(request_id, answer))

    def _end_subscription(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

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
        read_arguments(spec, args),
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
    limit = MAX_TEXT if name == "expect" else 2 * MAX_NAME
    if value is None or value == "" != default:
        raise BadArgument("rpc.no_command_id" if name == "id" else "rpc.no_word", argument=name)
    if not isinstance(value, str) or len(value) > limit:
        raise BadArgument("rpc.bad_word", argument=name, limit=limit)
    return value


def _short(text: str) -> str:
    return text if len(text) <= MAX_NAME else text[: MAX_NAME - 1] + "…"
