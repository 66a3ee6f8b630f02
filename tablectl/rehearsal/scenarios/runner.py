"""Plays a scenario at an endpoint and says what came of it: a cell of the matrix."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from enum import StrEnum

from sim.timebase import run_virtual, wall_seconds
from tablectl.rehearsal.scenarios.endpoint import Endpoint
from tablectl.rehearsal.scenarios.host import Host
from tablectl.rehearsal.scenarios.scenario import Scenario

SEED = 1


class Verdict(StrEnum):
    """What a cell says."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "n/a"


@dataclass(frozen=True, slots=True)
class Cell:
    """One scenario at one endpoint. ``why`` it failed or is not applicable."""

    scenario: str
    endpoint: str
    verdict: Verdict
    why: str = ""
    table_s: float = 0.0  # table time from the first connection to the end
    wall_ms: int = 0  # real time, opening and closing included
    retries: int = 0  # of the protocol, on all connections
    notes: tuple[str, ...] = ()

    def line(self) -> str:
        """For a terminal."""
        figures = f"{self.table_s:7.1f} s {self.wall_ms:6} ms" if self.wall_ms else ""
        return f"{self.endpoint:10} {self.scenario:18} {self.verdict:7} {figures} {self.why}".rstrip()


def run(scenario: Scenario, endpoint: Endpoint) -> Cell:
    """Play one cell to its end, in a loop of its own."""
    if endpoint.virtual and not scenario.lacks(endpoint):
        return run_virtual(play(scenario, endpoint))
    return asyncio.run(play(scenario, endpoint))


async def play(scenario: Scenario, endpoint: Endpoint, seed: int = SEED) -> Cell:
    """Play one cell in the running loop. What goes wrong is a verdict, not an exception."""
    logging.getLogger("transitions").setLevel(logging.ERROR)
    why = scenario.lacks(endpoint)
    if why:
        return Cell(scenario.name, endpoint.name, Verdict.NOT_APPLICABLE, why)
    began = wall_seconds()
    notes: tuple[str, ...] = ()
    table_s, retries = 0.0, 0
    verdict = Verdict.PASSED
    try:
        async with endpoint.open(seed, scenario.speed) as table:
            host = Host(table, endpoint)
            start = host.loop.time()
            host.link.start()
            try:
                await host.online()
                _honest(host, endpoint)
                await scenario.play(host)
            finally:
                table_s, retries = (host.loop.time() - start) * table.speed, host.retries
                notes = tuple(host.notes)
                await host.close()
    except (AssertionError, TimeoutError, OSError) as error:
        verdict, why = Verdict.FAILED, str(error) or repr(error)
    wall_ms = round((wall_seconds() - began) * 1000)
    return Cell(scenario.name, endpoint.name, verdict, why, round(table_s, 1), wall_ms, retries, notes)


def _honest(host: Host, endpoint: Endpoint) -> None:
    """What a column claims is what its board says of itself."""
    said = host.hello.capabilities
    assert said == endpoint.capabilities, f"the board says {said!r}, the endpoint {endpoint.capabilities!r}"
