"""What must hold of every case and ruling, whatever happened; each violation is a sentence with its numbers.

Every penalty names its rule, its actor and its hand; the points of a ruling are in the ledger once, and taken
back once if it does not stand; nobody is charged for time in which the clocks stood.
"""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.game import measuring
from tablectl.game.casestate import Case, Decision
from tablectl.game.sessionstate import Entry
from tablectl.game.state import HandState, State

BOOKED = (
    "applied",
    "signed",
    "closed",
)  # phases in which what a decision costs has been booked, if it is due


def violations(state: State) -> Iterator[str]:
    """Every rule about cases that is broken now."""
    yield from _cases(state)
    if state.hand is not None and state.hand.measurements:
        yield from _charges(state, state.hand)


def unended(state: State) -> Iterator[str]:
    """At the end of a session: cases that somebody still has to do something about, as far as nobody has said
    why they are left."""
    for case in state.cases:
        if case.open and not _why(case):
            yield f"case {case.no} ({case.kind}) was left {case.phase}"
        elif not case.open and not (case.log and case.log[-1].actor):
            yield f"case {case.no} is {case.phase} and nobody has ended it"


def _why(case: Case) -> str:
    """Why a case is left open: what is still to be looked up, or why somebody does not accept it."""
    if case.phase == "provisional" and case.decision is not None:
        return case.decision.reason
    return case.log[-1].text if case.phase == "appealed" else ""


def _cases(state: State) -> Iterator[str]:
    booked: dict[int, list[Entry]] = {}
    for entry in state.session.ledger:
        if entry.case:
            booked.setdefault(entry.case, []).append(entry)
    for case in state.cases:
        yield from _named(case)
        yield from _once(state, case, booked.pop(case.no, []))
    for no, entries in booked.items():
        yield f"entry {entries[0].n} is of case {no}, which there is not"


def _named(case: Case) -> Iterator[str]:
    """Rule, actor and hand of a penalty. One whose article is filled in later has no rule yet, and costs
    nothing."""
    for decision in case.decisions:
        costs = decision.points or decision.measure.effects or decision.entry
        if not decision.actor:
            yield f"nobody has made the decision of record {decision.n} in case {case.no}"
        if costs and not decision.waived and not decision.rule:
            yield f"the penalty of record {decision.n} in case {case.no} names no rule"
        if costs and not decision.waived and (case.stage < 1 or case.hand < 0):
            yield f"the penalty of record {decision.n} in case {case.no} names no hand"


def _once(state: State, case: Case, entries: list[Entry]) -> Iterator[str]:
    """Each ruling's points are in the ledger exactly once, and no others are."""
    lines = list(entries)
    for decision in case.decisions:
        if not decision.entry:
            if _is_owed(state, case, decision):
                yield f"the {decision.points} points of record {decision.n} in case {case.no} are not booked"
            continue
        mine = [
            line
            for line in lines
            if line.n == decision.entry and not line.corrects and line.deltas == decision.deltas
        ]
        if len(mine) != 1:
            yield f"case {case.no}: the points of record {decision.n} are {len(mine)} times in the ledger"
            continue
        lines.remove(mine[0])
        back = [line for line in lines if line.corrects == decision.entry]
        if len(back) != (0 if decision.standing else 1):
            yield f"case {case.no}: the points of record {decision.n} were taken back {len(back)} times"
        for line in back:
            lines.remove(line)
            if line.deltas != {player: -points for player, points in decision.deltas.items()}:
                yield f"case {case.no}: entry {line.n} does not take back what entry {decision.entry} took"
    for line in lines:
        moved = line.corrects and any(line.n == other.n and not other.corrects for other in entries)
        if not moved and not line.corrects:
            yield f"entry {line.n} of case {case.no} belongs to none of its decisions"


def _is_owed(state: State, case: Case, decision: Decision) -> bool:
    """Should its points be in the ledger by now? Points that chips do not cover are not, nor what a player
    would pay to himself."""
    if not decision.standing or decision.waived or not decision.points or not case.player:
        return False
    if decision.receiver == case.player:
        return False
    hand = state.hand
    running = hand is not None and not hand.over and hand.no == case.hand
    if case.phase not in BOOKED or (running and decision.measure.when == "hand_end"):
        return False
    return state.ruleset is not None and not state.ruleset.session.chips_bound.value


def _charges(state: State, hand: HandState) -> Iterator[str]:
    """The newest turn was not charged with time in which a hold stood."""
    line = hand.measurements[-1]
    if line.hand != hand.no or any(one.clock == line.no for one in hand.corrections):
        return  # a referee has set it otherwise
    spans = [
        (max(held.since, line.started), min(line.stopped if held.until is None else held.until, line.stopped))
        for held in state.held
        if held.hand == hand.no
    ]
    stood = sum(until - since for since, until in measuring.merged([s for s in spans if s[0] < s[1]]))
    if line.spent > max(0, line.stopped - line.started - stood) + line.unc:
        yield f"turn {line.no} of side {line.side} is charged {line.spent} µs, {stood} of them standing"
