"""Wire traffic recorded between a real daemon and a served table, and played again; faults by hand."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from protocols.capture import Way, read_capture
from tablectl.api.client import Client
from tablectl.rehearsal.child import Child

pytestmark = pytest.mark.process

DEADLINE_S = 60.0


async def recorded(folder: Path) -> tuple[Path, list[str], list[int]]:
    """Build once through the recorder, faults put in by hand: (capture, what was said, exit codes)."""
    board, port, socket = folder / "board", folder / "port", folder / "s"
    capture, control = folder / "capture", folder / "ctl"
    (folder / "none.toml").write_text("")
    commands = {
        "table": ["sim", "serve", "--endpoint", f"pty:{board}", "--speed", "200", "--control", str(control)],
        "recorder": ["record", str(board), str(capture), "--endpoint", f"pty:{port}"],
        "daemon": ["run", "--config", str(folder / "none.toml"), "--port", str(port)],
    }
    commands["daemon"] += ["--state-dir", str(folder / "state"), "--socket", str(socket)]
    children: list[Child] = []
    said, codes = [], []
    try:
        for name, args in commands.items():
            children.append(await Child.spawn(name, args, os.environ, folder / f"{name}.log"))
            await children[-1].ready()
        client = await Client.open(socket, actor="kim")
        built, online = asyncio.Event(), asyncio.Event()

        def told(kind: str, what: dict) -> None:
            if kind == "state" and any(link["state"] == "online" for link in what["links"].values()):
                online.set()
            if kind == "event" and what["key"] == "event.link" and what["data"]["state"] == "online":
                online.set()
            if kind == "event" and what["key"] == "event.done" and what["data"]["operation"] == "build":
                built.set()

        async with asyncio.timeout(DEADLINE_S):
            await client.watch(told)
            await online.wait()
            assert (await client.command("machine build"))["outcome"] == "accepted"
            await built.wait()
        for fault in ("now: cover_open", "list", "mend", "nonsense at noon"):
            asked = await asyncio.to_thread(sim_fault, fault, control)
            said.append((asked.stdout + asked.stderr).strip())
            codes.append(asked.returncode)
        client.close()
    finally:
        for child in reversed(children):
            await child.end()
    return capture, said, codes


def sim_fault(fault: str, control: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tablectl", "sim", "fault", fault, "--control", str(control)]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


def test_wire_traffic_is_kept_byte_for_byte_and_played_again(tmp_path):
    capture, said, codes = asyncio.run(recorded(tmp_path))
    assert codes == [0, 0, 0, 2]
    assert "cover_open" in said[0]
    chunks = list(read_capture(capture.open("rb")))
    ways = {chunk.way for chunk in chunks}
    assert ways == {Way.TO_BOARD, Way.TO_HOST}
    told = b"".join(chunk.data for chunk in chunks if chunk.way is Way.TO_HOST)
    assert asyncio.run(played(tmp_path, capture)) == told


async def played(folder: Path, capture: Path) -> bytes:
    """What a host hears from the player."""
    port = folder / "again"
    args = ["replay", str(capture), "--endpoint", f"pty:{port}", "--speed", "50"]
    player = await Child.spawn("player", args, os.environ, folder / "player.log")
    await player.ready()
    heard = bytearray()
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    fd = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)

    def readable() -> None:
        try:
            data = os.read(fd, 65536)
        except OSError:
            data = b""
        heard.extend(data)
        if not data:
            loop.remove_reader(fd)
            ended.set()

    loop.add_reader(fd, readable)
    os.write(fd, b"\0")
    try:
        async with asyncio.timeout(DEADLINE_S):
            await ended.wait()
    finally:
        os.close(fd)
        await player.end()
    return bytes(heard)
