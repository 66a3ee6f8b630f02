"""The daemon as a service: a manager that restarts it when it hangs, and a host without any network."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from tablectl.daemon.record import verify
from tests.packages import install
from tests.process.rig import DEADLINE_S, TABLECTL, Bench, watching

pytestmark = pytest.mark.process
WATCHDOG_S = 1.0
HANGS = """
import os, sys, threading
from protocols.atp.driver import AtpDriver
from tablectl.driver_api import Plugin

class Driver(AtpDriver):
    def ask_clock(self):
        if os.path.exists(os.environ["HANG"]):
            print("the driver hangs", file=sys.stderr, flush=True)
            threading.Event().wait()
        return super().ask_clock()

PLUGIN = Plugin(api=1, protocol="ATP", make=lambda opener, options: Driver(opener))
"""
NETWORKS = ("tcp", "tcp6", "udp", "udp6", "raw", "raw6")
ALONE = ["unshare", "--net", "--", *TABLECTL]  # not even a loopback interface that is up


class Manager:
    """A service manager that looks for signs of life."""

    def __init__(self, bench: Bench) -> None:
        path = bench.folder / "notify"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._socket.setblocking(False)
        bench.environ |= {"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": str(round(WATCHDOG_S * 1e6))}

    async def hears(self, seconds: float = DEADLINE_S) -> str:
        """The next message; empty if none comes in that time."""
        try:
            async with asyncio.timeout(seconds):
                return (await asyncio.get_running_loop().sock_recv(self._socket, 100)).decode()
        except TimeoutError:
            return ""

    def close(self) -> None:
        self._socket.close()


@pytest.mark.report("B107")
async def test_a_daemon_that_hangs_is_found_and_the_hand_goes_on(bench: Bench) -> None:
    """The manager is the test: it misses the ping, ends the daemon as it would, and starts it again."""
    manager = Manager(bench)
    await bench.table("--tiles", 136)
    daemon = await bench.daemon()
    assert await manager.hears() == "READY=1"
    client = await bench.client()
    events = await watching(client)
    await client.command("session start", rules="mcr-136")
    await client.command("hand start")
    await events.event("event.done", operation="raise")
    before = (await client.query("status"))["state"]["hand"]
    assert await manager.hears() == "WATCHDOG=1"
    client.close()
    daemon.process.send_signal(signal.SIGSTOP)  # alive, its port and socket open, and nothing moves
    while await manager.hears(WATCHDOG_S):
        pass  # what was on its way
    await daemon.end(signal.SIGKILL)
    await bench.daemon()
    assert await manager.hears() == "READY=1"
    again = await bench.client()
    await watching(again)
    state = (await again.query("status"))["state"]
    assert state["hand"]["no"] == before["no"]
    assert state["hand"]["head"] >= before["head"]
    if any(hold["ends"] == "referee" for hold in state["holds"]):
        assert (await again.command("resume"))["outcome"] == "accepted"
    with (bench.state / "journal.jsonl").open("rb") as lines:
        assert verify(lines).ok
    manager.close()


@pytest.mark.report("B107")
async def test_a_driver_that_never_returns_starves_the_watchdog_and_the_hand_goes_on(bench: Bench) -> None:
    """Only the loop is blocked: threads, process and socket live. The manager aborts it as the unit says, the
    log has where it hung, and the next daemon goes on with the hand."""
    manager, hang = Manager(bench), bench.folder / "hang"
    site = bench.folder / "site"
    site.mkdir()
    install(site, "tablectl-hanging", HANGS, hanging="PLUGIN")
    bench.environ |= {"HANG": str(hang), "PYTHONFAULTHANDLER": "1"}
    bench.environ["PYTHONPATH"] += f":{site}"
    bench.config.write_text('[[device]]\ndriver = "hanging"\n')
    await bench.table("--tiles", 136)
    daemon = await bench.daemon()
    assert await manager.hears() == "READY=1"
    client = await bench.client()
    events = await watching(client)
    await client.command("session start", rules="mcr-136")
    await client.command("hand start")
    await events.event("event.done", operation="raise")
    before = (await client.query("status"))["state"]["hand"]
    client.close()
    hang.touch()
    await daemon.says("the driver hangs", where="err")
    while await manager.hears(WATCHDOG_S):
        pass  # what was on its way
    assert daemon.process.returncode is None
    await daemon.end(signal.SIGABRT)
    assert "in ask_clock" in daemon.text("err"), "where it hung"
    hang.unlink()
    await bench.daemon()
    while await manager.hears() != "READY=1":
        pass
    again = await bench.client()
    await watching(again)
    state = (await again.query("status"))["state"]
    assert (state["hand"]["no"], state["hand"]["head"] >= before["head"]) == (before["no"], True)
    again.close()
    assert await bench.programs[-1].end() == 0
    while await manager.hears() != "STOPPING=1":
        pass
    with (bench.state / "journal.jsonl").open("rb") as lines:
        assert verify(lines).ok
    manager.close()


def sockets_of(pid: int) -> set[str]:
    """Inodes of the sockets a process has open."""
    links = (os.readlink(entry) for entry in Path(f"/proc/{pid}/fd").iterdir())
    return {link[8:-1] for link in links if link.startswith("socket:[")}


def networked(pid: int) -> set[str]:
    """Inodes of all sockets of the internet families that its host has."""
    found = set()
    for family in NETWORKS:
        table = Path(f"/proc/{pid}/net/{family}")
        if table.exists():
            found |= {line.split()[9] for line in table.read_text().splitlines()[1:]}
    return found


def may_unshare() -> bool:
    """Whether a process may be put on a host of its own without a network."""
    command = shutil.which("unshare")
    return (
        bool(command) and subprocess.run([str(command), "--net", "true"], capture_output=True).returncode == 0
    )


@pytest.mark.report("B113")
async def test_the_daemon_binds_no_address_of_any_network(bench: Bench) -> None:
    """Consoles connect over a Unix socket and nothing else yet, so there is no 127.0.0.1 that an IPv6-only
    host would lack, and nothing that 0.0.0.0 would show to others. Web and MQTT come with their own tests."""
    daemon = await bench.daemon()
    assert (await bench.cli("status", "--json")).json["state"]["session"]["state"] == "idle"
    assert sockets_of(daemon.pid)
    assert not sockets_of(daemon.pid) & networked(daemon.pid)


@pytest.mark.report("B113")
@pytest.mark.skipif(not may_unshare(), reason="this user may make no network namespace")
async def test_it_works_on_a_host_without_any_network(bench: Bench) -> None:
    """Neither IPv4 nor IPv6, the loopback interface down: start, console, hand, end."""
    await bench.table("--tiles", 136)
    daemon = await bench.start(*bench.daemon_words(), prefix=ALONE)
    await daemon.says("ready")
    client = await bench.client()
    events = await watching(client)
    await client.command("session start", rules="mcr-136")
    await client.command("hand start")
    await events.event("event.done", operation="raise")
    said = await bench.cli("status", "--json", prefix=ALONE)
    assert said.json["state"]["hand"]["no"] == 1
    client.close()
    assert await daemon.end() == 0
