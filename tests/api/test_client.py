"""The waiting client, wired to a dispatcher in the same process and over a real socket."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablectl.api.client import RECONNECT_S, Client
from tablectl.api.dispatch import Dispatcher
from tablectl.api.errors import AnsweredError, NoDaemon
from tablectl.api.server import Server
from tests.api.fakes import FakeCore


async def until(true: Callable[[], bool], seconds: float = 5.0) -> None:
    """Wait for something to become true."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not true():
        assert loop.time() < end, "it never happened"
        pause = loop.create_future()
        loop.call_later(0.005, pause.set_result, None)
        await pause


async def test_commands_carry_actor_role_and_ids_of_their_own() -> None:
    core = FakeCore()
    dispatcher = Dispatcher(core)
    client = Client.inside(lambda: dispatcher, actor="kim", role="chief", prefix="k")
    first = await client.command("hand start")
    second = await client.command("claim", word="pung", seat="S")
    assert first["outcome"] == second["outcome"] == "accepted"
    assert {(c.actor, c.role) for c in core.commands} == {("kim", "chief")}
    assert len({c.id for c in core.commands}) == 2
    assert all(c.id.startswith("k-") for c in core.commands)
    client.close()


async def test_a_request_that_cannot_be_one_raises_its_sentence() -> None:
    dispatcher = Dispatcher(FakeCore())
    client = Client.inside(lambda: dispatcher, actor="kim")
    with pytest.raises(AnsweredError, match="nope"):
        await client.command("nope")
    with pytest.raises(AnsweredError) as caught:
        await client.command("discard", seat="X")
    assert "--seat" in caught.value.text("zh-Hans")
    client.close()


async def test_a_subscription_tells_state_backlog_and_events_in_order() -> None:
    core = FakeCore()
    core.publish(3)
    told: list[tuple[str, int]] = []
    dispatcher = Dispatcher(core)
    client = Client.inside(lambda: dispatcher, actor="kim")
    await client.watch(lambda kind, params: told.append((kind, params["seq"])))
    core.publish(2)
    await until(lambda: len(told) == 3)
    assert told == [("state", 3), ("event", 4), ("event", 5)]
    client.close()


async def test_half_a_character_is_replaced() -> None:
    core = FakeCore()
    dispatcher = Dispatcher(core)
    client = Client.inside(lambda: dispatcher, actor="k\udcff\ud800")
    await client.command("pause")
    assert core.commands[0].actor == "k??"
    client.close()


async def test_a_closed_client_tells_those_who_wait() -> None:
    core = FakeCore()
    core.patient = True
    dispatcher = Dispatcher(core)
    client = Client.inside(lambda: dispatcher, actor="kim")
    waiting = asyncio.ensure_future(client.command("pause"))
    await until(lambda: bool(core.waiting))
    client.close()
    with pytest.raises(NoDaemon):
        await waiting


@pytest.mark.process
async def test_no_daemon_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoDaemon, match="tablectl run"):
        await Client.open(tmp_path / "none.sock", actor="kim")


@pytest.mark.process
@pytest.mark.report("B122")
async def test_a_restarted_daemon_gets_the_command_again_and_the_subscription_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "api.sock"
    core = FakeCore()
    core.patient = True
    server = await Server.open(Dispatcher(core), path)
    client = await Client.open(path, actor="kim")
    told: list[tuple[str, Any]] = []
    await client.watch(lambda kind, params: told.append((kind, params.get("seq"))))
    core.publish(1)
    waiting = asyncio.ensure_future(client.command("pause", id="p-1"))
    await until(lambda: bool(core.waiting) and len(told) == 2)
    await server.close()
    core.publish(2)
    core.patient = False
    server = await Server.open(Dispatcher(core), path)
    answer = await waiting
    assert answer["outcome"] == "accepted"
    assert [command.id for command in core.commands] == ["p-1", "p-1"]
    await until(lambda: len(told) == 4)
    assert told == [("state", 0), ("event", 1), ("event", 2), ("event", 3)]
    client.close()
    await server.close()


@pytest.mark.process
@pytest.mark.parametrize("ends", ["it comes back", "it is gone for good"])
async def test_a_daemon_that_hangs_up_on_every_call_costs_nothing_but_time(tmp_path: Path, ends: str) -> None:
    path = tmp_path / "api.sock"
    core = FakeCore()
    server = await Server.open(Dispatcher(core), path)
    client = await Client.open(path, actor="kim")
    told: list[str] = []
    await client.watch(lambda kind, params: told.append(kind))
    await server.close()
    calls = 0
    complaints: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: complaints.append(context))

    began = asyncio.get_running_loop().time()

    def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal calls
        calls += 1
        writer.close()

    async with await asyncio.start_unix_server(hang_up, path):
        await until(lambda: calls >= 3)
    took = asyncio.get_running_loop().time() - began
    assert calls <= 1 + took / RECONNECT_S, "it dials without a pause"
    if ends == "it comes back":
        path.unlink(missing_ok=True)
        server = await Server.open(Dispatcher(core), path)
        seen = len(told)
        core.publish(1)
        await until(lambda: len(told) > seen)
        core.publish(1)
        await until(lambda: len(told) > seen + 1)
        assert told[seen:] == ["event", "event"]
        await server.close()
    client.close()
    await until(lambda: len(asyncio.all_tasks()) == 1)
    gc.collect()  # a task that failed and was not asked why complains when it goes
    assert complaints == []


@pytest.mark.process
async def test_whoever_waits_for_a_daemon_that_only_hangs_up_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablectl.api.client.PATIENCE_S", 0.6)
    path = tmp_path / "api.sock"

    def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async with await asyncio.start_unix_server(hang_up, path):
        client = await Client.open(path, actor="kim")
        async with asyncio.timeout(5):
            with pytest.raises(NoDaemon):
                await client.command("pause")
        client.close()


@pytest.mark.process
@pytest.mark.report("B133")
async def test_a_dropped_subscriber_comes_back_by_itself(tmp_path: Path) -> None:
    core = FakeCore()
    server = await Server.open(Dispatcher(core, queue=10), tmp_path / "api.sock")
    client = await Client.open(tmp_path / "api.sock", actor="kim")
    seen: list[int] = []
    kinds: set[str] = set()

    def tell(kind: str, params: dict[str, Any]) -> None:
        kinds.add(kind)
        if kind == "event":
            seen.append(params["seq"])

    await client.watch(tell)
    core.publish(5000, tile="x" * 200)  # more than the socket holds, before the client reads at all
    await until(lambda: len(seen) == 5000)
    assert "dropped" in kinds
    assert seen == list(range(1, 5001))
    client.close()
    await server.close()
