"""Rulings: confirm what is proposed, decide otherwise, waive, fill in the article later, correct.

A decision is never changed. A correction sets it aside, takes back what it did, and makes the next one; what
stood on its step of a ladder moves down by one, as if it had never been made.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from tablectl.game import ledger, signing
from tablectl.game.cases import applying, ladder
from tablectl.game.cases.calls import find
from tablectl.game.cases.machine import BEFORE_RULING, move, must_move
from tablectl.game.cases.proposals import TABLE, by_ladder, costs, open_case
from tablectl.game.casestate import Case, Decision, Finding
from tablectl.game.context import SECOND, RefusedCommand, Step
from tablectl.game.effects import Publish
from tablectl.rules.offences import Measure, Offence

AGAIN = "event.measured_again"
IN_TIME = "case.in_time"  # text key in place of a reason
FREE = {"pays_all", "pays_value"}  # what they come to stands in no article
LATER = "?"  # an article that is filled in later
JUST_NOW = 120 * SECOND  # two referees at one table have seen the same


@dataclass(frozen=True, slots=True)
class Asked:
    """How a referee decides: by the article's own step, or otherwise in what he names."""

    offence: str = ""  # "" = the one proposed; "?" = filled in later
    place: int = 0  # step of the ladder, or choice of the article; 0 = the next one
    choice: int = 0  # one of the article's choices, from 1
    points: int | None = None
    receiver: str = ""
    tiles: list[str] = field(default_factory=list)
    reason: str = ""
    reserve: bool = False
    anyway: str = ""  # why a penalty that seems to be given already is another one

    @property
    def otherwise(self) -> bool:
        """Does he say what is to be decided instead?"""
        return bool(self.offence or self.place or self.choice or self.points is not None or self.tiles)


def rule(step: Step, no: int, asked: Asked, actor: str, role: str) -> dict[str, Any]:
    """Decide a case. Raises ``RefusedCommand`` if it cannot be decided so."""
    case = find(step, no)
    decision = decision_of(step, case, asked, actor, role)
    may_decide(step, case, decision.offence, role)
    must_move(step, case, "rule", actor, asked.reason)
    if case.finding is None:
        case.finding = Finding(decision.offence, case.at, step.n)
    case.finding.place = decision.place or case.finding.place  # what the screens show is what was decided
    applying.decide(step, case, decision, reserve=asked.reserve or not decision.offence)
    return told(case, decision)


def may_decide(step: Step, case: Case, name: str, role: str) -> None:
    """Is it this person's to decide, and still open? Raises ``RefusedCommand`` naming the way there is."""
    if case.phase == "appealed":
        raise RefusedCommand("refused.under_appeal", case=case.no)
    if case.decision is not None:
        raise RefusedCommand("refused.ruled_already", case=case.no)
    offence = step.rules.offences.get(name)
    escalated = any(note.move == "escalate" for note in case.log)
    if role != "chief" and (escalated or (offence is not None and offence.chief)):
        rule = "" if offence is None else offence.rule
        raise RefusedCommand("refused.for_the_chief", rule=rule, case=case.no)


def waive(step: Step, no: int, reason: str, actor: str, role: str) -> dict[str, Any]:
    """Decide that nothing is to follow, and why. Raises ``RefusedCommand``."""
    case = find(step, no)
    may_decide(step, case, "" if case.finding is None else case.finding.offence, role)
    must_move(step, case, "rule", actor, reason)
    name = "" if case.finding is None else case.finding.offence
    article = step.rules.offences[name].rule if name else ""
    decision = Decision(step.n, step.at, actor, name, article, Measure(), reason=reason, waived=True)
    applying.decide(step, case, decision)
    return told(case, decision)


def add(step: Step, side: int, asked: Asked, actor: str, role: str) -> dict[str, Any]:
    """A penalty the referee gives of his own: case and decision in one. Raises ``RefusedCommand``, also where
    the same act seems to be before a referee already."""
    name = name_of(step, asked.offence)
    if not asked.anyway:
        _refuse_twice(step, side, name, actor)
    case = open_case(step, "found", actor, side, asked.reason)
    case.finding = Finding(name, step.at, step.n)
    try:
        return rule(step, case.no, asked, actor, role)
    except RefusedCommand:  # what was refused leaves no case behind
        step.state.cases.remove(case)
        raise


