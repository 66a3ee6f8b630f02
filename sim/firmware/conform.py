"""The conformance suite on the compiled firmware, in lockstep under virtual time.

python -m sim.firmware.conform      exit 0 when it keeps every requirement; else 1, and names those it breaks
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from random import Random

from protocols.conformance.evidence import Result, Verdict
from protocols.conformance.suite import Report, Settings, run_suite
from sim.endpoints.memory import MemoryEndpoint
from sim.firmware.board import BOOT_S, Boot, FirmwareBoard
from sim.firmware.helper import Helper
from sim.firmware.plant.plant import Plant
from sim.mechanism.tiles import FULL
from sim.timebase import pause, run_virtual

Told = Callable[[Result], None]
PATIENCE_S = 3 * 3600.0  # of virtual time
LATENCY_S = 0.001
UNSEEN = ("na.host", "na.unobserved")  # requirements nobody can check from a host's end


class Broke(Exception):
    """Raised at the first requirement that is not shown to be kept, where nobody wants to know of more."""


def _nothing(result: Result) -> None:
    return


def stop_at_first(result: Result) -> None:
    """End the run at the first failure, also of what the firmware can do and does not. Raises ``Broke``."""
    if result.verdict is not Verdict.PASSED:
        raise Broke(result.requirement)


async def _check(boot: Boot | None, only: frozenset[str], seed: int, told: Told) -> Report:
    streams = {name: Random(f"{seed}/{name}") for name in ("drum", "dice", "times")}
    plant = Plant(FULL, **streams)
    plant.watchers.append(Helper(plant.push_in))
    board = FirmwareBoard(plant, boot=boot)
    line = MemoryEndpoint(Random(seed), latency=LATENCY_S)
    board.attach(line)
    board.power_on()

    async def restart() -> None:
        line.unplug()  # a board on USB takes its port along
        board.reboot()
        await pause(2 * BOOT_S)
        line.replug()

    settings = Settings(motion=True, baud=0, only=only, rng=Random(seed), restart=restart, told=told)
    try:
        async with asyncio.timeout(PATIENCE_S):
            return await run_suite(line.host, settings)
    finally:
        board.close()


def check(
    boot: Boot | None = None, only: frozenset[str] = frozenset(), seed: int = 1, told: Told = _nothing
) -> Report:
    """What the suite says of a firmware; none given = the one compiled for this computer."""
    return run_virtual(_check(boot, only, seed, told))


def main() -> int:
    """Check, and name what is broken, or could not be shown although a host can see it."""
    report = check()
    unshown = [result for result in report.not_applicable if result.evidence.key not in UNSEEN]
    for result in (*report.failed, *unshown):
        print(f"{result.requirement} {result.evidence.key} {result.evidence.facts}")
    return 1 if report.failed or unshown else 0


if __name__ == "__main__":
    sys.exit(main())
