"""One session while everything goes wrong, and what must hold all the same."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import msgspec

from sim.faults import FaultPlan
from sim.timebase import run_virtual
from tablectl.daemon.record import Record, verify
from tablectl.daemon.restore import input_of
from tablectl.game import step as game
from tablectl.game.cases import lawful
from tablectl.game.inputs import AnyInput
from tablectl.game.invariants import violations
from tablectl.game.state import State
from tablectl.rehearsal.host import Blow, Host
from tablectl.rehearsal.host import chance as host_chance
from tablectl.rehearsal.referee import Referee, Report, alone
from tablectl.rehearsal.room import Room, Setting
from tablectl.rules.book import RuleBook

RECORDS_A_HAND = 700  # more than a hand of chaos has
PATIENCE_S = 24 * 3600.0  # of table time, before a session counts as stuck


@dataclass(frozen=True, slots=True)
class Ordeal:
    """What one session goes through. ``script``: sentences that replace chance, of the table and the host."""

    seed: int
    rules: str = "mcr"
    hands: int = 16
    preset: str = "chaos"
    fidelity: str = "identity"
    script: tuple[str, ...] | None = None

    def plan(self) -> tuple[str, FaultPlan, list[Blow]]:
        """(preset, fault plan of the table, blows to the host)."""
        if self.script is not None:
            host = [line for line in self.script if line.startswith("at record ")]
            table = [line for line in self.script if not line.startswith("at record ")]
            return "perfect", FaultPlan.parse(table), [Blow.parse(line) for line in host]
        blows = host_chance(self.seed, self.hands * RECORDS_A_HAND) if self.preset == "chaos" else []
        return self.preset, FaultPlan(), blows


@dataclass(slots=True)
class Trial:
    """What came of it."""

    ordeal: Ordeal
    inputs: int = 0
    hands: list[str] = field(default_factory=list)  # their results
    faults: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)
    script: list[str] = field(default_factory=list)  # what went wrong, as sentences that do it again
    virtual_s: float = 0.0


def undergo(ordeal: Ordeal, book: RuleBook) -> Trial:
    """Play the session under virtual time and check it."""
    trial = Trial(ordeal)
    try:
        run_virtual(_play(ordeal, book, trial))
    except Exception as error:  # whatever it is, it is what the campaign looks for, and the others go on
        trial.violations.append(f"{type(error).__name__}: {error}")
    return trial


async def _play(ordeal: Ordeal, book: RuleBook, trial: Trial) -> None:
    preset, plan, blows = ordeal.plan()
    host = Host(blows)
    broken: dict[str, int] = {}

    def watch(state: State, n: int, item: AnyInput) -> None:
        trial.inputs += 1
        for found in violations(state):
            broken.setdefault(found, n)
        host.after(room, n)

    setting = Setting(
        rules=ordeal.rules, seed=ordeal.seed, fidelity=ordeal.fidelity, preset=preset, plan=plan
    )
    room = Room(setting, book, watch)
    room.loop.set_exception_handler(lambda loop, context: _unhandled(trial, context))
    session: dict[str, Any] = {"rules": ordeal.rules, "hands": max(ordeal.hands, 1)}
    referee = Referee(
        room.client("kim"),
        room.timer,
        hands=ordeal.hands,
        session=session,
        partner=room.client("lee"),
        eyes=room.eyes,
        aloud=room.aloud,
        court=alone(book[ordeal.rules], room.client("chief", role="chief")),
    )
    stuck = room.loop.call_later(PATIENCE_S, _stuck, room, referee)
    try:
        report = await referee.run()
    except (AssertionError, RuntimeError) as error:
        trial.violations.append(f"the session does not end: {error}")
        report = referee.report
    stuck.cancel()
    journal = await room.close()
    trial.hands = [str(hand["result"]) for hand in report.hands]
    trial.faults = room.table.recorded().counts() + host.counts
    trial.script = [*room.table.recorded().lines(), *(str(blow) for blow in blows)]
    trial.virtual_s = room.loop.time()
    trial.violations += [f"record {n}: {found}" for found, n in broken.items()]
    trial.violations += check(room, report, journal, book)


def _stuck(room: Room, referee: Referee) -> None:
    state = room.core.state
    hand = state.hand
    where = f"{hand.phase} of hand {hand.no}" if hand else "no hand"
    holds = ", ".join(f"{name} ({hold.key})" for name, hold in state.holds.items()) or "no hold"
    if not referee.done.done():
        referee.done.set_exception(AssertionError(f"stuck in {where}; {holds}"))


def _unhandled(trial: Trial, context: dict[str, Any]) -> None:
    """An exception nobody caught is a bug wherever it comes from."""
    error = context.get("exception")
    trial.violations.append(f"unhandled: {context.get('message')}: {type(error).__name__}: {error}")


def check(room: Room, report: Report, journal: bytes, book: RuleBook) -> list[str]:
    """What must hold at the end: the record, its replay, every promise, the machine."""
    found = []
    lines = journal.splitlines(keepends=True)
    good: list[Record] = []
    verdict = verify(lines, told=good.append)
    if not verdict.ok:
        found.append(f"journal: {verdict.reason}")
    records = {record.n: record for record in good}
    state = game.new_state()
    for record in records.values():
        if record.raised is not None:
            found.append(f"record {record.n} raised {record.raised}")
        elif record.has_input:
            game.step(state, record.n, record.at, record.unc, input_of(record), book)
    if room.core.failure is None and game.digest(state) != game.digest(room.core.state):
        found.append("replaying the journal gives another state")
    found += [f"the promise of record {n} ({name}) is not in the record" for n, name in report.accepted
              if not kept(records.get(n), name)]  # fmt: skip
    found += lawful.unended(room.core.state)
    found += [f"moved twice: {motion}" for motion in room.log.moved_twice()]
    return found


def kept(record: Record | None, name: str) -> bool:
    """Whether a record holds the accepted command that a console was promised."""
    return (
        record is not None
        and record.out is not None
        and record.out["outcome"] == "accepted"
        and msgspec.json.decode(record.input)["name"] == name
    )
