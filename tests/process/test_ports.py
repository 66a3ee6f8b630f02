"""A port that cannot be opened: missing, busy, forbidden. Three sentences, each with what to do."""

from __future__ import annotations

import asyncio
import errno
import os
import pty
import sys
import tty
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from protocols.errors import PortForbidden
from protocols.transports.serial import open_serial
from tests.process.rig import TABLECTL, WITHOUT_RIGHTS, Bench, Events, Program, Said

pytestmark = [pytest.mark.process, pytest.mark.report("B022")]

HOLDER = """
import ctypes, fcntl, os, sys
ctypes.CDLL(None).prctl(15, b"modem-watcher", 0, 0, 0)
port = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
fcntl.flock(port, fcntl.LOCK_EX)
print("ready", flush=True)
sys.stdin.read()
"""


@dataclass
class Tty:
    """A pty under a stable name."""

    master: int
    slave: int
    link: Path

    @property
    def node(self) -> str:
        return os.ttyname(self.slave)


@pytest.fixture
def port(bench: Bench) -> Iterator[Tty]:
    master, slave = pty.openpty()
    tty.setraw(slave)
    bench.port.symlink_to(os.ttyname(slave))
    yield Tty(master, slave, bench.port)
    os.close(master)
    os.close(slave)


async def hold(bench: Bench, port: Tty) -> Program:
    """Another program takes the port."""
    holder = await bench.start(
        port.link, prefix=[sys.executable, "-c", HOLDER], stdin=asyncio.subprocess.PIPE
    )
    await holder.says("ready")
    return holder


async def reasons(bench: Bench, daemon: Program) -> tuple[Said, Said, str]:
    """What `status` says in both languages, and what the log said."""
    logged = await daemon.says("event.link", where="err")
    said = [await bench.cli("--lang", lang, "status", "--plain") for lang in ("en", "zh")]
    return said[0], said[1], logged


async def test_a_missing_port(bench: Bench) -> None:
    daemon = await bench.daemon()
    english, chinese, logged = await reasons(bench, daemon)
    assert english.code == chinese.code == 5
    assert "no such port: plug the table in or change `port`" in english.out
    assert str(bench.port) in english.out
    assert "没有这个端口" in chinese.out
    assert '"missing"' in logged


async def test_a_busy_port_names_who_has_it(bench: Bench, port: Tty) -> None:
    holder = await hold(bench, port)
    daemon = await bench.daemon()
    english, chinese, logged = await reasons(bench, daemon)
    assert english.code == chinese.code == 5
    assert f"modem-watcher (pid {holder.pid}) holds it. End that program" in english.out
    assert f"{holder.pid}" in chinese.out
    assert '"busy"' in logged
    assert f'"pid": {holder.pid}' in logged


async def test_a_forbidden_port_names_the_group(bench: Bench, port: Tty) -> None:
    os.chmod(port.node, 0)
    daemon = await bench.start(*bench.daemon_words(), prefix=[*WITHOUT_RIGHTS, *TABLECTL])
    await daemon.says("ready")
    english, chinese, logged = await reasons(bench, daemon)
    assert english.code == chinese.code == 5
    assert "no permission to open port" in english.out
    assert "usermod -aG" in english.out
    assert "usermod -aG" in chinese.out
    assert '"forbidden"' in logged


async def test_a_forbidden_port_where_no_right_can_be_dropped(mocker: MockerFixture, tmp_path: Path) -> None:
    (tmp_path / "tty").touch()
    mocker.patch("serial.Serial", side_effect=PermissionError(errno.EACCES, "Permission denied"))
    with pytest.raises(PortForbidden, match="usermod"):
        await open_serial(str(tmp_path / "tty"), mocker.Mock())


async def test_what_is_no_port_at_all(bench: Bench) -> None:
    bench.port.write_text("a file")
    daemon = await bench.daemon()
    english, _, logged = await reasons(bench, daemon)
    assert english.code == 5
    assert "serial port" in english.out
    assert '"unusable"' in logged


async def test_the_three_sentences_differ_and_one_follows_the_other(bench: Bench, port: Tty) -> None:
    """Nothing has to be started again: the reason changes with what is wrong, and each is said once."""
    port.link.unlink()
    daemon = await bench.start(*bench.daemon_words(), prefix=[*WITHOUT_RIGHTS, *TABLECTL])
    await daemon.says("ready")
    events = await Events.of(await bench.client())
    said = []
    await daemon.says('"missing"', where="err")
    said.append((await bench.cli("status")).out)
    holder = await hold(bench, Tty(port.master, port.slave, Path(port.node)))
    port.link.symlink_to(port.node)
    await events.event("event.link", word="busy")
    said.append((await bench.cli("status")).out)
    os.chmod(port.node, 0)
    holder.process.kill()
    await events.event("event.link", word="forbidden")
    said.append((await bench.cli("status")).out)
    assert len(set(said)) == 3
    links = [line for line in daemon.lines["err"] if "event.link" in line]
    assert len(links) == 3
    assert daemon.process.returncode is None


async def test_a_port_that_fails_is_not_hammered(bench: Bench, port: Tty) -> None:
    """It opens and nobody answers: the tries become rarer, and the daemon itself goes on."""
    daemon = await bench.daemon()
    await daemon.says("board_silent", where="err")
    link = (await bench.cli("link", "status", "--json")).json["links"]["table"]
    assert link["word"] == "board_silent"
    assert link["rounds"] >= 1
    assert (await bench.cli("session", "start")).code == 0


async def test_a_lock_file_of_the_dead_keeps_nobody_out(bench: Bench) -> None:
    bench.state.mkdir()
    (bench.state / "lock").write_text("999999\n")
    daemon = await bench.daemon()
    assert (bench.state / "lock").read_text() == f"{daemon.pid}\n"
