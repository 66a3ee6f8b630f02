"""A client of the API that waits without blocking: for displays, the rehearsal's referee, other daemons.

It speaks through any pair of byte pipes: ``Client.inside`` is wired to a dispatcher in the same process
(also under virtual time), ``Client.open`` to a socket. When the daemon goes away it reconnects, sends again
what has no answer (a command's id makes that safe) and takes up its subscription where it broke off.

What a subscription tells comes in order: ``("state", document)`` at its start and whenever events were
missed for good, ``("event", event)`` for each event, ``("dropped", …)`` when it read too slowly.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .blocking import request_line
from .errors import AnsweredError, ApiError, NoDaemon
from .registry import BY_NAME

if TYPE_CHECKING:
    from .dispatch import Dispatcher

RECONNECT_S = 0.25  # between two tries
BUSY = -32000  # no place for one more client, as in rpc
PATIENCE_S = 10.0  # without a daemon, before those who wait are told

Dial = Callable[[], Awaitable[None]]
Tell = Callable[[str, dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A request without its answer: the line to send again, and who is to hear the answer."""

    line: bytes
    future: asyncio.Future[dict[str, Any]]
    hear: Callable[[dict[str, Any]], None] | None  # called before anything that arrives later


class Client:
    """One actor's connection. ``prefix`` begins the ids of its commands; random unless given."""

    def __init__(self, *, actor: str, role: str = "referee", prefix: str = "") -> None:
        self.actor = actor
        self.role = role
        self._ids = (f"{prefix or secrets.token_hex(4)}-{n}" for n in itertools.count(1))
        self._send: Callable[[bytes], None] | None = None
        self._path = ""
        self._rest = b""
        self._waiting: dict[object, _Waiting] = {}
        self._tell: Tell | None = None
        self._seq: int | None = None
        self._hang_up: Callable[[], None] = lambda: None
        self._task: asyncio.Task[Any] | None = None
        self._dial: Dial | None = None  # None once closed: no reconnecting
        self._gone: float | None = None  # since when the daemon has said nothing, after it was lost
        self._dialled = 0.0

    @classmethod
    def inside(
        cls, find: Callable[[], Dispatcher], *, actor: str, role: str = "referee", prefix: str = ""
    ) -> Client:
        """A client of the dispatcher ``find`` names, in this process; bytes travel in the loop's next turn.

        Whoever ends that daemon tells by `lost`; the client then finds the next.
        """
        client = cls(actor=actor, role=role, prefix=prefix)
        loop = asyncio.get_running_loop()

        def connect() -> None:
            connection = find().connect(lambda data: _soon(loop, client._receive, data))
            client._send = lambda data: _soon(loop, connection.receive, data)
            client._hang_up = connection.close

        async def dial() -> None:
            connect()

        connect()
        client._dial = dial
        return client

    @classmethod
    async def open(cls, path: Path, *, actor: str, role: str = "referee") -> Client:
        """A client of the daemon at a socket. Raises ``NoDaemon``."""
        client = cls(actor=actor, role=role)
        client._path = str(path)
        client._dial = lambda: client._connect(path)
        await client._redial()
        return client

    def new_id(self) -> str:
        """An id no other act of this client has: for a command that may have to be given again."""
        return next(self._ids)

    async def command(
        self, name: str, *, id: str = "", expect: str = "", confirm: bool = False, **args: Any
    ) -> dict[str, Any]:
        """Give a command and wait for its answer. Raises ``AnsweredError`` where it cannot be one."""
        params: dict[str, Any] = {"id": id or next(self._ids), "args": args}
        if expect:
            params["expect"] = expect
        if confirm:
            params["confirm"] = True
        return await self._request(name, params)

    async def query(self, name: str, **args: Any) -> dict[str, Any]:
        """Ask something that changes nothing."""
        return await self._request(name, {"args": args})

    async def watch(self, tell: Tell, since: int | None = None) -> dict[str, Any]:
        """Subscribe, from after event ``since`` on where the daemon still has those; returns its answer."""
        self._tell, self._seq = tell, since
        return await self._subscribe()

    def close(self) -> None:
        """Hang up; those who wait are told."""
        self._dial = None
        if self._task is not None:
            self._task.cancel()
        self._hang_up()
        self._give_up()

    async def _subscribe(self) -> dict[str, Any]:
        args = {} if self._seq is None else {"since": self._seq}
        return await self._request("watch", {"args": args}, self._subscribed)

    def _subscribed(self, answer: dict[str, Any]) -> None:
        if self._tell is None:
            return
        if answer["reset"] or self._seq is None:
            self._tell("state", answer["state"])
        for event in answer["events"]:
            self._tell("event", event)
        self._seq = answer["seq"]

    async def _request(
        self, name: str, params: dict[str, Any], hear: Callable[[dict[str, Any]], None] | None = None
    ) -> dict[str, Any]:
        request_id = next(self._ids)
        spec = BY_NAME.get(name)
        body = {
            "jsonrpc": "2.0",
            "id": request_id,
            "method": spec.method if spec else name,
            "params": {"actor": self.actor, "role": self.role, **params},
        }
        line = request_line(body)
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[request_id] = _Waiting(line, future, hear)
        try:
            if self._send is not None:
                self._send(line)
            elif self._dial is None:
                raise NoDaemon("error.hung_up")
            return await future
        finally:
            self._waiting.pop(request_id, None)

    def _receive(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                message = None
            if not isinstance(message, dict):
                self._give_up(NoDaemon("error.stranger", path=self._path))
                continue
            self._gone = None
            if "method" in message:
                self._notified(message["method"], message["params"])
            elif waiting := self._waiting.get(message.get("id")):
                self._answered(waiting, message)
            elif (error := _refusal(message)) is not None:
                self._give_up(error)

    def _answered(self, waiting: _Waiting, message: dict[str, Any]) -> None:
        if waiting.future.done():
            return
        if "error" in message:
            waiting.future.set_exception(AnsweredError.read(message["error"]))
            return
        waiting.future.set_result(message["result"])
        if waiting.hear is not None:
            waiting.hear(message["result"])

    def _notified(self, method: str, params: dict[str, Any]) -> None:
        if method == "event":
            self._seq = params["seq"]
        elif method == "dropped":
            self._begin(self._again())
        if self._tell is not None:
            self._tell(method, params)

    async def _connect(self, path: Path) -> None:
        try:
            _, pipe = await asyncio.get_running_loop().create_unix_connection(lambda: _Pipe(self), str(path))
        except OSError:
            raise NoDaemon("error.no_daemon", path=str(path)) from None
        self._send = pipe.transport.write
        self._hang_up = pipe.transport.close

    async def _redial(self) -> None:
        assert self._dial is not None
        await self._dial()
        assert self._send is not None
        self._rest, self._dialled = b"", asyncio.get_running_loop().time()
        for waiting in self._waiting.values():
            self._send(waiting.line)

    def lost(self) -> None:
        """The connection is gone: find the daemon again."""
        self._send = None
        self._hang_up()
        if self._dial is not None:
            now = asyncio.get_running_loop().time()
            again = self._gone is not None and now < self._dialled + PATIENCE_S
            self._gone = self._gone if again else now
            self._begin(self._reopen(pause=again))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Take up again what was lost. What was under way for the loss before ends: it has no daemon."""
        if self._task is not None:
            self._task.cancel()
        self._task = asyncio.get_running_loop().create_task(work)

    async def _reopen(self, *, pause: bool) -> None:
        """Dial until there is a connection. One that was hung up before it said a word was none."""
        loop = asyncio.get_running_loop()
        while self._send is None and self._dial is not None:
            if pause:
                await asyncio.wait({loop.create_future()}, timeout=RECONNECT_S)
            pause = True
            if self._gone is not None and loop.time() >= self._gone + PATIENCE_S:
                self._give_up()
            with suppress(NoDaemon):
                await self._redial()
        await self._again()

    async def _again(self) -> None:
        """Subscribe anew, where somebody listens. Without a daemon there is nothing to hear."""
        if self._tell is not None and self._send is not None:
            with suppress(NoDaemon):
                await self._subscribe()

    def _give_up(self, error: ApiError | None = None) -> None:
        for waiting in self._waiting.values():
            if not waiting.future.done():
                waiting.future.set_exception(error or NoDaemon("error.hung_up"))


class _Pipe(asyncio.Protocol):
    """The client's end of a socket."""

    transport: asyncio.Transport

    def __init__(self, client: Client) -> None:
        self._client = client

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._client._receive(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._client.lost()


def _soon(loop: asyncio.AbstractEventLoop, take: Callable[[bytes], None], data: bytes) -> None:
    loop.call_soon(take, data)


def _refusal(message: dict[str, Any]) -> AnsweredError | None:
    """Why the daemon has no place for this client, if that is what it says."""
    error = message.get("error")
    if message.get("id") is None and isinstance(error, dict) and error.get("code") == BUSY:
        return AnsweredError.read(error)
    return None
