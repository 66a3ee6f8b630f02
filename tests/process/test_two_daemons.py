"""Two daemons: on one state directory, on one port."""

from __future__ import annotations

import signal

import pytest

from tests.process.rig import Bench, Events, watching

pytestmark = [pytest.mark.process, pytest.mark.report("B020")]


async def test_a_second_daemon_on_the_same_state_ends_at_once_and_says_by_whom(bench: Bench) -> None:
    await bench.table()
    first = await bench.daemon()
    second = await bench.start(*bench.daemon_words(socket=bench.folder / "other"))
    assert await second.ended() == 1
    assert second.lines["out"] == []
    sentence = second.lines["err"][-1]
    assert f"pid {first.pid}" in sentence
    assert str(bench.state) in sentence
    assert "--state-dir" in sentence
    assert "Traceback" not in second.text("err")
    await watching(await bench.client())  # the first goes on


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_the_lock_is_free_when_its_holder_is_gone_however_it_ended(
    bench: Bench, how: signal.Signals
) -> None:
    await bench.table()
    first = await bench.daemon()
    await watching(await bench.client())
    assert await first.end(how) == (0 if how is signal.SIGTERM else -how)
    assert (bench.state / "lock").exists()  # a left-over file means nothing
    second = await bench.daemon()
    client = await bench.client()
    await watching(client)
    assert (await client.command("session start"))["outcome"] == "accepted"
    assert await second.end() == 0


async def test_a_second_daemon_on_the_same_port_says_who_has_it_and_takes_it_when_it_is_free(
    bench: Bench,
) -> None:
    await bench.table()
    first = await bench.daemon()
    events = await watching(await bench.client())

    elsewhere = bench.beside()
    second = await elsewhere.daemon()
    await second.says("busy", where="err")
    status = await elsewhere.cli("link", "status")
    assert status.code == 5
    assert f"(pid {first.pid}) holds it" in status.out
    link = (await elsewhere.cli("link", "status", "--json")).json["links"]["table"]
    assert (link["state"], link["word"]) == ("backoff", "busy")

    undisturbed = (await bench.clients[0].query("link status"))["links"]["table"]
    assert (undisturbed["crc_errors"], undisturbed["bad_bytes"]) == (0, 0)
    lost = [what["data"] for _, what in events.told if what.get("data", {}).get("state") == "lost"]
    assert {loss["word"] for loss in lost} <= {"host_stalled", "board_silent"}  # of a busy computer

    waiting = await Events.of(await elsewhere.client())
    await first.end(signal.SIGKILL)
    await waiting.event("event.link", state="online")
    assert (await elsewhere.cli("status", "--json")).code == 0
    assert sum("busy" in line for line in second.lines["err"]) == 1  # said once, however often it tried
