"""`tablectl watch --json`: every event once, from any number on, also over a restart of the daemon."""

from __future__ import annotations

import json
import signal
import sys
from typing import Any

import pytest

from tests.process.rig import Bench, Program, watching

pytestmark = pytest.mark.process


def told(program: Program) -> list[dict[str, Any]]:
    return [json.loads(line) for line in program.lines["out"]]


def numbers(program: Program) -> list[int]:
    return [line["seq"] for line in told(program) if line["kind"] == "event"]


async def watch(bench: Bench, *words: object) -> Program:
    return await bench.start("watch", "--json", *words, "--socket", bench.socket)


async def test_events_come_from_any_number_on(bench: Bench) -> None:
    await bench.table("--tiles", 136)
    await bench.daemon()
    events = await watching(await bench.client())
    await bench.cli("session", "start", "--rules", "mcr-136", "--p1", "張三")
    await bench.cli("hand", "start")
    await events.event("event.done", operation="build")

    whole = await watch(bench, "--since", 0)
    await whole.says("event.session")
    await whole.says("event.done", '"build"')
    seen = numbers(whole)
    assert seen == sorted(set(seen))
    middle = seen[len(seen) // 2]

    rest = await watch(bench, "--since", middle)
    await events.event("event.done", operation="raise")
    await rest.says("event.done", '"raise"')
    await whole.says("event.done", '"raise"')
    assert numbers(rest)[0] > middle
    assert set(numbers(rest)) <= set(numbers(whole))
    assert {n for n in numbers(whole) if middle < n <= numbers(rest)[-1]} == set(numbers(rest))
    assert all({"kind", "seq", "n", "at", "key", "data"} <= line.keys() for line in told(rest))

    fresh = await watch(bench)
    first = json.loads(await fresh.says("state"))
    assert first["kind"] == "state"
    assert [player["name"] for player in first["session"]["players"]][1] == "張三"
    assert await fresh.end(signal.SIGINT) == 130
    assert "Traceback" not in fresh.text("err")


async def test_a_watch_goes_on_when_the_daemon_is_started_again(bench: Bench) -> None:
    await bench.table()
    daemon = await bench.daemon()
    await watching(await bench.client())
    viewer = await watch(bench)
    await viewer.says("state")
    await bench.cli("session", "start")
    await viewer.says("event.session")
    await daemon.end(signal.SIGKILL)
    heard = len(viewer.lines["out"])
    await bench.daemon()
    state = json.loads(await viewer.says("state", after=heard))
    assert state["session"]["state"] == "running"  # what was missed is not told event by event
    await bench.cli("session", "stop", "--yes")
    await viewer.says('"over"')
    assert numbers(viewer) == sorted(set(numbers(viewer)))


async def test_a_reader_that_goes_away_ends_it_quietly(bench: Bench) -> None:
    await bench.daemon()
    pipe = f"{sys.executable} -m tablectl watch --json --socket {bench.socket} | head -n 1; "
    viewer = await bench.start("-c", pipe + 'echo "ended ${PIPESTATUS[0]}"', prefix=["bash"])
    await viewer.says("state")
    await bench.cli("session", "start")  # there is something to write to nobody
    await bench.cli("session", "stop", "--yes")
    assert await viewer.says("ended") in ("ended 141", "ended 0")
    assert viewer.text("err") == ""


async def test_a_number_from_the_future_is_answered_with_the_state(bench: Bench) -> None:
    await bench.daemon()
    viewer = await watch(bench, "--since", 10**9)
    assert json.loads(await viewer.says("state"))["kind"] == "state"


async def test_tiles_of_a_hand_in_play_are_shown_only_where_asked(bench: Bench) -> None:
    await bench.table("--tiles", 136)
    await bench.daemon()
    events = await watching(await bench.client())
    await bench.cli("session", "start", "--rules", "mcr-136")
    await bench.cli("hand", "start")
    await events.event("event.phase", phase="decide")
    masked = json.loads((await bench.cli("status", "--json")).out)["state"]
    opened = json.loads((await bench.cli("status", "--json", "--open")).out)["state"]
    assert {json.dumps(seat["tiles"]) for seat in masked["hand"]["seats"]} == {"null"}
    assert all(seat["tiles"] for seat in opened["hand"]["seats"])
    refused = await bench.cli("status", "--open", "--role", "player")
    assert refused.code == 3
