"""A three-hour session under virtual time, its bytes really framed, and what its players cost.

The same session gives the core's time for one input, the judged time under virtual time, and the journal
that ``replay`` replays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from protocols.vocabulary import SIDES
from sim.timebase import cpu_seconds, run_virtual, wall_seconds
from sim.view import Act, Claim, Draw, Mind, Seen
from tablectl.daemon.record import Record, read_records
from tablectl.daemon.restore import input_of
from tablectl.game import step as game
from tablectl.game.inputs import BoardEvent
from tablectl.rehearsal.benches.lab import Lab
from tablectl.rehearsal.benches.row import Row, Samples, percentile
from tablectl.rehearsal.room import Room, Setting
from tablectl.rehearsal.virtual import play

RULES = "mcr"
SEED = 1
SESSION_S = 6.0
DECISION_S = 100e-6
JUDGED_S = 0.001
FULL_HANDS = 16
US = 1_000_000


class Timed:
    """A mind whose decisions are timed, in processor seconds: who has to wait does not think."""

    def __init__(self, mind: Mind, spent: list[float]) -> None:
        self._mind = mind
        self._spent = spent

    def on_hand(self, seen: Seen) -> None:
        self._mind.on_hand(seen)

    def on_turn(self, seen: Seen, draw: Draw) -> Act:
        began = cpu_seconds()
        act = self._mind.on_turn(seen, draw)
        self._spent.append(cpu_seconds() - began)
        return act

    def on_discard(self, seen: Seen, tile: str, discarder: int) -> Claim | None:
        began = cpu_seconds()
        claim = self._mind.on_discard(seen, tile, discarder)
        self._spent.append(cpu_seconds() - began)
        return claim

    def on_added_kong(self, seen: Seen, tile: str, side: int) -> bool:
        return self._mind.on_added_kong(seen, tile, side)


@dataclass(slots=True)
class Played:
    """A session that was played."""

    journal: bytes = b""
    wall_s: float = 0.0
    cpu_s: float = 0.0
    board_zero: int = 0  # table µs at which the board's clock was 0
    decisions: list[float] = field(default_factory=list)


def play_session(lab: Lab) -> Played:
    """Play it once."""
    played = Played()

    async def main() -> None:
        room = Room(Setting(rules=RULES, seed=SEED), lab.book)
        played.board_zero = room.clock.now_us() - room.table.board.board_us(room.loop.time())
        minds = room.table.people.minds
        for side in SIDES:
            minds[side] = Timed(minds[side], played.decisions)
        await play(room, lab.sizes.hands, {"rules": RULES})
        played.journal = await room.close()

    lab.book  # noqa: B018 - reading the rules is not part of it
    began, used = wall_seconds(), cpu_seconds()
    run_virtual(main())
    played.wall_s, played.cpu_s = wall_seconds() - began, cpu_seconds() - used
    return played


def journal_of(lab: Lab) -> Path:
    """The journal of such a session in a file."""
    path = lab.folder / "session.jsonl"
    if not path.exists():
        path.write_bytes(play_session(lab).journal)
    return path


def measure(lab: Lab) -> list[Row]:
    """The rows of this figure."""
    played = play_session(lab)
    (lab.folder / "session.jsonl").write_bytes(played.journal)
    records = [*read_records(played.journal.splitlines(keepends=True))]
    errors = [*_judged_errors(records, played.board_zero)]
    mean = sum(played.decisions) / len(played.decisions)
    return [
        Row("bench.session", "wall", played.wall_s, bound=SESSION_S * lab.sizes.hands / FULL_HANDS),
        Row("bench.session", "cpu", played.cpu_s),
        Row("bench.decision", "mean", mean, bound=DECISION_S),
        Row("bench.decision", "p99", percentile(played.decisions, 0.99)),
        Row("bench.judged_virtual", "max", max(errors) / US, bound=JUDGED_S),
        *_core(lab, records),
    ]


def _judged_errors(records: list[Record], board_zero: int) -> Iterator[int]:
    """How far the time of each event in the record lies from the board's own, µs."""
    for record in records:
        item = input_of(record) if record.has_input else None
        if isinstance(item, BoardEvent):
            yield abs(record.at - board_zero - item.board_us)


def _core(lab: Lab, records: list[Record]) -> list[Row]:
    """One input through the core, with nothing around it."""
    inputs = [(r.n, r.at, r.unc, input_of(r)) for r in records if r.has_input]
    samples = Samples()
    for _ in range(lab.sizes.rounds):
        state: Any = game.new_state()
        samples.begin()
        for n, at, unc, item in inputs:
            began = wall_seconds()
            game.step(state, n, at, unc, item, lab.book)
            samples.add(wall_seconds() - began)
    return [Row("bench.core", at, samples.at(share)) for at, share in (("p50", 0.5), ("p99", 0.99))]
