"""Hardware in the loop without hardware: ``make hil``, or ``python -m tablectl.rehearsal.hardware [STEP…]``.

    hosted      the conformance suite on the firmware compiled for this computer, in lockstep
    avr         the same on an emulated ATmega1284P, cycle by cycle
    cortex      the same on an emulated Cortex-M3, in real time over TCP
    guest       the same from inside a guest with a Linux kernel, through a USB serial adapter: /dev/ttyUSB0
    hand        a hand of the international rules at that port, played and refereed; its record is verified
    acm         every scenario at a simulated board that is a serial port of the guest's kernel: /dev/ttyACM0
    vendor      the same at one with bulk pipes, by the system's libusb
    usb-checks  each call to real libusb there and to the simulated bus: both must end alike
    udev        the rules of an installation: names, rights, and the daemon with no others, its cable pulled

A step whose tools are missing is left out, loudly, with what would bring them; that is no failure. Exit code
1 if a step failed.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from protocols.conformance.suite import Report, Settings, run_suite
from protocols.transports.port import port_at
from sim.errors import SimError
from sim.firmware.build import compiler
from sim.firmware.conform import check
from sim.firmware.ports import avr, cortex
from sim.firmware.ports.build import TARGETS, build, missing
from sim.firmware.ports.bus import PinBoard
from sim.guest import chain, kernel, usbchecks
from sim.timebase import wall_seconds
from tablectl.rehearsal import guest as hand
from tablectl.rehearsal.rights import __main__ as rights
from tablectl.rehearsal.scenarios import __main__ as scenarios
from tablectl.rehearsal.scenarios.endpoints.guest import Acm, Vendor

SEED = 1
UNSEEN = ("na.host", "na.unobserved")  # of any board


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what it lacks, in words, and the run, which returns whether all was well."""

    name: str
    lacks: Callable[[], str]
    run: Callable[[], bool]


def told(report: Report) -> bool:
    """Show what the suite says; True when the board keeps all it was asked."""
    for result in report.failed:
        print(f"  broken: {result.requirement} {result.evidence.key} {result.evidence.facts}")
    for result in report.not_applicable:
        if result.evidence.key not in UNSEEN:
            print(f"  not asked: {result.requirement} {result.evidence.key} {result.evidence.facts}")
    counts = [len(part) for part in (report.passed, report.failed, report.not_applicable)]
    print("  requirements: {} kept, {} broken, {} not to be seen from outside".format(*counts))
    return not report.failed


def _hosted() -> bool:
    return told(check())


def _avr() -> bool:
    chip = avr.AvrChip()
    print(f"  {chip.flash} bytes of flash, {chip.ram} bytes of RAM")
    try:
        return told(check(chip.boot))
    finally:
        chip.close()


def free_port() -> int:
    """A TCP port of this computer that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


async def _on_cortex() -> Report:
    with tempfile.TemporaryDirectory() as folder:
        image = build("cortex_m3", Path(folder))
        print(f"  {image.flash} bytes of flash, {image.ram} bytes of RAM")
        plant, port = chain.table(SEED), free_port()
        board = await cortex.Cortex.boot(image.elf, PinBoard(plant, profile=plant.profile), cortex.tcp(port))
        try:
            return await run_suite(port_at(f"tcp:127.0.0.1:{port}").open, Settings(motion=True))
        finally:
            await board.close()


def _cortex() -> bool:
    return told(asyncio.run(_on_cortex()))


def _guest() -> bool:
    words = [sys.executable, "-m", "tablectl", "hil", chain.PORT, "--yes", "--plain"]
    return not chain.main(["--", *words])


def _hand() -> bool:
    return not hand.main([])


def _acm() -> bool:
    return not scenarios.main(["--only", "acm"])


def _vendor() -> bool:
    return not scenarios.main(["--only", "vendor"])


def _rights() -> bool:
    return not rights.main([])


def _no_compiler() -> str:
    return "" if compiler() is not None else "no C compiler (Debian: apt-get install gcc libc6-dev)"


def _no_cortex() -> str:
    return missing(TARGETS["cortex_m3"]) or cortex.lacking()


def _no_guest() -> str:
    return _no_cortex() or kernel.lacking()


STEPS = (
    Step("hosted", _no_compiler, _hosted),
    Step("avr", avr.lacking, _avr),
    Step("cortex", _no_cortex, _cortex),
    Step("guest", _no_guest, _guest),
    Step("hand", _no_guest, _hand),
    Step("acm", Acm().missing, _acm),
    Step("vendor", Vendor().missing, _vendor),
    Step("usb-checks", usbchecks.lacking, usbchecks.check),
    Step("udev", rights.lacking, _rights),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the steps asked for, else all."""
    parser = argparse.ArgumentParser(prog="python -m tablectl.rehearsal.hardware")
    parser.add_argument("step", nargs="*", help=f"of {', '.join(step.name for step in STEPS)}; none = all")
    asked = parser.parse_args(arguments).step
    failed, left_out = [], []
    for step in STEPS:
        if asked and step.name not in asked:
            continue
        lack = step.lacks()
        if lack:
            print(f"LEFT OUT: {step.name}: {lack}", file=sys.stderr)
            left_out.append(step.name)
            continue
        print(f"{step.name}:", flush=True)
        began = wall_seconds()
        try:
            good = step.run()
        except (SimError, OSError, TimeoutError) as error:
            print(f"  {error}")
            good = False
        print(f"  {'good' if good else 'FAILED'} after {wall_seconds() - began:.0f} s", flush=True)
        failed += [] if good else [step.name]
    print(f"{len(failed)} failed {failed}, {len(left_out)} left out {left_out}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
