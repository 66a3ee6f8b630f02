"""Which step of an offence's ladder a finding leads to, by what stands against the same player already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablectl.game.casestate import Case, Decision
from tablectl.game.context import Step
from tablectl.game.state import State
from tablectl.rules.offences import Measure, Offence


def stage_of(case: Case, offence: Offence) -> tuple[int, ...]:
    """Where steps of the ladder are counted: in the hand, or in the stage (局)."""
    return (case.stage, case.hand) if offence.per == "hand" else (case.stage,)


def earlier(step: Step, case: Case, name: str, offence: Offence) -> list[Decision]:
    """The decisions that stand against this player for the same offence, made before this case."""
    return [decision for _, decision in standing(step.state, case, name, offence)]


def standing(state: State, case: Case, name: str, offence: Offence) -> list[tuple[Case, Decision]]:
    """The same, each with its case."""
    return [
        (other, decision)
        for other in state.cases
        if other.no != case.no and other.player == case.player
        if (decision := other.decision) is not None and not decision.waived and decision.offence == name
        if stage_of(other, offence) == stage_of(case, offence) and comes_before(other, case)
    ]


def comes_before(other: Case, case: Case) -> bool:
    """Did what the other case is about happen earlier?"""
    return happened(other) < happened(case)


def happened(case: Case) -> tuple[int, int]:
    """When it happened, and the number of the case where two did at once."""
    return (case.at if case.finding is None else case.finding.at), case.no


def place(step: Step, case: Case, name: str, offence: Offence) -> int:
    """The step this case leads to, from 1. Beyond the last it is the last."""
    return min(1 + len(earlier(step, case, name, offence)), len(offence.ladder))


def measure(offence: Offence, at: int, facts: Mapping[str, Any]) -> Measure:
    """What the article costs at that step of its ladder; of who comes late, by how late he comes (MCR-P1)."""
    late = facts.get("late_s")
    by_time = [one for one in (*offence.ladder, *offence.choices) if one.late_s]
    if late is not None and by_time:
        rest = [one for one in offence.choices if not one.late_s]
        return next((one for one in by_time if late <= one.late_s), rest[0] if rest else by_time[-1])
    return offence.ladder[min(at, len(offence.ladder)) - 1]


def left(step: Step, case: Case, name: str, offence: Offence) -> int | None:
    """How many more points this article may still cost the player, None = any (CJ-P1)."""
    if not offence.most:
        return None
    return max(0, offence.most - sum(decision.points for decision in earlier(step, case, name, offence)))
