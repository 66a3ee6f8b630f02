"""What a decision does: bars on the seat, tiles laid out, points booked when due; and how it is taken back.

Points are lines of the ledger of their own, apart from payments. Nobody pays more than lies before him where
the chips bound it (CJ-S8). Whatever a decision did is found by its case, so a correction can take it back.
"""

from __future__ import annotations

from tablectl.game import ledger, people
from tablectl.game.cases.machine import move
from tablectl.game.casestate import Bar, Case, Decision, PenaltyTile
from tablectl.game.context import Step
from tablectl.game.state import HandState
from tablectl.rules.offences import Offence

BARS = ("no_win", "no_claims", "no_kongs", "mechanical")
DEAD = ("no_win", "no_claims", "no_kongs")  # what a forfeited hand cannot do (ZJ-T7)
LEAVES = {"forfeit_session": "forfeited", "disqualify": "forfeited"}
FOR_ALL = "pays_all"


def decide(step: Step, case: Case, decision: Decision, *, reserve: bool = False) -> None:
    """A decision has been made: play goes on under reserve, or it is final and applied. There is never more
    than one that stands: what an earlier one did is undone first."""
    for earlier in [one for one in case.decisions if one.standing]:
        take_back(step, case, earlier)
        case.answers.clear()  # what was signed is no longer what stands
    case.decisions.append(decision)
    if not decision.remedy:  # of a machine's fault: that has an event of its own
        _tell(step, case, decision)
    unbar(step, case)
    bar(step, case, decision)
    if reserve:
        move(step, case, "reserve", decision.actor)
        return
    finish(step, case, decision.actor)


def finish(step: Step, case: Case, actor: str) -> None:
    """The decision is final: everything it says takes place."""
    decision = case.decision
    assert decision is not None
    move(step, case, "decide", actor)
    move(step, case, "apply", actor)
    book_due(step, case, decision)
    if decision.waived or not case.player:
        move(step, case, "close", actor)


def hand_of(step: Step, case: Case) -> HandState | None:
    """The hand the case is about, if it is still played."""
    hand = step.state.hand
    return hand if hand is not None and not hand.over and hand.no == case.hand else None


def bar(step: Step, case: Case, decision: Decision) -> None:
    """What the decision does at the table, at once."""
    if decision.waived:
        return
    effects = decision.measure.effects
    hand = hand_of(step, case)
    if hand is not None and case.side is not None:
        seat = hand.seats[case.side]
        barred: list[str] = [effect for effect in effects if effect in BARS]
        if "forfeit_hand" in effects:
            barred += [effect for effect in DEAD if effect not in barred]
        seat.bars += [Bar(effect, decision.rule, case.no) for effect in barred]
        if "penalty_tiles" in effects or "forced_discard" in effects:
            forced = "forced_discard" in effects
            seat.penalty_tiles += [
                PenaltyTile(tile, decision.rule, case.no, forced=forced) for tile in tiles_of(case, decision)
            ]
        if barred or seat.penalty_tiles:
            step.publish("event.barred", side=case.side, rule=decision.rule, effects=list(effects))
    for effect, status in LEAVES.items():
        player = case.player
        if effect in effects and player and step.state.session.player(player).status not in people.GONE:
            people.leave(step, player, status, mechanical=True)
            decision.sent_away = True


def _tell(step: Step, case: Case, decision: Decision) -> None:
    """A ruling by an article, one whose article is filled in later, or none at all."""
    step.publish(
        "event.waived" if decision.waived else "event.ruled" if decision.rule else "event.ruled_later",
        case=case.no,
        side=case.side,
        rule=decision.rule,
        offence=decision.offence,
        waived=decision.waived,
        points=decision.points,
        actor=decision.actor,
    )


def bar_until_ruled(step: Step, case: Case, offence: Offence) -> None:
    """Play goes on before anybody can decide: what every decision would bar the seat from bars it now."""
    hand = hand_of(step, case)
    if hand is not None and case.side is not None:
        hand.seats[case.side].bars += [Bar(effect, offence.rule, case.no) for effect in offence.at_once]
        step.publish("event.barred", side=case.side, rule=offence.rule, effects=list(offence.at_once))


def tiles_of(case: Case, decision: Decision) -> list[str]:
    """The tiles a decision is about: those the referee named, else those seen; as many as it says."""
    seen = [] if case.finding is None else list(case.finding.facts.get("tiles", ()))
    tiles = decision.tiles or seen
    wanted, free = decision.measure.tiles, decision.measure.free
    return (tiles + [""] * wanted)[:wanted] if wanted else tiles[free:]


def unbar(step: Step, case: Case) -> None:
    """Take back what the case did at the table."""
    hand = step.state.hand
    if hand is None:
        return
    for side, seat in enumerate(hand.seats):
        bars = [one for one in seat.bars if one.case != case.no]
        tiles = [tile for tile in seat.penalty_tiles if tile.case != case.no]
        if len(bars) + len(tiles) < len(seat.bars) + len(seat.penalty_tiles):
            seat.bars, seat.penalty_tiles = bars, tiles
            step.publish("event.unbarred", side=side, case=case.no)


