"""The board written from SPEC.md alone keeps it: stepped in lockstep on a byte pipe, in virtual time."""

from __future__ import annotations

import asyncio
import os
from random import Random

import pytest

from protocols.conformance.settings import Settings
from protocols.conformance.suite import Report, run_suite
from protocols.transports.base import Stream, StreamHandler
from sim.timebase import run_virtual
from tests.protocols import stranger

STEP = 0.005  # seconds between two turns of its main loop
AT_MOST = 1 << 16


class Pipe:
    """A line to a stranger: its clock is the loop's, its bytes go through a pipe of the system."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._loop = asyncio.get_running_loop()
        self._out, end = os.pipe()
        os.set_blocking(self._out, False)
        monkeypatch.setattr(stranger.Board, "now", lambda board: self._loop.time())
        self._board = stranger.Board(end)
        self._handler: StreamHandler | None = None
        self._timer = self._loop.call_later(STEP, self._turn)

    async def open(self, handler: StreamHandler) -> Stream:
        self._handler = handler
        return self

    def write(self, data: bytes) -> None:
        self._loop.call_soon(self._feed, data)

    def close(self) -> None:
        self._timer.cancel()
        self._handler = None
        for end in (self._out, self._board.fd):
            os.close(end)

    def _feed(self, data: bytes) -> None:
        if self._handler is not None:
            self._board.feed(data)
            self._deliver()

    def _turn(self) -> None:
        self._board.tick()
        self._deliver()
        self._timer = self._loop.call_later(STEP, self._turn)

    def _deliver(self) -> None:
        try:
            data = os.read(self._out, AT_MOST)
        except BlockingIOError:
            return
        if self._handler is not None:
            self._handler.received(data)


def test_a_board_written_from_the_spec_alone_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> Report:
        return await run_suite(Pipe(monkeypatch).open, Settings(motion=True, baud=0, rng=Random(1)))

    report = run_virtual(main())
    assert [(one.requirement, one.evidence) for one in report.failed] == []
    assert len(report.passed) > 60
