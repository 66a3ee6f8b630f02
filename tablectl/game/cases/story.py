"""A case from call to signature: every move of it, and every act about it, in the order of the record.

The moves are kept with the case. Some acts move nothing and are part of the story all the same: a vote, a
preview, time that is given back, what was seen. They are found among the commands of the record.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

import msgspec

from tablectl.game.casestate import Case, Decision, Note
from tablectl.game.inputs import Command
from tablectl.game.state import State

ACTS = {  # commands about a case that are no moves of it, and their words
    "appeal vote": "case.vote",
    "case credit": "case.credit",
    "ruling preview": "case.preview",
    "fault seen": "case.seen",
}
RAISED = "case.raised"
REFUSED = "case.not_signed"


@dataclass(frozen=True, slots=True)
class Act:
    """An accepted command about a case that moved nothing."""

    case: int
    at: int
    n: int
    actor: str
    word: str
    text: str = ""


@dataclass(slots=True)
class Line:
    """One line. ``at``: table time in µs; ``word``: a text key; ``text``: what was said, or a text key."""

    at: int
    n: int  # record, 0 = the one the case began with
    actor: str
    word: str
    text: str = ""
    decision: dict[str, Any] | None = None  # what was decided by it


@dataclass(slots=True)
class Story:
    """All of one case. ``facts``: what was found; ``stood_us``: how long the table stood for it."""

    no: int
    kind: str
    hand: int
    seat: str  # wind in that hand, "" = nobody's
    player: str
    by: str
    phase: str
    offence: str
    zh: str
    en: str
    rule: str
    points: int
    waived: bool
    stood_us: int
    credited_us: int
    fault: str
    into: int
    answers: dict[str, str] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)

    @property
    def took_us(self) -> int:
        """Table time from the first line to the last."""
        return self.lines[-1].at - self.lines[0].at

    def to_json(self) -> dict[str, Any]:
        """Plain data, with the seconds from the beginning at each line."""
        data = asdict(self)
        for line in data["lines"]:
            line["after_us"] = line["at"] - self.lines[0].at
        return {**data, "took_us": self.took_us}


def act_of(n: int, at: int, command: Command) -> Act | None:
    """An accepted command as an act about a case; None if it is none, or a move of it."""
    word, case = ACTS.get(command.name), command.args.get("case")
    if word is None or case is None:
        return None
    said = str(command.args.get("ballot") or command.args.get("reason") or "")
    return Act(int(case), at, n, command.actor, word, said)


def stories(state: State, acts: Iterable[Act] = ()) -> list[Story]:
    """The story of each case of a session, by number."""
    about: dict[int, list[Act]] = {}
    for act in acts:
        about.setdefault(act.case, []).append(act)
    return [_story(state, case, about.get(case.no, [])) for case in state.cases]


def _story(state: State, case: Case, acts: list[Act]) -> Story:
    decision, finding = case.decision, case.finding
    name = decision.offence if decision is not None else finding.offence if finding is not None else ""
    offence = state.ruleset.offences.get(name) if state.ruleset is not None else None
    story = Story(
        no=case.no,
        kind=case.kind,
        hand=case.hand,
        seat=case.seat,
        player=case.player,
        by=case.by,
        phase=case.phase,
        offence=name,
        zh=offence.zh if offence is not None else "",
        en=offence.en if offence is not None else "",
        rule=decision.rule if decision is not None else offence.rule if offence is not None else "",
        points=decision.points if decision is not None else 0,
        waived=decision is not None and decision.waived,
        stood_us=case.stood,
        credited_us=case.credited,
        fault=case.fault,
        into=case.into,
        answers=dict(case.answers),
    )
    decided = {one.n: one for one in case.decisions}
    moves = [
        Line(note.at, note.n, note.actor, _word(note), note.text, _decided(decided, note.move, note.n))
        for note in case.log
    ]
    more = [Line(act.at, act.n, act.actor, act.word, act.text) for act in acts]
    story.lines = [
        Line(case.at, 0, case.by, RAISED, case.text),
        *sorted([*moves, *more], key=lambda line: (line.at, line.n)),
    ]
    return story


def _word(note: Note) -> str:
    """The text key of a move; who refuses to sign says why."""
    return REFUSED if note.move == "sign" and note.text else f"case.{note.move}"


def _decided(decided: dict[int, Decision], move: str, n: int) -> dict[str, Any] | None:
    if move not in ("rule", "correct") or n not in decided:
        return None
    one = decided[n]
    return {
        "offence": one.offence,
        "rule": one.rule,
        "points": one.points,
        "place": one.place,
        "waived": one.waived,
        "remedy": one.remedy,
        "measure": msgspec.to_builtins(msgspec.structs.replace(one.measure, points=one.points)),
    }
