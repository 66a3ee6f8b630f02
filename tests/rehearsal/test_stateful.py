"""Hand, link and journal together: whatever a table goes through, in whatever order, and what must hold then.

Hypothesis chooses what happens; when something breaks it finds the shortest way there. After every step the
invariants hold, the record gives the state there is, no motion has run twice and no promise is broken.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sim.grammar import parse
from sim.timebase import VirtualLoop, pause
from tablectl.api.errors import ApiError
from tablectl.daemon.record import read_records, verify
from tablectl.daemon.restore import input_of
from tablectl.game import step as game
from tablectl.game.inputs import AnyInput
from tablectl.game.invariants import violations
from tablectl.game.state import State
from tablectl.rehearsal.ordeal import kept
from tablectl.rehearsal.referee import Referee
from tablectl.rehearsal.room import Room, Setting
from tests.rehearsal.rig import BOOK

SETTLE_S = 0.1  # more than a sync of the journal takes
PATIENCE_S = 30.0  # of a command, in virtual time
FAULTS = ("head_jam South", "tray_not_up East", "cover_open", "dice_no_spin", "optic_blocked West", "reboot")
SLIPS = ("stray_key East", "both_keys", "all_at_once", "out_of_turn West", "exposed North")
LINES = ("noise, for 5 s", "text", "silence, for 2 s", "flood, for 1 s", "lose_reply", "stale", "doze", "nak")
SHORT = st.sampled_from([0.0, 0.2, 1.0, 3.0])


@pytest.mark.parametrize("what", [*FAULTS, *SLIPS, *LINES])
def test_each_of_them_can_happen(what: str) -> None:
    assert parse(f"now: {what}")


class TableMachine(RuleBasedStateMachine):
    """One table with a referee who answers what it asks, and everything that can befall it."""

    def __init__(self) -> None:
        super().__init__()
        logging.getLogger("transitions").setLevel(logging.ERROR)
        self.loop = VirtualLoop()
        self.loop.set_exception_handler(lambda loop, context: self.unhandled.append(context))
        self.unhandled: list[dict[str, Any]] = []
        self.broken: list[str] = []
        self.promised: list[tuple[int, str]] = []
        self.ids = itertools.count(1)
        self.last: tuple[str, str, dict[str, Any]] | None = None
        self.plugged = True

    @initialize(seed=st.integers(1, 40), fidelity=st.sampled_from(["identity", "count"]))
    def sit_down(self, seed: int, fidelity: str) -> None:
        async def begin() -> None:
            self.room = Room(Setting(seed=seed, fidelity=fidelity), BOOK, self._watch)
            self.kim = self.room.client("kim")
            referee = Referee(self.room.client("lee"), self.room.timer, hands=99, session={"rules": "mcr"})
            self.referee = referee
            self.task = asyncio.get_running_loop().create_task(referee.run())

        self._run(begin())
        self._run(pause(120))  # the walls stand

    def _watch(self, state: State, n: int, item: AnyInput) -> None:
        self.broken += [f"record {n} ({type(item).__name__}): {found}" for found in violations(state)]

    def _run(self, what: Any) -> Any:
        return self.loop.run_until_complete(what)

    def _do(self, act: Callable[[], object]) -> None:
        """Something that happens in the loop, now."""

        async def happen() -> None:
            act()

        self._run(happen())

    def _command(self, name: str, id: str = "", **args: Any) -> dict[str, Any] | None:
        """Give a command; None if nobody answered."""

        async def ask() -> dict[str, Any] | None:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    return await self.kim.command(name, id=id or f"own-{next(self.ids)}", **args)
            except (ApiError, TimeoutError):
                return None

        answer = self._run(ask())
        if answer is not None and answer["outcome"] == "accepted":
            self.promised.append((int(answer["record"]), name))
        return answer

    # play

    @rule(seconds=st.sampled_from([1.0, 7.0, 30.0, 120.0]))
    def play_on(self, seconds: float) -> None:
        self._run(pause(seconds))

    # the referee

    @rule(
        name=st.sampled_from(
            ["pause", "resume", "machine stop", "machine clear", "machine home", "win confirm"]
        )
    )
    def command(self, name: str) -> None:
        id = f"own-{next(self.ids)}"
        self.last = (name, id, {})
        self._command(name, id)

    @rule()
    def give_the_hand_up(self) -> None:
        """One of the two persons it takes."""
        self._command("hand void", confirm=True, reason="no")

    @precondition(lambda self: self.last is not None)
    @rule()
    def say_it_again(self) -> None:
        """The same command under the same id is answered the same and done once."""
        assert self.last is not None
        name, id, args = self.last
        first, again = self._command(name, id, **args), self._command(name, id, **args)
        if first is not None and again is not None:
            assert (first["record"], first["outcome"], first["key"]) == (
                again["record"],
                again["outcome"],
                again["key"],
            )

    # what breaks

    @precondition(lambda self: self.plugged)
    @rule()
    def pull_the_cable(self) -> None:
        self.plugged = False
        self._do(self.room.line.unplug)

    @precondition(lambda self: not self.plugged)
    @rule()
    def plug_it_in(self) -> None:
        self.plugged = True
        self._do(self.room.line.replug)

    @rule(off=SHORT)
    def reset_the_board(self, off: float) -> None:
        self._do(lambda: self.room.table.reboot(off))

    @rule(down=SHORT, torn=st.integers(0, 400))
    def kill_the_daemon(self, down: float, torn: int) -> None:
        self._run(self.room.kill(down, torn))

    @rule(off=SHORT, torn=st.integers(0, 400))
    def cut_the_power(self, off: float, torn: int) -> None:
        """Of the whole room: board and daemon at once."""
        self._do(lambda: self.room.table.reboot(off))
        self._run(self.room.kill(off, torn))

    @rule(what=st.sampled_from([*FAULTS, *SLIPS]))
    def something_happens(self, what: str) -> None:
        self._do(lambda: self.room.table.inject(f"now: {what}"))

    @precondition(lambda self: self.plugged)
    @rule(what=st.sampled_from(LINES))
    def the_line_suffers(self, what: str) -> None:
        self._do(lambda: self.room.table.inject(f"now: {what}"))

    # what must hold

    @invariant()
    def nothing_is_broken(self) -> None:
        if not hasattr(self, "room"):
            return
        self._run(pause(SETTLE_S))
        room = self.room
        assert not self.broken
        assert not self.unhandled
        assert not room.log.moved_twice()
        room.table.machine.places.assert_conserved()
        lines = room.journal.data.splitlines(keepends=True)
        assert verify(lines).ok
        records = {record.n: record for record in read_records(lines)}
        state = game.new_state()
        for record in records.values():
            assert record.raised is None
            if record.has_input:
                game.step(state, record.n, record.at, record.unc, input_of(record), BOOK)
        if room.journal.durable == room.journal.head.n:
            assert game.digest(state) == game.digest(room.core.state)
        promises = [*self.promised, *self.referee.report.accepted]
        assert [promise for promise in promises if not kept(records.get(promise[0]), promise[1])] == []
        if self.task.done():
            self.task.result()

    def teardown(self) -> None:
        if hasattr(self, "room"):
            self.task.cancel()
            self._run(self.room.close())
            left = asyncio.all_tasks(self.loop)
            for task in left:
                task.cancel()
            self._run(asyncio.wait(left) if left else pause(0))
        self.loop.close()


TableMachine.TestCase.settings = settings(
    max_examples=30,
    stateful_step_count=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
test_whatever_happens_the_record_is_right = pytest.mark.report("B099")(TableMachine.TestCase)


class LongMachine(TableMachine):
    """The same for longer."""


LongMachine.TestCase.settings = settings(
    max_examples=300, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
test_whatever_happens_for_long = pytest.mark.long(LongMachine.TestCase)
