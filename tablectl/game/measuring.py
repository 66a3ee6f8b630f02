"""What a turn took, and what that costs: every turn that ends leaves a measurement (MCR-T1, ZJ-T1, ZJ-T2).

A time is as certain as the two board times it lies between. Only what is certainly over the limit is charged,
and exactly at the limit is in time. Nothing is booked here: overtime is told as an irregularity, and the
referee, or the ruleset, makes a penalty of it.
"""

from __future__ import annotations

from typing import Any

from tablectl.game.context import SECOND, Step
from tablectl.game.state import HandState, SeatState
from tablectl.game.timestate import Clock, Measurement
from tablectl.rules.model import Turn

NO_TURN = ("taken", "void", "last_draws")  # how a clock ends that measured nobody's turn


def given(hand: HandState, clock: Clock) -> int:
    """µs a referee has given to a clock, or (negative) taken."""
    if not hand.corrections:  # nearly always, and it is asked after every step
        return 0
    return sum(c.us for c in hand.corrections if c.of == "turn" and c.clock == clock.no)


def bank_given(hand: HandState, side: int) -> int:
    """µs a referee has given to the bank of a seat, or (negative) taken."""
    return sum(c.us for c in hand.corrections if c.of == "bank" and c.side == side)


def spent(hand: HandState, clock: Clock, now: int) -> int:
    """µs of a clock used at a moment of play, less what a referee gave: negative while that is more. With
    what is left it always makes the limit."""
    used = 0 if clock.waits else max(0, now - clock.started)
    return used - given(hand, clock)


def counted(hand: HandState, clock: Clock, now: int) -> int:
    """The same as a turn bears it and its bank: no turn took less than nothing."""
    return max(0, spent(hand, clock, now))


def stood(hand: HandState, since: int, until: int) -> int:
    """µs between two moments of the table in which the clocks stood."""
    spans = hand.stood if hand.frozen is None else merged([*hand.stood, (hand.frozen, until)])
    return sum(max(0, min(end, until) - max(begun, since)) for begun, end in spans)


def merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same time as spans in order that do not touch."""
    found: list[tuple[int, int]] = []
    for since, until in sorted(span for span in spans if span[0] < span[1]):
        if found and since <= found[-1][1]:
            found[-1] = (found[-1][0], max(until, found[-1][1]))
        else:
            found.append((since, until))
    return found


def charge(rules: Turn, over_us: int, unc_us: int) -> int:
    """Points for so much overtime, counting only what is certain: 5 for every started 15 s (ZJ-T2); 0 where
    a ladder says what an overtime costs."""
    certain, step_us = over_us - unc_us, rules.overtime_step_s.value * SECOND
    if certain <= 0:
        return 0
    steps = -(-certain // step_us) if step_us else 1
    return steps * rules.overtime_points.value


def measure(step: Step, clock: Clock, why: str, now: int) -> None:
    """A turn ended at moment ``now`` of play: keep what it took, and tell what was over."""
    hand, rules = step.hand, step.rules.turn
    used = counted(hand, clock, now)
    over = max(0, used - clock.limit)
    unc = clock.unc + step.unc
    found = "no_turn" if why in NO_TURN else "untimed" if not clock.timed else judged(over, unc)
    line = Measurement(
        no=clock.no,
        hand=hand.no,
        side=clock.side,
        started=clock.began,
        stopped=step.at,
        spent=used,
        limit=clock.limit,
        over=over,
        unc=unc,
        began_by=clock.why,
        ended_by=why,
        stood=stood(hand, clock.began, step.at),
        grace=min(clock.grace, max(0, now - clock.started + clock.grace)),
        points=charge(rules, over, unc) if found == "over" else 0,
        found=found,
    )
    hand.measurements.append(line)
    if found in ("no_turn", "untimed"):
        return
    if clock.over and found == "in_time":  # the act was heard after the limit had been called
        step.publish("event.overtime_lifted", side=clock.side, spent_us=used)
    seat = hand.seats[clock.side]
    seat.bank += used + (line.grace if rules.grace_counts.value else 0)
    seat.bank_unc += unc
    if found == "over":
        seat.overtime += line.points
        step.irregular("overtime", clock.side, turn=line.no, **facts(line))
    forfeit(step, clock.side)


def judged(over_us: int, unc_us: int) -> str:
    """How a time over the limit is found: what is less than the uncertainty is in time, and said to be."""
    return "in_time" if over_us <= 0 else "doubt" if over_us <= unc_us else "over"


def facts(line: Measurement) -> dict[str, Any]:
    """What an overtime is told with."""
    return {
        "spent_us": line.spent,
        "limit_us": line.limit,
        "over_us": line.over,
        "unc_us": line.unc,
        "points": line.points,
    }


# the bank


def bank_over(step: Step, side: int) -> int:
    """µs a seat has used beyond its bank (ZJ-T1); 0 where there is none."""
    bank = step.rules.turn.bank_s.value * SECOND
    hand = step.hand
    return max(0, hand.seats[side].bank - bank - bank_given(hand, side)) if bank else 0


def bank_points(step: Step, side: int) -> int:
    """What that costs at the end of the hand."""
    return charge(step.rules.turn, bank_over(step, side), step.hand.seats[side].bank_unc)


def bank_left(hand: HandState, rules: Turn, side: int, running: int = 0) -> int | None:
    """µs left of a seat's bank, ``running`` being what its turn has used; None where there is none."""
    bank = rules.bank_s.value * SECOND
    return bank + bank_given(hand, side) - hand.seats[side].bank - running if bank else None


