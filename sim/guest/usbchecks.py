"""The list of ``sim.usb.checks`` by real libusb in a guest, compared with the simulated backend here.

python -m sim.guest.usbchecks [--record]    the whole of it; --record keeps what real libusb did
python -m sim.guest.usbchecks inside        the guest's part
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence

import usb.backend.libusb1

from sim.errors import SimError
from sim.guest import kernel, udev
from sim.guest.machine import run as run_guest
from sim.guest.users import nobody
from sim.usb.checks import record
from sim.usb.checks.bench import Bench, Outcome
from sim.usb.checks.lists import run
from sim.usb.checks.simulated import simulated

ME = "sim.guest.usbchecks"
MODULES = ("vhci_hcd", "cdc_acm")
CHECK = "CHECK "  # what the guest's part says, before a call and what came of it
HELD_S = 0.3  # on an emulated processor


def lacking() -> str:
    """What keeps it from running here; empty when nothing does."""
    return kernel.lacking_plug() or udev.lacking()


def inside() -> int:
    """Make the calls and say what comes of them."""
    from sim.guest.vhci import VhciBus  # a package only guests need

    udev.start(bare=True)
    run(Bench(VhciBus(), usb.backend.libusb1.get_backend(), nobody, _tell, HELD_S))
    return 0


def _tell(name: str, found: Outcome) -> None:
    print(CHECK + json.dumps([name, *found]), flush=True)


async def real() -> dict[str, Outcome]:
    """What comes of each call by real libusb. Raises ``GuestError``."""
    found: dict[str, Outcome] = {}
    words: list[str] = []

    def hear(line: str) -> None:
        if line.startswith(CHECK):
            name, *outcome = json.loads(line.removeprefix(CHECK))
            found[name] = tuple(outcome)
        else:
            words.append(line)

    code = await run_guest([sys.executable, "-m", ME, "inside"], MODULES, hear, [ME, "sim.guest.vhci"])
    if code:
        last = next(reversed(found), "no call")
        raise kernel.GuestError(f"the list broke off in the guest behind {last!r}: " + "; ".join(words[-8:]))
    return found


def check(keep: bool = False) -> bool:
    """Compare, and say each difference. True when there is none."""
    theirs, ours = asyncio.run(real()), simulated()
    if keep:
        record.write(theirs)
    wrong = record.differences(theirs, ours, "real libusb", "the simulated backend")
    wrong += record.differences(record.read(), theirs, "the record", "real libusb")
    for sentence in wrong:
        print(f"  {sentence}")
    print(f"  {len(theirs)} calls to both backends, {len(wrong)} differences")
    return not wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, or be the guest's part."""
    parser = argparse.ArgumentParser(prog=f"python -m {ME}")
    parser.add_argument("part", nargs="?", choices=["inside"])
    parser.add_argument("--record", action="store_true", help="keep what real libusb does")
    asked = parser.parse_args(arguments)
    if asked.part:
        return inside()
    try:
        return int(not check(asked.record))
    except SimError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
