"""The devices of ``sim.usb`` on the USB of a real kernel: what its drivers and libusb see is the same device.

    bus = VhciBus()                 # in the guest, as root; the kernel has vhci_hcd
    bus.plug(UsbDevice("T0001"))

The kernel's virtual host controller takes one end of a socket pair and speaks USB/IP on it, transfer by
transfer; at the other end each plugging has a thread of its own. The wire is the package ``usbip``'s.
"""

from __future__ import annotations

import contextlib
import errno
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from usb.core import USBError
from usbip import core, protocol

from sim.guest.kernel import GuestError
from sim.guest.machine import require_inside
from sim.usb.descriptors import IN
from sim.usb.device import UsbDevice
from sim.usb.failures import Failure, failed
from sim.usb.requests import Setup

CONTROLLER = Path("/sys/devices/platform/vhci_hcd.0")
FREE = "004"  # state of a port of it
FULL_SPEED = 2
BUS_OF_DEVICE = 1 << 16  # the controller wants a bus and a device number, and believes any
UNLINKED = struct.Struct(">IIIIIi24x")


@dataclass(slots=True, eq=False)
class Transfer:
    """A transfer that may have to wait, and what has moved of it."""

    urb: core.Urb
    moved: bytes = b""  # towards the host
    taken: int = 0  # bytes of the host

    @property
    def pipe(self) -> int:
        return int(self.urb.ep) | (IN if self.urb.direction == core.IN else 0)


class Plugged:
    """One plugging of one device: answers the transfers of the kernel until it is pulled out."""

    def __init__(self, device: UsbDevice, line: socket.socket) -> None:
        self._device = device
        self._address = device.address
        self._line = line
        self._waiting: dict[int, deque[Transfer]] = {}  # by pipe
        self._lock = threading.RLock()  # of all below, and of the socket's sending side
        self._moving = self._again = False
        self._out = False
        device.on_change = self._move
        self._thread = threading.Thread(target=self._serve, name=f"usb {device.serial}", daemon=True)
        self._thread.start()

    def pull(self) -> None:
        """Say nothing any more: the cable is out. Returns when the thread has ended."""
        with self._lock:
            self._out = True
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)  # a close alone wakes no reader
        self._thread.join()
        self._line.close()

    # ---- what the kernel says ------------------------------------------------------------------------

    def _serve(self) -> None:
        try:
            while (urb := protocol.read_cmd(self._line)) is not None:
                if urb.command == protocol.CMD_UNLINK:
                    self._cancel(urb)
                elif urb.ep == 0:
                    self._control(urb)
                else:
                    transfer = Transfer(urb)
                    with self._lock:
                        self._waiting.setdefault(transfer.pipe, deque()).append(transfer)
                    self._move()
        except OSError:
            return  # the kernel hung up, or the cable is out

    def _control(self, urb: core.Urb) -> None:
        try:
            said = self._device.control(self._address, Setup.parse(urb.setup), urb.buffer)
        except USBError as error:
            self._answer(urb, status=-(error.errno or errno.EIO))
            return
        moved = said if urb.direction == core.IN else b""
        self._answer(urb, moved, len(moved) if urb.direction == core.IN else len(urb.buffer))

    def _cancel(self, urb: core.Urb) -> None:
        """The kernel wants a transfer back; it gets what has moved of it."""
        with self._lock:
            for waiting in self._waiting.values():
                for transfer in [one for one in waiting if one.urb.seqnum == urb.flags]:
                    waiting.remove(transfer)
                    if transfer.moved or transfer.taken:
                        self._end(transfer)
            back = UNLINKED.pack(
                protocol.RET_UNLINK, urb.seqnum, urb.devid, urb.direction, urb.ep, -errno.ECONNRESET
            )
            self._say(lambda: self._line.sendall(back))

    # ---- what moves ----------------------------------------------------------------------------------

    def _move(self) -> None:
        """Let all transfers go on that can. What that sets going in the device comes back here."""
        with self._lock:
            self._again = True
            if self._moving:
                return
            self._moving = True
            try:
                while self._again and not self._out:
                    self._again = False
                    for waiting in list(self._waiting.values()):
                        while waiting and self._moved(waiting[0]):
                            waiting.popleft()
            finally:
                self._moving = False

    def _moved(self, transfer: Transfer) -> bool:
        """Move what can be moved; True when the transfer is over, and answered."""
        try:
            over = self._to_host(transfer) if transfer.pipe & IN else self._from_host(transfer)
        except USBError as error:
            if error.errno == Failure.TIMEOUT.value[1]:
                return False
            self._end(transfer, -(error.errno or errno.EIO))
            return True
        if over:
            self._end(transfer)
        return over

    def _to_host(self, transfer: Transfer) -> bool:
        size = transfer.urb.length
        while (packet := self._device.packet(self._address, transfer.pipe)) is not None:
            if len(transfer.moved) + len(packet) > size:
                raise failed(Failure.OVERFLOW)
            transfer.moved += packet
            if self._device.ends(transfer.pipe, packet) or len(transfer.moved) == size:
                return True
        return False

    def _from_host(self, transfer: Transfer) -> bool:
        data = transfer.urb.buffer[transfer.taken :]
        transfer.taken += self._device.take(self._address, transfer.pipe, data, 0.0)
        return transfer.taken == len(transfer.urb.buffer)

    # ---- what the kernel hears -----------------------------------------------------------------------

    def _end(self, transfer: Transfer, status: int = 0) -> None:
        moved = len(transfer.moved) if transfer.pipe & IN else transfer.taken
        self._answer(transfer.urb, transfer.moved, moved, status)

    def _answer(self, urb: core.Urb, data: bytes = b"", moved: int = 0, status: int = 0) -> None:
        urb.buffer, urb.actual, urb.status = data, moved, status
        self._say(lambda: protocol.write_ret(self._line, urb))

    def _say(self, send: Callable[[], None]) -> None:
        """Nobody hears it once the cable is out."""
        with self._lock, contextlib.suppress(OSError):
            if not self._out:
                send()