def take_back(step: Step, case: Case, decision: Decision) -> None:
    """Undo all that a decision did."""
    decision.standing = False
    unbar(step, case)
    unbook(step, case, decision)
    if decision.sent_away:
        people.come_back(step, case.player)


# points


def settle(step: Step) -> None:
    """Book what has become due; called once a step, after the hand may have ended."""
    hand = step.state.hand
    if hand is None or not hand.over:
        return
    for case in step.state.cases:
        decision = case.decision
        if decision is not None and not decision.entry and case.phase in ("applied", "signed", "closed"):
            book_due(step, case, decision)


def is_due(step: Step, case: Case, decision: Decision) -> bool:
    """Is it time to book its points?"""
    costs = decision.points or FOR_ALL in decision.measure.effects
    if decision.waived or not costs or decision.entry or not case.player:
        return False
    return decision.measure.when != "hand_end" or hand_of(step, case) is None


def book_due(step: Step, case: Case, decision: Decision) -> None:
    """Book the points of a decision, if they are due."""
    if not is_due(step, case, decision):
        return
    deltas = deltas_of(step, case, decision)
    if FOR_ALL in decision.measure.effects:
        deltas = {id_: deltas[id_] + more for id_, more in taken_over(step, case).items()}
    if not any(deltas.values()):
        return
    decision.off_table = ends_the_stage(step, deltas)
    if decision.off_table:  # whole, whatever lies before him
        deltas = deltas_of(step, case, decision, bound=False)
    between = "off_table" if decision.off_table else "penalty"
    kind = "bank" if sum(deltas.values()) else between  # what nobody receives is out of play (CJ-P10)
    hand = 0 if decision.measure.when == "stage" else case.hand
    decision.deltas, decision.entry = deltas, step.n
    ledger.of_case(step, kind, hand, deltas, case.no, table=not decision.off_table)


def taken_over(step: Step, case: Case) -> dict[str, int]:
    """He pays what the others lost by this hand (MCR-P14, ZJ-P5, ZJ-P6); nothing if nobody won, or he did."""
    session = step.state.session
    line = next(
        (e for e in session.ledger if e.kind == "hand" and e.hand == case.hand and not e.corrects), None
    )
    lost = {} if line is None else ledger.effective(session, line.n)
    if lost.get(case.player, 0) > 0:
        lost = {}
    moved = {p.id: max(0, -lost.get(p.id, 0)) for p in session.players if p.id != case.player}
    return {**moved, case.player: -sum(moved.values())}


def ends_the_stage(step: Step, deltas: dict[str, int]) -> bool:
    """Would this payment leave as many players without points as end the stage, and who gains by it not be
    first? Then it is not paid on the table (CJ-S9)."""
    session, many = step.state.session, step.rules.session.broke_ends.value
    after = {player.id: player.points + deltas[player.id] for player in session.players}
    if not many or sum(points <= 0 for points in after.values()) < many or ledger.broke(step):
        return False
    first = max(after.values())
    leaders = [id_ for id_, points in after.items() if points == first]
    return not (len(leaders) == 1 and deltas[leaders[0]] > 0)


def deltas_of(step: Step, case: Case, decision: Decision, *, bound: bool = True) -> dict[str, int]:
    """Who loses and who gets what; ``bound``: no more than lies before him, where the chips bound it."""
    session = step.state.session
    others = [player.id for player in session.players if player.id != case.player]
    receivers = {"each": others, "damaged": [decision.receiver] if decision.receiver else []}.get(
        decision.measure.to, []
    )
    points = decision.points
    if bound and step.rules.session.chips_bound.value:
        held = max(0, session.player(case.player).points)
        points = min(points, held // len(receivers) if len(receivers) > 1 else held)
    deltas = {player.id: 0 for player in session.players}
    for receiver in receivers:
        deltas[receiver] += points
    deltas[case.player] -= points * max(1, len(receivers))
    return deltas


def unbook(step: Step, case: Case, decision: Decision) -> None:
    """Take its points back by a further line."""
    if decision.entry and any(decision.deltas.values()):
        back = {id_: -points for id_, points in decision.deltas.items()}
        table = not decision.off_table
        ledger.of_case(step, "correction", case.hand, back, case.no, table=table, corrects=decision.entry)


def reattribute(step: Step, case: Case, truth: dict[str, str]) -> None:
    """Others sat there than was believed: what the case says, and costs, is theirs (a seat correction)."""
    decision = case.decision
    case.player = truth.get(case.player, case.player)
    if decision is None or not decision.entry:
        return
    unbook(step, case, decision)
    decision.receiver = truth.get(decision.receiver, decision.receiver)
    decision.entry, decision.deltas = 0, {}
    book_due(step, case, decision)
