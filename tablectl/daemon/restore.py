"""From the record back to the state: a snapshot and the inputs after it, or the whole journal."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from tablectl.daemon.errors import RulesMissing
from tablectl.daemon.record import Record, canonical
from tablectl.daemon.recovery import Recovered, replay
from tablectl.game import step as game
from tablectl.game.effects import Effect
from tablectl.game.inputs import AnyInput, Command
from tablectl.game.state import State
from tablectl.rules.book import RuleBook

Tail = list[tuple[int, int, int, AnyInput]]

_decode_input = msgspec.json.Decoder(AnyInput).decode


class Applied(NamedTuple):
    """An input of the record, and what came of it."""

    item: AnyInput
    effects: list[Effect]


class Restored(NamedTuple):
    """The state, and from where it can be rebuilt: ``base`` and the inputs after it."""

    state: State
    base: bytes
    tail: Tail


def input_of(record: Record) -> AnyInput:
    """The input a record holds. Raises ``msgspec.ValidationError`` if this code does not know it."""
    return _decode_input(record.input)


def apply(state: State, record: Record, book: RuleBook) -> Applied:
    """Play the input of a record again. Raises ``RulesMissing`` where it started a session by rules that are
    not known here: without them all that came after it would silently come to nothing."""
    item = input_of(record)
    accepted = (record.out or {}).get("outcome") == "accepted"
    if isinstance(item, Command) and item.name == "session start" and accepted:
        rules = str(item.args.get("rules", ""))
        if rules and rules not in book:
            raise RulesMissing(n=record.n, rules=rules, known=", ".join(book))
    return Applied(item, game.step(state, record.n, record.at, record.unc, item, book))


def restore(recovered: Recovered, book: RuleBook) -> Restored:
    """Replay what the snapshot does not hold. A snapshot this code cannot read is set aside.
    Raises ``ReplayFailed`` or ``RulesMissing``."""
    base, whole = game.to_json(game.new_state()), True
    if recovered.snapshot is not None:
        try:
            data = canonical(recovered.snapshot.state)
            game.from_json(data)
            base, whole = data, False
        except msgspec.ValidationError:
            pass  # written by another version: the journal is the truth
    state, tail = game.from_json(base), Tail()

    def step(record: Record) -> None:
        tail.append((record.n, record.at, record.unc, apply(state, record, book).item))

    replay(recovered.records(whole=whole), step)
    return Restored(state, base, tail)
