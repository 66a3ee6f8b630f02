"""The live demo: what it shows and prints, and that no child outlives it, however it ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.process.rig import Bench, Program, alive, children, until

pytestmark = pytest.mark.process


def begun(bench: Bench, demo: Program) -> bool:
    """Both children are there."""
    return len(children(demo.pid)) == 2


def playing(bench: Bench, demo: Program) -> bool:
    """The daemon's record grows: the table is at work."""
    journals = bench.folder.glob("home/tablectl/demo/*/journal.jsonl")
    return begun(bench, demo) and any(path.stat().st_size > 5000 for path in journals)


async def started(bench: Bench, when: Callable[[Bench, Program], bool]) -> tuple[Program, list[int]]:
    demo = await bench.start("demo", "--speed", "10", "--json")
    await until(lambda: when(bench, demo), when.__doc__ or "")
    return demo, children(demo.pid)


MOMENTS = pytest.mark.parametrize("when", [begun, playing], ids=["begun", "playing"])


@MOMENTS
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP], ids=lambda how: how.name)
async def test_a_demo_that_is_killed_takes_its_children_with_it(
    bench: Bench, how: signal.Signals, when: Callable[[Bench, Program], bool]
) -> None:
    demo, pids = await started(bench, when)
    assert await demo.end(how) == -how
    await until(lambda: not any(map(alive, pids)), f"{pids} end")


@MOMENTS
async def test_ctrl_c_ends_all_in_order(bench: Bench, when: Callable[[Bench, Program], bool]) -> None:
    demo, pids = await started(bench, when)
    assert await demo.end(signal.SIGINT) == 130
    assert not any(map(alive, pids))
    assert "Traceback" not in demo.text("err")
    assert demo.text("out") == ""
    assert list((bench.folder / "tmp").iterdir()) == []  # socket and port are gone
    if when is playing:
        [journal] = bench.folder.glob("home/tablectl/demo/*/journal.jsonl")
        verify = await bench.start("journal", "verify", journal)
        assert await verify.ended() == 0


@pytest.mark.parametrize("which", ["run", "sim"])
async def test_a_child_that_dies_ends_the_demo_with_a_sentence(bench: Bench, which: str) -> None:
    demo, pids = await started(bench, playing)
    [child] = [
        pid for pid in pids if which.encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    ]
    os.kill(child, signal.SIGKILL)
    assert await demo.ended() == 1
    assert {"run": "daemon", "sim": "simulated table"}[which] in demo.text("err")
    assert "Traceback" not in demo.text("err")
    assert not any(map(alive, pids))


async def test_a_stopped_child_is_ended_too(bench: Bench) -> None:
    """A child that cannot hear what it is told is made to end."""
    demo, pids = await started(bench, playing)
    os.kill(pids[0], signal.SIGSTOP)
    assert await demo.end(signal.SIGINT) == 130
    assert not any(map(alive, pids))


@pytest.mark.long
@pytest.mark.timeout(200)
async def test_a_whole_demo_in_json(bench: Bench) -> None:
    demo = await bench.start("demo", "--json", "--seed", 1)
    pids = await until(lambda: begun(bench, demo) and children(demo.pid), "begun")
    async with asyncio.timeout(150):
        assert await demo.process.wait() == 0
    assert await demo.ended() == 0
    [line] = demo.lines["out"]
    outcome = json.loads(line)
    assert outcome["ok"] is True
    assert (len(outcome["hands"]), outcome["violations"], outcome["crc_errors"]) == (1, 0, 0)
    assert 20 < outcome["wall_s"] < 90
    assert Path(outcome["journal"]).exists()
    assert not any(map(alive, pids))
    assert demo.text("err") == ""


@pytest.mark.long
@pytest.mark.timeout(200)
async def test_a_whole_demo_to_look_at(bench: Bench) -> None:
    began = asyncio.get_running_loop().time()
    demo = await bench.start("demo", "--plain", "--seed", 2)
    await until(lambda: len(demo.lines["out"]) > 2, "something to see")
    assert asyncio.get_running_loop().time() - began < 3
    async with asyncio.timeout(150):
        assert await demo.process.wait() == 0
    await demo.ended()
    assert "discards" in demo.text("out")
    assert "Wire: " in demo.text("out")
    assert "Journal: " in demo.text("out")
