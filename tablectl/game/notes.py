"""What a rule speaks of and no sensor sees: somebody tells it, and it stands in the record and on the sheet.

A note is a fact: it is never refused and punishes nobody. Where a rule makes something of it, the rule book
hears of it: a self-drawn tile that was put among the others changes what the hand is worth (CJ-C2).
"""

from __future__ import annotations

from typing import Any, cast

from tablectl.game import adjudication
from tablectl.game.context import SECOND, Step
from tablectl.game.sessionstate import Note
from tablectl.game.wins import before_referee
from tablectl.rules.model import Fact

APART, MIXED = "win_apart", "win_mixed"
APPEAL, TWO_COUNTS = "appeal", "two_counts"


def note(step: Step, fact: str, wind: str, text: str) -> dict[str, Any]:
    """Record a fact, of the player with a wind where it is about one. ``rule``: the article that speaks of it
    in this ruleset, "" where none does."""
    session, hand = step.state.session, step.state.hand
    player = ""
    if wind and hand is not None:
        side = next(side for side, seat in enumerate(hand.seats) if seat.wind == wind)
        player = session.at(side).id
    made = Note(step.n, step.at, session.hand_no, fact, article(step, fact), player, text, _late(step, fact))
    session.notes.append(made)
    step.publish("event.noted", fact=f"fact.{fact}", player=player or None, text=text, rule=made.rule)
    if fact in (APART, MIXED) and hand is not None and hand.win is not None:
        hand.win.mixed = fact == MIXED
        adjudication.judge(step)
    return {"rule": made.rule, "late": made.late}


def article(step: Step, fact: str) -> str:
    """The article of this ruleset that speaks of a fact."""
    return step.rules.notes.get(cast(Fact, fact), "")


def _late(step: Step, fact: str) -> bool:
    """An appeal after the time there is for one (ZJ-F5): it is recorded all the same."""
    session, limit = step.state.session, step.rules.session.appeal_s.value
    over = fact == APPEAL and bool(session.ended) and limit > 0
    return over and step.at > session.closed_at + limit * SECOND


def count(step: Step, wind: str, points: int) -> dict[str, Any]:
    """A player says what the declared win is worth. A ruling is due once two counts differ (ZJ-C21); one
    beside the rule book's is said by how much (ZJ-C20). Raises ``RefusedCommand`` without a win."""
    win = before_referee(step)
    side = next(side for side, seat in enumerate(step.hand.seats) if seat.wind == wind)
    win.counts[step.state.session.at(side).id] = points
    counts = " ".join(f"{id_} {said}" for id_, said in win.counts.items())
    if win.ruling_due:
        step.publish("event.counts_differ", counts=counts, rule=article(step, TWO_COUNTS))
    else:
        step.publish("event.win_counted", counts=counts)
    if win.verdict is not None and win.verdict.total != points:
        step.publish("event.count_is_off", side=side, points=points, total=win.verdict.total)
    return {"ruling_due": win.ruling_due, "counts": dict(win.counts)}
