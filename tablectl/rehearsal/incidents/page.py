"""The page of a session with incidents: each case from call to signature, and what was planned."""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.console.case_lines import story
from tablectl.locale.catalog import text
from tablectl.rehearsal.incidents.outcome import IncidentsOutcome

ENDED = ("closed", "withdrawn", "merged")


def page(outcome: IncidentsOutcome, lang: str) -> Iterator[str]:
    """The lines of the page."""
    for case in outcome.cases:
        yield from story(case, lang)
    planned, came = len(outcome.incidents), sum(bool(one["case"]) for one in outcome.incidents)
    open_ = sum(case["phase"] not in ENDED for case in outcome.cases)
    yield text("story.incidents", lang, planned=planned, came=came, cases=len(outcome.cases), open=open_)
    if came < planned and outcome.ended:
        why = {"why": outcome.ended, "hands": len(outcome.hands)}
        yield text("story.cut_short", lang, **why)
    for one in outcome.incidents:
        kind, course = f"incident.{one['kind']}", f"course.{one['course']}"
        yield "  " + text(
            "story.incident", lang, kind=kind, course=course, hand=one["hand"], case=one["case"] or "–"
        )
    for what in outcome.violations:
        yield text("story.violation", lang, what=what)
