"""Devices on a kernel's virtual USB, without the kernel: a client of USB/IP asks what the kernel would."""

from __future__ import annotations

import errno
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from usbip import core, protocol

from sim.guest.kernel import GuestError
from sim.guest.vhci import Plugged, VhciBus
from sim.usb.checks.bench import ANSWER, ASK, Board

WAIT_S = 5.0
STATUS = """hub port sta spd dev      sockfd local_busid
hs  0000 {zero} 000 00000000 000000 0-0
hs  0001 004 000 00000000 000000 0-0
ss  0008 004 000 00000000 000000 0-0
"""


class Kernel:
    """The other end: hands transfers over, and hears what came of them."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.line, ours = socket.socketpair()
        self.line.settimeout(WAIT_S)
        board.plugged(1)
        self.plugged = Plugged(board, ours)
        self._last = 0

    def submit(self, pipe: int, data: bytes = b"", length: int = 0, setup: bytes = bytes(8)) -> int:
        self._last += 1
        way = core.IN if pipe & 0x80 else core.OUT
        size = length if way == core.IN else len(data)
        head = struct.pack(">IIIII", protocol.CMD_SUBMIT, self._last, 1, way, pipe & 0x0F)
        self.line.sendall(head + struct.pack(">Iiiii", 0, size, 0, 0, 0) + setup + data)
        return self._last

    def unlink(self, number: int) -> int:
        self._last += 1
        head = struct.pack(">IIIII", protocol.CMD_UNLINK, self._last, 1, 0, 0)
        self.line.sendall(head + struct.pack(">I", number) + bytes(24))
        return self._last

    def hear(self, *, to_host: bool = True) -> tuple[int, int, int, int, bytes]:
        """Command, number, status, bytes that moved, and those for the host."""
        head = self.line.recv(48, socket.MSG_WAITALL)
        command, number = struct.unpack(">II", head[:8])
        status, moved = struct.unpack(">ii", head[20:28])
        back = to_host and command == protocol.RET_SUBMIT and moved
        return command, number, status, moved, self.line.recv(moved, socket.MSG_WAITALL) if back else b""


@pytest.fixture
def kernel() -> Iterator[Kernel]:
    one = Kernel(Board())
    yield one
    one.plugged.pull()
    one.line.close()


def test_a_request_is_answered(kernel: Kernel) -> None:
    kernel.submit(0x80, length=64, setup=core.Setup(0xC0, ASK, 0, 0, 64).pack())
    assert kernel.hear()[2:] == (0, len(ANSWER), ANSWER)
    kernel.submit(0x80, length=64, setup=core.Setup(0xC0, 99, 0, 0, 64).pack())
    assert kernel.hear()[2:] == (-errno.EPIPE, 0, b"")


def test_a_read_waits_until_there_is_something(kernel: Kernel) -> None:
    first, second = kernel.submit(0x81, length=64), kernel.submit(0x81, length=64)
    kernel.board.send(b"one")
    assert kernel.hear() == (protocol.RET_SUBMIT, first, 0, 3, b"one")
    kernel.board.send(b"two")
    assert kernel.hear() == (protocol.RET_SUBMIT, second, 0, 3, b"two")


def test_what_a_write_sets_going_ends_a_read_that_waits(kernel: Kernel) -> None:
    read, write = kernel.submit(0x81, length=64), kernel.submit(0x01, b"echo back")
    assert kernel.hear(to_host=False)[1:4] == (write, 0, 9)
    assert kernel.hear()[1:] == (read, 0, 4, b"back")


def test_a_full_packet_ends_nothing(kernel: Kernel) -> None:
    number = kernel.submit(0x81, length=512)
    kernel.board.send(bytes(64))
    kernel.board.send(b"end")
    assert kernel.hear()[1:4] == (number, 0, 67)


def test_a_packet_with_no_room_for_it_is_an_overflow(kernel: Kernel) -> None:
    kernel.board.send(bytes(64))
    kernel.submit(0x81, length=10)
    assert kernel.hear()[2:] == (-errno.EOVERFLOW, 0, b"")


def test_a_read_that_is_taken_back_gives_what_it_has(kernel: Kernel) -> None:
    empty = kernel.submit(0x82, length=8)
    back = kernel.unlink(empty)
    assert kernel.hear()[:3] == (protocol.RET_UNLINK, back, -errno.ECONNRESET)
    half = kernel.submit(0x81, length=512)
    kernel.board.send(bytes(64))
    back = kernel.unlink(half)
    assert kernel.hear()[:4] == (protocol.RET_SUBMIT, half, 0, 64)
    assert kernel.hear()[:2] == (protocol.RET_UNLINK, back)
    kernel.board.send(b"for the next")
    kernel.submit(0x81, length=64)
    assert kernel.hear()[4] == b"for the next"


def test_a_board_that_takes_half_says_so(kernel: Kernel) -> None:
    kernel.board.takes(4)
    number = kernel.submit(0x01, b"hush 789")
    kernel.unlink(number)
    assert kernel.hear(to_host=False)[1:4] == (number, 0, 4)
    assert kernel.hear()[0] == protocol.RET_UNLINK
    kernel.board.takes(None)
    kernel.submit(0x01, b"hush")
    assert kernel.hear(to_host=False)[2:4] == (0, 4)


def test_a_halt_ends_the_read_that_waits(kernel: Kernel) -> None:
    kernel.submit(0x81, length=64)
    kernel.board.halt(0x81)
    assert kernel.hear()[2] == -errno.EPIPE


def test_nothing_is_said_once_the_cable_is_out(kernel: Kernel) -> None:
    kernel.submit(0x81, length=64)
    kernel.plugged.pull()
    kernel.board.send(b"nobody hears this")
    assert kernel.line.recv(1) == b""


def controller(folder: Path, zero: str = "004") -> Path:
    (folder / "status").write_text(STATUS.format(zero=zero))
    for name in ("attach", "detach"):
        (folder / name).write_text("")
    return folder


@pytest.mark.parametrize(("zero", "port"), [("004", "0"), ("006", "1")], ids=["empty", "one taken"])
def test_a_device_goes_into_the_first_free_port(tmp_path: Path, zero: str, port: str) -> None:
    bus, board = VhciBus(controller(tmp_path, zero)), Board()
    bus.plug(board)
    words = (tmp_path / "attach").read_text().split()
    assert (words[0], words[3]) == (port, "2")
    bus.unplug(board)
    assert (tmp_path / "detach").read_text() == port
    assert board.address == 0
    bus.unplug(board)


def test_the_controller_of_this_computer_is_left_alone() -> None:
    with pytest.raises(GuestError, match="in a guest only"):
        VhciBus()


def test_a_kernel_without_virtual_usb_is_named(tmp_path: Path) -> None:
    with pytest.raises(GuestError, match="vhci_hcd"):
        VhciBus(tmp_path)
