"""JSON-RPC 2.0 on lines of bytes: reading requests that may be hostile, writing replies. No I/O, no commands.

One object a line, no batches, at most 64 KiB and 16 levels deep. A longer line is skipped to its end with
one error, so memory stays bounded and the connection goes on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from .errors import ApiError, RequestError

MAX_LINE = 64 * 1024
MAX_DEPTH = 16
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
BUSY = -32000  # ours: too many requests of this connection wait for their answer

RequestId = str | int | None


@dataclass(frozen=True, slots=True)
class Request:
    """One well-formed request."""

    id: RequestId
    method: str
    params: dict[str, Any]


class LineReader:
    """Cuts a byte stream into lines. None stands for a line that was too long."""

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._limit = limit
        self._rest = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes | None]:
        """The lines complete with ``data`` that are not empty."""
        lines: list[bytes | None] = []
        *complete, rest = data.split(b"\n")
        for piece in complete:
            if not (piece or self._rest or self._skipping):
                continue  # an empty line is nobody's request
            self._take(piece, lines)
            if not self._skipping:
                lines.append(bytes(self._rest))
            self._rest.clear()
            self._skipping = False
        self._take(rest, lines)
        return lines

    def _take(self, piece: bytes, lines: list[bytes | None]) -> None:
        if self._skipping:
            return
        if len(self._rest) + len(piece) > self._limit:
            self._rest.clear()
            self._skipping = True
            lines.append(None)
        else:
            self._rest += piece


def parse(line: bytes) -> Request:
    """The request on a line. Raises ``RequestError`` with the id in its data where one was legible."""
    try:
        value = msgspec.json.decode(line)
    except RecursionError:
        raise RequestError(INVALID_REQUEST, "rpc.too_deep", limit=MAX_DEPTH) from None
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
        raise RequestError(PARSE_ERROR, "rpc.not_json", detail=str(error)) from None
    if isinstance(value, list):
        raise RequestError(INVALID_REQUEST, "rpc.no_batch")
    if not isinstance(value, dict):
        raise RequestError(INVALID_REQUEST, "rpc.not_object")
    if line.count(b"{") + line.count(b"[") > MAX_DEPTH and _too_deep(value):  # few brackets, no depth
        raise RequestError(INVALID_REQUEST, "rpc.too_deep", limit=MAX_DEPTH)
    request_id = value.get("id")
    if not isinstance(request_id, str | int) or isinstance(request_id, bool):
        raise RequestError(INVALID_REQUEST, "rpc.no_id")
    method, params = value.get("method"), value.get("params", {})
    if value.get("jsonrpc") != "2.0":
        raise RequestError(INVALID_REQUEST, "rpc.version", id=request_id)
    if not isinstance(method, str):
        raise RequestError(INVALID_REQUEST, "rpc.no_method", id=request_id)
    if not isinstance(params, dict):
        raise RequestError(INVALID_PARAMS, "rpc.params_by_name", id=request_id)
    return Request(request_id, method, params)


def result(request_id: RequestId, value: dict[str, Any]) -> bytes:
    """The line that answers a request."""
    return _line({"jsonrpc": "2.0", "id": request_id, "result": value})


def failure(request_id: RequestId, code: int, error: ApiError) -> bytes:
    """The line that says why a request cannot be one."""
    body = {"code": code, "message": str(error), "data": {"key": error.key, "text": error.texts()}}
    return _line({"jsonrpc": "2.0", "id": request_id, "error": body})


def notification(method: str, params: dict[str, Any]) -> bytes:
    """A line nobody asked for."""
    return _line({"jsonrpc": "2.0", "method": method, "params": params})


def _line(value: dict[str, Any]) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def _too_deep(value: object, room: int = MAX_DEPTH) -> bool:
    if isinstance(value, dict):
        return room == 0 or any(_too_deep(item, room - 1) for item in value.values())
    if isinstance(value, list):
        return room == 0 or any(_too_deep(item, room - 1) for item in value)
    return False
