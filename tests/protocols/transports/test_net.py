"""Boards over a network: bytes over TCP and RFC 2217, ends of every kind, and silence that is no error."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from random import Random

import pytest
import serial

from protocols.errors import PortGone, PortMissing, PortUnreachable, PortUnusable
from protocols.transports import net
from protocols.transports.port import Port, port_at
from protocols.transports.telnet import LONGEST, Client
from sim.endpoints.net import Rfc2217Endpoint, TcpEndpoint
from sim.timebase import pause
from tests.protocols.transports.ear import PATIENCE, Ear, held

pytestmark = pytest.mark.process
HERE = "127.0.0.1"
ENDS: dict[str, type[TcpEndpoint]] = {"tcp": TcpEndpoint, "rfc2217": Rfc2217Endpoint}


class Server:
    """An endpoint that says back what it hears."""

    def __init__(self, kind: str) -> None:
        self.end = ENDS[kind](HERE, 0, Random(1))
        self.heard = b""
        self.silent = False
        self.end.attach(self.take)
        self.port: Port = port_at(f"{kind}:{HERE}:{self.end.port}", baud=230400)

    def take(self, data: bytes) -> None:
        self.heard += data
        if not self.silent:
            self.end.write(data)


@pytest.fixture(params=ENDS)
async def server(request: pytest.FixtureRequest) -> AsyncIterator[Server]:
    server = Server(request.param)
    yield server
    server.end.close()


@pytest.fixture
async def uart() -> AsyncIterator[Server]:
    server = Server("rfc2217")
    yield server
    server.end.close()


async def test_every_byte_goes_both_ways(server: Server) -> None:
    ear = Ear()
    stream = await server.port.open(ear)
    sent = bytes(range(256)) * 40 + b"\xff\xff\xff\xfd\x00"  # commands of telnet, meant as data
    stream.write(sent)
    await ear.until(length=len(sent))
    assert server.heard == sent
    assert ear.data == sent
    stream.close()


async def test_a_server_that_ends_is_told_once_and_found_again(server: Server) -> None:
    ear = Ear()
    stream = await server.port.open(ear)
    server.end.unplug()
    await ear.until(ends=1)
    stream.write(b"nobody is there")
    stream.close()
    with pytest.raises(PortUnreachable, match="Connection refused"):
        await server.port.open(Ear())
    server.end.replug()
    again = Ear()
    stream = await server.port.open(again)
    stream.write(b"back")
    await again.until(length=4)
    stream.close()
    assert len(ear.ends) == 1


async def test_a_reset_connection_is_gone(server: Server) -> None:
    ear = Ear()
    await server.port.open(ear)
    host = server.end._host
    assert host is not None
    assert host.transport is not None
    ours = host.transport.get_extra_info("socket")
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
    host.drop()
    await ear.until(ends=1)
    assert isinstance(ear.ends[0], PortGone)


async def test_a_server_that_dies_without_a_word_is_no_error_only_silence(server: Server) -> None:
    ear = Ear()
    stream = await server.port.open(ear)
    server.end.dead = True
    for _ in range(20):
        stream.write(b"anybody?")
        await pause(0.002)
    assert ear.ends == []
    assert ear.data == b""
    stream.close()


async def test_a_second_host_takes_the_place_of_one_that_may_be_dead(server: Server) -> None:
    first, second = Ear(), Ear()
    await server.port.open(first)
    stream = await server.port.open(second)
    await first.until(ends=1)
    stream.write(b"mine")
    await second.until(length=4)
    stream.close()


async def test_nobody_is_called_after_close(server: Server) -> None:
    ear = Ear()
    stream = await server.port.open(ear)
    stream.write(b"x")
    stream.close()
    stream.close()
    server.end.unplug()
    await pause(0.01)
    assert ear.data == b""
    assert ear.ends == []


async def test_an_address_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net, "CONNECT_S", 0.05)
    full = socket.create_server((HERE, 0), backlog=0)
    others = []
    try:
        for _ in range(4):  # the queue of a server that never accepts fills up; then nothing answers
            other = socket.socket()
            other.setblocking(False)
            other.connect_ex(full.getsockname())
            others.append(other)
        with pytest.raises(PortMissing, match="no answer"):
            await port_at(f"tcp:{HERE}:{full.getsockname()[1]}").open(Ear())
    finally:
        for each in (*others, full):
            each.close()


async def test_a_name_nobody_knows() -> None:
    with pytest.raises(PortUnreachable):
        await port_at("tcp:no.such.host.invalid:4000").open(Ear())


@pytest.mark.report("B003")
async def test_the_remote_port_is_set_and_its_modem_lines_left_alone(uart: Server) -> None:
    assert isinstance(uart.end, Rfc2217Endpoint)
    stream = await uart.port.open(Ear())
    port = uart.end.uart
    assert (port.baudrate, port.bytesize, port.parity, port.stopbits) == (230400, 8, "N", 1)
    stream.close()
    await pause(0.01)
    assert port.edges == [], "an edge of DTR resets many a board"


async def test_a_server_that_is_no_rfc_2217_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net, "AGREE_S", 0.05)
    plain = Server("tcp")
    plain.silent = True
    with pytest.raises(PortUnusable, match="RFC 2217"):
        await port_at(f"rfc2217:{HERE}:{plain.end.port}").open(Ear())
    plain.end.close()


async def test_a_server_that_hangs_up_before_it_agreed() -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(hang_up, HERE, 0)
    with pytest.raises(PortUnusable, match="hung up"):
        await port_at(f"rfc2217:{HERE}:{server.sockets[0].getsockname()[1]}").open(Ear())
    server.close()
    await server.wait_closed()


async def test_the_simulated_server_is_one_to_pyserial_too(uart: Server) -> None:
    def talk() -> bytes:
        with serial.serial_for_url(f"rfc2217://{HERE}:{uart.end.port}", 115200, timeout=PATIENCE) as port:
            port.write(b"ping\xff")
            answer: bytes = port.read(5)
            return answer

    assert await asyncio.to_thread(talk) == b"ping\xff"


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_commands_cut_anywhere_are_understood(size: int) -> None:
    said = b"a\xff\xfd\x2cb\xff\xff\xff\xfa\x2c\x65\x00\x01\xff\xff\x00\xff\xf0c\xff\xf1d"
    client = Client(115200)
    heard, answered = b"", b""
    for start in range(0, len(said), size):
        data, answer = client.feed(said[start : start + size])
        heard, answered = heard + data, answered + answer
    assert heard == b"ab\xffcd"
    assert client.agreed
    assert answered.startswith(b"\xff\xfa\x2c\x01\x00\x01\xc2\x00\xff\xf0")


def test_what_is_offered_again_and_again_is_declined_once() -> None:
    client = Client(9600)
    answers = [client.feed(b"\xff\xfb\x01\xff\xfd\x18")[1] for _ in range(3)]
    assert answers == [b"\xff\xfe\x01\xff\xfc\x18", b"", b""]


async def test_five_hundred_connections_leave_nothing(server: Server) -> None:
    (await server.port.open(Ear())).close()
    await pause(0.05)
    before = held()
    for number in range(500):
        ear = Ear()
        stream = await server.port.open(ear)
        stream.write(b"x")
        await ear.until(length=1)
        if number % 10 == 0:
            server.end.unplug()
            await ear.until(ends=1)
            server.end.replug()
        stream.close()
    async with asyncio.timeout(PATIENCE):
        while held() != before:
            await pause(0.002)


async def test_closing_does_not_wait_for_a_server_that_takes_nothing() -> None:
    async with await asyncio.start_server(lambda reader, writer: never_read(reader), HERE, 0) as server:
        before = held()[0]
        stream = await port_at(f"tcp:{HERE}:{server.sockets[0].getsockname()[1]}").open(Ear())
        stream.write(bytes(1 << 24))  # more than the system keeps for both ends
        stream.close()
        async with asyncio.timeout(PATIENCE):
            while held()[0] > before + 1:  # the server's own end stays
                await pause(0.002)


def never_read(reader: asyncio.StreamReader) -> None:
    """Take the connection and nothing from it."""
    transport = reader._transport  # type: ignore[attr-defined]
    transport.pause_reading()


def test_a_speed_with_a_byte_that_means_a_command_is_doubled() -> None:
    _, answer = Client(0xFF00).feed(b"\xff\xfd\x2c")
    assert answer.startswith(b"\xff\xfa\x2c\x01\x00\x00\xff\xff\x00\xff\xf0")


def test_a_doubled_byte_before_what_looks_like_an_end_is_no_end() -> None:
    assert Client(9600).feed(b"a\xff\xfa\x2c\x6a\xff\xff\xf0A\xff\xf0b") == (b"ab", b"")


@pytest.mark.parametrize("odd", [0, 1], ids=["closed", "an IAC open"])
def test_a_command_without_end_takes_no_memory_and_its_end_is_found(odd: int) -> None:
    client = Client(9600)
    assert client.feed(b"a\xff\xfa\x2c\x65") == (b"a", b"")
    for _ in range(1000):
        client.feed(b"\x07" * 99 + b"\xff" * odd)
        client.feed(b"\xff" * odd)
        assert len(client._rest) <= LONGEST
    assert client.feed(b"\xff\xf0b") == (b"b", b"")
    assert client.agreed
