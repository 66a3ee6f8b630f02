"""docs/conformance.md: every requirement of SPEC.md, how it is checked, the faults that prove the check."""

from __future__ import annotations

from protocols.atp.requirements import Requirement, requirements
from sim.faulty.planted import PLANTED

HEAD = """\
# What a board must keep, and how that is checked
"""
INTRODUCTION = """\
Each sentence of [SPEC.md](../protocols/atp/SPEC.md) with *must* is a requirement. `tablectl hil PORT` says of each
whether the board there keeps it ([firmware.md](firmware.md) shows how). Behind each check stand the planted faults
that prove it: boards made of software ([sim/faulty](../sim/faulty)) that are good but for one thing. A test runs the
check on each of them, and all checks on good boards: at both fidelities, on slow and noisy lines, and on a board
that was made from the text of SPEC.md alone.
"""


def page(note: str) -> str:
    """The text of the page."""
    found = requirements()
    observed = [one for one in found.values() if one.observed]
    counts = f"{len(found)} requirements, {len(observed)} of them checked, {len(PLANTED)} planted faults.\n"
    parts = [HEAD, note, INTRODUCTION, counts]
    parts += [section(one) for one in found.values()]
    return "\n".join(parts)


def section(one: Requirement) -> str:
    """One requirement."""
    lines = [f"## {one.id}", "", f"> {one.said('en')}", "", one.checked("en"), ""]
    faults = [fault for fault in PLANTED if fault.breaks == one.id]
    lines += [f"- `{fault.name}`: {fault.about}" for fault in faults]
    return "\n".join([*lines, ""] if faults else lines)
