"""Appeals: a player does not accept a ruling; a jury votes, hidden until all have, and the chief decides.

Play goes on under the ruling meanwhile. What an appeal changes is a correction like any other.
"""

from __future__ import annotations

from typing import Any

from tablectl.game.cases import ruling
from tablectl.game.cases.calls import find
from tablectl.game.cases.machine import must_move
from tablectl.game.casestate import Appeal, Case
from tablectl.game.context import SECOND, RefusedCommand, Step

MINUTE = 60 * SECOND


def open_appeal(step: Step, no: int, player: str, jury: int, reason: str, actor: str) -> dict[str, Any]:
    """A player appeals against a ruling, within the ruleset's time after its hand or stage. Raises
    ``RefusedCommand``."""
    case = find(step, no)
    decision = case.decision
    if decision is None:
        raise RefusedCommand("refused.no_ruling", case=no)
    time = step.rules.session.appeal_s.value * SECOND
    session = step.state.session
    since = session.closed_at if session.phase == "over" else step.at  # it runs from the end (MCR-P18)
    until = since + time if time else 0
    if time and step.at > until:
        raise RefusedCommand("refused.appeal_too_late", case=no, minutes=time // MINUTE)
    must_move(step, case, "appeal", actor, reason)
    case.appeal = Appeal(step.n, player, step.at, until, jury)
    step.publish("event.appealed", case=no, player=player, minutes=time // MINUTE)
    return {"case": no, "until": until}


def vote(step: Step, no: int, ballot: str, actor: str) -> dict[str, Any]:
    """A member of the jury votes. Raises ``RefusedCommand``."""
    case = find(step, no)
    appeal = running(case)
    if case.decision is not None and actor == case.decision.actor:
        raise RefusedCommand("refused.own_ruling", case=no, actor=actor)
    if actor in appeal.votes:
        raise RefusedCommand("refused.voted_already", case=no, actor=actor)
    if len(appeal.votes) >= appeal.jury:
        raise RefusedCommand("refused.jury_complete", case=no, jury=appeal.jury)
    appeal.votes[actor] = ballot
    if len(appeal.votes) == appeal.jury:
        upheld = sum(one == "uphold" for one in appeal.votes.values())
        step.publish("event.votes", case=no, uphold=upheld, overturn=appeal.jury - upheld)
    return {"case": no, "votes": len(appeal.votes), "jury": appeal.jury}


def decide(step: Step, no: int, outcome: str, asked: ruling.Asked, actor: str, role: str) -> dict[str, Any]:
    """The chief decides an appeal, with the votes before him. Raises ``RefusedCommand``."""
    case = find(step, no)
    appeal = running(case)
    if 0 < len(appeal.votes) < appeal.jury:
        raise RefusedCommand("refused.votes_missing", case=no, votes=len(appeal.votes), jury=appeal.jury)
    appeal.outcome = outcome
    if outcome == "uphold":
        must_move(step, case, "uphold", actor, asked.reason)
        return {"case": no, "outcome": outcome}
    return {**ruling.correct(step, no, asked, actor, role), "outcome": outcome}


def running(case: Case) -> Appeal:
    """The appeal that is to be decided. Raises ``RefusedCommand``."""
    if case.appeal is None or case.phase != "appealed":
        raise RefusedCommand("refused.no_appeal", case=case.no)
    return case.appeal


def time_up(step: Step, no: int) -> None:
    """An appeal has not been decided in its time: say so, again and again on the screens."""
    case = find(step, no)
    if case.appeal is not None:
        case.appeal.told = True
        step.publish("event.appeal_late", case=no)
