"""Plants faults in the firmware and lets the conformance suite look for them.

python -m sim.firmware.mutants [--count 40] [--seeds 13 14] [--json FILE] [--then COMMAND…]

Each seed chooses so many faults by chance. Each is compiled and run in a process of its own, in lockstep
under virtual time. The suite has noticed it when a requirement is not kept, or can no longer be shown to be.
What the suite does not see is then looked for by the traces beside the Python twin, and then by COMMAND,
which finds the faulty sources in its environment, and ends with code 1 if it notices something, 0 if not, and
any other if it could not look. A fault the compiler refuses is none and does not count.

The firmware as it is is judged first, in the same manner: if anything is noticed of that, nothing is planted.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

from sim.errors import SimError
from sim.firmware.build import SOURCE
from sim.firmware.mutants.child import NotRunError
from sim.firmware.mutants.judge import Judge, Outcome
from sim.firmware.mutants.operators import Mutant, sample


def processor_minutes() -> float:
    """What this run has cost so far, its children included."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used) / 60


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, look, tell. Ends with code 1 when fewer than 95 of 100 are caught, 2 when nobody can tell."""
    parser = argparse.ArgumentParser(prog="python -m sim.firmware.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=40, help="faults a seed")
    parser.add_argument("--seeds", type=int, nargs="+", default=[13, 14])
    parser.add_argument("--json", type=Path)
    parser.add_argument("--then", nargs=argparse.REMAINDER, default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="so many at once")
    options = parser.parse_args(arguments)
    try:
        outcomes, failed = _planted(options)
    except SimError as error:
        print(error, file=sys.stderr)
        return 2
    caught = [one for one in outcomes if one.by]
    by_suite = sum(one.by == "conformance" for one in outcomes)
    others = len(caught) - by_suite
    print(f"{len(outcomes)} faults: {by_suite} caught by the conformance suite, {others} otherwise")
    print(f"{processor_minutes():.1f} minutes of processor time")
    if failed:  # a list without them would be no sample
        print(f"{failed} more could not be judged: nothing is kept, run it again", file=sys.stderr)
        return 2
    if options.json:
        rows = [asdict(one) for one in outcomes]
        options.json.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0 if len(caught) * 100 >= 95 * len(outcomes) else 1


def _planted(options: argparse.Namespace) -> tuple[list[Outcome], int]:
    """What became of each fault, and how many could not be judged. Raises ``SimError``."""
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as kept:
        judge = Judge(Path(kept), options.then)
        judge.begin()
        limits = ", ".join(f"{name} {seconds} s" for name, seconds in judge.limits_s.items())
        print(f"nothing is noticed of the firmware as it is; a fault may run for: {limits}", flush=True)
        chosen: dict[Mutant, int] = {}
        for seed in options.seeds:
            for mutant in sample(SOURCE, options.count, seed):
                chosen.setdefault(mutant, seed)
        failed = 0
        with ThreadPoolExecutor(options.jobs) as pool:
            for future in [pool.submit(judge.judge, mutant) for mutant in chosen]:
                try:
                    outcome = future.result()
                except NotRunError as error:  # the others are worth their time all the same
                    failed += 1
                    print(f"{'NOT JUDGED':12} {error}", flush=True)
                    continue
                if outcome is not None:
                    outcomes.append(replace(outcome, seed=chosen[outcome.mutant]))
                    print(f"{outcome.by or 'SURVIVED':12} {outcome.mutant}  {outcome.why}", flush=True)
    return outcomes, failed


if __name__ == "__main__":
    sys.exit(main())
