"""Serial ports on ptys: bytes, unplugging, and three different sentences for three reasons not to open."""

from __future__ import annotations

import asyncio
import errno
import os
import pty
import subprocess
import sys
import termios
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from pytest_mock import MockerFixture

from protocols.errors import PortBusy, PortForbidden, PortGone, PortMissing, PortUnusable, TransportError
from protocols.transports import serial as port
from protocols.transports.serial import SerialPort, open_serial
from tests.protocols.transports.ear import PATIENCE, Ear, held

pytestmark = pytest.mark.process


class Board:
    """The master of a pty under a stable name."""

    def __init__(self, link: Path) -> None:
        self.link = str(link)
        self.master = -1
        self.plug()

    def plug(self) -> None:
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(self.master, False)
        if os.path.lexists(self.link):
            os.unlink(self.link)
        os.symlink(os.ttyname(slave), self.link)
        os.close(slave)

    def unplug(self) -> None:
        os.unlink(self.link)
        os.close(self.master)
        self.master = -1


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    made = Board(tmp_path / "ttyTABLE")
    yield made
    if made.master >= 0:
        os.close(made.master)


async def test_bytes_go_both_ways(board: Board) -> None:
    ear = Ear()
    stream = await open_serial(board.link, ear)
    os.write(board.master, b"\x00\x03\xff\x0d\x0a\x11")
    await ear.until(length=6)
    assert ear.data == b"\x00\x03\xff\x0d\x0a\x11"
    stream.write(b"\x00\x03\x04\x0a\x0d")
    assert os.read(board.master, 100) == b"\x00\x03\x04\x0a\x0d"
    stream.close()


async def test_more_than_the_line_takes_is_finished_later(board: Board) -> None:
    stream = await open_serial(board.link, Ear())
    sent = bytes(range(256)) * 200
    for at in range(0, len(sent), 5000):
        stream.write(sent[at : at + 5000])
    got = b""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(board.master, ready.set)
    async with asyncio.timeout(PATIENCE):
        while len(got) < len(sent):
            await ready.wait()
            ready.clear()
            got += os.read(board.master, 1 << 16)
    loop.remove_reader(board.master)
    assert got == sent
    stream.close()


@pytest.mark.report("B001")
async def test_unplugging_is_told_once_and_the_port_opens_again(board: Board) -> None:
    ear = Ear()
    stream = await open_serial(board.link, ear)
    board.unplug()
    await ear.until(ends=1)
    stream.write(b"nobody is there")
    assert len(ear.ends) == 1
    assert isinstance(ear.ends[0], PortGone)
    with pytest.raises(PortMissing):
        await open_serial(board.link, ear)
    stream.close()
    board.plug()
    again = Ear()
    stream = await open_serial(board.link, again)
    os.write(board.master, b"back")
    await again.until(length=4)
    stream.close()


@pytest.mark.report("B001")
@pytest.mark.parametrize(
    "failure",
    [
        pytest.param(OSError(errno.EIO, "Input/output error"), id="OSError"),
        pytest.param(termios.error(5, "Input/output error"), id="termios.error"),
        pytest.param(serial.SerialException("device disconnected"), id="SerialException"),
    ],
)
@pytest.mark.parametrize("side", ["read", "write"])
async def test_every_error_of_a_vanished_port_means_gone(
    board: Board, mocker: MockerFixture, failure: Exception, side: str
) -> None:
    ear = Ear()
    stream = await open_serial(board.link, ear)
    mocker.patch.object(port.os, side, side_effect=failure)
    stream.write(b"x")
    mocker.stopall() if side == "write" else os.write(board.master, b"x")
    await ear.until(ends=1)
    assert isinstance(ear.ends[0], PortGone)


async def test_an_empty_read_means_gone(board: Board, mocker: MockerFixture) -> None:
    ear = Ear()
    await open_serial(board.link, ear)
    mocker.patch.object(port.os, "read", return_value=b"")
    os.write(board.master, b"x")
    await ear.until(ends=1)
    assert isinstance(ear.ends[0], PortGone)


async def test_nobody_is_called_after_close(board: Board) -> None:
    ear = Ear()
    stream = await open_serial(board.link, ear)
    os.write(board.master, b"x")
    stream.close()
    stream.close()
    board.unplug()
    await asyncio.get_running_loop().run_in_executor(None, lambda: None)
    assert ear.data == b""
    assert ear.ends == []


