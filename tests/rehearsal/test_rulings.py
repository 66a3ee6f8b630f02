"""Hands given up and dealt anew by two referees at a table that moves: new walls come up, play goes on."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from sim.timebase import run_virtual
from tablectl.api.client import Client
from tablectl.game.inputs import AnyInput
from tablectl.game.invariants import violations
from tablectl.game.state import State
from tablectl.rehearsal.ordeal import check
from tablectl.rehearsal.room import Room, Setting
from tablectl.rehearsal.virtual import play
from tests.rehearsal.played import BOOK, OVERTIME, beliefs

SYSTEMS = ("mcr", "zungjung", "ccm", "wuhan")
HANDS = 2
RESULT = {"hand void": "void", "hand redeal": "redealt"}
TOO_LATE = "refused.no_win_declared"  # the referee confirms a win of a hand that has just been given up
Ruling = tuple[str, int, str]  # phase, discards before, act

OPENING: tuple[Ruling, ...] = (
    ("building", 0, "hand redeal"),
    ("building", 0, "hand void"),
    ("raising", 0, "hand redeal"),
    ("raising", 0, "hand void"),
    ("dice", 0, "hand redeal"),
    ("dice", 0, "hand void"),
)
DEALT: tuple[Ruling, ...] = (
    ("dealing", 0, "hand redeal"),
    ("dealing", 0, "hand void"),
    ("decide", 6, "hand redeal"),
    ("decide", 9, "hand void"),
)
OPEN: tuple[Ruling, ...] = (
    ("claims", 3, "hand redeal"),
    ("claims", 8, "hand void"),
    ("adjudication", 1, "hand redeal"),
    ("adjudication", 1, "hand void"),
)


class Ruled:
    """A session of two hands in which the referees rule as planned, each ruling as soon as it can be."""

    def __init__(self, setting: Setting, plan: tuple[Ruling, ...]) -> None:
        self.setting = setting
        self.plan = list(plan)
        self.wrong: list[str] = []
        self.busy = False
        self.walls: list[int] = []  # walls raised when each ruling was made
        run_virtual(self._play())

    async def _play(self) -> None:
        room = self.room = Room(self.setting, BOOK, self._watch)
        self.pair = (room.client("kim"), room.client("lee"))
        report = await play(room, None, {"rules": self.setting.rules, "hands": HANDS})
        self.wrong += beliefs(room)
        self.wrong += [str(fact) for fact in report.irregular if fact["what"] != OVERTIME]
        self.wrong += [str(refused) for refused in report.refused if refused["key"] != TOO_LATE]
        room.table.machine.places.assert_conserved()
        self.raised = room.table.machine.raised
        journal = await room.close()
        self.state = room.core.state
        self.wrong += check(room, report, journal, BOOK)

    def _watch(self, state: State, n: int, item: AnyInput) -> None:
        self.wrong += [f"record {n}: {found}" for found in violations(state)]
        hand = state.hand
        if hand is None or self.busy or not self.plan:
            return
        phase, turns, act = self.plan[0]
        if hand.phase == phase and hand.turns >= turns:
            self.busy = True
            self.walls.append(self.room.table.machine.raised)
            self.room.loop.create_task(self._rule(act))

    async def _rule(self, act: str) -> None:
        """One asks, and is told that another is needed; the other carries it out."""
        answers = [await self._ask(client, act) for client in self.pair]
        if answers != ["pending", "accepted"]:
            self.wrong.append(f"{self.plan[0]}: {answers}")
        self.plan.pop(0)
        self.busy = False

    @staticmethod
    async def _ask(client: Client, act: str) -> Any:
        return (await client.command(act, confirm=True, reason="tiles fell"))["outcome"]


@pytest.mark.parametrize("plan", [OPENING, DEALT, OPEN], ids=["opening", "dealt", "open tile"])
@pytest.mark.parametrize("fidelity", ["identity", "count"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_new_walls_come_up_and_the_session_goes_on(
    system: str, fidelity: str, plan: tuple[Ruling, ...]
) -> None:
    if fidelity == "count":  # whose turn it is to discard is known only once he has
        plan = tuple(ruling for ruling in plan if ruling[0] != "decide")
    ruled = Ruled(Setting(rules=system, seed=7, fidelity=fidelity), plan)
    assert ruled.wrong == []
    assert not ruled.plan, "it never came to that"
    results = ruled.state.results
    played = [result for result in results if result["result"] not in RESULT.values()]
    assert [result["result"] for result in results if result not in played] == [RESULT[a] for *_, a in plan]
    assert len(played) == HANDS
    assert {result["result"] for result in played} <= {"win", "draw"}
    assert ruled.state.deals == len(plan) + HANDS
    assert ruled.raised == HANDS + sum(phase != "building" for phase, *_ in plan)
    for before, after in pairwise(results):
        match before["result"]:
            case "redealt":
                assert (after["hand"], after["dealer"]) == (before["hand"], before["dealer"])
            case "void":
                assert (after["hand"], after["dealer"]) == (before["hand"] + 1, before["dealer"])


@pytest.mark.rule("MCR-D1")
def test_a_hand_dealt_anew_moves_no_round_on_at_the_table() -> None:
    """The players take the prevalent wind from what the table shows: the fifth walls may be hand four's."""
    asked: list[tuple[str, str]] = []

    class Asked(Ruled):
        def _watch(self, state: State, n: int, item: AnyInput) -> None:
            super()._watch(state, n, item)
            if state.hand is not None and state.hand.phase == "decide":
                judge: Any = self.room.table.people.minds[0]
                shown = judge.judge._prevalent(self.room.table.party.hand.open.number)
                asked.append((state.hand.round, shown))

    plan: tuple[Ruling, ...] = tuple(("dealing", 0, "hand redeal") for _ in range(5))
    ruled = Asked(Setting(seed=3), plan)
    assert ruled.wrong == []
    assert set(asked) == {("E", "E")}
