"""What is written while something is wrong for long: the log and the journal, in bytes and lines.

The figures are those of docs/operator.md, "The log".
"""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import NamedTuple

import pytest

from sim.timebase import pause, run_virtual
from tablectl.daemon.logs import LINES_A_MINUTE, FoldingHandler, JsonFormatter, log_events
from tablectl.rehearsal.room import Setting
from tests.rehearsal.soak import Soak

HOUR = 3600.0
MINUTES = 10
RATE = 11_520  # bytes a second of a line at 115200 baud
SLICE_S = 0.1

Trouble = Callable[[Soak], Awaitable[None]]


class Written(NamedTuple):
    """What was written during the trouble."""

    lines: int
    log_bytes: int
    records: int
    journal_bytes: int


@contextmanager
def log_of(loop: asyncio.AbstractEventLoop) -> Iterator[io.StringIO]:
    """The daemon's log, on the time of the loop."""
    file = io.StringIO()
    handler = FoldingHandler(file, loop.time)
    handler.setFormatter(JsonFormatter())
    logger = logging.getLogger("tablectl")
    level = logger.level
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    yield file
    logger.removeHandler(handler)
    logger.setLevel(level)


def written(trouble: Trouble) -> Written:
    """Let a hand be played, and then the trouble last."""

    async def main() -> Written:
        soak = Soak(Setting(seed=3))
        soak.begin()
        room = soak.room
        log_events(room.core)
        session = room.loop.create_task(soak.session(99))
        await pause(180)
        with log_of(room.loop) as log:
            before = room.journal.head.n, len(room.journal.data)
            await trouble(soak)
            await pause(0.1)
            lines = log.getvalue().splitlines()
            records, size = room.journal.head.n - before[0], len(room.journal.data) - before[1]
        assert not soak.broken
        assert not soak.unhandled
        session.cancel()
        with suppress(asyncio.CancelledError):
            await session
        await room.close()
        return Written(len(lines), sum(len(line) + 1 for line in lines), records, size)

    return run_virtual(main())


async def unplugged(soak: Soak) -> None:
    soak.room.line.unplug()
    await pause(HOUR)


async def drowned(soak: Soak) -> None:
    """Nothing of either end gets through, and the host hears rubbish as fast as the line can carry it."""
    line, rng = soak.room.line, Random(1)
    line.to_board.deaf = True
    soak.room.table.board.detach()
    for _ in range(round(MINUTES * 60 / SLICE_S)):
        line.write(rng.randbytes(round(RATE * SLICE_S)))
        await pause(SLICE_S)


async def dirty(soak: Soak) -> None:
    """Half of all frames and more are damaged, so that the link comes and goes."""
    for noise in (soak.room.line.to_host, soak.room.line.to_board):
        noise.damage, noise.drop = 0.04, 0.02
    await pause(MINUTES * 60)


async def loose(soak: Soak) -> None:
    """A plug that loses contact every few seconds."""
    for _ in range(MINUTES * 60 // 3):
        soak.room.line.unplug()
        await pause(0.3)
        soak.room.line.replug()
        await pause(2.7)


@pytest.mark.report("B110")
def test_an_hour_without_a_cable_is_a_few_lines_and_records() -> None:
    grown = written(unplugged)
    assert grown.lines == 3
    assert grown.log_bytes < 1000
    assert grown.records == 6
    assert grown.journal_bytes < 2500


@pytest.mark.report("B110")
@pytest.mark.parametrize("trouble", [drowned, dirty])
def test_ten_minutes_of_noise_are_a_few_lines_and_records(trouble: Trouble) -> None:
    grown = written(trouble)
    assert 0 < grown.lines <= 40
    assert grown.records <= 60
    assert grown.journal_bytes <= 20_000


@pytest.mark.report("B110")
def test_a_loose_plug_is_counted() -> None:
    losses = MINUTES * 60 // 3
    grown = written(loose)
    assert grown.lines <= MINUTES * LINES_A_MINUTE
    assert grown.lines < 3 * losses, "six lines a loss without counting"
    assert grown.log_bytes <= MINUTES * 15_000
    assert grown.journal_bytes <= losses * 5_000
