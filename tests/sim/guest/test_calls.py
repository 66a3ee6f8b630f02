"""Calls out of a guest: a pseudo-terminal for its serial port, a socket for QEMU's end of that."""

from __future__ import annotations

import asyncio
import os
import pty
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from sim.errors import SimError
from sim.guest import calls
from sim.guest.calls import Caller, CallFailed, answer_calls


async def answer(name: str, given: dict[str, Any]) -> object:
    if name == "double":
        return {"twice": 2 * given["number"]}
    raise SimError("no table is open")


@asynccontextmanager
async def called(folder: Path) -> AsyncIterator[Caller]:
    """A caller whose port leads to a socket at which ``answer`` answers."""
    loop = asyncio.get_running_loop()
    master, slave = pty.openpty()

    async def emulator(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        loop.add_reader(master, lambda: writer.write(os.read(master, 4096)))
        while data := await reader.read(7):  # in pieces
            os.write(master, data)
        loop.remove_reader(master)
        writer.close()

    server = await asyncio.start_unix_server(emulator, folder / "calls")
    caller = Caller(Path(os.ttyname(slave)))
    answering = asyncio.create_task(answer_calls(folder / "calls", answer))
    try:
        yield caller
    finally:
        caller.close()
        answering.cancel()
        await asyncio.gather(answering, return_exceptions=True)
        server.close()
        await asyncio.wait([one for one in asyncio.all_tasks() if "emulator" in repr(one)] or [answering])
        os.close(master)
        os.close(slave)


@pytest.mark.process
async def test_what_came_of_a_call_comes_back(tmp_path: Path) -> None:
    async with called(tmp_path) as caller:
        together = await asyncio.gather(*(caller.call("double", number=number) for number in range(3)))
    assert together == [{"twice": 0}, {"twice": 2}, {"twice": 4}]


@pytest.mark.process
async def test_what_could_not_be_done_is_said_in_words_and_the_next_call_is_answered(tmp_path: Path) -> None:
    async with called(tmp_path) as caller:
        with pytest.raises(CallFailed, match="pull: SimError: no table is open"):
            await caller.call("pull")
        with pytest.raises(CallFailed, match="KeyError"):
            await caller.call("double")
        assert await caller.call("double", number=4) == {"twice": 8}


@pytest.mark.process
async def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "PATIENCE_S", 0.05)
    master, slave = pty.openpty()
    caller = Caller(Path(os.ttyname(slave)))
    with pytest.raises(CallFailed, match="nobody answered truth"):
        await caller.call("truth")
    caller.close()
    os.close(master)
    os.close(slave)


async def test_rubbish_on_the_line_is_answered_as_what_it_is() -> None:
    assert "failed" in await calls._answered(b"\xff\n", answer)
