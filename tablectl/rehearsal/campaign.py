"""``tablectl campaign``: sessions by the hundred while everything goes wrong, hunting for broken invariants.

Every session is made from its seed alone, so a violation comes with the one command that plays it again; a
failing script of what went wrong is shrunk to the few sentences that are needed.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from sim.errors import PlanError
from sim.kinds import presets
from sim.timebase import wall_seconds
from tablectl.api.arguments import one_of, shown
from tablectl.api.errors import BadArgument
from tablectl.console.terminal import Terminal
from tablectl.game.state import SEATS
from tablectl.locale import catalog
from tablectl.rehearsal.host import HostScriptError
from tablectl.rehearsal.ordeal import Ordeal, Trial, undergo
from tablectl.rehearsal.shrink import shrink
from tablectl.rules.book import RuleBook, load_book
from tablectl.rules.model import Ruleset

SEEDS = re.compile(r"([0-9]{1,12})(?:\.\.([0-9]{1,12}))?")
ALL = "all"
MOST_SESSIONS = 100_000
SHRUNK = 3  # failing sessions whose script is made small; each takes dozens of replays
EVERY_S = 2.0  # between two lines of progress where it cannot be redrawn

_book: RuleBook | None = None  # of a worker


def main(args: argparse.Namespace) -> int:
    """Run the campaign. 0 if nothing was violated, 1 if something was, 2 for what cannot be run. Raises
    ``BadArgument``."""
    terminal = Terminal(args.lang, plain=args.plain, as_json=args.json)
    try:
        ordeals = list(ordeals_of(args))
    except (ValueError, OSError, PlanError) as error:
        terminal.complain(f"tablectl campaign: {error}")
        return 2
    began = wall_seconds()
    jobs = args.jobs or os.cpu_count() or 1
    trials = list(run(ordeals, jobs, Progress(terminal, len(ordeals), began)))
    failed = [trial for trial in trials if trial.violations]
    scripts = {trial.ordeal: smallest(trial) for trial in failed[:SHRUNK]}
    report = summary(trials, round(wall_seconds() - began, 1), scripts)
    if args.json:
        terminal.json(report)
    else:
        for line in table(report, args.lang):
            terminal.line(line)
    return 1 if failed else 0


def ordeals_of(args: argparse.Namespace) -> Iterator[Ordeal]:
    """The sessions asked for. Raises ``BadArgument`` for words that mean nothing, and ``ValueError`` or
    ``OSError`` for a script."""
    match = SEEDS.fullmatch(args.seeds)
    if match is None:
        raise BadArgument("bad.seeds", given=shown(args.seeds))
    first, last = int(match[1]), int(match[2] or match[1])
    if not first <= last < first + MOST_SESSIONS:
        raise BadArgument("bad.seeds_many", given=shown(args.seeds), most=MOST_SESSIONS)
    if args.preset not in presets():
        raise one_of(args.preset, presets(), "bad.preset")
    book = load_book()
    rules = PLAYED if args.rules == ALL else (args.rules,)
    for one in rules:
        if one not in book:
            raise one_of(one, [*book, ALL], "bad.rules")
    script = None
    if args.script:
        text = Path(args.script).read_text(encoding="utf-8")
        script = tuple(line.strip() for line in text.splitlines() if line.strip() and line[0] != "#")
        if not script:
            raise BadArgument("bad.script_empty", path=args.script)
    for seed in range(first, last + 1):
        for one in rules:
            hands = args.hands or whole_session(book[one])
            fidelity = args.fidelity or ("identity", "count")[seed % 4 == 0]
            ordeal = Ordeal(seed, one, hands, args.preset, fidelity, script)
            try:
                ordeal.plan()
            except (PlanError, HostScriptError, OverflowError) as error:
                raise ValueError(f"{args.script}: {error}") from error
            yield ordeal


PLAYED = ("mcr", "zungjung", "ccm", "wuhan")  # rule systems whose whole session can be played


def whole_session(rules: Ruleset) -> int:
    """Hands of a session; where the deal may stay, those of rounds in which it never does."""
    return rules.session.hands.value or len(rules.session.rounds.value) * len(SEATS)


def run(ordeals: list[Ordeal], jobs: int, progress: Progress) -> Iterator[Trial]:
    """Each session in a worker process, in whatever order they end."""
    if jobs == 1 or len(ordeals) == 1:
        for ordeal in ordeals:
            yield progress.of(_undergo(ordeal))
        return
    with ProcessPoolExecutor(jobs) as pool:
        for future in as_completed([pool.submit(_undergo, ordeal) for ordeal in ordeals]):
            yield progress.of(future.result())


def _undergo(ordeal: Ordeal) -> Trial:
    global _book  # a worker loads the rules once
    logging.getLogger("transitions").setLevel(logging.ERROR)
    _book = _book or load_book()
    return undergo(ordeal, _book)


class Progress:
    """Says how far it is and how long it will take, on standard error."""

    def __init__(self, terminal: Terminal, total: int, began: float) -> None:
        self._terminal = terminal
        self._total = total
        self._began = began
        self._told = began
        self._done = self._violations = self._inputs = 0

    def of(self, trial: Trial) -> Trial:
        """One more is done."""
        self._done += 1
        self._violations += len(trial.violations)
        self._inputs += trial.inputs
        now = wall_seconds()
        live = sys.stderr.isatty() and not self._terminal.plain
        if live or now - self._told >= EVERY_S or self._done == self._total:
            self._told = now
            left = (now - self._began) / self._done * (self._total - self._done)
            line = catalog.text(
                "campaign.progress",
                self._terminal.lang,
                done=self._done,
                total=self._total,
                inputs=self._inputs,
                violations=self._violations,
                left=round(left),
            )
            end = "\r" if live and self._done < self._total else "\n"
            sys.stderr.write(line + ("\x1b[K" if live else "") + end)
            sys.stderr.flush()
        return trial


def smallest(trial: Trial) -> list[str]:
    """The shortest script that still violates something, or the whole one if chance itself is needed."""
    ordeal = trial.ordeal

    def fails(script: list[str]) -> bool:
        again = Ordeal(ordeal.seed, ordeal.rules, ordeal.hands, ordeal.preset, ordeal.fidelity, tuple(script))
        return bool(_undergo(again).violations)

    return shrink(trial.script, fails) if fails(trial.script) else trial.script


def command(ordeal: Ordeal) -> str:
    """The command that plays this session again."""
    return (
        f"tablectl campaign --seeds {ordeal.seed}..{ordeal.seed} --preset {ordeal.preset}"
        f" --rules {ordeal.rules} --hands {ordeal.hands} --fidelity {ordeal.fidelity} --jobs 1"
    )


def summary(trials: Iterable[Trial], wall_s: float, scripts: dict[Ordeal, list[str]]) -> dict[str, Any]:
    """The object of ``--json``."""
    faults: Counter[str] = Counter()
    results: Counter[str] = Counter()
    total = {"sessions": 0, "inputs": 0, "virtual_s": 0.0}
    found: list[dict[str, Any]] = []
    for trial in sorted(trials, key=lambda trial: (trial.ordeal.seed, trial.ordeal.rules)):
        total["sessions"] += 1
        total["inputs"] += trial.inputs
        total["virtual_s"] += trial.virtual_s
        faults.update(trial.faults)
        results.update(trial.hands)
        if trial.violations:
            found.append(
                {
                    "seed": trial.ordeal.seed,
                    "rules": trial.ordeal.rules,
                    "violations": trial.violations,
                    "command": command(trial.ordeal),
                    "script": scripts.get(trial.ordeal, trial.script),
                }
            )
    return {
        **total,
        "virtual_s": round(total["virtual_s"]),
        "hands": sum(results.values()),
        "results": dict(sorted(results.items())),
        "faults": dict(sorted(faults.items())),
        "faults_total": sum(faults.values()),
        "violations": sum(len(one["violations"]) for one in found),
        "failed": found,
        "wall_s": wall_s,
    }


def table(report: dict[str, Any], lang: str) -> Iterator[str]:
    """The report for people."""
    yield catalog.text("campaign.total", lang, **report)
    yield catalog.text("campaign.results", lang, results=_counts(report["results"]))
    yield catalog.text("campaign.faults", lang, total=report["faults_total"])
    width = max((len(kind) for kind in report["faults"]), default=0)
    for kind, count in sorted(report["faults"].items(), key=lambda row: -row[1]):
        yield f"  {kind:<{width}} {count:>7}"
    yield catalog.text("campaign.violations", lang, violations=report["violations"])
    for one in report["failed"]:
        yield f"  seed {one['seed']} {one['rules']}"
        yield from (f"    ! {violation}" for violation in one["violations"][:5])
        yield f"    {one['command']}"
        yield from (f"      {line}" for line in one["script"][:20])


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())
