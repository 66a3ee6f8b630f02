"""From the record back to the state: a snapshot and the inputs after it, or the whole journal."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from tablectl.daemon.errors import RulesChanged, RulesMissing
from tablectl.daemon.record import Record, canonical
from tablectl.daemon.recovery import Recovered, replay
from tablectl.game import step as game
from tablectl.game.effects import Effect
from tablectl.game.inputs import AnyInput
from tablectl.game.state import State
from tablectl.rules.book import RuleBook

Tail = list[tuple[int, int, int, AnyInput]]

_decode_input = msgspec.json.Decoder(AnyInput).decode


class Applied(NamedTuple):
    """An input of the record, and what came of it. ``rules``: where it started a session, the hash of those
    it was played by and of those with that name here."""

    item: AnyInput
    effects: list[Effect]
    rules: tuple[str, str] | None


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
    item, told = input_of(record), _session_started(record)
    rules = str(told.get("rules", ""))
    if rules and rules not in book:
        raise RulesMissing(n=record.n, rules=rules, known=", ".join(book))
    effects = game.step(state, record.n, record.at, record.unc, item, book)
    return Applied(item, effects, (str(told["rules_hash"]), state.session.rules_hash) if told else None)


def _session_started(record: Record) -> dict[str, Any]:
    """What the answer to a session's start told of its rules; nothing for any other record."""
    data = (record.out or {}).get("data")
    return data if isinstance(data, dict) and "rules_hash" in data and "rules" in data else {}


def restore(recovered: Recovered, book: RuleBook) -> Restored:
    """Replay what the snapshot does not hold. A snapshot this code cannot read is set aside.
    Raises ``ReplayFailed``, ``RulesMissing``, or ``RulesChanged`` where a session in play whose rules are in
    no snapshot yet would go on by others than it began with."""
    base, whole = game.to_json(game.new_state()), True
    if recovered.snapshot is not None:
        try:
            data = canonical(recovered.snapshot.state)
            game.from_json(data)
            base, whole = data, False
        except msgspec.ValidationError:
            pass  # written by another version: the journal is the truth
    state, tail = game.from_json(base), Tail()
    changed: int | None = None  # the record that began the newest session, by rules which are others by now

    def step(record: Record) -> None:
        nonlocal changed
        item, _, rules = apply(state, record, book)
        tail.append((record.n, record.at, record.unc, item))
        if rules is not None:
            changed = record.n if rules[0] != rules[1] else None

    replay(recovered.records(whole=whole), step)
    if changed is not None and state.session.phase != "over":
        raise RulesChanged(n=changed, rules=state.session.rules)
    return Restored(state, base, tail)
