"""The calls, in chapters; each chapter has devices of its own. Names say what is done, not what comes of it.

``raw`` calls go past pyusb, which knows the descriptors and would not let them through.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

import usb.core
import usb.util

from sim.usb.checks.bench import ASK, TELL, Bench, Board
from sim.usb.modem import modem

OUT, IN, EVENTS = 0x01, 0x81, 0x82  # the pipes of the board
NO_OUT, NO_IN = 0x03, 0x84  # pipes it has not
SHORT, LONG = 150, 1000  # ms: a time-out that is waited for, and one that is not
VENDOR_IN, VENDOR_OUT = 0xC0, 0x40


def raw(handle: Any) -> tuple[Any, Any]:
    """The backend under a handle of pyusb, and what that takes for the open device."""
    return handle._ctx.backend, handle._ctx.handle


def describing(bench: Bench) -> None:
    """What a device says of itself."""
    show = bench.show
    with bench.plugged(Board()) as board, bench.handle(board) as d:
        show("strings", lambda: (d.manufacturer, d.product, d.serial_number))
        show("languages", lambda: d.langids)
        show("a string that is not there", lambda: usb.util.get_string(d, 9))
        show("device", lambda: [getattr(d, name) for name in ("bcdUSB", "bDeviceClass", "bMaxPacketSize0")])
        show("speed", lambda: d.speed)
        shape = d.get_active_configuration()
        fields = ("bConfigurationValue", "bNumInterfaces", "wTotalLength", "bmAttributes", "bMaxPower")
        show("configuration", lambda: [getattr(shape, name) for name in fields])
        show(
            "pipes",
            lambda: [(pipe.bEndpointAddress, pipe.bmAttributes, pipe.wMaxPacketSize) for pipe in shape[0, 0]],
        )
        show("an interface that is not there", lambda: shape[7, 0])
        show("device, raw", lambda: d.ctrl_transfer(0x80, 6, 0x0100, 0, 18))
        show("head of the configuration, raw", lambda: d.ctrl_transfer(0x80, 6, 0x0200, 0, 9))
        show("configuration, raw", lambda: d.ctrl_transfer(0x80, 6, 0x0200, 0, 255))
        show("a second configuration, raw", lambda: d.ctrl_transfer(0x80, 6, 0x0201, 0, 255))
        show("a descriptor of no kind, raw", lambda: d.ctrl_transfer(0x80, 6, 0x0F00, 0, 5))
        show(
            "find what is not there",
            lambda: usb.core.find(idVendor=0x1209, backend=bench.backend, idProduct=1),
        )


def claiming(bench: Bench) -> None:
    """Two handles and one interface."""
    show = bench.show
    with bench.plugged(Board()) as board, bench.handle(board) as a, bench.handle(board) as b:
        show("claim", lambda: usb.util.claim_interface(a, 0))
        show("claim again", lambda: usb.util.claim_interface(a, 0))
        backend, open_a = raw(a)
        show("claim again, raw", lambda: backend.claim_interface(open_a, 0))
        show("claim what another has", lambda: usb.util.claim_interface(b, 0))
        _, open_b = raw(b)
        show("release what another has", lambda: usb.util.release_interface(b, 0))
        show("release what another has, raw", lambda: backend.release_interface(open_b, 0))
        show("write to what another has", lambda: b.write(OUT, b"hush", SHORT))
        show(
            "write to what another has, raw",
            lambda: backend.bulk_write(open_b, OUT, 0, array("B", b"hush"), SHORT),
        )
        show("clear a halt of what another has", lambda: b.clear_halt(OUT))
        show(
            "alternate setting of what another has, raw",
            lambda: backend.set_interface_altsetting(open_b, 0, 0),
        )
        show("status of a pipe another has", lambda: b.ctrl_transfer(0x82, 0, 0, IN, 2))
        show("vendor request beside another", lambda: b.ctrl_transfer(VENDOR_IN, ASK, 0, 0, 64))
        show("configure while another claims", b.set_configuration)
        show("configure while I claim", a.set_configuration)
        show("claim interface 7", lambda: usb.util.claim_interface(a, 7))
        show("claim interface 40", lambda: usb.util.claim_interface(a, 40))
        show("release interface 7, raw", lambda: backend.release_interface(open_a, 7))
        show("reset while another claims", b.reset)
        show("write after the reset", lambda: a.write(OUT, b"hush", LONG))
        show("release", lambda: usb.util.release_interface(a, 0))
        show("release again", lambda: usb.util.release_interface(a, 0))
        show("release again, raw", lambda: backend.release_interface(open_a, 0))
        show("claim what was released", lambda: usb.util.claim_interface(b, 0))
        usb.util.dispose_resources(b)
        show("claim what was disposed of", lambda: usb.util.claim_interface(a, 0))


def choosing(bench: Bench) -> None:
    """Configurations and alternate settings."""
    show = bench.show
    with bench.plugged(Board()) as board, bench.handle(board) as d:
        show("active configuration", lambda: d.get_active_configuration().bConfigurationValue)
        backend, handle = raw(d)
        show("configuration, asked raw", lambda: backend.get_configuration(handle))
        show("configure", d.set_configuration)
        show("configure 9", lambda: d.set_configuration(9))
        show("configure 9, raw", lambda: backend.set_configuration(handle, 9))
        show("alternate setting, not claimed, raw", lambda: backend.set_interface_altsetting(handle, 0, 0))
        show("alternate setting 0", lambda: d.set_interface_altsetting(0, 0))
        show("alternate setting 5", lambda: d.set_interface_altsetting(0, 5))
        show("alternate setting 5, raw", lambda: backend.set_interface_altsetting(handle, 0, 5))
        show("alternate setting of interface 7, raw", lambda: backend.set_interface_altsetting(handle, 7, 0))
        show("configure 9 while I claim, raw", lambda: backend.set_configuration(handle, 9))
        show("interface, asked raw", lambda: d.ctrl_transfer(0x81, 10, 0, 0, 1))
        show("configuration, asked of the device", lambda: d.ctrl_transfer(0x80, 8, 0, 0, 1))


def requesting(bench: Bench) -> None:
    """The control pipe."""
    show = bench.show
    with bench.plugged(Board()) as board, bench.handle(board) as d:
        show("vendor in", lambda: d.ctrl_transfer(VENDOR_IN, ASK, 0, 0, 64))
        show("vendor in, less than there is", lambda: d.ctrl_transfer(VENDOR_IN, ASK, 0, 0, 2))
        show("vendor in, nothing", lambda: d.ctrl_transfer(VENDOR_IN, ASK, 0, 0, 0))
        show("vendor out", lambda: d.ctrl_transfer(VENDOR_OUT, TELL, 3, 4, b"four"))
        show("what it was told", lambda: board.told)
        show("vendor out, nothing", lambda: d.ctrl_transfer(VENDOR_OUT, TELL, 3, 4))
        show("vendor in, refused", lambda: d.ctrl_transfer(VENDOR_IN, 99, 0, 0, 64))
        show("vendor out, refused", lambda: d.ctrl_transfer(VENDOR_OUT, 99, 0, 0, b"x"))
        show("vendor in after a refusal", lambda: d.ctrl_transfer(VENDOR_IN, ASK, 0, 0, 64))
        show("class request", lambda: d.ctrl_transfer(0x21, 0x22, 3, 0))
        show("class request to interface 7", lambda: d.ctrl_transfer(0x21, 0x22, 3, 7))
        show("vendor request to interface 0", lambda: d.ctrl_transfer(0xC1, ASK, 0, 0, 64))
        show("status of the device", lambda: d.ctrl_transfer(0x80, 0, 0, 0, 2))
        show("status of the interface", lambda: d.ctrl_transfer(0x81, 0, 0, 0, 2))
        show("status of a pipe", lambda: d.ctrl_transfer(0x82, 0, 0, IN, 2))
        show("status of a pipe that is not there", lambda: d.ctrl_transfer(0x82, 0, 0, NO_IN, 2))


def moving(bench: Bench) -> None:
    """Bulk and interrupt transfers."""
    show = bench.show
    with bench.plugged(Board()) as board, bench.handle(board) as d:
        show("write", lambda: d.write(OUT, b"echo hello", LONG))
        show("read", lambda: d.read(IN, 64, LONG))
        show("read, nothing there", lambda: d.read(IN, 64, SHORT))
        show("write after a time-out", lambda: d.write(OUT, b"echo again", LONG))
        show("read after a time-out", lambda: d.read(IN, 64, LONG))
        show("write nothing", lambda: d.write(OUT, b"", LONG))
        show("read nothing", lambda: d.read(IN, 0, SHORT))
        show("write a text", lambda: d.write(OUT, "echo text", LONG))
        show("read into an array", lambda: d.read(IN, array("B", bytes(64)), LONG))
        show("write 5000 bytes", lambda: d.write(OUT, b"hush " + bytes(4995), LONG))
        board.heard = 0
        show("write 20000 bytes", lambda: d.write(OUT, b"hush " + bytes(19995), LONG))
        show("bytes it heard", lambda: board.heard)
        d.write(OUT, b"send 200", LONG)
        show("read the first packet of four", lambda: len(d.read(IN, 64, LONG)))
        show("read the other three", lambda: len(d.read(IN, 512, LONG)))
        d.write(OUT, b"send 128", LONG)
        show("read full packets and no end", lambda: len(d.read(IN, 512, SHORT)))
        board.ends_messages = True
        d.write(OUT, b"send 128", LONG)
        show("read full packets and an empty one", lambda: len(d.read(IN, 512, LONG)))
        d.write(OUT, b"send 64", LONG)
        show("read one full packet", lambda: len(d.read(IN, 64, LONG)))
        show("read the empty one after it", lambda: len(d.read(IN, 64, LONG)))
        board.ends_messages = False
        d.write(OUT, b"send 64", LONG)
        show("read less than a packet", lambda: d.read(IN, 10, LONG))
        show("read after that", lambda: d.read(IN, 64, SHORT))
        d.write(OUT, b"send 64", LONG)
        show("read nothing of a packet", lambda: d.read(IN, 0, SHORT))
        d.write(OUT, b"babble", LONG)
        show("read a packet that is too long", lambda: d.read(IN, 64, LONG))
        show("write after a packet that was too long", lambda: d.write(OUT, b"echo fine", LONG))
        show("read after a packet that was too long", lambda: d.read(IN, 64, LONG))
        d.write(OUT, b"event 12345678", LONG)
        show("read an event", lambda: d.read(EVENTS, 8, LONG))
        show("read an event, none there", lambda: d.read(EVENTS, 8, SHORT))
        bench.held(
            "read an event that is yet to come",
            lambda: d.read(EVENTS, 8, 20 * LONG),
            lambda: board.send(b"late", EVENTS),
        )
        bench.held("read what is yet to come", lambda: d.read(IN, 64, 20 * LONG), lambda: board.send(b"late"))
        bench.held("read with no time-out", lambda: d.read(IN, 64, 0), lambda: board.send(b"later"))


def waiting(bench: Bench) -> None:
    """A board that takes nothing, and pipes that are not there."""
    show = bench.show
    with bench.plugged(Board()) as board, bench.handle(board) as a, bench.handle(board) as b:
        show("claim, to be opened", lambda: a.get_active_configuration().bConfigurationValue)
        backend, handle = raw(a)
        show("write unclaimed, raw", lambda: backend.bulk_write(handle, OUT, 0, array("B", b"hush"), LONG))
        show("claim what another wrote to", lambda: usb.util.claim_interface(b, 0))
        show("release what was never claimed, raw", lambda: backend.release_interface(handle, 0))
        show("claim what was written to", lambda: usb.util.claim_interface(a, 0))
    with bench.plugged(Board()) as board, bench.handle(board) as d:
        d.write(OUT, b"hush", LONG)
        board.heard = 0
        board.takes(0)
        show("write, it takes nothing", lambda: d.write(OUT, b"hush", SHORT))
        board.takes(10)
        show("write, it takes half", lambda: d.write(OUT, b"hush 789012345678901", SHORT))
        bench.held(
            "write, it takes it later", lambda: d.write(OUT, b"hush", 20 * LONG), lambda: board.takes(None)
        )
        show("write to a pipe that is not there", lambda: d.write(NO_OUT, b"x", SHORT))
        show("read from a pipe that is not there", lambda: d.read(NO_IN, 64, SHORT))
        show("write to a pipe to the host", lambda: d.write(IN, b"x", SHORT))
        show("read from a pipe to the board", lambda: d.read(OUT, 64, LONG))
        show("bytes it heard of that", lambda: board.heard)
        show("clear a halt of a pipe that is not there", lambda: d.clear_halt(NO_IN))
        backend, handle = raw(d)
        empty = array("B", bytes(64))
        show(
            "write to a pipe that is not there, raw",
            lambda: backend.bulk_write(handle, NO_OUT, 0, empty, SHORT),
        )
        show(
            "read from a pipe that is not there, raw",
            lambda: backend.bulk_read(handle, NO_IN, 0, empty, SHORT),
        )


def halting(bench: Bench) -> None:
    """Pipes that stall."""
    show = bench.show
    with bench.plugged(Board()) as board, bench.handle(board) as d:
        show("write, refused", lambda: d.write(OUT, b"stall", LONG))
        show("write to a halted pipe", lambda: d.write(OUT, b"hush", LONG))
        show("status of a halted pipe", lambda: d.ctrl_transfer(0x82, 0, 0, OUT, 2))
        show("status of the other pipe", lambda: d.ctrl_transfer(0x82, 0, 0, IN, 2))
        show("clear the halt", lambda: d.clear_halt(OUT))
        show("clear what is not halted", lambda: d.clear_halt(OUT))
        show("write after the halt", lambda: d.write(OUT, b"hush", LONG))
        d.write(OUT, b"halt", LONG)
        show("read from a halted pipe", lambda: d.read(IN, 64, LONG))
        show("read from a halted pipe again", lambda: d.read(IN, 64, LONG))
        show("clear the other halt", lambda: d.clear_halt(IN))
        d.write(OUT, b"echo back", LONG)
        show("read after the halt", lambda: d.read(IN, 64, LONG))
        bench.held("read from a pipe that halts", lambda: d.read(IN, 64, 20 * LONG), lambda: board.halt(IN))
        show("clear it by a request", lambda: d.ctrl_transfer(0x02, 1, 0, IN))
        show("read after the request", lambda: d.read(IN, 64, SHORT))
        show("halt by a request", lambda: d.ctrl_transfer(0x02, 3, 0, OUT))
        show("write after that request", lambda: d.write(OUT, b"hush", LONG))
        show("reset", d.reset)
        show("write after the reset cleared it", lambda: d.write(OUT, b"hush", LONG))
        d.write(OUT, b"echo lost", LONG)
        d.reset()
        show("read what came before a reset", lambda: d.read(IN, 64, SHORT))


def pulling(bench: Bench) -> None:
    """The cable, in the middle of everything."""
    show = bench.show
    board = Board()
    bench.plug(board)
    with bench.handle(board) as never_opened, bench.handle(board) as d:
        d.write(OUT, b"hush", LONG)
        address = d.address
        backend, handle = raw(d)
        bench.held(
            "read while it is pulled out", lambda: d.read(IN, 64, 20 * LONG), lambda: bench.unplug(board)
        )
        show("write, pulled out", lambda: d.write(OUT, b"hush", SHORT))
        show("read, pulled out", lambda: d.read(IN, 64, SHORT))
        show("read an event, pulled out", lambda: d.read(EVENTS, 8, SHORT))
        show("request, pulled out", lambda: d.ctrl_transfer(VENDOR_IN, ASK, 0, 0, 64, SHORT))
        show("product, pulled out", lambda: d.product)
        show("claim, pulled out, raw", lambda: backend.claim_interface(handle, 0))
        show("clear a halt, pulled out", lambda: d.clear_halt(IN))
        show("configure, pulled out, raw", lambda: backend.set_configuration(handle, 1))
        show("configuration, asked raw, pulled out", lambda: backend.get_configuration(handle))
        # No alternate setting here: after that call libusb 1.0.26 aborts when the handle is closed.
        show("kernel driver, pulled out", lambda: d.is_kernel_driver_active(0))
        show("detach, pulled out", lambda: d.detach_kernel_driver(0))
        show("release, pulled out", lambda: usb.util.release_interface(d, 0))
        show("release interface 7, pulled out, raw", lambda: backend.release_interface(handle, 7))
        show("reset, pulled out", d.reset)
        show("dispose, pulled out", lambda: usb.util.dispose_resources(d))
        show("write after disposing, pulled out", lambda: d.write(OUT, b"hush", SHORT))
        show("first write, pulled out", lambda: never_opened.write(OUT, b"hush", SHORT))
        show("product, never opened, pulled out", lambda: never_opened.product)
        show("find, pulled out", lambda: bench.looked_for(board))
        bench.plug(board)
        with bench.handle(board) as new:
            show("another address", lambda: new.address != address)
            show("old handle, plugged in again", lambda: d.write(OUT, b"hush", SHORT))
            show("new handle, plugged in again", lambda: new.write(OUT, b"echo new", LONG))
            show("read by the new handle", lambda: new.read(IN, 64, LONG))
            board.takes(0)
            bench.held(
                "write while it is pulled out",
                lambda: new.write(OUT, b"hush", 20 * LONG),
                lambda: bench.unplug(board),
            )
            board.takes(None)
        bench.plug(board)
        with bench.handle(board) as other:
            bench.held(
                "read an event while it is pulled out",
                lambda: other.read(EVENTS, 8, 20 * LONG),
                lambda: bench.unplug(board),
            )


def sharing(bench: Bench) -> None:
    """A device the kernel's own driver holds."""
    show = bench.show
    device, _ = modem()
    device.on_out = lambda pipe, data: device.send(b">" + data)
    with bench.plugged(device), bench.handle(device) as d:

        def active() -> Any:
            return [d.is_kernel_driver_active(number) for number in (0, 1)]

        show("driver active", active)
        show("driver active on interface 7", lambda: d.is_kernel_driver_active(7))
        show("claim what the driver has", lambda: usb.util.claim_interface(d, 1))
        show("write to what the driver has", lambda: d.write(OUT, b"x", SHORT))
        show("configure what the driver has", d.set_configuration)
        show("class request to what the driver has", lambda: d.ctrl_transfer(0xA1, 0x21, 0, 0, 7))
        show("detach", lambda: d.detach_kernel_driver(0))
        show("driver active after that", active)
        show("detach again", lambda: d.detach_kernel_driver(0))
        show("detach the other interface", lambda: d.detach_kernel_driver(1))
        show("detach interface 7", lambda: d.detach_kernel_driver(7))
        show("attach interface 7", lambda: d.attach_kernel_driver(7))
        show("claim what was detached", lambda: usb.util.claim_interface(d, 1))
        show("write to what was detached", lambda: d.write(OUT, b"hello", LONG))
        show("read from what was detached", lambda: d.read(IN, 64, LONG))
        show("attach while I claim", lambda: d.attach_kernel_driver(1))
        usb.util.dispose_resources(d)
        show("attach", lambda: d.attach_kernel_driver(0))
        show("driver active once more", active)
        show("attach what is attached", lambda: d.attach_kernel_driver(0))
    with bench.plugged(Board()) as board, bench.handle(board) as d:
        show("no driver", lambda: d.is_kernel_driver_active(0))
        show("detach no driver", lambda: d.detach_kernel_driver(0))
        show("attach no driver", lambda: d.attach_kernel_driver(0))


def barring(bench: Bench) -> None:
    """A user who may not."""
    show = bench.show
    with bench.plugged(Board()) as board, bench.nobody(), bench.handle(board) as d:
        show("find without rights", lambda: d is not None)
        show("claim without rights", lambda: usb.util.claim_interface(d, 0))
        show("write without rights", lambda: d.write(OUT, b"hush", SHORT))
        show("product without rights", lambda: d.product)
        show("driver active without rights", lambda: d.is_kernel_driver_active(0))
        show("reset without rights", d.reset)
        show("active configuration without rights", lambda: d.get_active_configuration().bConfigurationValue)
        show("request without rights", lambda: d.ctrl_transfer(VENDOR_IN, ASK, 0, 0, 64))


CHAPTERS: Sequence[Callable[[Bench], None]] = (
    describing, claiming, choosing, requesting, moving, waiting, halting, pulling, sharing, barring,
)  # fmt: skip


def run(bench: Bench) -> None:
    """All of it."""
    for chapter in CHAPTERS:
        chapter(bench)
