"""People sat differently from what was entered: seats are corrected from a hand on, and the hands replayed.

What the record says of a player happened at a place; who truly sat there gets it. Every entry of those hands
is attributed anew by a further line, every result keeps its old words beside the new (B084). Nothing is
deleted. A correction reaches to the next draw of seats, which was entered by itself.
"""

from __future__ import annotations

from typing import Any

from tablectl.game import ledger, seating
from tablectl.game.cases import applying
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.sessionstate import Entry, Seating, SessionState

DRAWN = ("given", "lot", "throws", "software")
NAMED = ("winner", "from", "dealer")  # fields of a result that name a player


def correct(step: Step, hand: int, order: list[str]) -> dict[str, Any]:
    """Who truly had E, S, W, N in ``hand``: everything from there on follows. Raises ``RefusedCommand``."""
    session = step.state.session
    dealer = dealer_of(step, hand)
    line = seating.seating_of(session, hand)
    believed = line.sides
    truth = {believed[(dealer + place) % 4]: id_ for place, id_ in enumerate(order)}
    if all(old == new for old, new in truth.items()):
        raise RefusedCommand("refused.seats_are_so", hand=hand)
    until = end_of(session, hand)
    lines = [line for line in session.seatings if hand < line.hand < until]
    session.seatings.append(moved(step, line, truth, hand))
    for later in lines:
        if later is seating.seating_of(session, later.hand):
            session.seatings.append(moved(step, later, truth, later.hand))
    entries = [entry for entry in session.ledger if hand <= entry.hand < until and not entry.corrects]
    changed = [entry for entry in entries if not entry.case]
    for entry in changed:
        attribute(step, entry, truth)
    for case in step.state.cases:
        if hand <= case.hand < until and case.player:
            applying.reattribute(step, case, truth)
    results = [r for r in step.state.results if hand <= r["hand"] < until]
    for result in results:
        old = {name: result[name] for name in NAMED if result.get(name)}
        result.update({name: truth.get(id_, id_) for name, id_ in old.items()})
        result["corrected"] = [*result.get("corrected", []), {"record": step.n, "old": old}]
    if until > session.hand_no + 1:
        for player in session.players:
            player.side = seating.sides_of(session, session.hand_no + 1).index(player.id)
    ledger.refresh(step)
    step.publish("event.seats_corrected", hand=hand, old=believed, new=[truth[id_] for id_ in believed])
    seating.tell(step)
    return {"hands": [r["hand"] for r in results], "entries": [entry.n for entry in changed]}


def dealer_of(step: Step, hand: int) -> int:
    """The side of East in a hand. Raises ``RefusedCommand`` if there was no such hand."""
    now = step.state.hand
    if now is not None and now.no == hand:
        return now.dealer
    result = next((r for r in reversed(step.state.results) if r["hand"] == hand), None)
    if result is None:
        raise RefusedCommand("refused.no_such_hand", hand=hand, newest=step.state.session.hand_no)
    sides = seating.sides_of(step.state.session, hand)
    return sides.index(str(result["dealer"]))


def end_of(session: SessionState, hand: int) -> int:
    """The first hand after ``hand`` whose seats were drawn anew; far away if there is none."""
    later = [line.hand for line in session.seatings if line.hand > hand and line.how in DRAWN]
    return min(later, default=session.hand_no + 2)


def moved(step: Step, line: Seating, truth: dict[str, str], hand: int) -> Seating:
    """The line as it should have been."""
    stage = ledger.stage_of(step.state.session, hand)
    return Seating(step.n, hand, stage, [truth[id_] for id_ in line.sides], line.east, "correction")


def attribute(step: Step, entry: Entry, truth: dict[str, str]) -> None:
    """Give what an entry comes to by now to those who truly sat there."""
    session = step.state.session
    old = ledger.effective(session, entry.n)
    new = {truth[id_]: delta for id_, delta in old.items()}
    deltas = {id_: new[id_] - old[id_] for id_ in old}
    if any(deltas.values()):
        session.ledger.append(
            Entry(step.n, entry.hand, entry.stage, "reseat", deltas, "", entry.n, entry.table)
        )
