"""What the service manager and whoever started the daemon are told: ready, alive, stopping.

sd_notify is one datagram to a socket named in the environment; without it nothing is sent.
"""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import suppress
from pathlib import Path

READY_LINE = "ready"  # first word of the one line on standard output


def ready(path: Path) -> None:
    """Say where to connect, on standard output and to systemd."""
    print(READY_LINE, path, flush=True)
    _send("READY=1")


def stopping() -> None:
    """Say that the end is wanted, not a crash."""
    _send("STOPPING=1")


def watchdog(loop: asyncio.AbstractEventLoop) -> asyncio.Task[None] | None:
    """Feed systemd's watchdog from the loop that does the work: a loop that hangs is found (B107)."""
    period = int(os.environ.get("WATCHDOG_USEC", "0")) / 1_000_000
    if not period or os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None  # nobody looks, or at another process that started this one
    return loop.create_task(_feed(loop, period / 3), name="watchdog")


async def _feed(loop: asyncio.AbstractEventLoop, seconds: float) -> None:
    while True:
        _send("WATCHDOG=1")
        await asyncio.wait({loop.create_future()}, timeout=seconds)


def _send(message: str) -> None:
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.connect("\0" + address[1:] if address.startswith("@") else address)
        sender.send(message.encode())
