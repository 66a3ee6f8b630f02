"""Exit codes of the command line against a real daemon: 0 2 3 4 5 6, in text and in JSON."""

from __future__ import annotations

import signal

import pytest

from tests.process.rig import Bench, watching

pytestmark = pytest.mark.process
OK, USAGE, REFUSED, NO_DAEMON, NO_TABLE, PENDING = 0, 2, 3, 4, 5, 6


async def test_without_a_daemon_it_is_4(bench: Bench) -> None:
    for words in (["status"], ["pause"], ["watch"], ["link", "status"], ["machine", "stop"]):
        said = await bench.cli(*words)
        assert said.code == NO_DAEMON, words
        assert "tablectl run" in said.err
    assert (await bench.cli("status", "--json")).json["key"] == "error.no_daemon"
    bench.socket.write_text("no socket")
    assert (await bench.cli("status")).code == NO_DAEMON


async def test_a_socket_a_dead_daemon_left_is_no_daemon_and_no_obstacle(bench: Bench) -> None:
    daemon = await bench.daemon()
    await daemon.end(signal.SIGKILL)
    assert bench.socket.exists()
    assert (await bench.cli("status")).code == NO_DAEMON
    await bench.daemon()
    assert (await bench.cli("status")).code == NO_TABLE


async def test_without_a_table_it_is_5_but_what_needs_none_works(bench: Bench) -> None:
    await bench.daemon()
    for words in (
        ["status"],
        ["link", "status"],
        ["machine", "build"],
        ["machine", "stop"],
        ["machine", "dice"],
    ):
        assert (await bench.cli(*words)).code == NO_TABLE, words
    assert (await bench.cli("session", "start")).code == OK
    assert (await bench.cli("hand", "start")).code == OK  # it waits for its table, and says so
    assert (await bench.cli("resume")).code == OK
    assert "waiting for the table" in (await bench.cli("status", "--plain")).out


async def test_a_day_at_the_table(bench: Bench) -> None:
    await bench.table("--tiles", 136)
    await bench.daemon()
    events = await watching(await bench.client())

    refused = await bench.cli("hand", "start")
    assert (refused.code, refused.out) == (REFUSED, "")
    assert "no session" in refused.err

    assert (await bench.cli("pause")).code == REFUSED
    assert (await bench.cli("session", "start", "--rules", "nope")).code == REFUSED
    assert (await bench.cli("session", "start", "--rules", "mcr-136", "--p0", "Kim")).code == OK
    assert (await bench.cli("session", "start", "--rules", "mcr-136")).code == REFUSED
    assert (await bench.cli("session", "stop")).code == REFUSED  # not confirmed
    assert (await bench.cli("hand", "start", "--role", "player")).code == REFUSED
    started = await bench.cli("hand", "start", "--json")
    assert started.code == OK
    assert started.json["outcome"] == "accepted"

    for words in (
        ["hand", "strat"],
        ["claim", "pong", "--seat", "E"],
        ["discard", "--seat", "Q"],
        ["discard", "--seat", "E", "--tile", "10m"],
        ["discard"],
        ["wall", "correct", "many", "--reason", "x"],
        ["wall", "correct", "999", "--reason", "x"],
        ["pause", "now"],
        ["pause", "--reasn", "x"],
        ["hand", "void"],
        ["nonsense"],
        ["status", "--role", "king"],
    ):
        said = await bench.cli(*words)
        assert said.code == USAGE, words
        assert said.out == ""
        assert said.err.startswith("tablectl: ")
        assert "Traceback" not in said.err

    await events.event("event.done", operation="raise")
    busy = await bench.cli("machine", "build")
    assert busy.code == REFUSED

    paused = await bench.cli("pause", "--reason", "tea", "--id", "pause-1", "--json")
    again = await bench.cli("pause", "--reason", "tea", "--id", "pause-1", "--json")
    assert paused.code == again.code == OK
    assert paused.json["record"] == again.json["record"]  # answered again, not done again
    other = await bench.cli("pause", "--reason", "coffee", "--id", "pause-1", "--json")
    assert (other.code, other.json["key"]) == (REFUSED, "refused.id_reused")
    assert (await bench.cli("resume")).code == OK

    void = ["hand", "void", "--reason", "fire alarm"]
    first = await bench.cli(*void, "--actor", "kim", "--json")
    assert (first.code, first.json["outcome"]) == (PENDING, "pending")
    assert (await bench.cli(*void, "--actor", "kim")).code == PENDING
    assert (await bench.cli(*void, "--actor", "lee")).code == OK
    assert (await bench.cli("hand", "void", "--reason", "x", "--actor", "lee")).code == REFUSED
    assert (await bench.cli("session", "stop", "--yes")).code == OK
    assert (await bench.cli("status")).code == OK


@pytest.mark.report("B028")
@pytest.mark.report("B030")
async def test_a_stop_is_carried_out_whatever_else_was_asked_for(bench: Bench) -> None:
    await bench.table("--tiles", 136, speed=10)  # slow enough that it is still building
    await bench.daemon()
    events = await watching(await bench.client())
    assert (await bench.cli("machine", "home")).code == OK
    await events.event("event.done", operation="home")
    assert (await bench.cli("machine", "build")).code == OK
    await events.event("event.ordered", operation="build")
    for illegal in (["win", "confirm"], ["machine", "raise"], ["resume"]):
        assert (await bench.cli(*illegal)).code == REFUSED
    assert (await bench.cli("machine", "stop", "--role", "anyone")).code == OK
    held = await events.event("event.held", name="stopped")
    assert held["data"]["facts"]["actor"]
    await events.event("event.held", name="order")  # the build has failed: it was stopped
    state = (await bench.cli("status", "--json")).json["state"]
    assert (state["queue"], state["table"]["stopped"], state["table"]["order"]) == (0, True, None)

    for words in (["machine", "home"], ["resume"], ["session", "start"]):  # the next events are processed
        assert (await bench.cli(*words)).code == OK, words
    assert (await bench.cli("status", "--json")).json["state"]["queue"] == 0