class VhciBus:
    """The virtual host controller of this kernel. Raises ``GuestError`` where there is none."""

    def __init__(self, controller: Path = CONTROLLER) -> None:
        self._controller = controller
        self._plugged: dict[UsbDevice, tuple[int, Plugged]] = {}
        self._count = 0
        if controller == CONTROLLER:
            require_inside()
        if not (controller / "attach").exists():
            raise GuestError("this kernel has no virtual USB: modprobe vhci_hcd, as root")

    def plug(self, device: UsbDevice) -> None:
        """Plug a device in; the kernel then asks it what it is, which takes a moment."""
        self._count += 1
        device.plugged(self._count)
        theirs, ours = socket.socketpair()
        port, plugged = self._free_port(), Plugged(device, ours)
        number = BUS_OF_DEVICE | self._count
        with theirs:  # the kernel keeps it
            try:
                self._order("attach", f"{port} {theirs.fileno()} {number} {FULL_SPEED}")
            except GuestError:
                plugged.pull()
                raise
        self._plugged[device] = port, plugged

    def unplug(self, device: UsbDevice) -> None:
        """Pull it out, whatever it is doing."""
        if device not in self._plugged:
            return
        port, plugged = self._plugged.pop(device)
        self._order("detach", str(port))
        plugged.pull()
        device.unplugged()

    def _order(self, name: str, words: str) -> None:
        try:
            (self._controller / name).write_text(words)
        except OSError as error:
            raise GuestError(f"the kernel refuses to {name} {words}: {error.strerror}") from error

    def _free_port(self) -> int:
        """The lowest port of the full-speed hub with nothing in it."""
        for line in (self._controller / "status").read_text().splitlines():
            words = line.split()
            if words[0] == "hs" and words[2] == FREE:
                return int(words[1])
        raise GuestError("no port of the virtual host controller is free")
