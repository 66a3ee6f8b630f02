"""docs/usb-checks.md: what real libusb does, call by call, and what the simulated bus is held to."""

from __future__ import annotations

from sim.usb.checks.record import read, words

HEAD = """\
# What comes of a call to USB
"""
INTRODUCTION = """\
The list of [sim/usb/checks](../sim/usb/checks) as real libusb answered it: pyusb on Debian's libusb on a stock
kernel in a guest, the devices plugged into the kernel's virtual USB. `python -m sim.guest.usbchecks` makes the
same calls again there and on the simulated bus, and names every difference in class, errno or code;
`--record` keeps what it found. `make test` holds the simulated bus to this record where there is no guest.

*Raw* calls go past pyusb, which knows the descriptors and raises by itself. Errors are those of pyusb:
its class, the system's errno, libusb's code.

- A second user of an interface gets EBUSY from pyusb, which claims before the first transfer. By itself libusb
  turns the kernel's EBUSY into *input/output error* on a transfer, and into a code without errno on clear_halt.
- The kernel gives an interface to whoever uses it first, claimed or not, so a raw write keeps others out.
- Where a transfer goes is said by the address of its pipe: a *write* to a pipe to the host is a read.
- Left out: an alternate setting chosen after the cable was pulled. libusb 1.0.26 then aborts the whole process
  when that handle is closed. Nothing here chooses alternate settings.
"""


def page(note: str) -> str:
    """The text of the page."""
    rows = [f"| {name} | {_cell(words(found))} |" for name, found in read().items()]
    head = [f"{len(rows)} calls.\n", "| call | real libusb |", "|---|---|"]
    return "\n".join([HEAD, note, INTRODUCTION, *head, *rows, ""])


def _cell(text: str) -> str:
    verb, _, what = text.partition(" ")
    what = what if len(what) <= 60 else what[:57] + "…"
    return f"{verb} `{what.replace('|', chr(92) + '|')}`" if verb == "returns" else text
