"""Seats drawn by software through the daemon: asked twice, killed in the middle, replayed from the record."""

from __future__ import annotations

from typing import Any

import pytest

from sim.timebase import run_virtual
from tablectl.daemon import history
from tablectl.daemon.record import verify
from tablectl.game import step as game
from tablectl.game.fairdraw import commitment
from tablectl.rehearsal.room import Room, Setting
from tests.rehearsal.rig import BOOK, replayed


class Drawn:
    """A draw: its answers, what was told, the record, the state it ends with."""

    def __init__(self, *, kill: bool) -> None:
        self.told: list[dict[str, Any]] = []
        self.answers: list[dict[str, Any]] = []
        self.journal = b""
        self.digest = ""
        self.open_draw = b""  # the record while the draw was open
        run_virtual(self._draw(kill))

    async def _draw(self, kill: bool) -> None:
        room = Room(Setting(seed=3), BOOK)
        kim = room.client("kim")
        await kim.watch(lambda kind, what: self.told.append(what) if kind == "event" else None)
        await kim.command("session start", rules="mcr", draw=True)
        for _ in range(2):
            self.answers.append(await kim.command("seat draw", id="draw", by="software"))
        await kim.command("seat contribute", player="p0", number=11)
        self.open_draw = room.journal.data
        if kill:
            await room.kill()
        self.answers.append(await kim.command("seat draw", id="draw", by="software"))
        for player, number in (("p1", 22), ("p2", 33), ("p3", 44)):
            await kim.command("seat contribute", player=player, number=number)
        self.state = room.core.state
        self.journal = await room.close()
        self.digest = game.digest(self.state)

    def event(self, key: str) -> list[dict[str, Any]]:
        return [event["data"] for event in self.told if event["key"] == key]


@pytest.fixture(scope="module", params=[False, True], ids=["undisturbed", "killed in the draw"])
def drawn(request: pytest.FixtureRequest) -> Drawn:
    return Drawn(kill=request.param)


def test_the_same_request_is_one_draw(drawn: Drawn) -> None:
    assert [answer["outcome"] for answer in drawn.answers] == ["accepted"] * 3
    assert len({answer["record"] for answer in drawn.answers}) == 1
    assert len({data["commitment"] for data in drawn.event("event.draw_committed")}) == 1


def test_the_promise_is_kept_across_a_restart(drawn: Drawn) -> None:
    (shown,) = drawn.event("event.draw_revealed")
    assert shown["commitment"] == commitment(shown["secret"])
    assert shown["numbers"] == [11, 22, 33, 44]
    assert drawn.state.session.phase == "running"


def test_the_record_gives_the_same_seats(drawn: Drawn) -> None:
    assert verify(drawn.journal.splitlines(keepends=True)).ok
    assert replayed(drawn.journal) == drawn.digest


def test_the_record_as_shown_hides_the_secret_of_an_open_draw(drawn: Drawn) -> None:
    (shown,) = drawn.event("event.draw_revealed")
    secret = shown["secret"]
    assert secret.encode() in drawn.open_draw
    rows = list(history.show(drawn.open_draw.splitlines(keepends=True)))
    assert any(row.key == "seat draw" for row in rows)
    assert secret not in str(rows)
