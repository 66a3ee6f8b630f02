"""The conformance suite on the firmware: on this computer, an AVR, a Cortex-M3, and behind a kernel."""

from __future__ import annotations

import asyncio
import socket
import tempfile
from collections.abc import Sequence
from pathlib import Path

from protocols.conformance.evidence import Result, Verdict
from protocols.conformance.suite import Settings, run_suite
from protocols.transports.port import port_at
from sim.firmware.board import BOOT_S
from sim.firmware.conform import check
from sim.firmware.ports import avr, cortex
from sim.firmware.ports.build import build
from sim.firmware.ports.bus import PinBoard
from sim.guest import chain
from sim.timebase import pause
from tablectl.rehearsal.hardware.chained import in_guest
from tablectl.rehearsal.hardware.step import Asked, Came

SEED = 1
UNSEEN = ("na.host", "na.unobserved")  # of any board


def told(results: Sequence[Result], said: str = "") -> Came:
    """Show what the suite says, and count it."""
    of = {verdict: [one for one in results if one.verdict is verdict] for verdict in Verdict}
    for result in of[Verdict.FAILED]:
        print(f"  broken: {result.requirement} {result.evidence.key} {result.evidence.facts}")
    for result in of[Verdict.NOT_APPLICABLE]:
        if result.evidence.key not in UNSEEN:
            print(f"  not asked: {result.requirement} {result.evidence.key} {result.evidence.facts}")
    kept, broken = len(of[Verdict.PASSED]), tuple(one.requirement for one in of[Verdict.FAILED])
    return Came(bool(results) and not broken, kept, broken, len(of[Verdict.NOT_APPLICABLE]), said)


def hosted(asked: Asked) -> Came:
    """In lockstep, under virtual time."""
    return told(check().results)


def on_avr(asked: Asked) -> Came:
    """The same, cycle by cycle."""
    chip = avr.AvrChip()
    try:
        return told(check(chip.boot).results, f"{chip.flash} bytes of flash, {chip.ram} bytes of RAM")
    finally:
        chip.close()


def on_cortex(asked: Asked) -> Came:
    """In real time, over TCP."""
    return asyncio.run(_on_cortex())


def behind_kernel(asked: Asked) -> Came:
    """In real time, from inside a guest."""
    return told(asyncio.run(in_guest()))


async def _on_cortex() -> Came:
    with tempfile.TemporaryDirectory() as folder:
        image = build("cortex_m3", Path(folder))
        plant, port = chain.table(SEED), free_port()
        board = await cortex.Cortex.boot(image.elf, PinBoard(plant, profile=plant.profile), cortex.tcp(port))

        async def restart() -> None:
            await board.power_off()
            await pause(BOOT_S)
            await board.power_on()

        try:
            settings = Settings(motion=True, restart=restart)
            report = await run_suite(port_at(f"tcp:127.0.0.1:{port}").open, settings)
        finally:
            await board.close()
    return told(report.results, f"{image.flash} bytes of flash, {image.ram} bytes of RAM")


def free_port() -> int:
    """A TCP port of this computer that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
