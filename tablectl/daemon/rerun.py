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
from tablectl.daemon.restore import apply, input_of
from tablectl.game import step as game
from tablectl.game.effects import HandClosed
from tablectl.game.inputs import Restarted
from tablectl.game.state import State
from tablectl.rules.book import RuleBook

# Differences that are no word of a result.
STATE = "state"  # the result is the same, and the digest of the state is not
END = "end"  # no hand ends there
NO_END = "no_end"  # a hand ends there, and none did
RULES = "rules"  # the rules of that name are others


@dataclass(frozen=True, slots=True)
class Difference:
    """Record ``n`` came to something else than replaying does: ``what`` is a word of the result of a hand, or
    one of those above."""

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
    rerun = _Rerun(book)
    for record in read_records(lines):
        if record.result is None:
            rerun.play(record)
        else:
            rerun.compare(record.n, record.result)
    return Replayed(rerun.inputs, tuple(rerun.differences), tuple(rerun.results_only), rerun.state)


class _Rerun:
    """A table nobody sits at."""

    def __init__(self, book: RuleBook) -> None:
        self.state = game.new_state()
        self.inputs = 0
        self.differences: list[Difference] = []
        self.results_only: list[int] = []
        self._book = book
        self._closed: tuple[int, dict[str, Any]] | None = None  # the record that closed a hand, its result

    def play(self, record: Record) -> None:
        """Take the input of a record."""
        if self._closed is not None and not _began_anew(record):
            n, result = self._closed
            self.differences.append(Difference(n, NO_END, "", str(result["result"])))
        self._closed = None
        self.inputs += recovery.replay((record,), self._step)

    def compare(self, n: int, recorded: dict[str, Any]) -> None:
        """Hold a recorded result against that of the hand just closed."""
        _, replayed = self._closed or (0, {})
        self._closed = None
        if not replayed:
            self.differences.append(Difference(n, END, str(recorded.get("result", "")), ""))
        elif other := _other(recorded, replayed):
            self.differences.append(Difference(n, other, str(recorded[other]), str(replayed[other])))
        elif (then := recorded.get("digest")) != (now := game.digest(self.state)):
            own = {word: value for word, value in recorded.items() if word not in ("digest", "form")}
            if recorded.get("form") == game.form() and own == replayed:
                self.differences.append(Difference(n, STATE, str(then), now))
            else:
                self.results_only.append(n)

    def _step(self, record: Record) -> None:
        applied = apply(self.state, record, self._book)
        if applied.rules is not None and applied.rules[0] != applied.rules[1]:
            self.differences.append(Difference(record.n, RULES, *applied.rules))
        for effect in applied.effects:
            if isinstance(effect, HandClosed):
                self._closed = record.n, msgspec.json.decode(canonical(effect.result))


def _began_anew(record: Record) -> bool:
    """Had the daemon been started anew? Then it had ended before it could write the result."""
    return record.has_input and isinstance(input_of(record), Restarted)


def _other(recorded: dict[str, Any], replayed: dict[str, Any]) -> str:
    """The first word of which both say something else, "" if there is none. One that only one of them has is
    that of another version."""
    both = (word for word in recorded if word in replayed)
    return next((word for word in both if not _alike(recorded[word], replayed[word])), "")


def _alike(recorded: Any, replayed: Any) -> bool:
    match recorded, replayed:
        case dict(), dict():
            return not _other(recorded, replayed)
        case list(), list():
            return len(recorded) == len(replayed) and all(map(_alike, recorded, replayed))
    return bool(recorded == replayed)
