"""The conformance suite at the end of the whole cable: it runs in a guest, the firmware behind its kernel.

    python -m tablectl.rehearsal.hardware.chained            the guest's part

The board is that of the column ``ftdi`` of the matrix; from inside the guest it can be switched off and on. A
result comes back over the guest's console as a line.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from functools import partial

import msgspec

from protocols.conformance.evidence import Result
from protocols.conformance.suite import Settings, run_suite
from protocols.transports.port import port_at
from sim.firmware.board import BOOT_S
from sim.guest.kernel import GuestError
from sim.guest.machine import Guest
from sim.timebase import pause
from tablectl.rehearsal.scenarios.endpoint import Lever
from tablectl.rehearsal.scenarios.endpoints.ftdi import PORT, Ftdi, FtdiTable

ME = "tablectl.rehearsal.hardware.chained"
RESULT = "RESULT "  # what the guest's part says before each
SEED = 1


async def in_guest(only: Sequence[str] = ()) -> list[Result]:
    """Boot all of it and run the suite there: what it says of each requirement. Raises ``SimError``."""
    results: list[Result] = []

    def hear(line: str) -> None:
        if line.startswith(RESULT):
            results.append(msgspec.json.decode(line.removeprefix(RESULT), type=Result))
        else:
            print(f"  {line}", flush=True)

    guest, endpoint = Guest(hear), Ftdi()
    try:
        async with endpoint.around(guest) as devices:
            await guest.boot([sys.executable, "-m", ME, *only], endpoint.modules, devices, [ME])
            code = await guest.wait()
    finally:
        await guest.close()
    if code:
        raise GuestError(f"the suite ended with code {code} in the guest")
    return results


async def _restart(table: FtdiTable) -> None:
    await table.pull(Lever.REBOOT)
    await pause(BOOT_S)


async def _inside(only: frozenset[str]) -> None:
    async with Ftdi().open(SEED, 1) as table:
        settings = Settings(motion=True, only=only, restart=partial(_restart, table))
        report = await run_suite(port_at(PORT).open, settings)
        for result in report.results:
            print(RESULT + msgspec.json.encode(result).decode(), flush=True)


if __name__ == "__main__":
    asyncio.run(_inside(frozenset(sys.argv[1:])))
