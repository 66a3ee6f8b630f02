"""A hand under virtual time that something happens to: kills, cables, noise; and what must hold after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sim.timebase import run_virtual
from tablectl.daemon.record import read_records, verify
from tablectl.daemon.restore import input_of
from tablectl.game import step as game
from tablectl.game.inputs import AnyInput, Command
from tablectl.game.invariants import violations
from tablectl.game.state import State
from tablectl.rehearsal.referee import Referee, Report
from tablectl.rehearsal.room import Room, Setting
from tablectl.rules.book import load_book

BOOK = load_book()
PATIENCE_S = 3 * 3600.0  # of virtual time, before a hand counts as stuck


@dataclass
class Played:
    """What came of it."""

    room: Room
    report: Report
    journal: bytes
    state: State
    broken: list[str] = field(default_factory=list)
    asked_holds: list[str] = field(default_factory=list)  # holds that waited for a referee

    @property
    def holds(self) -> list[str]:
        """Names of all holds that stood."""
        return [name for name in self.asked_holds]


class Disturbed:
    """Plays hands in a room while ``trouble(room, state, n, item)`` may do anything after any input."""

    def __init__(
        self,
        setting: Setting,
        trouble: Callable[[Room, State, int, AnyInput], None] = lambda room, state, n, item: None,
        *,
        hands: int = 1,
    ) -> None:
        self.setting = setting
        self.trouble = trouble
        self.hands = hands
        self.held: list[str] = []
        self.broken: list[str] = []
        self.accepted: list[Command] = []

    def play(self) -> Played:
        """Run to the end of the last hand."""
        return run_virtual(self._play())

    async def _play(self) -> Played:
        room = Room(self.setting, BOOK, self._watch)
        self.room = room
        session: dict[str, Any] = {"rules": self.setting.rules}
        referee = Referee(
            room.client("referee"), room.timer, hands=self.hands, session=session, seen=self._seen
        )
        stuck = room.loop.call_later(PATIENCE_S, self._give_up, referee)
        report = await referee.run()
        stuck.cancel()
        journal = await room.close()
        return Played(room, report, journal, room.core.state, self.broken, self.held)

    def _give_up(self, referee: Referee) -> None:
        if not referee.done.done():
            state = self.room.core.state
            phase = state.hand.phase if state.hand else None
            referee.done.set_exception(
                AssertionError(f"stuck in {phase}, holds {state.holds}, order {state.table.order}")
            )

    def _watch(self, state: State, n: int, item: AnyInput) -> None:
        self.broken += [f"record {n}: {broken}" for broken in violations(state)]
        self.trouble(self.room, state, n, item)

    def _seen(self, kind: str, what: dict[str, Any]) -> None:
        if kind == "event" and what["key"] == "event.held":
            self.held.append(what["data"]["name"])


def check(played: Played) -> None:
    """What must hold whatever happened: the record, the state, the machine."""
    assert not played.broken
    assert verify(played.journal.splitlines(keepends=True)).ok
    assert replayed(played.journal) == game.digest(played.state)
    assert not played.room.log.moved_twice()
    assert not played.report.refused


def replayed(journal: bytes) -> str:
    """The digest of the state a journal gives."""
    state = game.new_state()
    for record in read_records(journal.splitlines(keepends=True)):
        if record.has_input and record.raised is None:
            game.step(state, record.n, record.at, record.unc, input_of(record), BOOK)
    return game.digest(state)
