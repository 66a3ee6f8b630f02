"""The report of the conformance suite as one page that needs nothing else, in Chinese and English."""

from __future__ import annotations

from html import escape

from protocols.atp.requirements import requirements
from protocols.conformance.evidence import Result, Verdict
from protocols.conformance.suite import Report
from tablectl.locale.catalog import LANGUAGES, text

from .hil_words import MARKS, why
from .width import clean

ORDER = (Verdict.FAILED, Verdict.PASSED, Verdict.NOT_APPLICABLE)
STYLE = """
:root { color-scheme: light dark; --bad: #b3261e; --good: #1b6e3c; --dim: #777; --line: #8884; }
body { font: 16px/1.45 system-ui, "Noto Sans CJK SC", sans-serif; margin: 1rem auto; max-width: 62rem;
  padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
td, th { border-top: 1px solid var(--line); padding: .4rem .5rem; text-align: left; vertical-align: top; }
td.id { white-space: nowrap; } .failed { color: var(--bad); } .passed { color: var(--good); }
.not_applicable, .zh, .seconds { color: var(--dim); } .seconds { text-align: right; }
.sum { display: flex; gap: 1.5rem; flex-wrap: wrap; } .sum b { font-size: 1.6rem; display: block; }
code { font-size: .9em; }
@media (max-width: 40rem) { td { display: block; border: 0; } tr { border-top: 1px solid var(--line); } }
"""


def page(report: Report, port: str) -> str:
    """The text of the file."""
    who = report.who
    title = f"{who.vendor} {who.model} {who.serial}".strip() or port
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{_safe(title)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{_both('hil.page.title')}</h1>",
        _board(report, port),
        _counts(report),
    ]
    parts += [_part(report, verdict) for verdict in ORDER]
    parts += [_timings(report), "</body></html>"]
    return "\n".join(parts) + "\n"


def _safe(value: object) -> str:
    return escape(clean(str(value)))


def _both(key: str) -> str:
    """A text in each language."""
    english, chinese = (text(key, lang) for lang in LANGUAGES)
    return f'{_safe(english)} <span class="zh" lang="zh-Hans">{_safe(chinese)}</span>'


def _board(report: Report, port: str) -> str:
    who = report.who
    rows = [
        ("port", port),
        ("vendor", who.vendor),
        ("model", who.model),
        ("serial", who.serial),
        ("firmware", who.firmware),
        ("hash", who.firmware_hash or "–"),
        ("boot", f"{who.boot:016x} ({who.boot_count})"),
        ("capabilities", " ".join(who.capabilities)),
        ("profiles", " ".join(map(str, who.profiles))),
    ]
    cells = "".join(
        f"<tr><th>{_both(f'hil.page.{name}')}</th><td>{_safe(value)}</td></tr>" for name, value in rows
    )
    return f"<table>{cells}</table>"


def _counts(report: Report) -> str:
    found = "".join(
        f'<div class="{verdict}"><b>{len(report.of(verdict))}</b>{_both(f"hil.page.{verdict}")}</div>'
        for verdict in ORDER
    )
    return f'<p class="sum">{found}</p>'


def _part(report: Report, verdict: Verdict) -> str:
    results = report.of(verdict)
    if not results:
        return ""
    rows = "".join(_row(result) for result in results)
    return f"<h2>{_both(f'hil.page.{verdict}')}</h2><table>{rows}</table>"


def _row(result: Result) -> str:
    requirement = requirements()[result.requirement]
    said = "".join(
        f"<div{_lang(lang)}>{_safe(requirement.said(lang))}<br><b>{_safe(why(result, lang))}</b></div>"
        for lang in LANGUAGES
    )
    mark = f'<td class="id {result.verdict}">{MARKS[result.verdict]} {result.requirement}</td>'
    return f'<tr>{mark}<td>{said}</td><td class="seconds">{result.seconds:.2f} s</td></tr>'


def _lang(lang: str) -> str:
    return ' class="zh" lang="zh-Hans"' if lang.startswith("zh") else ""


def _timings(report: Report) -> str:
    rows = "".join(
        f'<tr><td><code>{_safe(name)}</code></td><td class="seconds">{seconds * 1000:.1f} ms</td></tr>'
        for name, seconds in report.timings.items()
    )
    return f"<h2>{_both('hil.page.timings')}</h2><table>{rows}</table>"
