"""The session's part of the state document: who sits where, how far it is, its time, its points."""

from __future__ import annotations

from typing import Any

from tablectl.game import ledger, schedule, settlement, standings
from tablectl.game.context import SECOND
from tablectl.game.sessionstate import Entry, Player, SessionState
from tablectl.game.state import State


def document(state: State) -> dict[str, Any]:
    """The session. It changes only with what happens: a clock that runs says since when, and who shows it
    reckons the rest. The secret of a draw is in it only once it is revealed."""
    session = state.session
    planned = session.hands + session.voided if session.hands else 0
    return {
        "rules": session.rules,
        "rules_hash": session.rules_hash,
        "official": session.official,
        "state": session.phase,
        "why_over": session.ended,
        "hand_no": session.hand_no,
        "hand_in_stage": max(0, session.hand_no - session.stage_starts[-1] + 1),
        "hands": planned,
        "stage": session.stage,
        "stages": session.stages,
        "round": session.round,
        "dealer": session.dealer,
        "repeat": session.hand_no > 0 and not session.moves and _repeats(session),
        "doubled": session.doubled,
        "last_hand": session.last_hand,
        "machine": session.machine,
        "players": [_player(session, player) for player in session.players],
        "clock": _clock(session),
        "break_due": session.break_due,
        "breaks": [
            {"kind": b.kind, "started": b.started, "planned_us": b.planned, "ended": b.ended, "by": b.by}
            for b in session.breaks
        ],
        "draw": _draw(session),
        "stage_points": ledger.stage_points(session),
        **standings.document(session, state.ruleset),
        "missing_points": ledger.missing(state),
        "unsigned": [sheet.hand for sheet in session.sheets if sheet.phase != "closed"],
        "counts_due": settlement.due(state),
        "count_differs": _difference(session),
        "appeal_until": _appeal_until(state),
        "entries": len(session.ledger),
        "ledger": [_entry(entry) for entry in session.ledger[-16:]],
        "byes": list(session.byes),
        "history": state.history[-8:],
    }


def _repeats(session: SessionState) -> bool:
    """Has the dealer of the newest hand dealt the one before it as well?"""
    return bool(session.prior) and session.played > 0 and session.prior[0] == session.dealer


def _player(session: SessionState, player: Player) -> dict[str, Any]:
    shown = {"id": player.id, "name": player.name, "side": player.side, "status": player.status}
    if player.substitute:
        shown["substitute"] = player.substitute
    if player.mechanical:
        shown["mechanical"] = True
    if session.ledger:  # before the first entry nobody has counted anything: better none than false
        shown["points"] = player.points
    return shown


def _clock(session: SessionState) -> dict[str, Any] | None:
    clock = session.clock
    if not clock.limit:
        return None
    spent = clock.spent - schedule.given(session)
    return {"limit_us": clock.limit, "spent_us": spent, "since": clock.since, "up": clock.up}


def _draw(session: SessionState) -> dict[str, Any] | None:
    draw = session.draw
    if draw is None:
        return None
    return {
        "by": draw.by,
        "done": draw.done,
        "throws": [list(throw) for throw in draw.throws],
        "thrower": session.at(draw.thrower).id,
        "end": draw.end,
        "taker": session.at(draw.taker).id if draw.end else None,
        "taken": dict(draw.taken),
        "commitment": draw.commitment,
        "numbers": dict(draw.numbers),
        "secret": draw.secret if draw.done else "",
    }


def _difference(session: SessionState) -> dict[str, int]:
    """What players have too much by the last count, while nothing has settled it."""
    made = settlement.standing_difference(session)
    return {} if made is None else made.differs


def _appeal_until(state: State) -> int:
    """Until when an appeal may be handed in; 0 = there is no such time, or nothing is over."""
    session, rules = state.session, state.ruleset
    if rules is None or not session.ended or not rules.session.appeal_s.value:
        return 0
    return session.closed_at + rules.session.appeal_s.value * SECOND


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "record": entry.n,
        "hand": entry.hand,
        "kind": entry.kind,
        "points": dict(entry.deltas),
        "reason": entry.reason,
        "corrects": entry.corrects,
    }
