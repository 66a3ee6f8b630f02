"""The scripted referee: what it reads off the table, when it stops, the points it makes up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from sim.timebase import TableTimer, pause, run_virtual
from tablectl.rehearsal import points
from tablectl.rehearsal.house import House
from tablectl.rehearsal.referee import Referee
from tablectl.rehearsal.room import Setting, needs_eyes
from tablectl.rules.book import load_book

Told = Callable[[str, dict[str, Any]], None]


class Daemon:
    """A client that accepts everything and keeps what was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.told: Told = lambda kind, what: None

    async def watch(self, told: Told) -> None:
        self.told = told

    def new_id(self) -> str:
        return "id"

    async def command(self, name: str, *, id: str, **args: Any) -> dict[str, Any]:
        self.asked.append((name, args))
        return {"outcome": "accepted", "record": len(self.asked)}

    def event(self, key: str, **data: Any) -> None:
        self.told("event", {"key": f"event.{key}", "data": data})

    @property
    def commands(self) -> list[str]:
        return [name for name, _ in self.asked]


def refereed(play: Callable[[Daemon], Any], **options: Any) -> Daemon:
    """Let a referee run while ``play`` tells it what happens."""

    async def main() -> Daemon:
        daemon = Daemon()
        client: Any = daemon
        loop = asyncio.get_running_loop()
        referee = Referee(client, TableTimer(loop), session={"rules": "wuhan"}, **options)
        task = loop.create_task(referee.run())
        await pause(1.0)
        await play(daemon)
        await task
        return daemon

    return run_virtual(main())


@pytest.mark.rule("WH-W2")
def test_the_indicator_is_entered_as_soon_as_it_lies_there() -> None:
    lying = ["", "", "5p"]

    async def eyes() -> str:
        return lying.pop(0) if len(lying) > 1 else lying[0]

    async def play(daemon: Daemon) -> None:
        daemon.event("phase", phase="dealing")
        await pause(10.0)
        daemon.event("hand_closed", hand=1, result="draw")

    asked = refereed(play, hands=1, eyes=eyes).asked
    assert [entry for entry in asked if entry[0] == "indicator"] == [("indicator", {"tile": "5p"})]


def test_nobody_looks_for_an_indicator_once_the_hand_is_over() -> None:
    async def eyes() -> str:
        return ""

    async def play(daemon: Daemon) -> None:
        daemon.event("phase", phase="dealing")
        await pause(5.0)
        daemon.event("hand_closed", hand=1, result="void")

    assert "indicator" not in refereed(play, hands=1, eyes=eyes).commands


@pytest.mark.parametrize(
    ("rules", "fidelity", "needed"),
    [("wuhan", "count", True), ("wuhan", "identity", False), ("mcr", "count", False)],
)
def test_only_a_table_that_reads_no_tiles_needs_eyes(rules: str, fidelity: str, needed: bool) -> None:
    assert needs_eyes(Setting(rules=rules, fidelity=fidelity), load_book()) is needed


def test_a_whole_session_goes_on_until_it_is_over() -> None:
    async def play(daemon: Daemon) -> None:
        for hand in range(1, 4):
            daemon.event("hand_closed", hand=hand, result="draw")
            if hand == 3:
                daemon.event("session", phase="over")
            await pause(30.0)

    assert refereed(play, hands=None).commands == ["session start", *["hand start"] * 3]


def test_points_are_entered_before_the_next_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points, "can_be_entered", lambda: True)

    async def play(daemon: Daemon) -> None:
        daemon.event("hand_closed", hand=1, result="win", **{"winner": "p1", "from": "p3"})
        await pause(30.0)
        daemon.event("hand_closed", hand=2, result="draw", winner=None)
        daemon.event("session", phase="over")

    asked = refereed(play, hands=None, scores=True).asked
    assert asked[2:] == [
        ("score enter", {"hand": 1, "p0": 0, "p1": 6, "p2": 0, "p3": -6}),
        ("hand start", {}),
    ]


@pytest.mark.parametrize(
    ("result", "sums"),
    [
        pytest.param({"winner": "p1", "from": None}, [-2, 6, -2, -2], id="self-drawn"),
        pytest.param({"winner": "p1", "from": "p0"}, [-6, 6, 0, 0], id="on a discard"),
        pytest.param({"winner": None}, [0, 0, 0, 0], id="drawn"),
        pytest.param(
            {"winner": "p1", "winners": [{"winner": "p1", "from": "p0"}, {"winner": "p3", "from": "p0"}]},
            [-12, 6, 0, 6],
            id="two winners",
        ),
    ],
)
def test_points_sum_to_zero(result: dict[str, Any], sums: list[int]) -> None:
    assert list(points.points_of(result).values()) == sums
    assert sum(sums) == 0
    assert list(points.totals([result, result]).values()) == [2 * number for number in sums]
    won = points.wins([result])
    assert [won[name] > 0 for name in points.PLAYERS] == [number > 0 for number in sums]


@pytest.mark.rule("CJ-S8")
def test_nobody_pays_more_than_he_holds_and_winners_are_paid_in_order() -> None:
    won = [{"winner": "p1", "from": "p0"}, {"winner": "p2", "from": "p0"}]
    held = {"p0": 50, "p1": 100, "p2": 100, "p3": 100}
    paid = points.points_of({"winners": won}, 12, held)
    assert paid == {"p0": -50, "p1": 36, "p2": 14, "p3": 0}


@pytest.mark.rule("CJ-F2")
def test_lots_give_everybody_another_seat_in_each_of_four_stages() -> None:
    house = House(load_book()["ccm-4x4"], 5)
    draws = [dict(args) for _ in range(4) for _, args in house.draw()]
    for wind in ("east", "south", "west", "north"):
        assert len({draw[wind] for draw in draws}) == 4