def _refuse_twice(step: Step, side: int, name: str, actor: str) -> None:
    """Two referees saw one act, or the table has seen it too: it counts once."""
    session = step.state.session
    player, seat = session.at(side).id, step.seat(side).wind if step.state.hand is not None else ""
    for case in reversed(step.state.cases):
        if case.player != player or case.hand != session.hand_no:
            continue
        if case.phase in BEFORE_RULING and case.finding is not None and case.finding.offence == name:
            raise RefusedCommand("refused.penalty_waits", case=case.no, seat=seat)
        given = case.decision
        if given is None or given.waived or given.offence != name or given.actor == actor:
            continue
        if given.standing and step.at - given.at < JUST_NOW:
            ago_s = (step.at - given.at) // SECOND
            raise RefusedCommand(
                "refused.penalty_given", case=case.no, seat=seat, by=given.actor, ago_s=ago_s
            )


def fill(step: Step, no: int, asked: Asked, actor: str, role: str) -> dict[str, Any]:
    """Say which article a provisional decision is by. Raises ``RefusedCommand``."""
    case = find(step, no)
    if case.decision is None or case.decision.offence:
        raise RefusedCommand("refused.nothing_to_fill", case=no)
    if not asked.offence or asked.offence == LATER:
        raise RefusedCommand("refused.which_article", case=no)
    return correct(step, no, asked, actor, role)


def conclude(step: Step, no: int, actor: str) -> dict[str, Any]:
    """A decision made under reserve is final now. Raises ``RefusedCommand``."""
    case = find(step, no)
    decision = case.decision
    if case.phase != "provisional" or decision is None or not decision.offence:
        raise RefusedCommand("refused.case_move", case=no, move="case.decide", phase=f"case.is.{case.phase}")
    applying.finish(step, case, actor)
    return told(case, decision)


def correct(
    step: Step, no: int, asked: Asked, actor: str, role: str, *, strike: bool = False
) -> dict[str, Any]:
    """A ruling was wrong: set it aside and decide anew, as if it had never been made. With ``strike`` the
    hands in which it kept somebody from a win lose their points too. Raises ``RefusedCommand``."""
    case = find(step, no)
    old = case.decision
    if old is None:
        raise RefusedCommand("refused.no_ruling", case=no)
    new = decision_of(step, case, asked, actor, role) if asked.otherwise else None
    if new is None and old.waived:
        raise RefusedCommand("refused.waived_already", case=no)
    must_move(step, case, "correct", actor, asked.reason)
    if case.finding is not None and new is not None:
        case.finding.offence = new.offence
    decision = new or Decision(
        step.n, step.at, actor, old.offence, old.rule, Measure(), reason=asked.reason, waived=True
    )
    if strike and case.refused:
        ledger.take_back(step, case.hand)
        step.publish("event.hand_struck", hand=case.hand, case=no, reason=asked.reason)
    applying.decide(step, case, decision, reserve=asked.reserve)
    move_ladders(step, case, {old.offence, decision.offence}, actor)
    signing.corrected(step, case.hand)
    return {**told(case, decision), "was": old.rule}


def move_ladders(step: Step, changed: Case, offences: set[str], actor: str) -> None:
    """What came after it on the same ladder stands on another step now."""
    for case in step.state.cases:
        decision = case.decision
        if decision is None or not decision.place or decision.offence not in offences or case is changed:
            continue
        if case.player != changed.player or not ladder.comes_before(changed, case):
            continue
        offence = step.rules.offences[decision.offence]
        at = ladder.place(step, case, decision.offence, offence)
        if at == decision.place:
            continue
        again = by_ladder(step, case, decision.offence, offence, decision.actor, decision.reason)
        again = replace(again, tiles=decision.tiles, receiver=decision.receiver)
        move(step, case, "correct", actor, str(changed.no))
        applying.decide(step, case, again)


