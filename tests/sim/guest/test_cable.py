"""The cable to the adapter of a guest, between sockets as QEMU has them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from protocols.atp import messages as m
from protocols.atp.frame import Frame
from sim.guest.cable import Cable

Pipe = tuple[asyncio.StreamReader, asyncio.StreamWriter]
QUIET_S = 0.1


class Ends:
    """What QEMU is to a cable: a server for the adapter, and the board that connects."""

    def __init__(self, folder: Path) -> None:
        self.cable = Cable(folder)
        self.plugged: asyncio.Queue[Pipe] = asyncio.Queue()
        self._folder = folder

    async def start(self) -> None:
        await self.cable.open()

        async def there(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await self.plugged.put((reader, writer))

        self.server = await asyncio.start_unix_server(there, self._folder / "adapter")

    async def plug(self) -> Pipe:
        await self.cable.plug()
        return await asyncio.wait_for(self.plugged.get(), 5)

    async def board(self) -> Pipe:
        return await asyncio.open_unix_connection(str(self._folder / "board"))


@asynccontextmanager
async def ends(folder: Path) -> AsyncIterator[Ends]:
    both = Ends(folder)
    await both.start()
    try:
        yield both
    finally:
        both.cable.close()
        both.server.close()


def frame(number: int) -> bytes:
    return Frame(1, number, m.Done.TYPE, m.Done(id=number).to_bytes()).to_bytes()


async def heard(pipe: Pipe, size: int) -> bytes:
    return await asyncio.wait_for(pipe[0].readexactly(size), 5)


@pytest.mark.process
async def test_bytes_pass_both_ways(tmp_path: Path) -> None:
    async with ends(tmp_path) as both:
        adapter, board = await both.plug(), await both.board()
        board[1].write(frame(1)[:5])
        board[1].write(frame(1)[5:])
        assert await heard(adapter, len(frame(1))) == frame(1)
        adapter[1].write(b"order")
        assert await heard(board, 5) == b"order"


@pytest.mark.process
async def test_a_pulled_cable_loses_what_is_said_meanwhile_and_the_board_lives_on(tmp_path: Path) -> None:
    async with ends(tmp_path) as both:
        adapter, board = await both.plug(), await both.board()
        both.cable.pull()
        assert await asyncio.wait_for(adapter[0].read(), 5) == b""  # to QEMU: out
        board[1].write(frame(1))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(board[0].read(1), QUIET_S)
        adapter = await both.plug()
        board[1].write(frame(2))
        assert await heard(adapter, len(frame(2))) == frame(2)


@pytest.mark.process
async def test_the_adapter_stays_when_the_board_loses_its_power(tmp_path: Path) -> None:
    async with ends(tmp_path) as both:
        adapter, board = await both.plug(), await both.board()
        board[1].write(frame(1)[:5])  # it dies in the middle of a word
        await board[1].drain()
        await asyncio.wait([asyncio.create_task(adapter[0].read(1))], timeout=QUIET_S)
        board[1].close()
        await board[1].wait_closed()
        again = await both.board()
        again[1].write(frame(2))
        assert await heard(adapter, len(frame(2))) == frame(2)


@pytest.mark.process
async def test_an_answer_is_lost_on_the_way(tmp_path: Path) -> None:
    async with ends(tmp_path) as both:
        adapter, board = await both.plug(), await both.board()
        both.cable.lossy.uplink.lose_replies()
        for number in (1, 2):
            for piece in (frame(number)[:7], frame(number)[7:]):
                board[1].write(piece)
        assert await heard(adapter, len(frame(2))) == frame(2)
