"""What the conformance suite says, in words: a line a requirement, and the whole as plain data."""

from __future__ import annotations

from typing import Any

from protocols.atp.requirements import requirements
from protocols.conformance.evidence import Evidence, Result, Verdict
from protocols.conformance.suite import Report
from tablectl.locale.catalog import text

from .width import clean, pad

MARKS = {Verdict.PASSED: "✓", Verdict.FAILED: "✕", Verdict.NOT_APPLICABLE: "–"}
ID_CELLS = 8


def told(evidence: Evidence, lang: str) -> str:
    """What was seen, as a sentence."""
    return clean(text(f"hil.{evidence.key}", lang, **evidence.facts))


def why(result: Result, lang: str) -> str:
    """The evidence of a result; for a requirement nobody can observe, the reason that stands in its row."""
    if result.evidence.key == "na.unobserved":
        return clean(requirements()[result.requirement].checked(lang))
    return told(result.evidence, lang)


def line(result: Result, lang: str) -> str:
    """A requirement in one line: mark, id, what was seen."""
    return f"{MARKS[result.verdict]} {pad(result.requirement, ID_CELLS)} {why(result, lang)}"


def words(result: Result, lang: str) -> str:
    """A requirement that is not kept, with the sentence of SPEC.md."""
    said = clean(requirements()[result.requirement].said(lang))
    return f"\n✕ {result.requirement}: {said}\n  {why(result, lang)}"


def head(report: Report, port: str, lang: str) -> list[str]:
    """Who was checked."""
    who = report.who
    facts = {"vendor": who.vendor, "model": who.model, "serial": who.serial, "firmware": who.firmware}
    return [clean(text("hil.board", lang, port=port, **facts))]


def sum_up(report: Report, lang: str) -> str:
    """How many of each."""
    counts = {
        "passed": len(report.passed),
        "failed": len(report.failed),
        "left": len(report.not_applicable),
        "seconds": f"{report.timings.get('run', 0.0):.0f}",
    }
    return "\n" + text("hil.sum", lang, **counts)


def as_data(report: Report, port: str, lang: str) -> dict[str, Any]:
    """The report for a program: three lists, the board and the times."""
    who = report.who
    return {
        "port": port,
        "board": {
            "vendor": who.vendor,
            "model": who.model,
            "serial": who.serial,
            "firmware": who.firmware,
            "firmware_hash": who.firmware_hash,
            "boot": f"{who.boot:016x}",
            "boot_count": who.boot_count,
            "capabilities": list(who.capabilities),
            "profiles": list(who.profiles),
            "time_scale": who.time_scale,
        },
        "passed": [_row(result, lang) for result in report.passed],
        "failed": [_row(result, lang) for result in report.failed],
        "not_applicable": [_row(result, lang) for result in report.not_applicable],
        "timings": {name: round(seconds, 6) for name, seconds in report.timings.items()},
    }


def _row(result: Result, lang: str) -> dict[str, Any]:
    return {
        "requirement": result.requirement,
        "evidence": why(result, lang),
        "key": result.evidence.key,
        "facts": result.evidence.facts,
        "seconds": round(result.seconds, 3),
    }
