"""Lines of the API from a client that says anything."""

from __future__ import annotations

import json

from tablectl.api.registry import COMMANDS
from tests.api.fakes import Wire

MOST_TURNS = 10_000


def one(data: bytes) -> None:
    """Every line that is not empty is answered by a line of JSON, in whatever pieces it comes."""
    wire = Wire()
    cut = len(data) * data[0] // 255 if data else 0
    for piece in (data[:cut], data[cut:]):
        wire.connection.receive(piece)
        for _ in range(MOST_TURNS):
            if not wire.turns:
                break
            wire.turn()
    asked = sum(1 for line in data.split(b"\n")[:-1] if line.strip())
    answers = [line for line in wire.lines if "method" not in line]
    assert len(answers) == asked or wire.hung_up
    for answer in answers:
        assert ("result" in answer) != ("error" in answer)
    ping = b'{"jsonrpc":"2.0","id":"after","method":"status"}\n'
    if not wire.hung_up:
        wire.connection.receive(b"\n" + ping)
        while wire.turns:
            wire.turn()
        assert wire.lines[-1]["id"] == "after", "the connection is dead"


def seeds() -> list[bytes]:
    """One request of each command, and lines that are none."""
    lines = []
    for spec in COMMANDS:
        args = {arg.name: (arg.choices or ("E",))[0] for arg in spec.args if arg.required}
        params = {"id": "c1", "actor": "kim", "role": "chief", "confirm": True, "expect": "hand=1"}
        body = {"jsonrpc": "2.0", "id": 1, "method": spec.method, "params": {**params, "args": args}}
        lines.append(json.dumps(body).encode() + b"\n")
    ask = b'{"jsonrpc":"2.0","id":1,"method":"status"}\n'
    return [*lines, b"".join(lines[:4]), b"[]\n", b"\xff\n{}\n", ask]
