"""The simulated backend beside the record of real libusb on a real kernel: the same calls, the same outcome.

The record lists calls in the order they were made, each with its outcome: a value, or the class of the error,
its errno and libusb's code. `record` makes the same calls here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import usb.core
import usb.util

from sim.usb.bus import SimBus
from sim.usb.descriptors import MODEM
from sim.usb.device import UsbDevice

GOLDEN = Path(__file__).parents[1] / "data" / "libusb_golden.txt"
LINE = re.compile(r"  (.+?)\s+[\d.]+ ms  (.*)")
ERROR = re.compile(r"(\w+Error) errno=(\S+) \(\S+\) backend_code=(\S+): (.*)")
PLAIN = re.compile(r"  (tty \w+) (True|False)")
OF_THAT_MACHINE = {"str(e) works", "replug address old/new"}  # a length, and addresses of its bus
MODEM_PID = 0x7AB2


def golden() -> dict[str, tuple[str, ...]]:
    """What real libusb did, by call."""
    found = {}
    for line in GOLDEN.read_text().splitlines():
        if match := PLAIN.fullmatch(line):
            found[match[1]] = (match[2],)
        elif match := LINE.fullmatch(line):
            error = ERROR.fullmatch(match[2])
            found[match[1]] = error.groups() if error else (match[2],)
    return found


class Recorder:
    """Makes calls and keeps what came of them in the form of the record."""

    def __init__(self) -> None:
        self.found: dict[str, tuple[str, ...]] = {}

    def __call__(self, name: str, call: Callable[[], Any]) -> None:
        try:
            value = call()
        except (usb.core.USBError, ValueError) as error:
            number, code = getattr(error, "errno", None), getattr(error, "backend_error_code", None)
            self.found[name] = (type(error).__name__, str(number), str(code), str(error)[:90])
        else:
            self.found[name] = (str(bytes(value) if hasattr(value, "tobytes") else value),)


def answering(device: UsbDevice) -> UsbDevice:
    """A vendor device that says ``>`` and what it heard."""
    device.on_out = lambda pipe, data: device.send(b">" + data)
    return device


def modem() -> UsbDevice:
    """A CDC device that answers PING."""
    device = UsbDevice("T0002", pid=MODEM_PID, shape=MODEM, drivers={0: "cdc_acm", 1: "cdc_acm"})
    device.on_out = lambda pipe, data: device.send(b"PONG\n")
    return device


def record() -> dict[str, tuple[str, ...]]:
    """The calls of the record, on the simulated bus."""
    bus, show = SimBus(), Recorder()
    board, other = answering(UsbDevice()), modem()
    bus.plug(board)
    bus.plug(other)

    def find(pid: int = board.pid) -> Any:
        return usb.core.find(idVendor=0x1209, idProduct=pid, backend=bus)

    a, b = find(), find()
    show("a claim", lambda: usb.util.claim_interface(a, 0))
    show("b claim", lambda: usb.util.claim_interface(b, 0))
    show("b set_configuration while a claims", b.set_configuration)
    show("a set_configuration while a claims", a.set_configuration)
    show("b write while a claims", lambda: b.write(1, b"x", 200))
    show("a reset", a.reset)
    show("a write after reset", lambda: a.write(1, b"hi", 300))
    show("a read", lambda: a.read(0x81, 64, 300))
    show("b reset while a claims", b.reset)
    show("claim iface 7", lambda: usb.util.claim_interface(a, 7))
    show("set_interface_altsetting(0,0)", lambda: a.set_interface_altsetting(0, 0))
    show("set alt 5", lambda: a.set_interface_altsetting(0, 5))
    show("set_configuration(9)", lambda: a.set_configuration(9))
    show("get_status ep", lambda: a.ctrl_transfer(0x82, 0, 0, 0x81, 2))
    show("read size 0", lambda: a.read(0x81, 0, 20))
    show('write b""', lambda: a.write(1, b"", 200))
    show("timeout=0 means forever? (skipped)", lambda: None)
    show("read str buf", lambda: a.write(1, "abc", 200))
    show("read", lambda: a.read(0x81, 64, 300))
    usb.util.dispose_resources(a)
    show("b claim after dispose(a)", lambda: usb.util.claim_interface(b, 0))
    usb.util.dispose_resources(b)

    d = find(MODEM_PID)
    show("cdc driver active 0/1", lambda: (d.is_kernel_driver_active(0), d.is_kernel_driver_active(1)))
    show("cdc claim 1 with driver", lambda: usb.util.claim_interface(d, 1))
    show("cdc set_configuration with driver", d.set_configuration)
    show("detach 0", lambda: d.detach_kernel_driver(0))
    show("detach 1", lambda: d.detach_kernel_driver(1))
    show("detach 1 again", lambda: d.detach_kernel_driver(1))
    show("tty gone", lambda: not other.drivers)
    show("claim 1", lambda: usb.util.claim_interface(d, 1))
    show("w", lambda: d.write(1, b"PING\n", 300))
    show("r", lambda: d.read(0x81, 64, 300))
    usb.util.dispose_resources(d)
    show("attach 0", lambda: d.attach_kernel_driver(0))
    show("tty back", lambda: len(other.drivers) == 2)
    usb.util.dispose_resources(d)

    board.forbidden = True
    e = find()
    show("as nobody: find", lambda: e is not None)
    show("as nobody: claim (EACCES)", lambda: usb.util.claim_interface(e, 0))
    show("as nobody: product string", lambda: e.product)
    board.forbidden = False

    e = find()
    show("e claim", lambda: usb.util.claim_interface(e, 0))
    bus.unplug(board)
    show("after unplug: e.product", lambda: e.product)
    show("release after unplug", lambda: usb.util.release_interface(e, 0))
    show("e.reset after unplug", e.reset)
    show("str(e) works", lambda: len(str(e)))
    bus.plug(board)
    g = find()
    show("replug address old/new", lambda: (e.address, g.address))
    show("old handle write", lambda: e.write(1, b"x", 200))
    show("new handle", lambda: (g.write(1, b"x", 200), bytes(g.read(0x81, 64, 200))))
    usb.util.dispose_resources(e)
    usb.util.dispose_resources(g)
    assert bus.handles == set(), "a handle was forgotten"
    return show.found


EXPECTED = golden()


@pytest.fixture(scope="module")
def ours() -> dict[str, tuple[str, ...]]:
    return record()


def test_the_record_is_whole_and_every_call_of_it_is_made_here(ours: dict[str, tuple[str, ...]]) -> None:
    assert len(EXPECTED) == 43
    assert list(ours) == list(EXPECTED), "the same calls in the same order"


@pytest.mark.parametrize("call", [call for call in EXPECTED if call not in OF_THAT_MACHINE])
def test_a_call_ends_as_with_real_libusb(call: str, ours: dict[str, tuple[str, ...]]) -> None:
    assert ours[call] == EXPECTED[call]


def test_a_device_plugged_in_again_has_another_address(ours: dict[str, tuple[str, ...]]) -> None:
    for record_of in (ours, EXPECTED):
        old, new = re.findall(r"\d+", record_of["replug address old/new"][0])
        assert old != new
        assert int(record_of["str(e) works"][0]) > 1000
