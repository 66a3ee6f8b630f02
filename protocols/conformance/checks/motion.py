"""What moves: one throw of the dice, or one homing where there are none, looked at from every side."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from protocols.atp import messages as m
from protocols.conformance.bench import NOBODY_KNOWS, Bench
from protocols.conformance.checks.building import build
from protocols.conformance.checks.course import joined
from protocols.conformance.checks.walls import walls_up
from protocols.conformance.evidence import Evidence, NotApplicable, expect, saw
from protocols.conformance.register import Phase, check
from protocols.conformance.stages import FinalMessage, StageMessage, expect_refused, stage_of
from protocols.conformance.talk import Answer
from protocols.vocabulary import Capability, EventKind, Operation, Refusal

SIDE, DICE = 2, 2
OTHER_SIDE, OTHER_DICE, OTHER_HAND = 1, 1, 99
FACES = range(1, 7)
REPEATS = 3
RUNNING = (m.Accepted, m.Progress)


@dataclass(slots=True)
class Journey:
    """One motion from its order to long after its end. ``repeats`` answer the same id, sent again."""

    operation: Operation
    id: int
    answer: Answer[StageMessage]
    status: m.Status  # while it moved
    beats: list[m.Beat]
    second: StageMessage  # another order for the same track
    second_id: int
    repeats: list[StageMessage]
    final: FinalMessage
    events: list[m.Event]
    late: list[StageMessage]  # the same id after the end, with other arguments
    late_events: list[m.Event]
    after: m.Status
    tardy: int  # events that came after DONE


async def begin_motion(bench: Bench) -> int:
    """Home anew after a stop, which every board can: the id of the order, under way. May be over at once."""
    await bench.ready()
    await bench.stop()
    id = bench.next_id()
    await bench.give(Operation.HOME, id=id)
    return id


def moves(bench: Bench) -> Operation:
    """The motion to look at: a throw where there are dice, else homing."""
    return Operation.DICE if Capability.DICE in bench.capabilities else Operation.HOME


def arguments(operation: Operation) -> dict[str, int]:
    """The arguments of that motion."""
    return {"side": SIDE, "count": DICE} if operation is Operation.DICE else {}


async def journey(bench: Bench) -> Journey:
    """Order a motion, disturb it in every harmless way, let it end, and look again."""
    operation = moves(bench)
    await bench.ready()
    if operation is Operation.HOME:
        await bench.stop()  # else there is nothing to be homed
    newest = await bench.caught_up()
    id, second_id = bench.next_id(), bench.next_id()
    answer = await bench.give(operation, id=id, **arguments(operation))
    status = await bench.status()
    beats = [await bench.asked_beat()]
    second = (await bench.give(operation, id=second_id, **arguments(operation))).message
    repeats = [(await bench.give(operation, id=id, **arguments(operation))).message for _ in range(REPEATS)]
    final = await bench.ended(id)
    if not isinstance(final, m.Done):
        reason = getattr(final, "refusal", getattr(final, "fault", 0))
        raise NotApplicable(
            "no_motion_done", operation=operation.name, stage=stage_of(final).name, reason=reason
        )
    upto = await bench.caught_up()
    others = {"side": OTHER_SIDE, "count": OTHER_DICE, "hand": OTHER_HAND}
    late = [(await bench.give(operation, id=id, **others)).message for _ in range(REPEATS)]
    await bench.wire.listen(bench.repeat)
    await bench.caught_up()
    after = await bench.status()
    events = [event for event in bench.events(newest) if event.number <= upto]
    return Journey(
        operation,
        id,
        answer,
        status,
        beats,
        second,
        second_id,
        repeats,
        final,
        events,
        late,
        bench.events(upto),
        after,
        _tardy(bench, id, events),
    )


def _tardy(bench: Bench, id: int, events: list[m.Event]) -> int:
    """How many events of a throw came first after it was told as done."""
    order = bench.wire.heard
    done = next((one for one in bench.stages[id] if isinstance(one.message, m.Done)), None)
    thrown = [event for event in events if event.kind in (EventKind.DICE_STARTED, EventKind.DICE_RESULT)]
    first = [bench.arrivals[event.number][0] for event in thrown]
    return sum(done is not None and order.index(one) > order.index(done) for one in first)


@check("ATP-R41", phase=Phase.MOTION)
async def accepted_before_it_moves(bench: Bench) -> Evidence:
    """The first stage of an order against its events."""
    trip = await bench.once(journey)
    said = trip.answer.message
    expect(
        isinstance(said, RUNNING), "not_accepted", operation=trip.operation.name, stage=stage_of(said).name
    )
    at_once = isinstance(said, m.Accepted) or trip.answer.tries > 1
    expect(at_once, "not_accepted_first", operation=trip.operation.name, stage=stage_of(said).name)
    if trip.answer.tries == 1:
        at = bench.wire.heard.index(trip.answer.heard)
        numbers = {event.number for event in trip.events}
        early = [
            heard for heard in bench.wire.heard[:at]
            if isinstance(heard.message, m.Event) and heard.message.number in numbers
        ]  # fmt: skip
        expect(not early, "moved_first", operation=trip.operation.name, count=len(early))
    limit = bench.repeat
    seconds = trip.answer.seconds
    expect(
        trip.answer.tries > 1 or seconds <= limit,
        "accepted_late",
        ms=round(seconds * 1000),
        limit=f"{limit:.2f}",
    )
    return saw("accepted", operation=trip.operation.name, ms=f"{seconds * 1000:.1f}")


@check("ATP-R44", phase=Phase.MIXED)
async def an_id_never_moves_twice(bench: Bench) -> Evidence:
    """The same id with another operation; the same id while it moves and after, with other arguments."""
    first, second = NOBODY_KNOWS, Operation.CLEAR_FAULT
    id = bench.next_id()
    before = await bench.give(first, id=id)
    again = (await bench.give(second, id=id)).message
    kept = (stage_of(again), getattr(again, "operation", 0))
    wanted = (stage_of(before.message), getattr(before.message, "operation", 0))
    expect(kept == wanted, "not_stored", wanted=wanted[0].name, said=kept[0].name)
    if not bench.settings.motion:
        return saw("stored", count=1)
    trip = await bench.once(journey)
    count = len(starts(trip, trip.events))
    expect(count <= 1, "moved_twice", operation=trip.operation.name, count=count)
    expect(not starts(trip, trip.late_events), "moved_again", operation=trip.operation.name)
    for said in trip.repeats:
        right = isinstance(said, (*RUNNING, m.Done))
        expect(right, "repeat_not_stored", operation=trip.operation.name, stage=stage_of(said).name)
    for said in trip.late:
        right = isinstance(said, m.Done) and same_end(said, trip.final)
        expect(right, "repeat_not_stored", operation=trip.operation.name, stage=stage_of(said).name)
    expect(not trip.after.running, "moved_again", operation=trip.operation.name)
    return saw("once_only", operation=trip.operation.name, count=len(trip.repeats) + len(trip.late))


def same_end(one: StageMessage, other: StageMessage) -> bool:
    """True when both tell the same end, asked for or not."""
    fields = [field.name for field in other.LAYOUT.row.fields if field.name != "queried"]
    return type(one) is type(other) and all(getattr(one, name) == getattr(other, name) for name in fields)


def starts(trip: Journey, events: list[m.Event]) -> list[m.Event]:
    """The events that say that the motion began, or came to a result."""
    kind = EventKind.DICE_STARTED if trip.operation is Operation.DICE else EventKind.FAULT_CLEARED
    started = [event for event in events if event.kind == kind]
    results = [event for event in events if event.kind == EventKind.DICE_RESULT]
    return max(started, results, key=len)


@check("ATP-R48", phase=Phase.MOTION)
async def one_motion_a_track(bench: Bench) -> Evidence:
    """A second order while the first one moves."""
    trip = await bench.once(journey)
    if trip.status.running_id != trip.id and trip.status.running != trip.operation:
        raise NotApplicable("too_quick", operation=trip.operation.name)
    reasons = (Refusal.BUSY,) if trip.operation is Operation.DICE else (Refusal.BUSY, Refusal.STOPPED)
    expect_refused(trip.second, trip.operation.name, *reasons)
    await beside_a_build(bench)
    return saw("busy", operation=trip.operation.name)


async def beside_a_build(bench: Bench) -> None:
    """Raise ``Broken`` when an order was taken for a track that a build used."""
    try:
        what = await bench.once(build)
    except NotApplicable:
        return
    found = what.beside
    with suppress(NotApplicable):
        found = found + (await walls_up(bench)).beside
    with suppress(NotApplicable):
        beside = (await bench.once(joined)).beside_lower
        found = found + ([beside] if beside is not None else [])
    for one in found:
        if one.used:
            reasons = (Refusal.BUSY, Refusal.NOT_READY, Refusal.UNSUPPORTED)
            expect_refused(one.said, one.operation.name, *reasons)


def agree_on_the_throw(bench: Bench, trip: Journey) -> None:
    """Raise ``Broken`` unless order, events and DONE tell of one throw."""
    for event in trip.events:
        if event.kind in (EventKind.DICE_STARTED, EventKind.DICE_RESULT):
            expect(
                event.side == SIDE,
                "wrong_side",
                event=EventKind(event.kind).name,
                wanted=SIDE,
                said=event.side,
            )
    results = [event for event in trip.events if event.kind == EventKind.DICE_RESULT]
    if results and isinstance(trip.final, m.Done):
        said, wanted = trip.final.value, results[0].value
        expect(said == wanted, "wrong_value", operation="DICE", wanted=f"0x{wanted:X}", said=f"0x{said:X}")
        faces = [wanted >> 4 * die & 0xF for die in range(DICE)]
        right = all(face in FACES for face in faces) and wanted >> 4 * DICE == 0
        expect(right, "wrong_faces", said=f"0x{wanted:X}", count=DICE)


@check("ATP-R55", phase=Phase.MOTION)
async def everybody_homes(bench: Bench) -> Evidence:
    """HOME after a stop."""
    await bench.stop()
    end = await bench.carry_out(Operation.HOME)
    if isinstance(end, m.Refused) and end.refusal == Refusal.LOCKED:
        raise NotApplicable("no_home", stage=stage_of(end).name)
    expect(isinstance(end, m.Done), "no_home", stage=stage_of(end).name)
    status = await bench.status()
    expect(
        bool(status.homed) and not status.stopped,
        "home_not_homed",
        homed=status.homed,
        stopped=status.stopped,
    )
    return saw("homed")