async def test_closing_leaves_the_modem_lines_alone(board: Board, mocker: MockerFixture) -> None:
    seen = mocker.spy(port.termios, "tcsetattr")
    stream = await open_serial(board.link, Ear())
    stream.close()
    settings = seen.call_args_list[-1].args[2]
    assert not settings[2] & termios.HUPCL


@pytest.mark.report("B003")
async def test_opening_again_makes_no_edge_of_dtr(board: Board, mocker: MockerFixture) -> None:
    """Neither opening nor closing nor opening again drops DTR: a board that resets on its edge runs on."""
    seen = mocker.spy(serial.serialposix.fcntl, "ioctl")
    for _ in range(2):
        (await open_serial(board.link, Ear())).close()
    requests = [call.args[1] for call in seen.call_args_list]
    assert termios.TIOCMBIC not in requests
    assert termios.TIOCMSET not in requests


@pytest.mark.report("B003")
@pytest.mark.parametrize(
    ("lines", "request_"),
    [("raise", termios.TIOCMBIS), ("drop", termios.TIOCMBIC)],
)
async def test_a_board_that_needs_its_lines_one_way_gets_them(
    board: Board, mocker: MockerFixture, lines: port.ModemLines, request_: int
) -> None:
    seen = mocker.patch.object(port.fcntl, "ioctl")
    (await open_serial(board.link, Ear(), lines=lines)).close()
    asked = [
        call.args[1:] for call in seen.call_args_list if call.args[1] in (termios.TIOCMBIS, termios.TIOCMBIC)
    ]
    both = (termios.TIOCM_DTR | termios.TIOCM_RTS).to_bytes(4, "little")
    assert asked[-1] == (request_, both)


@pytest.mark.report("B003")
async def test_a_pseudo_terminal_has_no_such_lines(board: Board) -> None:
    (await open_serial(board.link, Ear(), lines="drop")).close()


async def test_a_missing_port_says_so(tmp_path: Path) -> None:
    with pytest.raises(PortMissing, match="There is no port"):
        await open_serial(str(tmp_path / "ttyUSB9"), Ear())


async def test_a_file_is_no_port(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a tty")
    with pytest.raises(PortUnusable, match="cannot be used"):
        await open_serial(str(path), Ear())


@pytest.mark.report("B020")
@pytest.mark.report("B022")
async def test_a_second_program_is_told_who_holds_the_port_until_that_one_is_killed(board: Board) -> None:
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import serial, sys; s = serial.Serial(sys.argv[1], exclusive=True); print('held', flush=True); "
            "sys.stdin.read()",
            board.link,
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(PortBusy) as caught:
            await open_serial(board.link, Ear())
        assert caught.value.pid == holder.pid
        assert caught.value.name.startswith("python")
    finally:
        holder.kill()
        holder.communicate()
    stream = await open_serial(board.link, Ear())
    stream.close()


@pytest.mark.report("B022")
async def test_a_program_that_does_not_lock_is_found_too(board: Board, mocker: MockerFixture) -> None:
    mocker.patch.object(port, "_PTY_MAJORS", range(0))  # a pty stands in for a real port here
    other = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; f = open(sys.argv[1], 'rb+', 0); print(flush=True); input()",
            board.link,
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(PortBusy) as caught:
            await open_serial(board.link, Ear())
        assert caught.value.pid == other.pid
    finally:
        other.communicate(b"\n")


@pytest.mark.report("B022")
@pytest.mark.parametrize(
    ("code", "kind"),
    [
        pytest.param(errno.EACCES, PortForbidden, id="forbidden"),
        pytest.param(errno.EBUSY, PortBusy, id="busy by TIOCEXCL"),
        pytest.param(errno.ENXIO, PortMissing, id="node without device"),
    ],
)
async def test_each_refusal_of_the_system_has_its_own_error(
    board: Board, mocker: MockerFixture, code: int, kind: type[TransportError]
) -> None:
    failure = serial.SerialException(code, os.strerror(code))
    mocker.patch.object(port.serial, "Serial", side_effect=failure)
    with pytest.raises(kind) as caught:
        await open_serial(board.link, Ear())
    if isinstance(caught.value, PortForbidden):
        assert caught.value.group == port._group(board.link)


async def test_five_hundred_connections_leave_nothing(board: Board) -> None:
    port = SerialPort(board.link, 115200)
    before = held()
    for number in range(500):
        ear = Ear()
        stream = await port.open(ear)
        os.write(board.master, b"x")
        await ear.until(length=1)
        if number % 10 == 0:
            board.unplug()
            await ear.until(ends=1)
            board.plug()
        stream.close()
    assert held() == before
