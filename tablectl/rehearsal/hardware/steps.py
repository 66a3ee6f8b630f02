"""Every step, in the order in which they are run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from sim.firmware.build import compiler
from sim.firmware.ports import avr, cortex
from sim.firmware.ports.build import TARGETS, missing
from sim.guest import kernel, usbchecks
from tablectl.rehearsal import guest
from tablectl.rehearsal.hardware import conformance
from tablectl.rehearsal.hardware.step import Asked, Came, Step
from tablectl.rehearsal.rights import __main__ as rights
from tablectl.rehearsal.scenarios import __main__ as scenarios
from tablectl.rehearsal.scenarios import record
from tablectl.rehearsal.scenarios.acts import SCENARIOS
from tablectl.rehearsal.scenarios.endpoint import Endpoint
from tablectl.rehearsal.scenarios.endpoints.firmware import FirmwareAvr, FirmwareHosted
from tablectl.rehearsal.scenarios.endpoints.ftdi import Ftdi
from tablectl.rehearsal.scenarios.endpoints.guest import Acm, Vendor
from tablectl.rehearsal.scenarios.runner import Verdict

BRIEF = ("dice", "event-gap", "key", "unplug-at-rest", "chatter")  # seconds each, and the cable among them


def _hand(asked: Asked) -> Came:
    played = asyncio.run(guest.outside(guest.SEED))
    return Came(played.good, said=str(played))


def _all_right(run: Callable[[], bool]) -> Callable[[Asked], Came]:
    return lambda asked: Came(run())


def _rights() -> bool:
    return not rights.main([])


def _column(name: str, endpoint: Endpoint) -> Step:
    """The scenarios at an endpoint."""

    def run(asked: Asked) -> Came:
        rows = [one.name for one in SCENARIOS if not asked.brief or one.name in BRIEF]
        good = not scenarios.main(["--only", endpoint.name, "--scenario", *rows, "--docs", str(asked.docs)])
        kept = record.read(asked.docs)
        cells = [cell for row in rows if (cell := kept.cell(row, endpoint.name)) is not None]
        counts = {verdict: sum(cell.verdict is verdict for cell in cells) for verdict in Verdict}
        said = (
            f"{counts[Verdict.PASSED]} scenarios passed, {counts[Verdict.FAILED]} failed, "
            f"{counts[Verdict.NOT_APPLICABLE]} do not apply"
        )
        return Came(good, said=said)

    about = f"every scenario at the endpoint `{endpoint.name}`"
    return Step(name, about, endpoint.missing, run, endpoint.name)


def _no_compiler() -> str:
    return "" if compiler() is not None else "no C compiler (Debian: apt-get install gcc libc6-dev)"


def _no_cortex() -> str:
    return missing(TARGETS["cortex_m3"]) or cortex.lacking()


def _no_guest() -> str:
    return _no_cortex() or kernel.lacking()


STEPS = (
    Step(
        "hosted",
        "the conformance suite on the firmware compiled for this computer, in lockstep",
        _no_compiler,
        conformance.hosted,
    ),
    Step("avr", "the same on an emulated ATmega1284P, cycle by cycle", avr.lacking, conformance.on_avr),
    Step(
        "cortex",
        "the same on an emulated Cortex-M3, in real time over TCP",
        _no_cortex,
        conformance.on_cortex,
    ),
    Step(
        "guest",
        "the same from inside a guest with a Linux kernel, through a USB serial adapter: /dev/ttyUSB0",
        _no_guest,
        conformance.behind_kernel,
    ),
    Step(
        "hand",
        "a hand of the international rules at that port, played and refereed; its record verified",
        _no_guest,
        _hand,
    ),
    _column("hosted-scenarios", FirmwareHosted()),
    _column("avr-scenarios", FirmwareAvr()),
    _column("ftdi", Ftdi()),
    _column("acm", Acm()),
    _column("vendor", Vendor()),
    Step(
        "usb-checks",
        "each call to real libusb in a guest and to the simulated bus: both must end alike",
        usbchecks.lacking,
        _all_right(usbchecks.check),
    ),
    Step(
        "udev",
        "the rules of an installation: names, rights, and the daemon with no others, its cable pulled",
        rights.lacking,
        _all_right(_rights),
    ),
)
