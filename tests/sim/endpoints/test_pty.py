"""The pty endpoint against a real serial port: paced, noisy, unplugged and plugged in again."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from random import Random

import pytest
import serial

from sim.endpoints.pty import PtyEndpoint

pytestmark = pytest.mark.process
DEADLINE = 5.0


class Port:
    """A host's port, read without blocking the loop the endpoint lives in."""

    def __init__(self, path: Path, baud: int = 115_200) -> None:
        self.serial = serial.Serial(str(path), baud, timeout=0)
        self.loop = asyncio.get_running_loop()

    async def read(self, size: int) -> bytes:
        got = b""
        async with asyncio.timeout(DEADLINE):
            while len(got) < size:
                ready = self.loop.create_future()
                self.loop.add_reader(self.serial.fileno(), ready.set_result, None)
                try:
                    await ready
                finally:
                    self.loop.remove_reader(self.serial.fileno())
                got += self.serial.read(size - len(got))
        return got


def echo(endpoint: PtyEndpoint) -> None:
    endpoint.attach(endpoint.write)


async def until(condition: object) -> None:
    assert callable(condition)
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(DEADLINE):
        while not condition():
            tick = loop.create_future()
            loop.call_later(0.005, tick.set_result, None)
            await tick


@pytest.fixture
def link(tmp_path: Path) -> Path:
    return tmp_path / "ttyTABLE0"


@pytest.mark.parametrize(("baud", "paced"), [(115_200, True), (19_200, True), (115_200, False)])
async def test_bytes_go_round_at_the_hosts_speed(link: Path, baud: int, paced: bool) -> None:
    endpoint = PtyEndpoint(link, Random(1), paced=paced)
    echo(endpoint)
    port = Port(link, baud)
    loop = asyncio.get_running_loop()
    assert endpoint.baud() == baud
    sent = bytes(range(256))
    began = loop.time()
    port.serial.write(sent)
    assert await port.read(len(sent)) == sent
    spent = loop.time() - began
    if paced:  # the first bytes come back while the last are still on their way
        assert spent >= len(sent) * 10 / baud
    port.serial.close()
    endpoint.close()


async def test_what_the_board_says_first_is_not_echoed_back(link: Path) -> None:
    heard: list[bytes] = []
    endpoint = PtyEndpoint(link, Random(1), paced=False)
    endpoint.attach(heard.append)
    endpoint.write(b"boot\n")
    port = Port(link)
    port.serial.write(b"hello\r")
    await until(lambda: b"".join(heard) == b"hello\r")
    port.serial.close()
    endpoint.close()


async def test_unplug_is_an_error_and_replug_the_same_name(link: Path) -> None:
    endpoint = PtyEndpoint(link, Random(1))
    echo(endpoint)
    port = Port(link)
    endpoint.unplug()
    assert not link.is_symlink()
    with pytest.raises((serial.SerialException, OSError)):
        os.read(port.serial.fileno(), 1) or (_ for _ in ()).throw(OSError("end of file"))
    port.serial.close()
    endpoint.write(b"into the void")
    endpoint.replug()
    again = Port(link)
    again.serial.write(b"ping")
    assert await again.read(4) == b"ping"
    again.serial.close()
    endpoint.close()
    assert not link.exists()


async def test_a_noisy_line_damages_and_drops(link: Path) -> None:
    heard = bytearray()
    endpoint = PtyEndpoint(link, Random("noise"), paced=False)
    endpoint.attach(heard.extend)
    endpoint.to_board.damage, endpoint.to_board.drop = 0.05, 0.05
    port = Port(link)
    sent = bytes(2000)
    port.serial.write(sent)
    await until(lambda: len(heard) + endpoint.to_board.bytes_dropped == len(sent))
    assert endpoint.to_board.bytes_dropped > 20
    assert sum(byte != 0 for byte in heard) == endpoint.to_board.bytes_damaged > 20
    port.serial.close()
    endpoint.close()


async def test_a_closed_endpoint_leaves_no_descriptor_and_no_reader(link: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    endpoint = PtyEndpoint(link, Random(1))
    echo(endpoint)
    endpoint.unplug()
    endpoint.replug()
    endpoint.close()
    assert len(os.listdir("/proc/self/fd")) == before
