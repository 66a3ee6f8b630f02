"""Hands of the international rules, played with keys at a table that the compiled firmware runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from sim.timebase import run_virtual
from tablectl.daemon.record import verify
from tablectl.game import step as game
from tablectl.game.state import State
from tablectl.rehearsal.referee import Referee, Report
from tablectl.rehearsal.room import Setting
from tests.rehearsal.rig import BOOK, replayed
from tests.sim.firmware.room import FirmwareRoom

PATIENCE_S = 3600.0


@dataclass
class Played:
    report: Report
    journal: bytes
    state: State
    outcomes: list[dict[str, Any]]


async def _play(seed: int, hands: int) -> Played:
    room = FirmwareRoom(Setting(seed=seed, fidelity="count"), BOOK)
    outcomes: list[dict[str, Any]] = []

    def seen(kind: str, what: dict[str, Any]) -> None:
        if kind == "event" and what["key"] == "event.hand_closed":
            outcomes.append(what["data"])

    referee = Referee(room.client("referee"), room.timer, hands=hands, session={"rules": "mcr"}, seen=seen)
    stuck = room.loop.call_later(
        PATIENCE_S, lambda: referee.done.set_exception(TimeoutError(str(room.core.state.hand)))
    )
    report = await referee.run()
    stuck.cancel()
    room.controlled.plant.places.assert_conserved()
    return Played(report, await room.close(), room.core.state, outcomes)


@pytest.fixture(scope="module")
def played() -> Played:
    return run_virtual(_play(11, 1))


def test_a_hand_comes_to_its_end(played: Played) -> None:
    assert [hand["result"] for hand in played.outcomes] in (["win"], ["draw"])
    assert played.report.refused == []


def test_nothing_held_the_table_but_the_win(played: Played) -> None:
    assert played.report.released == []


def test_its_record_verifies_and_gives_the_same_state(played: Played) -> None:
    assert verify(played.journal.splitlines(keepends=True)).ok
    assert replayed(played.journal) == game.digest(played.state)
