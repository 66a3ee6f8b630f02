"""What has to be settled before the next walls are built: points nobody entered, chips that do not add up.

A hand that was won has points, and what lies before the players is what the record says. Who starts the next
hand all the same says why; the reason stays in the record and on the sheet, and the debt stays open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablectl.game import ledger, slips
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.sessionstate import Count, SessionState
from tablectl.game.state import State

START, END = "start", "end"
PAID_LATE = ("hand", "kong", "correction", "reseat")  # entered after the chips had moved


def gate(step: Step, anyway: str = "") -> None:
    """Let the next hand begin, or raise ``RefusedCommand`` with what is open and the likely slip."""
    session = step.state.session
    owing = [hand for hand in ledger.missing(step.state) if hand not in session.waived]
    wrong = standing_difference(session)
    if not anyway and owing:
        raise _no_points(step.state, owing[0])
    if not anyway and wrong is not None:
        raise RefusedCommand("refused.count_differs", **_facts(session, wrong))
    for hand in owing:
        session.waived[hand] = anyway
    if wrong is not None:
        wrong.waived = anyway
    if owing or wrong is not None:
        step.publish("event.unsettled_start", reason=anyway, hands=owing)


def _no_points(state: State, hand: int) -> RefusedCommand:
    """The refusal for a won hand without points: perhaps they stand at a hand nobody won."""
    winner = next(r["winner"] for r in state.results if r["hand"] == hand and r["result"] == "win")
    won = {r["hand"] for r in state.results if r["result"] == "win"}
    astray = [
        e for e in state.session.ledger if e.kind == "hand" and e.hand not in won and any(e.deltas.values())
    ]
    if not astray:
        return RefusedCommand("refused.hand_owes", hand=hand, player=winner)
    entry = astray[-1]
    facts = {"other": entry.hand, "entry": entry.n, "points": ledger.signed(entry.deltas)}
    return RefusedCommand("refused.hand_owes_astray", hand=hand, player=winner, **facts)


# what lies on the table


def count(step: Step, counted: Mapping[str, int]) -> dict[str, Any]:
    """Somebody counted what lies before players (MCR-C9, CJ-F9): what differs from the record is flagged,
    with the slip that explains it."""
    session = step.state.session
    held = {id_: session.player(id_).points for id_ in counted}
    made = Count(step.n, session.hand_no, session.stage, moment(session), dict(counted), held)
    session.counts.append(made)
    if made.differs:
        facts = _facts(session, made)
        step.publish("event.count_differs", rule=step.rules.session.counted.rule, **facts)
        return {"differs": made.differs, "slip": facts["slip"]}
    step.publish("event.counted", points=" ".join(f"{id_} {points}" for id_, points in counted.items()))
    return {"differs": {}, "slip": ""}


def moment(session: SessionState) -> str:
    """Before the first hand of a stage, after its last, or between two."""
    if session.ended:
        return END
    return START if session.hand_no < session.stage_starts[-1] else ""


def due(state: State) -> list[str]:
    """The counts the ruleset asks for now and nobody has made."""
    session, rules = state.session, state.ruleset
    now = moment(session)
    if rules is None or now not in rules.session.counted.value or session.phase in ("idle", "break"):
        return []
    if now == START and session.phase != "running":
        return []
    made = any(one.stage == session.stage and one.moment == now for one in session.counts)
    return [] if made else [now]


def standing_difference(session: SessionState) -> Count | None:
    """The last count, if it did not agree and neither a correction nor a reason has settled it since."""
    last = session.counts[-1] if session.counts else None
    if last is None or last.waived or not last.differs:
        return None
    later = [e for e in session.ledger if e.n > last.n and e.hand <= last.hand and e.kind in PAID_LATE]
    held = {id_: last.held[id_] + sum(e.deltas[id_] for e in later if e.table) for id_ in last.counted}
    return last if held != last.counted else None


def _facts(session: SessionState, made: Count) -> dict[str, Any]:
    """A difference in words: who has too much or too little, and what may have happened."""
    slip, more = _slip(session, made)
    return {"players": ledger.signed(made.differs), "slip": f"count_slip.{slip}", "facts": more}


def _slip(session: SessionState, made: Count) -> tuple[str, dict[str, Any]]:
    """The likeliest reason for a difference: an entry paid twice, not at all or the wrong way round, two
    digits that changed places, chips that are gone, or else a payment nobody entered."""
    off = {player.id: made.differs.get(player.id, 0) for player in session.players}
    for entry in reversed([e for e in session.ledger if e.table and e.hand <= made.hand]):
        for times, slip in ((1, "twice"), (-1, "unpaid"), (-2, "reversed")):
            if off == {id_: times * entry.deltas.get(id_, 0) for id_ in off}:
                return slip, {"entry": entry.n, "hand": entry.hand}
    if len(made.differs) == 1:
        (player,) = made.differs
        if made.held[player] in slips.swapped(made.counted[player]):
            return "digits", {"player": player, "right": made.held[player]}
    total = sum(off.values())
    if total:
        return ("missing" if total < 0 else "extra"), {"points": abs(total)}
    return "unentered", {}
