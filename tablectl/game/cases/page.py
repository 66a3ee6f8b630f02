"""Cases as a screen shows them, and what correcting one would change before anybody does it."""

from __future__ import annotations

from typing import Any

import msgspec

from tablectl.game import ledger, standings
from tablectl.game.cases import faults, ladder, ruling
from tablectl.game.casestate import Case, Decision
from tablectl.game.context import Step
from tablectl.game.state import State, from_json, to_json
from tablectl.rules.book import RuleBook
from tablectl.rules.offences import Offence

CLOSED_SHOWN = 8  # of the cases nobody has to do anything about any more


def document(state: State) -> list[dict[str, Any]]:
    """The open cases and the newest closed ones, by number."""
    closed = [case.no for case in state.cases if not case.open][-CLOSED_SHOWN:]
    return [shown(state, case) for case in state.cases if case.open or case.no in closed]


def shown(state: State, case: Case) -> dict[str, Any]:
    """One case. Votes of an appeal are counted, not shown, until all are there."""
    finding, decision, appeal = case.finding, case.decision, case.appeal
    return {
        "no": case.no,
        "kind": case.kind,
        "phase": case.phase,
        "moves": len(case.log),
        "hand": case.hand,
        "at": case.at,
        "by": case.by,
        "player": case.player,
        "side": case.side,
        "seat": case.seat,
        "referee": case.referee,
        "text": case.text,
        "held": case.held,
        "stood_us": case.stood,
        "credited_us": case.credited,
        "finding": None if finding is None else _finding(state, case),
        "decision": None if decision is None else _decision(decision),
        "log": [msgspec.to_builtins(note) for note in case.log],
        "machine": faults.proposal(state, case) if case.fault else None,
        "signed": dict(case.answers),
        "appeal": None
        if appeal is None
        else {
            "player": appeal.player,
            "until": appeal.until,
            "votes": len(appeal.votes),
            "jury": appeal.jury,
            "ballots": dict(appeal.votes) if len(appeal.votes) == appeal.jury else {},
            "outcome": appeal.outcome,
        },
    }


def _finding(state: State, case: Case) -> dict[str, Any]:
    finding = case.finding
    assert finding is not None
    offence = state.ruleset.offences.get(finding.offence) if state.ruleset is not None else None
    page: dict[str, Any] = {"offence": finding.offence, "at": finding.at, "facts": dict(finding.facts)}
    if offence is not None:
        step = len(offence.ladder)
        page |= {
            "rule": offence.rule,
            "zh": offence.zh,
            "en": offence.en,
            "place": finding.place,
            "steps": step,
            "proposed": msgspec.to_builtins(ladder.measure(offence, finding.place, finding.facts)),
            "ladder": msgspec.to_builtins(offence.ladder),
            "choices": msgspec.to_builtins(offence.choices),
            "chief": offence.chief,
            "history": history(state, case, finding.offence, offence),
        }
    return page


def history(state: State, case: Case, name: str, offence: Offence) -> list[dict[str, Any]]:
    """What stands against this player by the article already, in the hand or session its ladder is for."""
    return [
        {
            "case": other.no,
            "hand": other.hand,
            "rule": decision.rule,
            "place": decision.place,
            "points": decision.points,
        }
        for other, decision in ladder.standing(state, case, name, offence)
    ]


def _decision(decision: Decision) -> dict[str, Any]:
    page: dict[str, Any] = msgspec.to_builtins(decision)
    return page


# what a correction would change


def preview(
    state: State, book: RuleBook, no: int, asked: ruling.Asked, *, strike: bool = False
) -> dict[str, Any]:
    """What correcting a ruling would change: points, places, bars, other steps of its ladder.

    Raises ``RefusedCommand`` as the correction itself would.
    """
    after = from_json(to_json(state))
    step = Step(after, book, state.changed + 1, state.now, 0)
    ruling.correct(step, no, asked, "preview", "chief", strike=strike)
    return {
        "case": no,
        "points": differing(ledger.totals(state.session), ledger.totals(after.session)),
        "places": differing(places(state), places(after)),
        "rulings": [
            {"case": old.no, "was": _told(old), "now": _told(new)}
            for old, new in zip(state.cases, after.cases, strict=True)
            if _told(old) != _told(new)
        ],
        "bars": bars_changed(state, after),
        "refused": list(next(case.refused for case in state.cases if case.no == no)),
    }


def places(state: State) -> dict[str, int]:
    """The place of each player."""
    return {
        line["player"]: line["place"] for line in standings.document(state.session, state.ruleset)["ranking"]
    }


def differing(old: dict[str, int], new: dict[str, int]) -> dict[str, list[int]]:
    """What is not the same, as [was, would be]."""
    return {name: [old[name], new[name]] for name in old if old[name] != new[name]}


def _told(case: Case) -> dict[str, Any] | None:
    decision = case.decision
    if decision is None:
        return None
    return {
        "rule": decision.rule,
        "place": decision.place,
        "points": decision.points,
        "waived": decision.waived,
    }


def bars_changed(before: State, after: State) -> list[dict[str, Any]]:
    """What each seat may do again, or not any more."""
    if before.hand is None or after.hand is None:
        return []
    pairs = zip(before.hand.seats, after.hand.seats, strict=True)
    return [
        {
            "seat": old.wind,
            "was": [bar.effect for bar in old.bars],
            "now": [bar.effect for bar in new.bars],
        }
        for old, new in pairs
        if old.bars != new.bars
    ]
