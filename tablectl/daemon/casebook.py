"""The cases of a journal, from the record alone: each from call to signature."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tablectl.daemon.record import Record
from tablectl.daemon.restore import apply, input_of
from tablectl.game import step as game
from tablectl.game.cases.story import Act, Story, act_of, stories
from tablectl.game.inputs import Command
from tablectl.game.state import State
from tablectl.rules.book import RuleBook


class Casebook(NamedTuple):
    """The state a journal ends with, and the story of each of its cases."""

    state: State
    stories: list[Story]


def act_in(record: Record) -> Act | None:
    """The act about a case that a record holds, if it was accepted."""
    item = input_of(record)
    if not isinstance(item, Command) or (record.out or {}).get("outcome") != "accepted":
        return None
    return act_of(record.n, record.at, item)


def read(records: Iterable[Record], book: RuleBook) -> Casebook:
    """Replay the records and tell what became of each case. Raises ``RulesMissing``."""
    state, acts = game.new_state(), list[Act]()
    for record in records:
        if not record.has_input or record.raised is not None:
            continue
        if (act := act_in(record)) is not None:
            acts.append(act)
        apply(state, record, book)
    return Casebook(state, stories(state, acts))
