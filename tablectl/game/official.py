"""Numbers no rule book gives: what an organiser confirmed or replaced, and the ruleset that comes of it.

A value marked provisional may be played at home. An official session is refused until the organiser has
confirmed each, or put another in its place; a replaced one makes another ruleset, with a hash of its own.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from tablectl.game.context import RefusedCommand, Step
from tablectl.game.state import State
from tablectl.rules.checks import contradictions
from tablectl.rules.ladders import WORDING, expand_one
from tablectl.rules.model import Ruleset
from tablectl.rules.show import Row, rows

OFFENCES = "offences"  # the section whose values are penalties
SHOWN = 12  # of the unconfirmed values in the sentence; the answer holds all


def hash_of(rules: Ruleset) -> str:
    """SHA-256 (hex) of a ruleset as it is played."""
    return hashlib.sha256(msgspec.json.encode(rules, order="sorted")).hexdigest()


def key_of(row: Row) -> str:
    """The name of a value."""
    return f"{row.section}.{row.field}"


def unconfirmed(state: State, rules: Ruleset) -> list[Row]:
    """Provisional values nobody has confirmed."""
    known = state.confirmed.get(rules.id, {})
    return [row for row in rows(rules, provisional_only=True) if key_of(row) not in known]


def effective(state: State, rules: Ruleset) -> Ruleset:
    """The ruleset with what was confirmed: those values are provisional no more."""
    confirmed = state.confirmed.get(rules.id, {})
    return replaced(rules, confirmed) if confirmed else rules


def replaced(rules: Ruleset, values: dict[str, Any]) -> Ruleset:
    """The ruleset with other values. Raises ``msgspec.ValidationError`` where one does not fit."""
    data = msgspec.to_builtins(rules)
    for key, value in values.items():
        section, field = key.split(".")
        said = penalty(value) if section == OFFENCES else {"value": value}
        data[section][field] = {**data[section][field], **said, "provisional": False}
    return msgspec.convert(data, Ruleset)


def penalty(value: Any) -> dict[str, Any]:
    """What an offence is to cost: its ladder alone, or what else the catalogue says of it besides."""
    said = value if isinstance(value, dict) else {"ladder": value}
    return {key: one for key, one in expand_one(said).items() if key not in WORDING}


def demand(state: State, rules: Ruleset) -> None:
    """Refuse an official session while a value is unconfirmed. Raises ``RefusedCommand`` listing them."""
    open_ = unconfirmed(state, rules)
    if not open_:
        return
    listed = [{"key": key_of(row), "value": row.value, "rule": row.rule} for row in open_]
    words = "; ".join(f"{key_of(row)} = {shown(row.value)} ({row.rule})" for row in open_[:SHOWN])
    more = f"; … +{len(open_) - SHOWN}" if len(open_) > SHOWN else ""
    raise RefusedCommand(
        "refused.unconfirmed", rules=rules.id, count=len(open_), values=words + more, unconfirmed=listed
    )


def shown(value: Any) -> str:
    """A value as `rules confirm` takes it."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def confirm(step: Step, rules_id: str, key: str, text: str) -> dict[str, Any]:
    """The organiser confirms a provisional value, by its key or the name of its setting, or replaces it by
    ``text``. Raises ``RefusedCommand``."""
    if rules_id not in step.book:
        raise RefusedCommand("refused.unknown_rules", rules=rules_id, known=", ".join(step.book))
    rules = step.book[rules_id]
    provisional = rows(rules, provisional_only=True)
    meant = [row for row in provisional if key in (key_of(row), row.setting)]
    if not meant:
        raise RefusedCommand("refused.not_provisional", name=key, rules=rules_id)
    if text and len(meant) > 1:
        known = ", ".join(map(key_of, meant))
        raise RefusedCommand("refused.several_values", setting=key, known=known)
    known_values = dict(step.state.confirmed.get(rules_id, {}))
    for row in meant:
        known_values[key_of(row)] = read(text) if text else row.value
    try:
        wanted = replaced(rules, known_values)
    except msgspec.ValidationError as error:
        raise RefusedCommand("refused.value_does_not_fit", name=key, value=text, why=str(error)) from None
    for found in contradictions(wanted):
        raise RefusedCommand(found.key, **found.facts)
    step.state.confirmed[rules_id] = known_values
    left = len(unconfirmed(step.state, rules))
    for row in meant:
        value = shown(known_values[key_of(row)])
        step.publish("event.confirmed", rules=rules_id, name=key_of(row), value=value, rule=row.rule)
    return {"confirmed": [key_of(row) for row in meant], "left": left, "rules_hash": hash_of(wanted)}


def read(text: str) -> Any:
    """A value as a person writes it: JSON, or a bare word."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
