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
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

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
COMMANDS = ("pause", "resume", "machine stop", "machine clear", "machine home", "win confirm", "hand void")
ARGS: dict[str, dict[str, Any]] = {"hand void": {"confirm": True, "reason": "no"}}
SHORT = st.sampled_from([0.0, 0.2, 1.0, 3.0])
PLAYED = st.sampled_from([2.0, 40.0, 120.0])  # nothing moves, walls are built, a hand is played
MOMENT = st.integers(0, 5_000).map(lambda ms: ms / 1000)
TORN = st.integers(0, 400)


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
        self.plugged = True

    @initialize(seed=st.integers(1, 40), fidelity=st.sampled_from(["identity", "count"]), played=PLAYED)
    def sit_down(self, seed: int, fidelity: str, played: float) -> None:
        async def begin() -> None:
            self.room = Room(Setting(seed=seed, fidelity=fidelity), BOOK, self._watch)
            self.kim = self.room.client("kim")
            referee = Referee(self.room.client("lee"), self.room.timer, hands=99, session={"rules": "mcr"})
            self.referee = referee
            self.task = asyncio.get_running_loop().create_task(referee.run())

        self._run(begin())
        self._run(pause(played))

    def _watch(self, state: State, n: int, item: AnyInput) -> None:
        self.broken += [f"record {n} ({type(item).__name__}): {found}" for found in violations(state)]

    def _run(self, what: Any) -> Any:
        return self.loop.run_until_complete(what)

    def _do(self, act: Callable[[], object]) -> None:
        """Something that happens in the loop, now."""

        async def happen() -> None:
            act()

        self._run(happen())

    def _command(self, name: str, id: str) -> dict[str, Any] | None:
        """Give a command; None if nobody answered."""

        async def ask() -> dict[str, Any] | None:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    return await self.kim.command(name, id=id, **ARGS.get(name, {}))
            except (ApiError, TimeoutError):
                return None

        answer = self._run(ask())
        self._promise(name, answer)
        return answer

    def _promise(self, name: str, answer: dict[str, Any] | None) -> None:
        if answer is not None and answer["outcome"] == "accepted":
            self.promised.append((int(answer["record"]), name))

    # play

    @rule(seconds=st.sampled_from([1.0, 7.0, 30.0, 120.0]))
    def play_on(self, seconds: float) -> None:
        self._run(pause(seconds))

    # the referee

    @rule(name=st.sampled_from(COMMANDS), again=st.booleans())
    def command(self, name: str, again: bool) -> None:
        """Given once, or twice under the same id: then answered the same and done once."""
        id = f"own-{next(self.ids)}"
        answers = [self._command(name, id) for _ in range(1 + again)]
        told = [(one["record"], one["outcome"], one["key"]) for one in answers if one is not None]
        assert len(set(told)) <= 1

    # what breaks

    @rule()
    def touch_the_cable(self) -> None:
        """Pull it, or plug it in again."""
        self._do(self.room.line.unplug if self.plugged else self.room.line.replug)
        self.plugged = not self.plugged

    @rule(off=SHORT)
    def reset_the_board(self, off: float) -> None:
        self._do(lambda: self.room.table.reboot(off))

    @rule(at=MOMENT, down=SHORT, torn=TORN, board_too=st.booleans())
    def kill_the_daemon(self, at: float, down: float, torn: int, board_too: bool) -> None:
        """In whatever is being written then; with the board it is a power cut of the whole room."""
        self._run(pause(at))
        if board_too:
            self._do(lambda: self.room.table.reboot(down))
        self._run(self.room.kill(down, torn))

    @rule(name=st.sampled_from(COMMANDS), within=st.sampled_from([0.0, 0.001, 0.01]))
    def kill_the_daemon_in_an_answer(self, name: str, within: float) -> None:
        """A command is given, and the daemon dies before or after it is answered."""
        id = f"own-{next(self.ids)}"

        async def ask_and_kill() -> dict[str, Any] | None:
            asked = asyncio.get_running_loop().create_task(
                self.kim.command(name, id=id, **ARGS.get(name, {}))
            )
            await pause(within)
            answer = asked.result() if asked.done() and not asked.exception() else None
            await self.room.kill(0.2)
            if not asked.done():
                await asyncio.wait({asked}, timeout=PATIENCE_S)
            if not asked.done():
                asked.cancel()
            elif not asked.exception():
                answer = asked.result()  # of the daemon that came after: the same, if the first had answered
            return answer

        self._promise(name, self._run(ask_and_kill()))

    @rule(what=st.sampled_from([*FAULTS, *SLIPS, *LINES]))
    def something_happens(self, what: str) -> None:
        """To the mechanism, by the players, on the line."""
        if self.plugged or what not in LINES:
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
    max_examples=40,
    stateful_step_count=20,
    deadline=None,
    derandomize=True,  # the same in every run: `make test` proves nothing new, the long one looks further
    suppress_health_check=list(HealthCheck),
)
test_whatever_happens_the_record_is_right = pytest.mark.report("B099")(TableMachine.TestCase)


class LongMachine(TableMachine):
    """The same for longer."""


LongMachine.TestCase.settings = settings(
    max_examples=300, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
test_whatever_happens_for_long = pytest.mark.long(LongMachine.TestCase)
