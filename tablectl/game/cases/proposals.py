"""What the record shows becomes a proposed case: article, facts, history, the step of the ladder.

Proposals, not verdicts: a referee confirms, changes or waives. Only what the ruleset marks automatic is
applied by itself, and it too can be corrected.
"""

from __future__ import annotations

from tablectl.game.cases import applying, ladder
from tablectl.game.cases.machine import move
from tablectl.game.casestate import Case, Decision, Finding
from tablectl.game.context import Step
from tablectl.game.hand import player_at
from tablectl.game.state import Irregularity
from tablectl.rules.offences import Offence

TABLE = "table"  # the actor of what nobody ordered


def offence_of(step: Step, irregularity: Irregularity) -> str:
    """The offence of this ruleset an irregularity is a sign of, "" if of none."""
    name = irregularity.key.partition(".")[2]
    detail = irregularity.data.get("detail")
    return of_signs(step, *([f"{name}.{detail}", name] if detail else [name]))


def of_signs(step: Step, *signs: str) -> str:
    """The offence the first of these signs proposes, "" if none does."""
    for sign in signs:
        for id_, offence in step.rules.offences.items():
            if sign in offence.signs and not offence.off:
                return id_
    return ""


def look(step: Step) -> None:
    """Make cases of what has happened since the last look; called once a step."""
    hand = step.state.hand
    if hand is None or step.state.ruleset is None or hand.looked >= len(hand.irregularities):
        return
    for irregularity in hand.irregularities[hand.looked :]:
        name = offence_of(step, irregularity)
        if name and irregularity.side is not None:
            propose(step, irregularity, name)
    hand.looked = len(hand.irregularities)


def came_late(step: Step, side: int, late_s: int) -> None:
    """A player took his seat after the start: how late he was decides what is proposed (MCR-P1)."""
    name = of_signs(step, "late")
    if name:
        propose(step, Irregularity("irregular.late", side, step.at, "", {"late_s": late_s}), name)


def propose(step: Step, irregularity: Irregularity, name: str) -> None:
    """Raise the case, and apply it where the article leaves nothing to decide."""
    offence = step.rules.offences[name]
    case = open_case(step, "found", TABLE, irregularity.side)
    case.finding = Finding(name, irregularity.at, step.n, dict(irregularity.data))
    case.finding.place = ladder.place(step, case, name, offence)
    step.publish(
        "event.proposed",
        case=case.no,
        side=irregularity.side,
        name=name,
        offence=f"{offence.zh} {offence.en}",
        rule=offence.rule,
        place=case.finding.place,
    )
    if offence.automatic:
        move(step, case, "rule", TABLE)
        applying.decide(step, case, by_ladder(step, case, name, offence, TABLE))
    elif offence.at_once:
        applying.bar_until_ruled(step, case, offence)


def open_case(step: Step, kind: str, by: str, side: int | None, text: str = "") -> Case:
    """A new case, with the next number."""
    state, hand = step.state, step.state.hand
    case = Case(
        no=1 + max((case.no for case in state.cases), default=0),
        kind=kind,
        at=step.at,
        hand=state.session.hand_no if hand is not None else 0,
        stage=state.session.stage,
        by=by,
        player=(player_at(step, side) or "") if side is not None else "",
        side=side,
        seat=hand.seats[side].wind if hand is not None and side is not None else "",
        text=text,
    )
    state.cases.append(case)
    return case


def costs(step: Step, case: Case, name: str, offence: Offence, points: int) -> int:
    """Points as they are really taken: no more than the article has in all (CJ-P1), and twice as many where
    they count double with the hand (CJ-D1)."""
    most = ladder.left(step, case, name, offence)
    now = case.hand == step.state.session.hand_no
    doubled = points * 2 if offence.doubles and step.state.session.doubled and now else points
    return doubled if most is None else min(doubled, most)


def by_ladder(step: Step, case: Case, name: str, offence: Offence, actor: str, reason: str = "") -> Decision:
    """The decision the article itself proposes."""
    at = ladder.place(step, case, name, offence)
    facts = {} if case.finding is None else case.finding.facts
    chosen = ladder.measure(offence, at, facts)
    points = int(facts.get("points", 0)) if chosen.by_clock else chosen.points
    points = costs(step, case, name, offence, points)
    return Decision(
        n=step.n,
        at=step.at,
        actor=actor,
        offence=name,
        rule=offence.rule,
        measure=chosen,
        place=at,
        points=points,
        reason=reason,
    )
