"""Connecting and hanging up leaves nothing behind, on every driver and transport."""

from __future__ import annotations

import asyncio
import os
import threading
from typing import Any

import pytest

from tablectl.rehearsal.scenarios.endpoint import Away, Endpoint
from tablectl.rehearsal.scenarios.endpoints import ENDPOINTS
from tablectl.rehearsal.scenarios.endpoints.memory import AtpTable, Memory
from tablectl.rehearsal.scenarios.rounds import go_round

FEW, MANY = 50, 500
EVERY = pytest.mark.parametrize(
    "endpoint",
    [
        pytest.param(one, id=one.name)
        for one in ENDPOINTS
        if not isinstance(one, Away) and not one.missing()  # those are opened in a guest, by test_boot.py
    ],
)


@pytest.mark.process
@EVERY
def test_fifty_rounds_leave_nothing(endpoint: Endpoint) -> None:
    assert go_round(endpoint, FEW).left == ()


@pytest.mark.long
@pytest.mark.process
@EVERY
def test_five_hundred_rounds_leave_nothing(endpoint: Endpoint) -> None:
    assert go_round(endpoint, MANY).left == ()


@pytest.mark.parametrize("kind", ["files", "threads", "tasks"])
def test_what_stays_is_found(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    ended = threading.Event()
    kept: list[Any] = []

    async def forgets(self: AtpTable) -> None:
        match kind:
            case "files":
                kept.append(os.open("/dev/null", os.O_RDONLY))
            case "threads":
                kept.append(threading.Thread(target=ended.wait))
                kept[-1].start()
            case _:
                kept.append(asyncio.get_running_loop().create_task(asyncio.Event().wait()))

    monkeypatch.setattr(AtpTable, "settle", forgets)
    try:
        assert [what.partition(":")[0] for what in go_round(Memory(), 1).left] == [kind]
    finally:
        ended.set()
        for one in kept:
            os.close(one) if kind == "files" else one.join() if kind == "threads" else None


def test_a_driver_that_stays_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[object] = []
    made = AtpTable.__init__

    def keeps(self: AtpTable, seed: int) -> None:
        made(self, seed)
        make = self.driver

        def driver() -> Any:
            kept.append(make())
            return kept[-1]

        self.driver = driver

    monkeypatch.setattr(AtpTable, "__init__", keeps)
    assert go_round(Memory(), 2).left == ("2 drivers",)
