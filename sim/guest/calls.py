"""Calls from inside a guest to this computer, for what only it can do: one JSON value a line, on a second
serial port of the guest.

    devices(path)                       here: what QEMU gives the guest for it
    await answer_calls(path, answer)    here: answers until the guest has ended
    caller = Caller()                   in the guest
    await caller.call("truth")

A call is an object with the key ``call`` and its arguments; the answer has ``came`` or, in words, ``failed``.
"""

from __future__ import annotations

import asyncio
import json
import os
import termios
import tty
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from sim.errors import SimError

PORT = Path("/dev/ttyS1")
PATIENCE_S = 60.0  # for an answer: a board may have to boot meanwhile
PIECE = 4096
Answer = Callable[[str, dict[str, Any]], Awaitable[object]]


class CallFailed(SimError):
    """What was asked for from inside a guest did not happen."""


def devices(path: Path) -> list[str]:
    """A serial port besides the console, whose other end is the socket ``path``."""
    return ["-chardev", f"socket,id=calls,path={path},server=on,wait=off", "-serial", "chardev:calls"]


async def answer_calls(path: Path, answer: Answer) -> None:
    """Connect to QEMU's end and answer what is asked; returns when QEMU hangs up."""
    reader, writer = await asyncio.open_unix_connection(str(path))
    try:
        async for line in reader:
            said = await _answered(line, answer)
            writer.write(json.dumps(said).encode() + b"\n")
            await writer.drain()
    except ConnectionError:
        return  # the guest was switched off
    finally:
        writer.close()


async def _answered(line: bytes, answer: Answer) -> dict[str, object]:
    try:
        given = json.loads(line)
        return {"came": await answer(given.pop("call"), given)}
    except (SimError, OSError, TimeoutError, ValueError, KeyError) as error:
        return {"failed": f"{type(error).__name__}: {error}"}


class Caller:
    """The guest's end, in the running loop. One call after the other."""

    def __init__(self, port: Path = PORT) -> None:
        self._loop = asyncio.get_running_loop()
        self._port = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._port)
        settings = termios.tcgetattr(self._port)
        settings[4] = settings[5] = termios.B115200
        termios.tcsetattr(self._port, termios.TCSANOW, settings)
        termios.tcflush(self._port, termios.TCIOFLUSH)
        self._heard = b""
        self._line: asyncio.Future[bytes] | None = None
        self._turn = asyncio.Lock()
        self._loop.add_reader(self._port, self._readable)

    def _readable(self) -> None:
        line, end, rest = (self._heard + os.read(self._port, PIECE)).partition(b"\n")
        self._heard = rest if end else line
        if end and self._line is not None and not self._line.done():
            self._line.set_result(line)

    async def call(self, name: str, **given: object) -> Any:
        """Ask, and wait for what came of it. Raises ``CallFailed``."""
        async with self._turn:
            self._line = self._loop.create_future()
            os.write(self._port, json.dumps({"call": name, **given}).encode() + b"\n")
            try:
                said = json.loads(await asyncio.wait_for(self._line, PATIENCE_S))
            except TimeoutError as late:
                raise CallFailed(f"nobody answered {name} within {PATIENCE_S:.0f} s") from late
        if "failed" in said:
            raise CallFailed(f"{name}: {said['failed']}")
        return said["came"]

    def close(self) -> None:
        """Hang up."""
        self._loop.remove_reader(self._port)
        os.close(self._port)
