"""Rehearsals under virtual time: hours of table time in seconds, the same bytes from the same seed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sim.timebase import run_virtual
from tablectl.daemon.core import Watch
from tablectl.daemon.filelayer import FileLayer
from tablectl.daemon.journal import write_head
from tablectl.daemon.record import Head
from tablectl.rehearsal.house import House
from tablectl.rehearsal.incidents.company import Company
from tablectl.rehearsal.incidents.outcome import IncidentsOutcome, settle
from tablectl.rehearsal.outcome import Outcome, take_counters, take_journal
from tablectl.rehearsal.referee import Referee, Report
from tablectl.rehearsal.room import Room, Setting
from tablectl.rules.book import RuleBook

Seen = Callable[[str, dict[str, Any]], None]


async def play(
    room: Room,
    hands: int | None,
    session: dict[str, Any],
    *,
    scores: bool = False,
    seen: Seen = lambda kind, what: None,
    house: House | None = None,
    company: Company | None = None,
) -> Report:
    """Let the scripted referee run so many hands in a room, or a whole session (None). ``company``: those who
    make and settle the incidents of a session with incidents."""
    if company is not None:
        company.arrive({actor: room.client(actor, role) for actor, role in company.people()}, room.aloud)
        seen = company.hearing(seen)
    referee = Referee(
        room.client("referee"),
        room.timer,
        hands=hands,
        session=session,
        seen=seen,
        scores=scores,
        eyes=room.eyes,
        aloud=room.aloud,
        scripted=room.setting.script is not None,
        house=house,
        partner=None if company is None else company.second,
        court=None if company is None else company.court,
        lang=room.setting.lang,
    )
    return await referee.run()


def rehearse(
    setting: Setting,
    book: RuleBook,
    path: Path,
    *,
    hands: int | None,
    session: dict[str, Any],
    watch: Watch | None = None,
    seen: Seen = lambda kind, what: None,
    company: Company | None = None,
) -> Outcome:
    """Play so many hands, or a whole session with its points (None), and write the journal to ``path``;
    ``wall_s`` is left to the caller, who has a real clock."""
    outcome = Outcome() if company is None else IncidentsOutcome()

    async def main() -> tuple[bytes, Head]:
        room = Room(setting, book, watch)
        house = House(book[setting.rules], setting.seed) if hands is None else None
        scores = hands is None or company is not None
        report = await play(room, hands, session, scores=scores, seen=seen, house=house, company=company)
        outcome.refused, outcome.irregular = report.refused, report.irregular
        outcome.released = report.released
        take_counters(outcome, room.quality())
        return await room.close(), room.journal.head

    record, head = run_virtual(main())
    layer = FileLayer()
    layer.write_new(path, record)
    write_head(layer, path, head)
    take_journal(outcome, path, book)
    over = hands is None or outcome.ended == "broke"  # two have no points left: no further hand (CJ-F4)
    complete = bool(outcome.hands) if over else len(outcome.hands) == hands
    if company is not None:
        settle(outcome, company, path, book)
    outcome.ok = complete and not outcome.violations and not outcome.refused
    return outcome
