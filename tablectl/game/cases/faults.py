"""A fault of the machine in a hand is a case: what the ruleset's table proposes, who decides, what it cost.

The hold that a fault puts ends with the fault; the case goes on until somebody has decided what becomes of
the hand, unless the table proposes no more than to play on. No rule book says any of this: it is the
organiser's.
"""

from __future__ import annotations

from typing import Any

from tablectl.game.cases import applying
from tablectl.game.cases.calls import CLEARED, find
from tablectl.game.cases.machine import move, must_move
from tablectl.game.cases.proposals import TABLE, open_case
from tablectl.game.casestate import Case, Decision
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.state import State
from tablectl.rules import faultpolicy
from tablectl.rules.model import Ruleset
from tablectl.rules.offences import Measure, Remedy

NOTHING_TO_DECIDE = ("play_on", "restart", "rebuild", "reroll")  # the machine and its operator see to it


def begin(step: Step, fault: str, side: int | None) -> None:
    """A fault stands while a hand is played: raise its case, unless it means nothing to a hand."""
    hand = step.state.hand
    if hand is None or hand.over or step.state.ruleset is None or not step.state.session.machine:
        return
    policy = faultpolicy.policy(step.rules, fault)
    if policy is None or of(step, fault) is not None:
        return
    case = open_case(step, "machine", TABLE, None)
    case.fault, case.side = fault, side
    if f"fault {fault}" in step.state.holds and policy.credit != "none":
        case.hold, case.held = f"fault {fault}", step.at
    if policy.suspect and not step.state.table.suspect:
        step.state.table.suspect = fault
    step.publish("event.fault_case", case=case.no, fault=fault, remedy=f"remedy.{remedy(step, case)}")


def end(step: Step, fault: str) -> None:
    """The fault is gone. Where nothing is to be decided the case is over with it."""
    case = of(step, fault)
    if case is not None and remedy(step, case) in NOTHING_TO_DECIDE:
        move(step, case, "close", TABLE, CLEARED)


def report(step: Step, row: str, side: int | None, actor: str, text: str) -> dict[str, Any]:
    """People found what no sensor tells: a row of the table by its name, or a fault by its own. Raises
    ``RefusedCommand``."""
    policy = faultpolicy.policy(step.rules, row)
    if policy is None:
        raise RefusedCommand("refused.no_such_row", row=row, rows=", ".join(step.rules.machine))
    case = open_case(step, "machine", actor, None, text)
    case.fault, case.side = row, side
    hand = step.state.hand
    if hand is not None and not hand.over:
        step.hold(f"call {case.no}", "hold.call", ends="referee", side=side)
        if policy.credit != "none":
            case.hold, case.held = f"call {case.no}", step.at
    return {"case": case.no, "remedy": remedy(step, case)}


def describe(step: Step, no: int, seen: int | None, *, lost: bool) -> dict[str, Any]:
    """How much was seen of the tiles, and whether they can be put as they lay. Raises ``RefusedCommand``."""
    case = machine_case(step, no)
    case.seen, case.lost = seen, lost
    proposed = remedy(step, case)
    step.publish("event.fault_case", case=no, fault=case.fault, remedy=f"remedy.{proposed}")
    return {"case": no, "remedy": proposed}


def choose(step: Step, no: int, chosen: str, role: str) -> str:
    """What is decided: ``chosen``, or as proposed. Raises ``RefusedCommand`` if the table leaves that to the
    chief, or leaves it open."""
    case = machine_case(step, no)
    policy = faultpolicy.policy(step.rules, case.fault)
    proposed = remedy(step, case)
    final = chosen or proposed
    if final == "referee":
        raise RefusedCommand("refused.say_remedy", case=no)
    if policy is not None and role != "chief":
        by = (faultpolicy.decides(policy, proposed), policy.lost_by if final == policy.lost else "")
        if "chief" in by:
            raise RefusedCommand("refused.fault_for_the_chief", case=no)
    return final


def decide(step: Step, no: int, final: str, reason: str, actor: str) -> dict[str, Any]:
    """Decide what becomes of the hand. Raises ``RefusedCommand``."""
    case = machine_case(step, no)
    must_move(step, case, "rule", actor, reason)
    decision = Decision(step.n, step.at, actor, "", "", Measure(), reason=reason)
    decision.remedy = final
    applying.decide(step, case, decision)
    step.publish("event.fault_decided", case=no, remedy=f"remedy.{final}", actor=actor)
    return {"case": no, "remedy": final}


def machine_case(step: Step, no: int) -> Case:
    """The case of a fault. Raises ``RefusedCommand`` if that number is another's."""
    case = find(step, no)
    if not case.fault:
        raise RefusedCommand("refused.not_a_fault", case=no)
    return case


def of(step: Step, fault: str) -> Case | None:
    """The open case of a fault in this hand."""
    no = step.state.session.hand_no
    cases = (case for case in step.state.cases if case.open and case.fault == fault and case.hand == no)
    return next(cases, None)


def remedy(step: Step, case: Case) -> Remedy:
    """What the ruleset's table proposes for a fault now."""
    return _remedy(step.state, step.rules, case)


def _remedy(state: State, rules: Ruleset, case: Case) -> Remedy:
    policy = faultpolicy.policy(rules, case.fault)
    assert policy is not None
    discards = 0 if state.hand is None else state.hand.turns
    return faultpolicy.verdict(policy, discards=discards, seen=case.seen, order_known=not case.lost)


def proposal(state: State, case: Case) -> dict[str, Any]:
    """The row of the table as a screen shows it."""
    policy = None if state.ruleset is None else faultpolicy.policy(state.ruleset, case.fault)
    if policy is None or state.ruleset is None:
        return {}
    proposed = _remedy(state, state.ruleset, case)
    return {
        "fault": case.fault,
        "zh": policy.zh,
        "en": policy.en,
        "remedy": proposed,
        "decides": faultpolicy.decides(policy, proposed),
        "credit": policy.credit,
        "blame": policy.blame,
    }
