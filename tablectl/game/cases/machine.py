"""The case machine: from the call, or from what the record shows, to a decision, its signatures, its end.

- *raised*: somebody called, or the record shows something; *queued*: the referee knows, and is elsewhere.
- *attended*: a referee is there; *hearing*: the players are heard; *escalated*: the chief is asked for.
- *ruled*: decided; *provisional*: play goes on under reserve, points wait; *final*: it stands.
- *applied*: what it costs is booked and bars its seat; *signed*: the player concerned has signed or refused.
- *appealed*: somebody does not accept it. *closed*, *withdrawn*, *merged*: nobody has to do anything more.

Nothing vanishes: every move names who made it, when and in which record, and a case only ends with a reason.
"""

from __future__ import annotations

from typing import Any, ClassVar

from transitions import EventData

from tablectl.game.casestate import Case, Note
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.flow import Flow, row

WAITING = ["raised", "queued", "escalated"]
BEFORE_RULING = [*WAITING, "attended", "hearing"]
DECIDED = ["applied", "signed", "closed"]


class CaseFlow(Flow):
    """Triggers of the case machine."""

    states = (
        "raised",
        "queued",
        "attended",
        "hearing",
        "escalated",
        "ruled",
        "provisional",
        "final",
        "applied",
        "signed",
        "appealed",
        "closed",
        "withdrawn",
        "merged",
    )
    transitions: ClassVar[list[dict[str, Any]]] = [
        row("queue", "raised", "queued"),
        row("attend", WAITING, "attended"),
        row("hand_over", ["attended", "hearing"], "attended"),
        row("release", ["attended", "hearing"], "queued"),
        row("hear", [*WAITING, "attended", "hearing"], "hearing"),
        row("escalate", ["raised", "queued", "attended", "hearing"], "escalated"),
        row("rule", BEFORE_RULING, "ruled"),
        row("correct", ["provisional", *DECIDED, "appealed"], "ruled", conditions="has_decision"),
        row("reserve", "ruled", "provisional"),
        row("decide", ["ruled", "provisional"], "final"),
        row("apply", "final", "applied"),
        row("sign", "applied", "signed", conditions="has_answers"),
        row("appeal", ["provisional", *DECIDED], "appealed", conditions="has_decision"),
        row("uphold", "appealed", "applied"),
        row("close", [*BEFORE_RULING, "applied", "signed"], "closed"),
        row("withdraw", BEFORE_RULING, "withdrawn"),
        row("merge", BEFORE_RULING, "merged"),
    ]
    _case: Case | None = None

    @property
    def case(self) -> Case:
        """The case this flow is pointed at."""
        assert self._case is not None, "a flow is pointed at a case before a trigger is pulled"
        return self._case

    def read(self) -> str:
        return self.case.phase

    def write(self, value: str) -> None:
        self.case.phase = value

    # questions
    def has_decision(self, event: EventData) -> bool:
        """Is there a decision to correct or to appeal against?"""
        return self.case.decision is not None

    def has_answers(self, event: EventData) -> bool:
        """Has the player concerned signed or refused?"""
        return not self.case.player or self.case.player in self.case.answers


CASE = CaseFlow()


def move(step: Step, case: Case, trigger: str, actor: str, text: str = "") -> bool:
    """Pull a trigger on one case and note who did it; False if the case has no such move now."""
    CASE._case = case
    if not CASE.fire(step, trigger):
        return False
    case.log.append(Note(trigger, actor, step.at, step.n, text))
    step.publish(
        "event.case", case=case.no, move=f"case.{trigger}", actor=actor, phase=f"case.is.{case.phase}"
    )
    return True


def must_move(step: Step, case: Case, trigger: str, actor: str, text: str = "") -> None:
    """The same for an act somebody asked for. Raises ``RefusedCommand`` naming where the case stands."""
    if not move(step, case, trigger, actor, text):
        raise RefusedCommand(
            "refused.case_move", case=case.no, move=f"case.{trigger}", phase=f"case.is.{case.phase}"
        )