def close_banks(step: Step) -> None:
    """The hand is over: each bank that is certainly overdrawn is charged once, beside its turns (ZJ-T3)."""
    for side, seat in enumerate(step.hand.seats):
        over = bank_over(step, side)
        if judged(over, seat.bank_unc) == "over":
            step.irregular(
                "overtime_bank",
                side,
                spent_us=seat.bank,
                limit_us=seat.bank - over,
                over_us=over,
                unc_us=seat.bank_unc,
                points=bank_points(step, side),
            )
        forfeit(step, side)


def forfeit(step: Step, side: int) -> None:
    """More points of overtime in one hand than the rules bear are a forfeit (ZJ-T7). What the bank will cost
    counts as soon as it is certain: it can only grow."""
    seat: SeatState = step.hand.seats[side]
    most = step.rules.turn.forfeit_above.value
    points = seat.overtime + bank_points(step, side)
    if most and points > most and not seat.forfeits:
        seat.forfeits = True
        step.irregular("overtime_forfeit", side, points=points, limit=most)


# known later


def measure_again(step: Step, since: int) -> None:
    """Clocks stood from ``since`` on, and turns that ended after it were measured before anybody knew: what
    they took in that time is taken out, and out of what was told of them. Called while only what stood
    before is known, which is out of them already."""
    hand, rules = step.hand, step.rules.turn
    for line in reversed(hand.measurements):
        if line.stopped <= since:
            break
        begun = max(line.started, since)
        cut = min(line.spent, line.stopped - begun - stood(hand, begun, line.stopped))
        if cut <= 0:
            continue
        line.spent, line.stood = line.spent - cut, line.stood + cut
        line.over = max(0, line.spent - line.limit)
        seat, points = hand.seats[line.side], line.points
        if line.found in ("no_turn", "untimed"):
            continue
        line.found = judged(line.over, line.unc)
        line.points = charge(rules, line.over, line.unc)
        seat.bank -= cut
        seat.overtime += line.points - points
        told = next((i for i in hand.irregularities if i.data.get("turn") == line.no), None)
        if told is not None:
            told.data.update(facts(line))
            _tell_case(step, line)
            step.publish("event.measured_again", side=line.side, cut_us=cut, over_us=line.over)


def _tell_case(step: Step, line: Measurement) -> None:
    """The case that was proposed of an overtime shows what it was after all."""
    for case in step.state.cases:
        finding = case.finding
        if finding is not None and case.hand == line.hand and finding.facts.get("turn") == line.no:
            finding.facts.update(facts(line))
