"""What the service manager is told: it hears from the loop that does the work, and from nothing else."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sim.timebase import linger
from tablectl.daemon import notify

pytestmark = pytest.mark.process
WATCHDOG_S = 0.3
PATIENCE_S = 20.0


class Manager:
    """The service manager's end."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "notify"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(self.path))
        self._socket.setblocking(False)

    async def hears(self) -> str:
        """The next message."""
        async with asyncio.timeout(PATIENCE_S):
            data = await asyncio.get_running_loop().sock_recv(self._socket, 100)
        return data.decode()

    def waiting(self) -> list[str]:
        """Messages that came while nobody listened."""
        found = []
        try:
            while True:
                found.append(self._socket.recv(100).decode())
        except BlockingIOError:
            return found

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def manager(monkeypatch: pytest.MonkeyPatch) -> Iterator[Manager]:
    with TemporaryDirectory(prefix="notify-") as folder:
        made = Manager(Path(folder))
        monkeypatch.setenv("NOTIFY_SOCKET", str(made.path))
        monkeypatch.setenv("WATCHDOG_USEC", str(round(WATCHDOG_S * 1e6)))
        yield made
        made.close()


@pytest.mark.report("B107")
async def test_a_blocked_loop_does_not_say_that_it_is_alive(manager: Manager) -> None:
    """A driver that never returns: the process lives and its sockets are open, but the loop does no work."""
    task = notify.watchdog(asyncio.get_running_loop())
    assert task is not None
    for _ in range(3):
        assert await manager.hears() == "WATCHDOG=1"
    manager.waiting()
    linger(2 * WATCHDOG_S)
    assert manager.waiting() == [], "for longer than the manager waits"
    assert await manager.hears() == "WATCHDOG=1"
    task.cancel()


async def test_without_a_watchdog_nothing_is_fed(manager: Manager, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WATCHDOG_USEC")
    assert notify.watchdog(asyncio.get_running_loop()) is None


async def test_a_watchdog_of_another_process_is_not_fed(
    manager: Manager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_PID", "1")
    assert notify.watchdog(asyncio.get_running_loop()) is None


async def test_without_a_manager_nothing_happens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for address in ("", str(tmp_path / "nobody")):
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        notify.stopping()
