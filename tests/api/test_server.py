"""The Unix socket: only for this user, never two daemons, never a dead one's leftovers in the way."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import threading
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from tablectl.api.blocking import Caller
from tablectl.api.dispatch import Dispatcher
from tablectl.api.errors import AnsweredError, NoDaemon, SocketError
from tablectl.api.registry import BY_NAME
from tablectl.api.rpc import BUSY, failure
from tablectl.api.server import MAX_CLIENTS, RESERVED, Server
from tests.api.fakes import FakeCore

pytestmark = pytest.mark.process


async def in_thread(work: object) -> object:
    return await asyncio.to_thread(work)  # type: ignore[arg-type]


async def test_a_command_over_the_socket(tmp_path: Path) -> None:
    core = FakeCore()
    server = await Server.open(Dispatcher(core), tmp_path / "api.sock")

    def work() -> dict[str, object]:
        with Caller(str(server.path), actor="張三", role="referee") as caller:
            caller.ask(BY_NAME["hand start"], {}, id="1")
            return caller.ask(BY_NAME["hand void"], {"reason": "牌墙倒了"}, id="2")

    answer = await in_thread(work)
    assert answer["outcome"] == "accepted"  # type: ignore[index]
    assert core.commands[1].actor == "張三"
    assert core.commands[1].args == {"reason": "牌墙倒了"}
    await server.close()
    assert not server.path.exists()


async def test_only_this_user_may_open_it(tmp_path: Path) -> None:
    server = await Server.open(Dispatcher(FakeCore()), tmp_path / "run" / "api.sock")
    assert stat.S_IMODE(server.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(server.path.parent.stat().st_mode) == 0o700
    await server.close()


async def test_the_socket_of_a_dead_daemon_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "api.sock"
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(path))
    dead.close()
    server = await Server.open(Dispatcher(FakeCore()), path)
    await server.close()


@pytest.mark.report("B020")
async def test_a_live_daemon_keeps_its_socket(tmp_path: Path) -> None:
    path = tmp_path / "api.sock"
    first = await Server.open(Dispatcher(FakeCore()), path)
    opening = asyncio.ensure_future(in_thread(lambda: asyncio.run(Server.open(Dispatcher(FakeCore()), path))))
    with pytest.raises(SocketError, match="Another daemon"):
        await opening
    assert path.exists()
    await first.close()


async def test_another_kind_of_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "api.sock"
    path.write_text("mine")
    with pytest.raises(SocketError, match="not a socket"):
        await Server.open(Dispatcher(FakeCore()), path)
    assert path.read_text() == "mine"


async def test_a_path_too_long_is_said(tmp_path: Path) -> None:
    with pytest.raises(SocketError, match="bytes"):
        await Server.open(Dispatcher(FakeCore()), tmp_path / ("x" * 120))


async def test_a_forbidden_folder_is_said(tmp_path: Path, mocker: MockerFixture) -> None:
    tmp_path.chmod(0o500)
    if os.getuid() == 0:  # root may write everywhere: let the system say no
        mocker.patch("socket.socket.bind", side_effect=PermissionError(13, "Permission denied"))
    with pytest.raises(SocketError, match="right to write"):
        await Server.open(Dispatcher(FakeCore()), tmp_path / "api.sock")


async def test_closing_leaves_the_socket_of_a_successor(tmp_path: Path) -> None:
    path = tmp_path / "api.sock"
    first = await Server.open(Dispatcher(FakeCore()), path)
    path.unlink()
    second = await Server.open(Dispatcher(FakeCore()), path)
    await first.close()
    assert path.exists()
    await second.close()


@pytest.mark.report("B133")
async def test_a_viewer_that_stops_reading_costs_a_known_amount(tmp_path: Path) -> None:
    core = FakeCore()
    server = await Server.open(Dispatcher(core), tmp_path / "api.sock")
    reader, writer = await asyncio.open_unix_connection(str(server.path), limit=2**16)
    writer.write(b'{"jsonrpc":"2.0","id":1,"method":"watch"}\n')
    await reader.readline()
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    client = next(iter(server._clients))
    core.publish(20_000, tile="x" * 100)
    assert not core.tells, "dropped"
    assert client._transport.get_write_buffer_size() < 2**18
    writer.close()
    await server.close()


async def test_too_many_clients_are_told(tmp_path: Path) -> None:
    server = await Server.open(Dispatcher(FakeCore()), tmp_path / "api.sock")
    kept = []
    for _ in range(MAX_CLIENTS + RESERVED):
        kept.append(await asyncio.open_unix_connection(str(server.path)))
        kept[-1][1].write(b'{"jsonrpc":"2.0","id":1,"method":"watch"}\n')
        await kept[-1][0].readline()
    kept.append(await asyncio.open_unix_connection(str(server.path)))
    answer = await kept[-1][0].readline()
    assert b"clients are connected already" in answer
    assert await kept[-1][0].read() == b""
    for _, writer in kept:
        writer.close()
    await server.close()


async def test_the_client_idle_longest_makes_room(tmp_path: Path) -> None:
    server = await Server.open(Dispatcher(FakeCore()), tmp_path / "api.sock")
    kept = [await asyncio.open_unix_connection(str(server.path)) for _ in range(MAX_CLIENTS)]
    kept[0][1].write(b'{"jsonrpc":"2.0","id":1,"method":"watch"}\n')
    await kept[0][0].readline()
    reader, writer = await asyncio.open_unix_connection(str(server.path))
    writer.write(b'{"jsonrpc":"2.0","id":1,"method":"machine.stop","params":{"id":"s"}}\n')
    assert b"result" in await reader.readline()
    assert b"made room" in await kept[1][0].read()
    assert len(server._clients) == MAX_CLIENTS
    for _, other in [*kept, (reader, writer)]:
        other.close()
    await server.close()


def test_a_daemon_that_dies_before_it_answers_is_asked_again_under_the_same_id(tmp_path: Path) -> None:
    path = tmp_path / "api.sock"
    lines: list[bytes] = []
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()

    def daemon() -> None:
        for answer in (b"", b'{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted"}}\n'):
            connection, _ = listener.accept()
            lines.append(connection.recv(65536))
            connection.sendall(answer)
            connection.close()

    thread = threading.Thread(target=daemon)
    thread.start()
    with Caller(str(path), actor="kim", role="referee") as caller:
        assert caller.ask(BY_NAME["pause"], {}, id="p-1") == {"outcome": "accepted"}
    thread.join()
    listener.close()
    assert lines[0] == lines[1]


def test_what_a_daemon_says_before_it_hangs_up_is_heard(tmp_path: Path) -> None:
    """It may have said no and closed before the question has left."""
    path = tmp_path / "api.sock"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()
    with Caller(str(path), actor="kim", role="referee") as caller:
        caller._open()
        connection, _ = listener.accept()
        connection.sendall(failure(None, BUSY, SocketError("rpc.too_many_clients", limit=1)))
        connection.close()
        with pytest.raises(AnsweredError) as told:
            caller.ask(BY_NAME["status"], {})
    listener.close()
    assert told.value.code == BUSY


def test_nobody_there_is_said(tmp_path: Path) -> None:
    with Caller(str(tmp_path / "none"), actor="a", role="referee") as caller, pytest.raises(NoDaemon):
        caller.ask(BY_NAME["status"], {})
