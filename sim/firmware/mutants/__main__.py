"""Plants faults in the firmware and lets the conformance suite look for them.

python -m sim.firmware.mutants [--count 80] [--seed 1] [--json FILE] [--then COMMAND…]

Each fault is compiled and run in a process of its own, in lockstep under virtual time. What the suite does
not see is given to COMMAND (the traces beside the twin, for instance), which is run with the faulty sources
in its environment; its exit code is the verdict. A fault the compiler refuses is none and does not count.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from sim.firmware.board import hosted
from sim.firmware.build import OTHER_SOURCE, SOURCE, BuildError, library
from sim.firmware.conform import Broke, check, stop_at_first
from sim.firmware.lockstep import load
from sim.firmware.mutants.operators import Mutant, sample

CPU_S = 15  # a good one takes two; one that takes longer hangs
LINK = ("-O1", "-w")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one fault. ``by``: "conformance", "then", "" for nobody; ``why``: who noticed."""

    mutant: Mutant
    by: str
    why: str = ""


def judge(mutant: Mutant, then: Sequence[str], cache: Path) -> Outcome | None:
    """Compile and try one; None where the compiler refuses it."""
    folder = Path(tempfile.mkdtemp(prefix="tablectl-mutant-"))
    try:
        sources = folder / "src"
        shutil.copytree(SOURCE, sources)
        mutant.plant(sources)
        try:
            code = library(sources, flags=LINK, cache=cache)
        except BuildError:
            return None
        why = _in_a_child(code, folder / "why")
        if why:
            return Outcome(mutant, "conformance", why)
        why = _caught(then, {**os.environ, OTHER_SOURCE: str(sources), "TMPDIR": str(folder)}) if then else ""
        return Outcome(mutant, "then" if why else "", why)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _in_a_child(code: Path, said: Path) -> str:
    """What the suite notices first; empty when nothing. A child may crash, or run for ever."""
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, 1)
        os.dup2(devnull, 2)
        try:
            check(partial(hosted, code=load(code)), told=stop_at_first)
        except Broke as broke:
            said.write_text(str(broke))
        except BaseException as error:
            said.write_text(type(error).__name__)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return f"it ends with {signal.Signals(os.WTERMSIG(status)).name}"
    return said.read_text() if said.exists() else ""


def _caught(command: Sequence[str], environment: dict[str, str]) -> str:
    """What a command notices first; empty when nothing."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    told = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    return "" if done.returncode == 0 else (told or ["it ended badly"])[0].split(" - ")[0]


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, look, tell. Ends with code 1 when fewer than 95 of 100 are caught."""
    parser = argparse.ArgumentParser(prog="python -m sim.firmware.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--then", nargs=argparse.REMAINDER, default=[])
    options = parser.parse_args(arguments)
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as cache:
        library(SOURCE, flags=LINK, cache=Path(cache))  # all but the faulty file is compiled once
        for mutant in sample(SOURCE, options.count, options.seed):
            outcome = judge(mutant, options.then, Path(cache))
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
