"""Playing a whole record again, at a table nobody sits at: does this program come to the same results?

A version of this program may keep the state in other fields than the one that played. Then the digests say
nothing, and only the results are compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from tablectl.daemon import recovery
from tablectl.daemon.record import Record, canonical, read_records
from tablectl.daemon.restore import apply
from tablectl.game import step as game
from tablectl.game.effects import HandClosed
from tablectl.game.state import State
from tablectl.rules.book import RuleBook

STATE = "state"  # the result is the same, and the digest of the state is not
END = "end"  # no hand ends there


@dataclass(frozen=True, slots=True)
class Difference:
    """Record ``n`` closed a hand otherwise than replaying does: ``what`` is a word of its result, `STATE` or
    `END`."""

    n: int
    what: str
    recorded: str
    replayed: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """``inputs`` were replayed and came to ``state``; ``differences`` is empty where this code agrees with
    the one that played. Of the hands in ``results_only`` the state was not compared: it was kept in another
    form."""

    inputs: int
    differences: tuple[Difference, ...]
    results_only: tuple[int, ...]
    state: State


def replay(lines: Iterable[bytes], book: RuleBook) -> Replayed:
    """Play every input again at a table nobody sits at, and compare each result with the one recorded.
    Raises ``ReplayFailed`` or ``RulesMissing``."""
    state, inputs = game.new_state(), 0
    closed: list[dict[str, Any]] = []
    differences: list[Difference] = []
    results_only: list[int] = []

    def step(record: Record) -> None:
        for effect in apply(state, record, book).effects:
            if isinstance(effect, HandClosed):
                closed.append(effect.result)

    for record in read_records(lines):
        inputs += recovery.replay((record,), step)
        if record.result is None:
            continue
        if other := _other_word(record.result, closed.pop() if closed else {}):
            differences.append(Difference(record.n, *other))
        elif (recorded := record.result.get("digest")) != (replayed := game.digest(state)):
            if record.result.get("form") == game.form():
                differences.append(Difference(record.n, STATE, str(recorded), replayed))
            else:
                results_only.append(record.n)
    return Replayed(inputs, tuple(differences), tuple(results_only), state)


def _other_word(recorded: dict[str, Any], replayed: dict[str, Any]) -> tuple[str, str, str] | None:
    """The first word of a result that is another now; a word only one of them has is that of a version."""
    if not replayed:
        return END, str(recorded.get("result", "")), ""
    plain = msgspec.json.decode(canonical(replayed))
    for name, value in recorded.items():
        if name in plain and plain[name] != value:
            return name, str(value), str(plain[name])
    return None
