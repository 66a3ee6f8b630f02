"""Runs steps, tells what came of each, and writes it to the page (``docs/hil.md``).

``--brief`` plays of the scenarios only those that take seconds, and says in a line that begins with BRIEF
what is left out, steps that were not asked for included; with ``--tell`` that line is all. ``--within S``
begins no step later than so many seconds after the first; ``--docs FOLDER`` writes there instead.

A step whose tools are missing is left out, loudly, with what would bring them, and so is one there is no time
for; that is no failure. Exit code 1 if a step failed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from sim.errors import SimError
from sim.timebase import wall_seconds
from tablectl.rehearsal.hardware.step import Asked, Came, Step
from tablectl.rehearsal.hardware.steps import BRIEF, STEPS
from tablectl.rehearsal.scenarios import page, record
from tablectl.rehearsal.scenarios.acts import SCENARIOS
from tablectl.rehearsal.scenarios.endpoints import ENDPOINTS
from tablectl.rehearsal.scenarios.steps import StepRun


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the steps asked for, in the order asked for; else all. Returns the exit code."""
    known = {step.name: step for step in STEPS}
    about = "\n".join(f"  {step.name:17} {step.about}" for step in STEPS)
    parser = argparse.ArgumentParser(
        prog="python -m tablectl.rehearsal.hardware",
        description=f"{__doc__}\n{about}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("step", nargs="*", metavar="STEP", help="none = all")
    parser.add_argument("--brief", action="store_true")
    parser.add_argument("--tell", action="store_true", help="run nothing: say what --brief leaves out")
    parser.add_argument("--within", type=float, default=float("inf"), metavar="S")
    parser.add_argument("--docs", type=Path, default=Path("docs"), metavar="FOLDER")
    options = parser.parse_args(arguments)
    strange = [name for name in options.step if name not in known]
    if strange:
        parser.error(f"no step {', '.join(strange)}; there are {', '.join(known)}")
    steps = [known[name] for name in options.step] or list(STEPS)
    if options.brief or options.tell:
        print(briefly(steps), file=sys.stderr, flush=True)
    if options.tell:
        return 0
    options.docs.mkdir(parents=True, exist_ok=True)
    failed, left_out, began = [], [], wall_seconds()
    for step in steps:
        spent = wall_seconds() - began
        lack = step.lacks() or ("" if spent < options.within else f"{spent:.0f} s are spent already")
        if lack:
            print(f"LEFT OUT: {step.name}: {lack}", file=sys.stderr, flush=True)
            left_out.append(step.name)
        elif not _run(step, Asked(options.docs, options.brief)):
            failed.append(step.name)
    print(f"{len(failed)} failed {failed}, {len(left_out)} left out {left_out}")
    return int(bool(failed))


def briefly(steps: Sequence[Step]) -> str:
    """What is not done where these steps are run briefly."""
    columns = ", ".join(step.endpoint for step in steps if step.endpoint)
    rows = ", ".join(one.name for one in SCENARIOS if one.name not in BRIEF)
    others = ", ".join(step.name for step in STEPS if step not in steps)
    said = [f"not played at {columns}: {rows}"] if columns else []
    said += [f"steps not run: {others}"] if others else []
    return f"BRIEF: {'; '.join(said) or 'nothing is left out'} (all of it: make hil)"


def _run(step: Step, asked: Asked) -> bool:
    print(f"{step.name}: {step.about}", flush=True)
    began = wall_seconds()
    try:
        came = step.run(asked)
    except (SimError, OSError, TimeoutError) as error:
        came = Came(False, said=str(error) or repr(error))
    took = round(wall_seconds() - began)
    counts = f"{came.kept} requirements kept, {len(came.broken)} broken, {came.unseen} not seen; "
    words = (counts if came.kept else "") + came.said
    print(f"  {'good' if came.good else 'FAILED'} after {took} s: {words}".rstrip(" :;"), flush=True)
    if not asked.brief:  # what was asked for less is no run to be kept
        _keep(
            StepRun(step.name, step.about, came.good, took, came.kept, came.broken, came.unseen, came.said),
            asked.docs,
        )
    return came.good


def _keep(run: StepRun, docs: Path) -> None:
    kept = record.read(docs)
    kept.stepped(run)
    kept.order_steps([step.name for step in STEPS])
    record.write(docs, kept)
    (docs / page.NAME).write_text(page.page(kept, SCENARIOS, ENDPOINTS), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
