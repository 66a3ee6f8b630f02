"""Plants faults in the firmware and lets the conformance suite look for them.

python -m sim.firmware.mutants [--count 80] [--seed 1] [--json FILE] [--then COMMAND…]

Each fault is compiled and run in a process of its own, in lockstep under virtual time. What the suite does
not see is given to COMMAND (the traces beside the twin, for instance), which is run with the faulty sources in
its environment; its exit code is the verdict. A fault the compiler refuses is none and does not count.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from sim.firmware.build import OTHER_SOURCE, SOURCE, BuildError, library
from sim.firmware.mutants.operators import Mutant, sample

TIMEOUT_S = 400.0  # real seconds; one that hangs is caught by that


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one fault. ``by``: "conformance", "then", "" for nobody; ``why``: who noticed."""

    mutant: Mutant
    by: str
    why: str = ""


def judge(mutant: Mutant, then: Sequence[str]) -> Outcome | None:
    """Compile and try one; None where the compiler refuses it."""
    folder = Path(tempfile.mkdtemp(prefix="tablectl-mutant-"))
    try:
        sources = folder / "src"
        shutil.copytree(SOURCE, sources)
        mutant.plant(sources)
        environment = {**os.environ, OTHER_SOURCE: str(sources), "TMPDIR": str(folder)}
        try:
            library(sources, flags=("-O1", "-w"), cache=folder)
        except BuildError:
            return None
        for name, command in (
            ("conformance", (sys.executable, "-m", "sim.firmware.conform")),
            ("then", then),
        ):
            why = _caught(command, environment) if command else ""
            if why:
                return Outcome(mutant, name, why)
        return Outcome(mutant, "")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _caught(command: Sequence[str], environment: dict[str, str]) -> str:
    """Why a check ended badly; empty when it did not."""
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return "it hangs"
    if done.returncode == 0:
        return ""
    told = [line for line in done.stdout.splitlines() if line.startswith(("ATP-R", "FAILED"))]
    return told[0].split(" - ")[0] if told else (done.stderr.strip().splitlines() or ["it ended"])[-1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, look, tell. Ends with code 1 when fewer than 95 of 100 are caught."""
    parser = argparse.ArgumentParser(prog="python -m sim.firmware.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--then", nargs=argparse.REMAINDER, default=[])
    options = parser.parse_args(arguments)
    outcomes: list[Outcome] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        chosen = sample(SOURCE, options.count, options.seed)
        for outcome in pool.map(lambda one: judge(one, options.then), chosen):
            if outcome is not None:
                outcomes.append(outcome)
                print(f"{outcome.by or 'SURVIVED':12} {outcome.mutant}  {outcome.why}", flush=True)
    caught = [one for one in outcomes if one.by]
    suite = sum(one.by == "conformance" for one in outcomes)
    print(f"{len(outcomes)} faults: {suite} caught by the conformance suite, {len(caught) - suite} after it")
    if options.json:
        rows = [asdict(one) for one in outcomes]
        options.json.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0 if len(caught) * 100 >= 95 * len(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
