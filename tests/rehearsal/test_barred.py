"""Simulated players are told what a ruling bars them from, and keep to it."""

from __future__ import annotations

from typing import Any

import pytest

from sim.timebase import run_virtual
from tablectl.game.invariants import violations
from tablectl.rehearsal.referee import Referee
from tablectl.rehearsal.room import Room, Setting
from tests.rehearsal.played import BOOK

SOUTH = 1
TOLD_S = 3.0  # table seconds until a player must have heard it
MICROSECONDS = 1_000_000


class Evening:
    """One hand in which South is ruled out of something after the first discard."""

    def __init__(self, setting: Setting, offence: str) -> None:
        self.offence = offence
        self.ruled_at: int | None = None
        self.answer: dict[str, Any] = {}
        self.acts: list[tuple[str, str]] = []
        self.wrong: list[str] = []
        self.discards = 0
        self.setting = setting

    async def play(self) -> None:
        room = self.room = Room(
            self.setting, BOOK, lambda state, n, item: self.wrong.extend(violations(state))
        )
        self.lee = room.client("lee")
        referee = Referee(
            room.client("kim"),
            room.timer,
            hands=1,
            session={"rules": self.setting.rules, "hands": 1},
            seen=self.seen,
            eyes=room.eyes,
            aloud=room.aloud,
        )
        self.report = await referee.run()
        await room.close()

    def seen(self, kind: str, what: dict[str, Any]) -> None:
        key, data = what.get("key"), what.get("data") or {}
        if kind != "event" or data.get("side") != SOUTH:
            if key == "event.discarded" and self.ruled_at is None:
                self.ruled_at = self.room.clock.now_us()
                self.room.loop.create_task(self.rule())
            return
        late = self.ruled_at is not None and self.room.clock.now_us() > self.ruled_at + TOLD_S * MICROSECONDS
        if late and key in ("event.claimed", "event.refused", "event.win_declared", "event.kong"):
            self.acts.append((str(key), str(data.get("word"))))
        self.discards += late and key == "event.discarded"

    async def rule(self) -> None:
        self.answer = await self.lee.command("penalty add", seat="S", article=self.offence)


@pytest.mark.rule("ZJ-P12", "CJ-C5", "CJ-P3")
@pytest.mark.parametrize("seed", [3, 4])
@pytest.mark.parametrize(("rules", "offence"), [("zungjung", "long_hand"), ("ccm", "long_hand")])
def test_a_player_who_is_barred_calls_nothing_and_plays_along(rules, offence, seed) -> None:
    evening = Evening(Setting(rules=rules, seed=seed), offence)
    run_virtual(evening.play())
    assert evening.answer["outcome"] == "accepted", evening.answer
    assert evening.acts == []
    assert evening.wrong == []
    assert evening.discards > 2
