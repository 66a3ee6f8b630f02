"""Plays every scenario at every endpoint and writes the page: ``python -m tablectl.rehearsal.scenarios``.

``--only ENDPOINT…`` plays these columns, ``--scenario NAME…`` these rows; ``--rounds N`` connects so often at
each besides (fewer in a guest). An endpoint that needs what this computer lacks is left out, loudly, and its
column stays as it was. Ends with code 1 if anything failed.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from sim.timebase import run_virtual
from tablectl.rehearsal.scenarios import away, page, record
from tablectl.rehearsal.scenarios.acts import SCENARIOS
from tablectl.rehearsal.scenarios.endpoint import Away, Endpoint
from tablectl.rehearsal.scenarios.endpoints import ENDPOINTS
from tablectl.rehearsal.scenarios.rounds import Rounds, go_round
from tablectl.rehearsal.scenarios.runner import Cell, Verdict, play
from tablectl.rehearsal.scenarios.scenario import Scenario


def main(words: Sequence[str] | None = None) -> int:
    """Play, tell, write. Returns the exit code."""
    names, rows = [one.name for one in ENDPOINTS], [one.name for one in SCENARIOS]
    parser = argparse.ArgumentParser(prog="python -m tablectl.rehearsal.scenarios")
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="ENDPOINT")
    parser.add_argument("--scenario", nargs="+", choices=rows, default=rows, metavar="NAME")
    parser.add_argument("--rounds", type=int, default=0, help="connect and hang up so often at each")
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="where hil.json and hil.md lie")
    asked = parser.parse_args(words)
    scenarios = [one for one in SCENARIOS if one.name in asked.scenario]
    wanted = [one for one in ENDPOINTS if one.name in asked.only]
    there = [one for one in wanted if not _left_out(one)]
    here = [one for one in there if not isinstance(one, Away)]
    cells = _played(here, scenarios)
    rounds = [_told(go_round(one, asked.rounds)) for one in here] if asked.rounds else []
    for endpoint in [one for one in there if isinstance(one, Away)]:  # each takes a whole core
        column, went = asyncio.run(away.column(endpoint, scenarios, asked.rounds))
        cells += column
        rounds += [_told(one) for one in went]
    kept = record.read(asked.docs)
    kept.take(cells, rounds)
    kept.keep_only(rows, names)
    record.write(asked.docs, kept)
    (asked.docs / page.NAME).write_text(page.page(kept, SCENARIOS, ENDPOINTS), encoding="utf-8")
    failed = sum(cell.verdict is Verdict.FAILED for cell in cells) + sum(bool(one.left) for one in rounds)
    print(
        f"{len(cells)} cells at {len(there)} endpoints, {failed} failed, {len(wanted) - len(there)} left out"
    )
    return 1 if failed else 0


def _left_out(endpoint: Endpoint) -> bool:
    missing = endpoint.missing()
    if missing:
        print(f"LEFT OUT: {endpoint.name}: {missing}", file=sys.stderr)
    return bool(missing)


def _played(endpoints: Sequence[Endpoint], scenarios: Sequence[Scenario]) -> list[Cell]:
    """Virtual columns one after the other, the others side by side: they mostly wait."""
    cells: list[Cell] = []
    for endpoint in [one for one in endpoints if one.virtual]:
        cells += [run_virtual(_column(endpoint, [scenario]))[0] for scenario in scenarios]

    async def beside() -> list[list[Cell]]:
        return await asyncio.gather(*(_column(one, scenarios) for one in endpoints if not one.virtual))

    return cells + [cell for column in asyncio.run(beside()) for cell in column]


async def _column(endpoint: Endpoint, scenarios: Sequence[Scenario]) -> list[Cell]:
    cells = []
    for scenario in scenarios:
        cell = await play(scenario, endpoint)
        print(cell.line(), flush=True)
        cells.append(cell)
    return cells


def _told(rounds: Rounds) -> Rounds:
    left = "; ".join(rounds.left) or "nothing left behind"
    print(f"{rounds.endpoint:10} {rounds.count} rounds in {rounds.wall_ms} ms: {left}", flush=True)
    return rounds


if __name__ == "__main__":
    sys.exit(main())
