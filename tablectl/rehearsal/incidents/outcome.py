"""What a session with incidents came to: every case from call to signature, and what should not have been.

Nothing is taken from the word of who played: the cases are read from the journal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tablectl.daemon import casebook
from tablectl.daemon.record import read_records
from tablectl.game.cases import lawful
from tablectl.game.cases.story import Story
from tablectl.rehearsal.courses import Course
from tablectl.rehearsal.incidents.company import Company
from tablectl.rehearsal.incidents.kinds import KINDS
from tablectl.rehearsal.incidents.schedule import Incident
from tablectl.rehearsal.outcome import Outcome
from tablectl.rules.book import RuleBook

WORDS: dict[Course, tuple[str, ...]] = {  # moves and acts by which a course is known in the record
    Course.RESERVE: ("case.reserve", "case.decide"),
    Course.LATER: ("case.reserve", "case.correct"),
    Course.CORRECTED: ("case.preview", "case.correct"),
    Course.APPEALED: ("case.appeal", "case.vote", "case.vote", "case.vote", "case.uphold"),
    Course.OVERTURNED: ("case.appeal", "case.vote", "case.vote", "case.vote", "case.correct"),
}


@dataclass(slots=True)
class IncidentsOutcome(Outcome):
    """Further fields of ``demo --incidents --json``."""

    incidents: list[dict[str, Any]] = field(default_factory=list)  # the plan, with the case each led to
    cases: list[dict[str, Any]] = field(default_factory=list)  # every case of the record


def settle(outcome: Outcome, company: Company, path: Path, book: RuleBook) -> None:
    """Read the cases from the journal and say what is missing."""
    assert isinstance(outcome, IncidentsOutcome)
    state, stories = casebook.read(read_records(path.open("rb")), book)
    outcome.cases = [story.to_json() for story in stories]
    outcome.incidents = [_told(incident) for incident in company.plan]
    outcome.violations += lawful.unended(state)
    outcome.violations += _missing(company.plan, {story.no: story for story in stories})


def _missing(plan: list[Incident], stories: dict[int, Story]) -> Iterator[str]:
    """Kinds that never came about, and courses that were not taken."""
    came = {incident.kind.name for incident in plan if incident.done}
    for kind in KINDS:
        if kind.name not in came:
            yield f"{kind.name} never came about"
    for incident in plan:
        story = stories.get(_ruled(incident, stories))
        if story is not None and not _followed(incident.course, story):
            yield f"case {story.no} ({incident.kind.name}) was not {incident.course.value}"


def _ruled(incident: Incident, stories: dict[int, Story]) -> int:
    """The case an incident was ruled on in: a call may be merged into another."""
    no = incident.case
    while no in stories and stories[no].into:
        no = stories[no].into
    return no


def _followed(course: Course, story: Story) -> bool:
    """Does the record show the course? Where nothing was found there was nothing to rule on."""
    if not story.offence or _by_itself(story):
        return True
    if course is Course.WAIVED:
        return story.waived
    words = [line.word for line in story.lines]
    return all(words.count(word) >= WORDS[course].count(word) for word in WORDS.get(course, ()))


def _by_itself(story: Story) -> bool:
    """Was it applied without anybody, or decided by the chief alone?"""
    return any(line.word == "case.rule" and line.actor in ("table", "chief") for line in story.lines)


def _told(incident: Incident) -> dict[str, Any]:
    return {
        "kind": incident.kind.name,
        "hand": incident.hand,
        "course": incident.course.value,
        "tries": incident.tries,
        "case": incident.case,
        "also": list(incident.also),
    }
