"""The ledger: every point that changed hands, line by line, and what follows from the lines.

A line is never changed or taken away. What was wrong is set right by a further line, and points, totals and
ranking are always the sum of the lines. Where the chips on the table bound a payment nobody pays more than
lies before him (CJ-S8).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tablectl.game import figures, slips
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.sessionstate import Entry, SessionState
from tablectl.game.state import State

OPEN_SUM = ("bank",)  # kinds whose points nobody receives, or nobody pays
ONCE = ("hand",)  # kinds a hand has one of
NOT_COUNTED = ("void", "cancelled", "redealt")
BY_RECORD = "score.by_record"  # text key in place of a reason: nobody entered these points
BY_CASE = "score.by_case"  # the same for what a ruling costs
Deltas = dict[str, int]


def on_table(session: SessionState, stage: int) -> list[Entry]:
    """The entries of a stage that lie on the table."""
    return [entry for entry in session.ledger if entry.stage == stage and entry.table]


def stage_of(session: SessionState, hand: int) -> int:
    """The stage a hand belongs to; hand 0 stands for what happens before the first."""
    return max(1, sum(first <= hand for first in session.stage_starts))


def refresh(step: Step) -> None:
    """What lies before each player: the start and the entries of this stage."""
    session = step.state.session
    entries = on_table(session, session.stage)
    start = step.rules.session.start_points.value
    for player in session.players:
        player.points = start + sum(entry.deltas.get(player.id, 0) for entry in entries)


def totals(session: SessionState) -> Deltas:
    """Won and lost over all stages, what was booked beside the table included (CJ-F5, CJ-S10)."""
    return {p.id: sum(entry.deltas.get(p.id, 0) for entry in session.ledger) for p in session.players}


def stage_points(session: SessionState) -> list[Deltas]:
    """Points won and lost in each stage so far."""
    return [
        {
            player.id: sum(e.deltas.get(player.id, 0) for e in session.ledger if e.stage == stage)
            for player in session.players
        }
        for stage in range(1, session.stage + 1)
    ]


def broke(step: Step) -> bool:
    """Have as many players no points left as end the stage (CJ-F4)?"""
    many = step.rules.session.broke_ends.value
    return bool(many) and sum(player.points <= 0 for player in step.state.session.players) >= many


def missing(state: State) -> list[int]:
    """Hands of this session that were won and have no points yet; none where points are kept elsewhere."""
    if not state.session.scored:
        return []
    scored = {entry.hand for entry in state.session.ledger if entry.kind == "hand"}
    return [r["hand"] for r in state.results if r["result"] == "win" and r["hand"] not in scored]


def effective(session: SessionState, n: int) -> Deltas:
    """What an entry comes to with everything that set it right since. Rulings are corrected as such."""
    lines = [entry for entry in session.ledger if n in (entry.n, entry.corrects) and not entry.case]
    return {p.id: sum(line.deltas.get(p.id, 0) for line in lines) for p in session.players}


def by_player(step: Step, points: Sequence[int]) -> Deltas:
    """Points of the four sides as points of who sits there."""
    return {player.id: points[player.side] for player in step.state.session.players}


# acts


def enter(
    step: Step, kind: str, hand: int, given: Mapping[str, int], reason: str, anyway: str = ""
) -> dict[str, Any]:
    """Book points as a referee gives them; ``anyway`` is why a winner gets none, or loses some. Raises
    ``RefusedCommand`` with the likely slip."""
    session = step.state.session
    check_hand(step, kind, hand)
    deltas = {player.id: given.get(player.id, 0) for player in session.players}
    if kind not in OPEN_SUM:
        figures.check_sum(given, deltas)
    if kind in ONCE:
        reason = figures.check_won(step, hand, deltas, reason, anyway)
    stage = stage_of(session, hand)
    table = kind != "off_table"
    entry = Entry(step.n, hand, stage, kind, deltas, reason, table=table)
    if table:
        check_chips(step, entry)
    return book(step, entry)


def by_record(step: Step, kind: str, hand: int, deltas: Deltas, *, table: bool = True) -> None:
    """Book what follows from the record itself: a win the rule book has judged, a kong paid at once."""
    stage = stage_of(step.state.session, hand)
    book(step, Entry(step.n, hand, stage, kind, dict(deltas), BY_RECORD, table=table))


def of_case(
    step: Step, kind: str, hand: int, deltas: Deltas, case: int, *, table: bool = True, corrects: int = 0
) -> None:
    """Book what a ruling costs, or take it back."""
    stage = stage_of(step.state.session, hand) if hand else step.state.session.stage
    book(step, Entry(step.n, hand, stage, kind, dict(deltas), BY_CASE, corrects, table, case))


def take_back(step: Step, hand: int) -> None:
    """The hand does not count: nor do the points the record had booked for it in mid-hand."""
    session = step.state.session
    for entry in [e for e in session.ledger if e.hand == hand and e.reason == BY_RECORD and not e.corrects]:
        back = {id_: -points for id_, points in effective(session, entry.n).items()}
        if any(back.values()):
            line = Entry(step.n, hand, entry.stage, "correction", back, BY_RECORD, entry.n, entry.table)
            book(step, line)


def correct(step: Step, n: int, given: Mapping[str, int], reason: str, anyway: str = "") -> dict[str, Any]:
    """Say what an entry should have been: a further line makes up the difference (B084). Raises
    ``RefusedCommand``."""
    session = step.state.session
    wrong = next((e for e in session.ledger if e.n == n and not e.corrects and not e.case), None)
    if wrong is None:
        raise RefusedCommand("refused.no_such_entry", entry=n)
    old = effective(session, n)
    new = {player.id: given.get(player.id, 0) for player in session.players}
    if wrong.kind not in OPEN_SUM:
        figures.check_sum(given, new)
    if wrong.kind in ONCE:
        reason = figures.check_won(step, wrong.hand, new, reason, anyway)
    deltas = {id_: new[id_] - old[id_] for id_ in new}
    entry = Entry(step.n, wrong.hand, wrong.stage, "correction", deltas, reason, n, wrong.table)
    if wrong.table:
        check_chips(step, entry)
    answer = book(step, entry)
    step.publish("event.score_corrected", entry=n, hand=wrong.hand, old=signed(old), new=signed(new))
    return {**answer, "old": old, "new": new}


def book(step: Step, entry: Entry) -> dict[str, Any]:
    """Add a line and tell everybody what follows from it."""
    session = step.state.session
    session.ledger.append(entry)
    refresh(step)
    step.publish(
        "event.scored",
        hand=entry.hand,
        kind=f"score.{entry.kind}",
        points=signed(entry.deltas),
        totals=totals(session),
    )
    return {"entry": entry.n, "hand": entry.hand, "points": {p.id: p.points for p in session.players}}


def signed(deltas: Mapping[str, int]) -> str:
    """Points as a sheet has them: ``p0 +24, p1 −8``."""
    return ", ".join(f"{id_} {slips.signed(delta)}" for id_, delta in deltas.items())


# what is refused


def check_hand(step: Step, kind: str, hand: int) -> None:
    """Is there such a hand, and may it have such an entry? Raises ``RefusedCommand``."""
    session = step.state.session
    if hand > session.hand_no or (hand == 0 and kind in (*ONCE, "kong")):
        raise RefusedCommand("refused.no_such_hand", hand=hand, newest=session.hand_no)
    results = [r for r in step.state.results if r["hand"] == hand]
    last = results[-1]["result"] if results else ""
    now = step.state.hand
    playing = now is not None and not now.over and now.no == hand
    if last in NOT_COUNTED and not playing and kind in (*ONCE, "kong"):
        raise RefusedCommand("refused.hand_not_counted", hand=hand, result=last)
    if kind not in ONCE:
        return
    if playing:
        raise RefusedCommand("refused.hand_running", hand=hand)
    before = next((e for e in session.ledger if e.kind == kind and e.hand == hand), None)
    if before is not None:
        raise RefusedCommand("refused.scored_already", hand=hand, entry=before.n)


def check_chips(step: Step, entry: Entry) -> None:
    """Nobody pays more than lies before him (CJ-S8). Raises ``RefusedCommand`` saying what is left."""
    session, rules = step.state.session, step.rules.session
    if not rules.chips_bound.value:
        return
    start = rules.start_points.value
    for player in session.players:
        entries = on_table(session, entry.stage)
        held = start + sum(line.deltas.get(player.id, 0) for line in entries)
        pays = -entry.deltas.get(player.id, 0)
        if pays > 0 and pays > held:
            rule = rules.chips_bound.rule
            raise RefusedCommand("refused.chips", player=player.id, held=max(0, held), pays=pays, rule=rule)
