"""What came of each step of ``make hil``, and the part of the page about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StepRun:
    """One run of one step. ``kept``, ``broken`` and ``unseen`` count requirements of SPEC.md, where the step
    asked for them; ``said`` is what else came of it, in words."""

    step: str
    about: str
    good: bool
    wall_s: int
    kept: int = 0
    broken: tuple[str, ...] = ()
    unseen: int = 0
    said: str = ""


def section(runs: Sequence[StepRun]) -> list[str]:
    """The lines of it; none before the first run of ``make hil``."""
    if not runs:
        return []
    return [
        "\n## The firmware, the conformance suite and real kernels\n",
        "What `make hil` last came to, step by step, in real seconds. *Not seen* are requirements on the",
        "host, and those nobody can observe from outside.\n",
        "| step | what | requirements kept | broken | not seen | what came of it | real time |",
        "|---|---|---|---|---|---|---|",
        *(_row(run) for run in runs),
    ]


def _row(run: StepRun) -> str:
    counts = [str(run.kept), ", ".join(run.broken) or "0", str(run.unseen)] if run.kept else ["", "", ""]
    sign = "✓" if run.good else "**✗**"
    words = " ".join(word for word in (sign, run.said) if word)
    return f"| `{run.step}` | {run.about} | {' | '.join(counts)} | {words} | {run.wall_s} s |"
