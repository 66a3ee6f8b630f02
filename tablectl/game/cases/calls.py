"""Calls: a player wants the referee. The clocks stand until he lets play go on, for the kinds worth it.

A call is a case from its first moment. One that is still open is not raised twice by the same seat; while it
is open, every second the table stood for it is kept, to be given back to the session's clock.
"""

from __future__ import annotations

from typing import Any

from tablectl.game.cases.machine import move, must_move
from tablectl.game.cases.proposals import TABLE, open_case
from tablectl.game.casestate import Case
from tablectl.game.context import SECOND, RefusedCommand, Step

LAPSED = "case.lapsed"  # text keys in place of a sentence
RESUMED = "case.resumed"
CLEARED = "case.cleared"


def find(step: Step, no: int) -> Case:
    """The case of a number. Raises ``RefusedCommand`` naming those that are open."""
    for case in step.state.cases:
        if case.no == no:
            return case
    known = ", ".join(str(case.no) for case in step.state.cases if case.open) or "-"
    raise RefusedCommand("refused.no_such_case", case=no, open=known)


def as_expected(step: Step, value: str) -> None:
    """``12:5``: case 12 as a screen showed it, after five moves. Raises ``RefusedCommand`` saying who was
    first."""
    number, _, moves = value.partition(":")
    case = find(step, int(number) if number.isdigit() else 0)
    if moves != str(len(case.log)):
        by, ago = (
            (case.log[-1].actor, step.at - case.log[-1].at) if case.log else (case.by, step.at - case.at)
        )
        raise RefusedCommand("refused.case_changed", case=case.no, actor=by, ago_s=ago // SECOND)


def raise_call(step: Step, kind: str, side: int | None, by: str, text: str = "") -> Case:
    """A call for the referee. Raises ``RefusedCommand`` if this seat has one open already."""
    for case in step.state.cases:
        same = case.kind == kind and not case.fault and (case.side, case.by) == (side, by)
        if case.open and same and case.decision is None:
            raise RefusedCommand("refused.called_already", case=case.no)
    case = open_case(step, kind, by, side, text)
    said = "event.called" if side is not None else "event.called_by"
    step.publish(said, case=case.no, side=side, by=by, kind=f"call.{kind}", place=queue_place(step, case))
    hand = step.state.hand
    if hand is not None and not hand.over and kind in step.rules.calls.hold:
        step.hold(f"call {case.no}", "hold.call", ends="referee", side=side)
        case.hold, case.held = f"call {case.no}", step.at
    return case


def queue_place(step: Step, case: Case) -> int:
    """How many calls are before this one, itself included: the oldest first."""
    waiting = [one for one in step.state.cases if one.phase in ("raised", "queued", "escalated")]
    return 1 + sum(one.no < case.no for one in waiting if one.kind != "found")


def settle(step: Step) -> None:
    """Keep how long the table stood for each call or fault; end what ends by itself. Called once a step."""
    state = step.state
    for case in state.cases:
        if case.held is not None and case.hold not in state.holds:
            case.stood += max(0, step.at - case.held)
            case.held = None
            step.publish("event.case_stood", case=case.no, ms=case.stood // 1000)
    if state.session.phase == "over":
        for case in state.cases:
            if case.decision is None and case.open:
                move(step, case, "close", TABLE, LAPSED)


def stood(step: Step, case: Case) -> int:
    """µs the table has stood for a case, up to now."""
    return case.stood + (max(0, step.at - case.held) if case.held is not None else 0)


def resumed(step: Step, names: list[str], actor: str) -> None:
    """A referee lets play go on: calls nobody ruled on are closed by that."""
    for case in step.state.cases:
        if case.hold in names and case.decision is None:
            move(step, case, "close", actor, RESUMED)


# what is asked for


def attend(step: Step, no: int, actor: str) -> dict[str, Any]:
    """A referee takes a case. Raises ``RefusedCommand``."""
    case = find(step, no)
    must_move(step, case, "attend", actor)
    case.referee = actor
    return {"case": no, "offence": "" if case.finding is None else case.finding.offence}


def hand_over(step: Step, no: int, to: str, actor: str) -> dict[str, Any]:
    """Another referee takes it over. Raises ``RefusedCommand``."""
    case = find(step, no)
    must_move(step, case, "hand_over", actor, to)
    case.referee = to
    return {"case": no, "referee": to}


def release(step: Step, no: int, actor: str) -> dict[str, Any]:
    """The referee is called away: the case waits again. Raises ``RefusedCommand``."""
    case = find(step, no)
    must_move(step, case, "release", actor)
    case.referee = ""
    return {"case": no}


def hear(step: Step, no: int, seat: str, statement: str, actor: str) -> dict[str, Any]:
    """What somebody at the table says about it. Raises ``RefusedCommand``."""
    case = find(step, no)
    must_move(step, case, "hear", actor, f"{seat}: {statement}" if seat else statement)
    case.referee = case.referee or actor  # who hears is there
    return {"case": no}


def queue(step: Step, no: int, actor: str) -> dict[str, Any]:
    """The referee has seen it and comes later. Raises ``RefusedCommand``."""
    case = find(step, no)
    must_move(step, case, "queue", actor)
    return {"case": no, "place": queue_place(step, case)}


def escalate(step: Step, no: int, reason: str, actor: str) -> dict[str, Any]:
    """The chief referee is asked for. Raises ``RefusedCommand``."""
    case = find(step, no)
    must_move(step, case, "escalate", actor, reason)
    return {"case": no}


def withdraw(step: Step, no: int, reason: str, actor: str) -> dict[str, Any]:
    """Who called takes it back. Raises ``RefusedCommand``."""
    case = find(step, no)
    must_move(step, case, "withdraw", actor, reason)
    step.release(case.hold)
    return {"case": no}


def merge(step: Step, no: int, into: int, actor: str) -> dict[str, Any]:
    """Two cases are about the same thing. Raises ``RefusedCommand``."""
    case, other = find(step, no), find(step, into)
    if case is other:
        raise RefusedCommand("refused.same_case", case=no)
    if not other.open or other.decision is not None:
        raise RefusedCommand("refused.case_over", case=into, phase=f"case.is.{other.phase}")
    if case.finding is not None and other.finding is not None and case.side != other.side:
        raise RefusedCommand("refused.other_matter", case=no, into=into)
    must_move(step, case, "merge", actor, str(into))
    case.into = into
    if case.finding is not None and other.finding is None:
        other.finding, other.player = (
            case.finding,
            case.player or other.player,
        )  # whom it is about, not who called
        other.side, other.seat = case.side, case.seat
    step.release(case.hold)
    return {"case": no, "into": into}


def close(step: Step, no: int, reason: str, actor: str) -> dict[str, Any]:
    """Nothing more is to be done. Raises ``RefusedCommand``."""
    case = find(step, no)
    must_move(step, case, "close", actor, reason)
    step.release(case.hold)
    return {"case": no}


def sign(step: Step, no: int, player: str, refusal: str, actor: str) -> dict[str, Any]:
    """The player concerned signs what was decided, or refuses with a reason. Raises ``RefusedCommand``."""
    case = find(step, no)
    if case.player and player != case.player:
        raise RefusedCommand("refused.not_his_case", case=no, player=case.player)
    case.answers[player] = refusal
    must_move(step, case, "sign", actor, refusal)
    move(step, case, "close", actor)
    return {"case": no, "player": player}
