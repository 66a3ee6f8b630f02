"""Rehearsals under virtual time: hours of table time in seconds, the same bytes from the same seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sim.timebase import run_virtual
from tablectl.daemon.core import Watch
from tablectl.daemon.filelayer import FileLayer
from tablectl.daemon.journal import write_head
from tablectl.daemon.record import Head
from tablectl.rehearsal.outcome import Outcome, take_counters, take_journal
from tablectl.rehearsal.referee import Referee, Report
from tablectl.rehearsal.room import Room, Setting
from tablectl.rules.book import RuleBook


async def play(room: Room, hands: int, session: dict[str, Any]) -> Report:
    """Let the scripted referee run so many hands in a room."""
    referee = Referee(room.client("referee"), room.timer, hands=hands, session=session)
    return await referee.run()


def rehearse(
    setting: Setting,
    book: RuleBook,
    path: Path,
    *,
    hands: int,
    session: dict[str, Any],
    watch: Watch | None = None,
) -> Outcome:
    """Play and write the journal to ``path``; ``wall_s`` is left to the caller, who has a real clock."""
    outcome = Outcome()

    async def main() -> tuple[bytes, Head]:
        room = Room(setting, book, watch)
        report = await play(room, hands, session)
        outcome.refused, outcome.irregular = report.refused, report.irregular
        outcome.released = report.released
        take_counters(outcome, room.quality())
        return await room.close(), room.journal.head

    record, head = run_virtual(main())
    layer = FileLayer()
    layer.write_new(path, record)
    write_head(layer, path, head)
    take_journal(outcome, path, book)
    outcome.ok = len(outcome.hands) == hands and not outcome.violations and not outcome.refused
    return outcome
