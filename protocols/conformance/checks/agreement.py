"""What was said in the run against what else was said: orders, events, STATUS, the tables of SPEC.md."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise

from protocols.atp import messages as m
from protocols.conformance.bench import Bench
from protocols.conformance.checks.building import Build, built
from protocols.conformance.checks.course import whole_course
from protocols.conformance.checks.cuts import cut_builds_agree
from protocols.conformance.checks.motion import agree_on_the_throw, journey
from protocols.conformance.checks.review import exercise
from protocols.conformance.checks.walls import hand_agrees, walls_up
from protocols.conformance.disagreement import contradicting, unlatched, unlike, unmoved, unstopped
from protocols.conformance.evidence import Evidence, NotApplicable, expect, named, saw
from protocols.conformance.history import Life, events_of, latched_twice, lives
from protocols.conformance.register import Phase, check
from protocols.conformance.stages import stage_message
from protocols.vocabulary import NO_SIDE, SIDES, Capability, EventKind, Fault, Operation, Source

COUNTED = (Operation.DICE, Operation.BUILD, Operation.RESUME)  # whose DONE has a value
SIDED = (
    EventKind.SIDE_DONE,
    EventKind.DICE_STARTED,
    EventKind.DICE_RESULT,
    EventKind.KEY_PRESSED,
    EventKind.SEAT_KEY,
    EventKind.TILE_DRAWN,
    EventKind.TILE_DISCARDED,
    EventKind.MELD_SHOWN,
)
ANYWHERE = (EventKind.FAULT_SET, EventKind.FAULT_CLEARED, EventKind.MISSING_TILES)
CENTRE = (EventKind.CENTRE_OPENED, EventKind.CENTRE_CLOSED)
BY_ORDER = (
    EventKind.PROFILE_CHANGED,
    EventKind.DICE_STARTED,
    EventKind.DICE_RESULT,
    EventKind.WALLS_UP,
    EventKind.WALLS_DOWN,
)
BY_KEY = (*BY_ORDER, EventKind.CENTRE_OPENED, EventKind.CENTRE_CLOSED, EventKind.KEY_PRESSED)


def lived(bench: Bench) -> list[Life]:
    """Every boot of the run."""
    said = [one for wire in bench.wires for one in wire.said]
    return lives(bench.eras(), said, bench.patience)


@check("ATP-R52", phase=Phase.REVIEW)
async def what_is_said_agrees(bench: Bench) -> Evidence:
    """A throw, a build and its walls; then every STATUS of the run against the events it knows."""
    await bench.once(exercise)
    told = "-"
    if bench.settings.motion:
        told = await _motions_agree(bench)
    count = 0
    for life in lived(bench):
        sides = Capability.PER_SIDE_COUNTS in bench.capabilities
        for where in (
            unlike(life, sides),
            contradicting(life, sides),
            unmoved(life),
            unlatched(life),
            unstopped(life),
        ):
            for field, wanted, said in where:
                expect(False, "wrong_state", field=field, wanted=str(wanted), said=str(said))
        for fault in latched_twice(life):
            expect(False, "latched_again", fault=named(Fault, fault))
        count += sum(isinstance(heard.message, m.Status) for heard in life.heard)
    _stages_agree(bench)
    return saw("agrees", operation=told, count=count)


async def _motions_agree(bench: Bench) -> str:
    """Raise ``Broken`` unless order, DONE and events tell of one motion; which were looked at."""
    trip = await bench.once(journey)
    if trip.status.running_id == trip.id:
        right = trip.status.running == trip.operation
        said = named(Operation, trip.status.running)
        expect(right, "wrong_operation", wanted=named(Operation, trip.operation), said=said)
    if trip.operation is Operation.DICE:
        agree_on_the_throw(bench, trip)
    try:
        await hand_agrees(bench)
        await whole_course(bench)
        await cut_builds_agree(bench)
    except NotApplicable:
        return trip.operation.name
    return "DICE, BUILD, RAISE"


def _stages_agree(bench: Bench) -> None:
    """Raise ``Broken`` where a stage names another operation than was ordered, or has a value of its own."""
    for id, found in bench.stages.items():
        wanted = bench.operations.get(id)
        for said in (one.message for one in found):
            if wanted is None or id in bench.reused or isinstance(said, m.Unknown) or not id:
                continue
            operation = getattr(said, "operation", wanted)
            right = operation == wanted
            expect(
                right,
                "wrong_operation",
                wanted=named(Operation, wanted),
                said=named(Operation, operation),
            )
            if isinstance(said, m.Done) and wanted not in COUNTED:
                right = said.value == 0
                expect(right, "wrong_value", operation=named(Operation, wanted), wanted=0, said=said.value)


@check("ATP-R50", phase=Phase.REVIEW)
async def events_before_done(bench: Bench) -> Evidence:
    """The events of a throw, and of a build, by their numbers and against ``DONE``."""
    if not bench.settings.motion:
        raise NotApplicable("no_motion")
    trip = await bench.once(journey)
    if trip.operation is not Operation.DICE:
        raise NotApplicable("capability", capability="DICE")
    kinds = [
        event.kind for event in trip.events if event.kind in (EventKind.DICE_STARTED, EventKind.DICE_RESULT)
    ]
    names = " ".join(EventKind(kind).name for kind in kinds)
    wanted = [EventKind.DICE_STARTED]
    if Capability.DICE_READBACK in bench.capabilities or EventKind.DICE_RESULT in kinds:
        wanted.append(EventKind.DICE_RESULT)
    expect(kinds == wanted, "wrong_events", operation="DICE", events=names or "-")
    if not bench.wires[0].damaged:  # else an event may have been lost, and come late
        expect(not trip.tardy, "events_after_done", operation="DICE", count=trip.tardy)
    with suppress(NotApplicable):
        await hand_in_order(bench)
    return saw("events_in_order", operation="DICE", events=names)


async def hand_in_order(bench: Bench) -> None:
    """Raise ``Broken`` unless a build, its walls and their lowering were told as the table of orders says."""
    what, walls = await built(bench), await walls_up(bench)
    lifts = Capability.LIFT_FEEDBACK in bench.capabilities
    if not what.ready:
        _build_in_order(bench, what)
    for operation, events, kind in (
        (Operation.RAISE, walls.events, EventKind.WALLS_UP),
        (Operation.LOWER, walls.lowering, EventKind.WALLS_DOWN),
    ):
        if events is None:
            continue
        count = sum(event.kind == kind for event in events)
        shown = " ".join(named(EventKind, event.kind) for event in events)
        right = count == 1 or (not lifts and not count)
        expect(right, "wrong_events", operation=operation.name, events=shown)
    for events in (what.events, walls.events):
        centre = [event.kind for event in events if event.kind in CENTRE]
        pairs = all(kind == CENTRE[place % 2] for place, kind in enumerate(centre)) and len(centre) % 2 == 0
        shown = " ".join(named(EventKind, kind) for kind in centre)
        expect(pairs, "wrong_events", operation="BUILD, RAISE", events=shown)


def _build_in_order(bench: Bench, what: Build) -> None:
    """Raise ``Broken`` unless a build was told from its beginning, side by side, to its end."""
    kinds = [event.kind for event in what.events]
    first = kinds.index(EventKind.BUILD_STARTED) if EventKind.BUILD_STARTED in kinds else len(kinds)
    last = kinds.index(EventKind.BUILD_DONE) if EventKind.BUILD_DONE in kinds else -1
    told = " ".join(named(EventKind, kind) for kind in kinds)
    right = first < last and kinds.count(EventKind.BUILD_DONE) == 1
    expect(right, "wrong_events", operation="BUILD", events=told)
    done = [at for at, kind in enumerate(kinds) if kind == EventKind.SIDE_DONE]
    if Capability.PER_SIDE_COUNTS in bench.capabilities:
        sides = sorted(what.events[at].side for at in done)
        right = sides == list(SIDES) and all(first < at < last for at in done)
        expect(right, "wrong_events", operation="BUILD", events=told)
    if Capability.LIFT_FEEDBACK in bench.capabilities and isinstance(what.pause, m.Done):
        right = EventKind.CENTRE_OPENED in kinds[first:] and kinds.count(EventKind.BUILD_STARTED) > 1
        expect(right, "wrong_events", operation="PAUSE", events=told)


@check("ATP-R87", phase=Phase.REVIEW)
async def events_as_the_tables_say(bench: Bench) -> Evidence:
    """Side, source and value of every event of the run."""
    await bench.once(exercise)
    found = events_of(lived(bench))
    keys = any(event.kind == EventKind.KEY_PRESSED for event in found)
    for event in found:
        name = named(EventKind, event.kind)
        if name == str(event.kind):
            continue  # of a newer board
        _place(event, name)
        _source(event, name, keys)
        if event.kind == EventKind.PROFILE_CHANGED:
            right = event.value in bench.profiles
            expect(right, "event_field", event=name, field="value", said=event.value)
        if event.kind in (EventKind.CENTRE_OPENED, EventKind.CENTRE_CLOSED, EventKind.BUILD_STARTED):
            expect(event.value == 0, "event_field", event=name, field="value", said=event.value)
    return saw("events_as_told", count=len(found))


def _place(event: m.Event, name: str) -> None:
    """Raise ``Broken`` when an event names a side and has none, or the other way round."""
    right = event.side in SIDES if event.kind in SIDED else event.side == NO_SIDE
    right = right or (event.kind in ANYWHERE and event.side in (*SIDES, NO_SIDE))
    expect(right, "event_field", event=name, field="side", said=event.side)


def _source(event: m.Event, name: str, keys: bool) -> None:
    """Raise ``Broken`` when an event names somebody else as its cause. ``keys``: some were pressed."""
    wanted = {Source.HOST} if event.kind in BY_ORDER else {Source.SENSOR}
    if event.kind == EventKind.FAULT_CLEARED:
        wanted = {Source.SENSOR, Source.HOST}
    if event.kind in BY_KEY and keys:
        wanted.add(Source.PANEL)
    said = named(Source, event.source)
    expect(event.source in wanted, "event_field", event=name, field="source", said=said)


@check("ATP-R88", phase=Phase.REVIEW)
async def progress_never_goes_back(bench: Bench) -> Evidence:
    """The percent of every PROGRESS and STATUS of the run, order by order."""
    await bench.once(exercise)
    if bench.settings.motion:
        with suppress(NotApplicable):
            await built(bench)
    count = 0
    told: dict[int, list[int]] = {}
    for heard in (one for era in bench.eras() for one in era):
        message, said = heard.message, stage_message(heard)
        if isinstance(message, m.Status) and message.running_id:
            told.setdefault(message.running_id, []).append(message.percent)
        elif isinstance(said, m.Progress):
            told.setdefault(said.id, []).append(said.percent)
    for id, percents in told.items():
        name = named(Operation, bench.operations.get(id, 0))
        for before, after in pairwise(percents):
            right = after >= before or id in bench.reused
            expect(right, "progress_back", operation=name, before=before, now=after)
        expect(max(percents) <= 100, "progress_back", operation=name, before=100, now=max(percents))
        count += len(percents)
    return saw("progress", count=count)
