"""Plants faults in the firmware and lets the conformance suite look for them.

python -m sim.firmware.mutants [--count 40] [--seeds 7 8] [--json FILE] [--then COMMAND…]

Each seed chooses so many faults by chance. Each is compiled and run in a process of its own, in lockstep
under virtual time. The suite has noticed it when a requirement is not kept, or can no longer be shown to be.
What the suite does not see is then looked for by the traces beside the Python twin, and then by COMMAND,
which finds the faulty sources in its environment. A fault the compiler refuses is none and does not count.
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
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from pathlib import Path

from sim.firmware.board import Boot, hosted
from sim.firmware.build import OTHER_SOURCE, SOURCE, BuildError, library
from sim.firmware.conform import Broke, check, stop_at_first
from sim.firmware.differing import Lived, differences, live
from sim.firmware.lockstep import load
from sim.firmware.mutants.operators import Mutant, sample
from sim.firmware.sides import CompiledSide, TwinSide
from sim.firmware.traces import TRACES

CPU_S = {"conformance": 12, "traces": 90}  # a good one takes a sixth of that; one that takes longer hangs
LINK = ("-O1", "-w")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one fault. ``by`` whom it was noticed, "" for nobody; ``why``: what told of it."""

    mutant: Mutant
    by: str
    why: str = ""
    seed: int = 0


def judge(mutant: Mutant, kept: Path, then: Sequence[str]) -> Outcome | None:
    """Compile and try one; None where the compiler refuses it."""
    folder = Path(tempfile.mkdtemp(prefix="tablectl-mutant-"))
    try:
        sources = folder / "src"
        shutil.copytree(SOURCE, sources)
        mutant.plant(sources)
        try:
            boot = partial(hosted, code=load(library(sources, flags=LINK, cache=kept)))
        except BuildError:
            return None
        for name, look in (("conformance", suite), ("traces", traces)):
            why = _in_a_child(partial(look, boot), folder / name, CPU_S[name])
            if why:
                return Outcome(mutant, name, why)
        why = (
            _told_by(then, {**os.environ, OTHER_SOURCE: str(sources), "TMPDIR": str(folder)}) if then else ""
        )
        return Outcome(mutant, "tests" if why else "", why)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def suite(boot: Boot) -> str:
    """The first requirement that is broken."""
    try:
        check(boot, told=stop_at_first)
    except Broke as broke:
        return str(broke)
    return ""


def traces(boot: Boot) -> str:
    """The first trace by which it can be told from the twin."""
    for name, trace in TRACES.items():
        if differences(live(lambda seed: CompiledSide(seed, boot), trace), twin(name)):
            return name
    return ""


@cache
def twin(name: str) -> Lived:
    """What the twin makes of a trace."""
    return live(TwinSide, TRACES[name])


def _in_a_child(look: Callable[[], str], said: Path, seconds: int) -> str:
    """What a look notices; empty when nothing. A child may crash, or run for ever."""
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, 1)
        os.dup2(devnull, 2)
        try:
            said.write_text(look())
        except BaseException as error:
            said.write_text(type(error).__name__)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return f"it ends with {signal.Signals(os.WTERMSIG(status)).name}"
    return said.read_text() if said.exists() else ""


def _told_by(command: Sequence[str], environment: dict[str, str]) -> str:
    """What a test runner notices first; empty when nothing."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    told = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    return "" if done.returncode == 0 else (told or ["it ended badly"])[0].split("::")[-1].split(" - ")[0]


def processor_minutes() -> float:
    """What this run has cost so far, its children included."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used) / 60


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, look, tell. Ends with code 1 when fewer than 95 of 100 are caught."""
    parser = argparse.ArgumentParser(prog="python -m sim.firmware.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=40, help="faults a seed")
    parser.add_argument("--seeds", type=int, nargs="+", default=[7, 8])
    parser.add_argument("--json", type=Path)
    parser.add_argument("--then", nargs=argparse.REMAINDER, default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="so many at once")
    options = parser.parse_args(arguments)
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as kept:
        library(SOURCE, flags=LINK, cache=Path(kept))  # all but the faulty file is compiled once
        for name in TRACES:
            twin(name)
        chosen: dict[Mutant, int] = {}
        for seed in options.seeds:
            for mutant in sample(SOURCE, options.count, seed):
                chosen.setdefault(mutant, seed)
        with ThreadPoolExecutor(options.jobs) as pool:
            for outcome in pool.map(lambda mutant: judge(mutant, Path(kept), options.then), chosen):
                if outcome is not None:
                    outcomes.append(replace(outcome, seed=chosen[outcome.mutant]))
                    print(f"{outcome.by or 'SURVIVED':12} {outcome.mutant}  {outcome.why}", flush=True)
    caught = [one for one in outcomes if one.by]
    by_suite = sum(one.by == "conformance" for one in outcomes)
    others = len(caught) - by_suite
    print(f"{len(outcomes)} faults: {by_suite} caught by the conformance suite, {others} otherwise")
    print(f"{processor_minutes():.1f} minutes of processor time")
    if options.json:
        rows = [asdict(one) for one in outcomes]
        options.json.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0 if len(caught) * 100 >= 95 * len(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
