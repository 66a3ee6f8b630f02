"""Which commands were answered, and how: a command sent again is answered again, not done again.

Rebuilt from the journal alone. Bounded: the oldest answers are forgotten, long after any client gave up.
"""

from __future__ import annotations

from collections import OrderedDict
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from tablectl.daemon.record import Record, canonical

KEPT = 2048  # a hall's referees give some fifty commands a hand: this is days of play


class Answered(NamedTuple):
    """A command that was answered in record ``n``: what it asked, as a hash, and the answer's JSON."""

    n: int
    content: str
    answer: bytes

    @property
    def out(self) -> dict[str, Any]:
        """The answer ``{outcome, key, data}``."""
        return msgspec.json.decode(self.answer, type=dict[str, Any])


class _Asked(msgspec.Struct, frozen=True):
    kind: str
    actor: str = ""
    id: str = ""
    name: str = ""
    args: dict[str, Any] = {}
    expect: str = ""


_asked = msgspec.json.Decoder(_Asked).decode


def content_hash(name: str, args: dict[str, Any], expect: str = "") -> str:
    """What a command asks, as a hash: the same id with another content is another command's."""
    return sha256(canonical([name, args, expect])).hexdigest()


class Answers:
    """The answers of the last ``kept`` commands by actor and command id."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._answers: OrderedDict[tuple[str, str], Answered] = OrderedDict()

    def __len__(self) -> int:
        return len(self._answers)

    def get(self, actor: str, id: str) -> Answered | None:
        """The answer a command got, or None when it was never seen."""
        return self._answers.get((actor, id))

    def put(self, actor: str, id: str, n: int, content: str, out: dict[str, Any]) -> None:
        """Remember the answer ``out`` of record ``n``."""
        self._answers[actor, id] = Answered(n, content, canonical(out))
        if len(self._answers) > self._kept:
            self._answers.popitem(last=False)

    def learn(self, record: Record) -> None:
        """Remember the answer a record holds, if it holds one."""
        if record.out is None or not record.has_input:
            return
        asked = _asked(record.input)
        if asked.kind == "command":
            content = content_hash(asked.name, asked.args, asked.expect)
            self.put(asked.actor, asked.id, record.n, content, record.out)
