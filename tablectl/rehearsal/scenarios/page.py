"""The page made from the record: ``docs/hil.md``."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

from protocols.vocabulary import Capability
from tablectl.rehearsal.scenarios import faults, steps
from tablectl.rehearsal.scenarios.endpoint import Endpoint
from tablectl.rehearsal.scenarios.record import Record
from tablectl.rehearsal.scenarios.runner import Cell, Verdict
from tablectl.rehearsal.scenarios.scenario import Scenario

NAME = "hil.md"
NEVER = "not played"
HEAD = """# Every way to a board, and what was played over it

<!-- made by `make matrix` from hil.json; edit tablectl/rehearsal/scenarios -->

One list of scenarios, each played at every endpoint by the daemon's own link and driver. A cell is one run:
**✓**, the table time it took, the real time in milliseconds, and, after an ↻, how often the protocol repeated
something. Under virtual time the first costs nothing; elsewhere a table that can hurry runs up to 40 times as
fast, and the wire does not. A letter says why a scenario does not apply there.

Besides its own story each run checks that the board's hello says what the column claims, and that by the
mechanism's own log no order moved anything twice.

Times are held against their limits strictly under virtual time only. In real time each may be 1 s late, for
there a simulated board shares this computer with whatever else runs on it; in a guest 3 s, for there both run
on one emulated processor, some fifteen times as slow.
"""


def page(record: Record, scenarios: Sequence[Scenario], endpoints: Sequence[Endpoint]) -> str:
    """The whole page."""
    reasons = _reasons(record, scenarios, endpoints)
    parts = [
        HEAD,
        *_matrix(record, scenarios, endpoints, reasons),
        "",
        *(f"- **{letter}**: {why}" for why, letter in reasons.items()),
        *_failures(record),
        "\n## What the runs measured\n",
        *_notes(record, scenarios, endpoints),
        "\n## The scenarios\n",
        "| scenario | what happens | needs |",
        "|---|---|---|",
        *(f"| `{one.name}` | {one.about} | {_needs(one)} |" for one in scenarios),
        "\n## The endpoints\n",
        "| endpoint | what it is | its board says it can |",
        "|---|---|---|",
        *(f"| `{one.name}` | {one.about} | {_flags(one.capabilities)} |" for one in endpoints),
        *_rounds(record),
        *steps.section(record.steps),
        *faults.section(),
    ]
    return "\n".join(parts) + "\n"


def _matrix(
    record: Record, scenarios: Sequence[Scenario], endpoints: Sequence[Endpoint], reasons: dict[str, str]
) -> list[str]:
    names = [endpoint.name for endpoint in endpoints]
    rows = ["| scenario | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for scenario in scenarios:
        cells = [_cell(record.cell(scenario.name, name), reasons) for name in names]
        rows.append(f"| `{scenario.name}` | " + " | ".join(cells) + " |")
    return rows


def _cell(cell: Cell | None, reasons: dict[str, str]) -> str:
    if cell is None:
        return NEVER
    if cell.verdict is Verdict.NOT_APPLICABLE:
        return f"n/a {reasons[cell.why]}"
    sign = "✓" if cell.verdict is Verdict.PASSED else "**✗**"
    again = f" ↻{cell.retries}" if cell.retries else ""
    return f"{sign} {cell.table_s:.1f} s, {cell.wall_ms}{again}"


def _reasons(record: Record, scenarios: Sequence[Scenario], endpoints: Sequence[Endpoint]) -> dict[str, str]:
    """A letter for each reason, in the order in which a reader meets them."""
    found: dict[str, str] = {}
    for scenario in scenarios:
        for endpoint in endpoints:
            cell = record.cell(scenario.name, endpoint.name)
            if cell is not None and cell.verdict is Verdict.NOT_APPLICABLE and cell.why not in found:
                found[cell.why] = ascii_lowercase[len(found)]
    return found


def _failures(record: Record) -> list[str]:
    failed = [cell for cell in record.cells if cell.verdict is Verdict.FAILED]
    return (
        ["", *(f"- **✗** `{one.scenario}` at {one.endpoint}: {one.why}" for one in failed)] if failed else []
    )


def _notes(record: Record, scenarios: Sequence[Scenario], endpoints: Sequence[Endpoint]) -> list[str]:
    names = [endpoint.name for endpoint in endpoints]
    rows = ["| scenario | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for scenario in scenarios:
        cells = [record.cell(scenario.name, name) for name in names]
        notes = ["; ".join(cell.notes) if cell is not None else "" for cell in cells]
        if any(notes):
            rows.append(f"| `{scenario.name}` | " + " | ".join(notes) + " |")
    return rows


def _needs(scenario: Scenario) -> str:
    words = [*sorted(scenario.traits), _flags(scenario.capabilities), *sorted(scenario.levers)]
    return ", ".join(word for word in words if word) or "–"


def _flags(flags: Capability) -> str:
    return ", ".join(flag.name.lower() for flag in Capability if flag in flags and flag.name)


def _rounds(record: Record) -> list[str]:
    if not record.rounds:
        return []
    rows = [
        "\n## Connecting and hanging up\n",
        "Open the port, be greeted, hang up; what the process holds afterwards and did not before: files,",
        "threads, tasks, timers, drivers.\n",
        "| endpoint | rounds | left behind | real time |",
        "|---|---|---|---|",
    ]
    for one in record.rounds:
        left = "; ".join(one.left) or "nothing"
        rows.append(f"| `{one.endpoint}` | {one.count} | {left} | {one.wall_ms / 1000:.1f} s |")
    return rows
