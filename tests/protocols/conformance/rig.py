"""A suite at a twin, under virtual time."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from protocols.conformance.settings import Settings
from protocols.conformance.suite import Report, run_suite
from sim.endpoints.memory import MemoryEndpoint
from sim.timebase import pause, run_virtual
from sim.world import SimTable
from tests.sim.rig import Nobody

OFF = 6.0  # seconds a board is switched off


def examine(
    seed: int = 1,
    *,
    only: frozenset[str] = frozenset(),
    motion: bool = True,
    restart: bool = False,
    baud: int = 0,
    damage: float = 0.0,
    spoil: Callable[[SimTable], object] = lambda table: None,
    **table_settings: Any,
) -> Report:
    """Run the suite on a table of that seed; ``spoil`` is done to it before it is switched on."""

    async def main() -> Report:
        table = SimTable(seed, judge=Nobody(), **table_settings)
        end = MemoryEndpoint(table.rng("line"), baud=baud)
        end.to_host.damage = end.to_board.damage = damage
        spoil(table)
        table.attach(end)

        async def off_and_on() -> None:
            table.reboot(OFF)
            await pause(OFF + table.machine.timing.steps["boot"].timeout)

        settings = Settings(motion=motion, baud=baud, only=only, rng=Random(seed))
        settings.restart = off_and_on if restart else None
        try:
            return await run_suite(end.host, settings)
        finally:
            table.close()

    return run_virtual(main())


def ids(results: list[Any]) -> set[str]:
    """The requirements of these results."""
    return {result.requirement for result in results}
