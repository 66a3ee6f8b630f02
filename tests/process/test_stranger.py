"""A board made from SPEC.md alone, by somebody who has seen nothing else, at the other end of a daemon."""

from __future__ import annotations

import ast
import os
import pty
import sys
import tty
from pathlib import Path

import pytest

from tests.process.rig import Bench, Program, watching

pytestmark = pytest.mark.process
STRANGER = Path(__file__).parents[1] / "protocols" / "stranger.py"
TILES, SERIAL = 136, "0001"


def test_it_imports_nothing_of_the_project() -> None:
    tree = ast.parse(STRANGER.read_text("utf-8"))
    imported = {
        alias.name.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names
    }
    imported |= {str(n.module).split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert imported <= sys.stdlib_module_names


async def stranger(bench: Bench) -> Program:
    """The stranger on the master of a pty; the daemon gets the other end."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    bench.port.symlink_to(os.ttyname(slave))
    peer = await bench.start(STRANGER, master, prefix=[sys.executable], pass_fds=[master])
    os.close(master)
    bench.keep_open(slave)  # else the kernel ends the line before the daemon is there
    return peer


async def test_it_says_hello_and_status_builds_a_wall_and_throws_dice(bench: Bench) -> None:
    peer = await stranger(bench)
    daemon = await bench.daemon()
    client = await bench.client()
    events = await watching(client)

    known = (await bench.cli("status", "--json")).json
    assert known["state"]["links"]["table"]["state"] == "online"
    assert known["links"]["table"]["serial"] == SERIAL
    assert known["state"]["table"]["profile"] == TILES

    for operation in ("home", "build", "dice"):
        assert (await bench.cli("machine", operation)).code == 0
        await events.event("event.done", operation=operation)
    assert (await client.query("status"))["state"]["table"]["store"] == "ready"
    thrown = await events.event("event.idle_throw")
    assert thrown["data"]["side"] == 0
    assert all(1 <= face <= 6 for face in thrown["data"]["faces"])

    quality = (await client.query("link status"))["links"]["table"]
    assert (quality["crc_errors"], quality["unknown"], quality["peer_errors"]) == (0, 0, 0)
    assert not [what for kind, what in events.told if kind == "event" and what["key"] == "event.held"]
    assert await daemon.end() == 0
    assert peer.text("err") == ""


async def test_what_it_cannot_do_holds_the_hand_and_is_said(bench: Bench) -> None:
    """A hand needs walls raised; this board homes, changes its profile and builds, and refuses the rest."""
    await stranger(bench)
    await bench.daemon()
    client = await bench.client()
    events = await watching(client)
    await client.command("session start", rules="mcr")
    await client.command("hand start")
    for operation in ("home", "set_profile", "build"):
        await events.event("event.done", operation=operation)
    held = await events.event("event.held", name="order")
    assert held["data"]["facts"] == {"operation": "raise", "refusal": "unsupported"}
    assert "raise" in (await bench.cli("status", "--plain")).out


async def test_a_stranger_that_dies_is_noticed(bench: Bench) -> None:
    peer = await stranger(bench)
    await bench.daemon()
    client = await bench.client()
    events = await watching(client)
    peer.process.kill()
    lost = await events.event("event.link", state="lost")
    assert lost["data"]["word"] in ("board_silent", "cable_pulled")
    assert (await bench.cli("machine", "build")).code == 5