def measure_again(step: Step) -> None:
    """Time was taken out of turns that had been measured already: a case of one that was in time after all is
    closed, or what was decided of it set aside; what a longer one costs by the clock follows its figure."""
    if not any(isinstance(effect, Publish) and effect.key == AGAIN for effect in step.effects):
        return
    for case in step.state.cases:
        facts = {} if case.finding is None else case.finding.facts
        decision = case.decision
        if "over_us" not in facts or (not case.open and decision is None):
            continue
        in_time = facts.get("over_us", 0) <= 0 or facts.get("found") not in (None, "over")
        if decision is None:
            if in_time:
                move(step, case, "close", TABLE, IN_TIME)
        elif in_time and not decision.waived:
            correct(step, case.no, Asked(reason=IN_TIME), TABLE, "chief")
        elif decision.measure.by_clock and decision.points != facts.get("points", decision.points):
            correct(step, case.no, Asked(decision.offence, reason=IN_TIME), TABLE, "chief")


# what is decided


def name_of(step: Step, given: str) -> str:
    """The id of an offence, given by it or by its article. Raises ``RefusedCommand`` if that is none or
    several."""
    offences = step.rules.offences
    offences = {name: offence for name, offence in offences.items() if not offence.off}
    if given in ("", LATER) or given in offences:
        return "" if given == LATER else given
    found = [name for name, offence in offences.items() if given.upper() in (offence.rule, *offence.also)]
    if len(found) == 1:
        return found[0]
    if found:
        raise RefusedCommand("refused.several_offences", article=given, offences=", ".join(found))
    raise RefusedCommand("refused.no_such_offence", offence=given, rules=step.rules.id)


def decision_of(step: Step, case: Case, asked: Asked, actor: str, role: str) -> Decision:
    """The decision a referee asks for. Raises ``RefusedCommand``."""
    if asked.offence == LATER:
        return Decision(step.n, step.at, actor, "", "", Measure(), reason=asked.reason)
    name = name_of(step, asked.offence) or ("" if case.finding is None else case.finding.offence)
    if not name:
        raise RefusedCommand("refused.article_missing", case=case.no)
    offence = step.rules.offences[name]
    if offence.chief and role != "chief":
        raise RefusedCommand("refused.for_the_chief", rule=offence.rule, case=case.no)
    decision = by_ladder(step, case, name, offence, actor, asked.reason)
    if asked.choice or asked.place:
        decision.measure = chosen(offence, asked)
        decision.points = costs(step, case, name, offence, decision.measure.points)
        decision.place = 0
    if asked.receiver and asked.receiver == case.player:
        raise RefusedCommand("refused.pays_himself", case=case.no, player=case.player)
    if asked.points is not None:
        decision.points = costs(step, case, name, offence, within(decision.measure, asked.points, offence))
        if not decision.measure.up_to:
            decision.place = 0
    decision.receiver, decision.tiles = asked.receiver, list(asked.tiles)
    if decision.points and decision.measure.to == "damaged" and not decision.receiver:
        decision.measure = msgspec.structs.replace(decision.measure, to=decision.measure.else_to)
    return decision


def chosen(offence: Offence, asked: Asked) -> Measure:
    """The measure a referee picks of an article. Raises ``RefusedCommand``."""
    of = offence.choices if asked.choice else offence.ladder
    number = asked.choice or asked.place
    if number > len(of):
        raise RefusedCommand("refused.no_such_choice", rule=offence.rule, most=len(of))
    return of[number - 1]


def within(measure: Measure, points: int, offence: Offence) -> int:
    """Points as the article allows them. Raises ``RefusedCommand``."""
    named = (*offence.ladder, *offence.choices)
    free = measure == Measure() or bool(FREE.intersection(measure.effects))
    amounts = (
        measure.amounts() if measure.up_to else sorted({amount for one in named for amount in one.amounts()})
    )
    if not free and not measure.by_clock and points not in amounts:
        allowed = ", ".join(map(str, amounts))
        raise RefusedCommand("refused.points_beyond", rule=offence.rule, points=points, allowed=allowed)
    return points


def told(case: Case, decision: Decision) -> dict[str, Any]:
    """What the answer to a ruling says."""
    key = "answer.waived" if decision.waived else "answer.ruled" if decision.rule else "answer.ruled_later"
    return {
        "key": key,
        "case": case.no,
        "rule": decision.rule,
        "place": decision.place,
        "points": decision.points,
        "effects": list(decision.measure.effects),
    }
