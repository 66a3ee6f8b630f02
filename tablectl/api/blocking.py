"""The command line's client: one question, one answer, no event loop (it would double the start-up time).

A command whose answer did not come is sent again under the same id, so nothing happens twice.
"""

from __future__ import annotations

import json
import select
import socket
from contextlib import suppress
from typing import Any

from .errors import AnsweredError, NoDaemon
from .spec import CommandSpec

ANSWER_S = 10.0  # a command waits for the disk, not for the motion
TRIES = 3
MAX_ANSWER = 16 * 1024 * 1024  # bytes of one line
BETWEEN_TRIES_S = 0.5  # a daemon that restarts is back within a second


class Caller:
    """A connection to the daemon at ``path``, opened when first needed."""

    def __init__(self, path: str, *, actor: str, role: str) -> None:
        self.path = path
        self._who = {"actor": actor, "role": role}
        self._socket: socket.socket | None = None
        self._rest = b""
        self._count = 0

    def __enter__(self) -> Caller:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        if self._socket is not None:
            self._socket.close()
        self._socket, self._rest = None, b""

    def ask(self, spec: CommandSpec, args: dict[str, Any], **envelope: Any) -> dict[str, Any]:
        """Send a command or query and return its result. Raises ``NoDaemon`` or ``AnsweredError``."""
        self._count += 1
        params = {**self._who, **envelope, "args": args}
        body = {"jsonrpc": "2.0", "id": self._count, "method": spec.method, "params": params}
        line = request_line(body)
        for attempt in range(TRIES):
            try:
                return self._exchange(line)
            except (ConnectionError, TimeoutError):
                self.close()
                if attempt + 1 < TRIES:
                    select.select([], [], [], BETWEEN_TRIES_S)
        raise NoDaemon("error.no_answer", path=self.path)

    def _exchange(self, line: bytes) -> dict[str, Any]:
        with suppress(BrokenPipeError):  # it has hung up already: what it said before tells why
            self._open().sendall(line)
        while True:
            message = self._message()
            if message.get("id") in (self._count, None) and "method" not in message:
                break
        if "error" in message:
            error = message["error"]
            if not isinstance(error, dict) or not isinstance(error.get("message"), str):
                raise self.stranger()
            raise AnsweredError.read(error)
        result = message.get("result")
        if not isinstance(result, dict):
            raise self.stranger()
        return result

    def stranger(self) -> NoDaemon:
        """The error that what answers is not ours."""
        return NoDaemon("error.stranger", path=self.path)

    def _open(self) -> socket.socket:
        if self._socket is None:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._socket.settimeout(ANSWER_S)
            try:
                self._socket.connect(self.path)
            except PermissionError:
                raise NoDaemon("error.socket_forbidden", path=self.path) from None
            except OSError:
                raise NoDaemon("error.no_daemon", path=self.path) from None
        return self._socket

    def _message(self) -> dict[str, Any]:
        connection = self._open()
        while b"\n" not in self._rest:
            data = connection.recv(65536)
            if not data:
                raise ConnectionResetError
            self._rest += data
            if len(self._rest) > MAX_ANSWER:
                raise self.stranger()
        line, self._rest = self._rest.split(b"\n", 1)
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            raise self.stranger() from None
        if not isinstance(message, dict):
            raise self.stranger()
        return message


def request_line(body: dict[str, Any]) -> bytes:
    """A request as a line. What a locale could not read of a command line is UTF-8 all the same; what is not
    is replaced."""
    text = json.dumps(body, ensure_ascii=False)
    try:
        raw = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a character that no command line holds
        raw = text.encode("utf-8", "replace")
    return raw.decode("utf-8", "replace").encode() + b"\n"
