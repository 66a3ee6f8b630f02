"""A whole session in a room: seats drawn, every hand, changes, breaks and the end; what can be judged by.

Whether it ended as it had to is reckoned anew from the results, the ledger and the breaks alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from sim.timebase import run_virtual
from tablectl.game import step as game
from tablectl.game.inputs import AnyInput
from tablectl.game.invariants import violations
from tablectl.game.ledger import OPEN_SUM, on_table
from tablectl.game.sessionstate import Entry
from tablectl.game.state import State
from tablectl.rehearsal.host import Host
from tablectl.rehearsal.host import chance as host_chance
from tablectl.rehearsal.house import House
from tablectl.rehearsal.ordeal import check as check_record
from tablectl.rehearsal.referee import Referee, Report, alone
from tablectl.rehearsal.room import Room, Setting
from tests.rehearsal.played import BOOK, OVERTIME, beliefs

PATIENCE_S = 48 * 3600.0  # of table time
RECORDS = 20_000  # more than a session has
NOT_COUNTED = ("void", "redealt", "cancelled")
SECOND = 1_000_000


@dataclass
class Whole:
    """A session and what was wrong with it."""

    setting: Setting
    report: Report = field(default_factory=Report)
    state: State = field(default_factory=game.new_state)
    wrong: list[str] = field(default_factory=list)
    kills: int = 0

    @property
    def counted(self) -> list[dict[str, Any]]:
        """The results of hands that count."""
        return [result for result in self.state.results if result["result"] not in NOT_COUNTED]


def play_whole(setting: Setting, *, stake: int = 2, by: str = "", **session: Any) -> Whole:
    """Play a session to its end; in chaos the host dies now and then. ``session``: as for `session start`."""
    whole = Whole(setting)
    run_virtual(_play(whole, stake, by, {"rules": setting.rules, "draw": True, **session}))
    return whole


async def _play(whole: Whole, stake: int, by: str, session: dict[str, Any]) -> None:
    setting, wrong = whole.setting, whole.wrong
    chaos = setting.preset == "chaos"
    host = Host(host_chance(setting.seed, RECORDS) if chaos else [])

    def watch(state: State, n: int, item: AnyInput) -> None:
        wrong.extend(f"record {n} ({type(item).__name__}): {found}" for found in violations(state))
        host.after(room, n)

    room = Room(setting, BOOK, watch)
    room.loop.set_exception_handler(lambda loop, context: wrong.append(f"unhandled: {context}"))
    referee = Referee(
        room.client("kim"),
        room.timer,
        hands=None,
        session=session,
        scores=True,
        partner=room.client("lee") if chaos else None,
        eyes=room.eyes,
        aloud=room.aloud,
        house=House(BOOK[setting.rules], setting.seed, stake=stake, by=by),
        court=alone(BOOK[setting.rules], room.client("chief", role="chief")),
    )
    stuck = room.loop.call_later(PATIENCE_S, lambda: referee.done.set_exception(AssertionError(where(room))))
    whole.report = await referee.run()
    stuck.cancel()
    if not chaos:
        wrong += [f"belief: {found}" for found in beliefs(room)]
        wrong += [f"refused: {refused}" for refused in whole.report.refused]
        wrong += [f"irregular: {fact}" for fact in whole.report.irregular if fact["what"] != OVERTIME]
    room.table.machine.places.assert_conserved()
    record = await room.close()
    whole.kills, whole.state = room.life - 1, room.core.state
    wrong += check_record(room, whole.report, record, BOOK)
    wrong += ended_wrongly(whole)


def where(room: Room) -> str:
    """How far a session is that does not go on."""
    state = room.core.state
    hand = f"hand {state.hand.no} in {state.hand.phase}" if state.hand else "no hand"
    return f"stuck: {state.session.phase}, {hand}, holds {sorted(state.holds)}, order {state.table.order}"


def ended_wrongly(whole: Whole) -> list[str]:
    """What is wrong with the end of the session and with its points."""
    session = whole.state.session
    found = []
    if session.phase != "over":
        found.append(f"the session is {session.phase}")
    right = reasons(whole)
    if session.ended not in right:
        found.append(f"it ended by {session.ended!r} where {sorted(right)} were right")
    for entry in session.ledger:
        if sum(entry.deltas.values()) and entry.kind not in OPEN_SUM and not entry.corrects:
            found.append(f"the points of {entry.n} do not sum to zero: {entry.deltas}")
    found += [f"hand {hand} has no points" for hand in unscored(whole)]
    start = BOOK[whole.setting.rules].session.start_points.value
    for player in session.players:
        held = start + sum(entry.deltas[player.id] for entry in of_stage(whole, session.stage))
        if player.points != held:
            found.append(f"{player.id} has {player.points}, the ledger says {held}")
    return found


def unscored(whole: Whole) -> list[int]:
    """Hands won without points, but for those whose points were refused."""
    refused = {refusal["data"].get("hand") for refusal in whole.report.refused}
    scored = {entry.hand for entry in whole.state.session.ledger}
    return [
        result["hand"]
        for result in whole.state.results
        if result["result"] == "win" and result["hand"] not in scored | refused
    ]


def of_stage(whole: Whole, stage: int) -> list[Entry]:
    return on_table(whole.state.session, stage)


def reasons(whole: Whole) -> set[str]:
    """Why the last stage may have ended."""
    state, session = whole.state, whole.state.session
    rules = BOOK[whole.setting.rules].session
    first = session.stage_starts[-1]
    results = [r for r in state.results if r["hand"] >= first]
    counted = [r for r in results if r["result"] not in NOT_COUNTED]
    found = set()
    passed = sum(deal_passes(result, rules.dealer_keeps.value) for result in counted)
    if len(counted) == session.hands or (not session.hands and passed == 4 * len(rules.rounds.value)):
        found.add("hands")
    if rules.time_s.value and playing_time(whole, results) >= rules.time_s.value * SECOND:
        found.add("time")
    many = rules.broke_ends.value
    points = [player.points for player in session.players]
    if many and sum(held <= 0 for held in points) >= many:
        found.add("broke")
    return found


def deal_passes(result: dict[str, Any], keeps: tuple[str, ...]) -> bool:
    """Does another player deal the hand after this one (MCR-D1, CJ-D1, WH-D1)?"""
    if result["result"] == "win":
        winners = [win["winner"] for win in result["winners"]]
        return "win" not in keeps or result["dealer"] not in winners
    return "draw" not in keeps


def playing_time(whole: Whole, results: list[dict[str, Any]]) -> int:
    """µs from the first hand of a stage to its end, without the breaks. It may end between two hands."""
    begun, ended = results[0]["started"], max(results[-1]["ended"], whole.state.session.closed_at)
    rests = sum((b.ended or 0) - b.started for b in whole.state.session.breaks if begun < b.started < ended)
    return int(ended - begun - rests)


def dealers(whole: Whole) -> list[str]:
    """Who dealt each hand that counts."""
    return [result["dealer"] for result in whole.counted]


def rounds_of(whole: Whole) -> list[int]:
    """In which round each hand that counts was played, from 0."""
    keeps = BOOK[whole.setting.rules].session.dealer_keeps.value
    passed = accumulate((deal_passes(r, keeps) for r in whole.counted[:-1]), initial=0)
    return [times // 4 for times in passed]
