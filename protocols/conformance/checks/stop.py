"""Stop: at rest, in motion, and what is left of it until HOME."""

from __future__ import annotations

from dataclasses import dataclass

from protocols.atp import messages as m
from protocols.conformance.bench import Bench
from protocols.conformance.checks.cuts import cut_builds_failed, cut_builds_sensed
from protocols.conformance.checks.motion import arguments, moves
from protocols.conformance.checks.restart import known_after_the_dark
from protocols.conformance.evidence import Broken, Evidence, NotApplicable, expect, named, saw
from protocols.conformance.register import Phase, check
from protocols.conformance.stages import FinalMessage, StageMessage, expect_refused, stage_of
from protocols.vocabulary import NO_SIDE, EventKind, Fault, Operation, Refusal, StoreState, TopState

TIMES = 3
ROUNDS = 2
MOTIONS = (
    Operation.BUILD,
    Operation.RAISE,
    Operation.LOWER,
    Operation.DICE,
    Operation.PAUSE,
    Operation.RESUME,
    Operation.PURGE,
    Operation.ABORT_BUILD,
)


@dataclass(slots=True)
class Rest:
    """Stops at rest: STOPPED events by each, what STATUS said, and orders given while it stood."""

    events: list[int]
    status: m.Status
    orders: list[tuple[Operation, StageMessage]]  # motions
    still: list[tuple[Operation, FinalMessage]]  # what moves nothing


@dataclass(slots=True)
class Cut:
    """A motion cut by one STOP. ``answered``: by that one, not by a later."""

    operation: Operation
    answered: bool
    beat: m.Beat  # right after STOPPED
    status: m.Status
    final: FinalMessage
    events: list[m.Event]
    homed: m.Status  # after HOME
    too_quick: bool


async def at_rest(bench: Bench) -> Rest:
    """Stop a table that stands still, again and again; order a motion meanwhile where that is allowed."""
    if bench.settings.motion:
        await bench.ready()
    status = await bench.status()
    counts: list[int] = []
    for _ in range(TIMES):
        newest = await bench.caught_up()
        await bench.stop()
        counts.append(await _stopped_events(bench, newest, wait=not counts and not status.stopped))
    if status.stopped:
        counts = [0, *counts]  # one stood already: of the first nothing can be said
    after = await bench.status()
    orders = []
    if bench.settings.motion:
        for operation in MOTIONS:
            given = arguments(operation) or {"side": 0, "hand": 1}
            orders.append((operation, (await bench.give(operation, **given)).message))
    still = [
        (operation, await bench.carry_out(operation))
        for operation in (Operation.LAMPS, Operation.CLEAR_FAULT)
    ]
    return Rest(counts, after, orders, still)


async def _stopped_events(bench: Bench, newest: int, *, wait: bool) -> int:
    """How many STOPPED events came after that number; waits for one where it must come."""
    deadline = bench.now() + (bench.patience if wait else bench.repeat)

    def count() -> int:
        return sum(event.kind == EventKind.STOPPED for event in bench.events(newest))

    while not (wait and count()) and await bench.wire.news(deadline):
        pass
    await bench.caught_up()
    return count()


async def cuts(bench: Bench) -> list[Cut]:
    """A homing cut by a stop, then whatever else the board can move."""
    operations = [Operation.HOME] if moves(bench) is Operation.HOME else [Operation.HOME, moves(bench)]
    return [await cut(bench, operation) for operation in operations * ROUNDS]


async def cut(bench: Bench, operation: Operation) -> Cut:
    """Begin a motion and send one STOP; a second only when the first brought nothing."""
    await bench.ready()
    if operation is Operation.HOME:
        await bench.stop()
    newest = await bench.caught_up()
    id = bench.next_id()
    await bench.give(operation, id=id, **arguments(operation))
    running = (await bench.status()).running
    since = len(bench.wire.heard)
    bench.wire.send(m.Stop())
    deadline = bench.now() + bench.limit(Operation.PAUSE)
    heard = await bench.wire.until(lambda one: isinstance(one.message, m.Stopped), deadline, since)
    answered = heard is not None
    if heard is None:
        await bench.stop()
    beat = await bench.asked_beat()
    status = await bench.status()
    final = await bench.ended(id)
    await bench.wire.listen(bench.repeat)
    await bench.caught_up()
    events = bench.events(newest)
    await bench.ready()
    too_quick = not running
    return Cut(operation, answered, beat, status, final, events, await bench.status(), too_quick)


async def real_cuts(bench: Bench) -> list[Cut]:
    """The motions that were under way when STOP came. Raises ``NotApplicable`` where none was."""
    found = [one for one in await bench.once(cuts) if not one.too_quick]
    if not found:
        raise NotApplicable("too_quick", operation=moves(bench).name)
    return found


@check("ATP-R59")
async def stop_at_rest(bench: Bench) -> Evidence:
    """Several stops of a table that stands still."""
    answered = 0
    for _ in range(TIMES):
        since = len(bench.wire.heard)
        bench.wire.send(m.Stop())
        answered += bool(
            await bench.wire.until(
                lambda one: isinstance(one.message, m.Stopped), bench.now() + bench.repeat, since
            )
        )
    expect(answered * 2 > TIMES, "stop_unanswered", answered=answered, times=TIMES)
    return saw("stop_at_rest", answered=answered, times=TIMES)


@check("ATP-R62", phase=Phase.MIXED)
async def one_event_a_stop(bench: Bench) -> Evidence:
    """STOPPED events of a first stop, of further ones, and of one that cut a motion."""
    rest = await bench.once(at_rest)
    later = sum(rest.events[1:])
    expect(later == 0, "stopped_again", count=later)
    first = rest.events[0]
    if len(rest.events) == TIMES:
        expect(first == 1, "stopped_events", count=first)
    if not bench.settings.motion:
        return saw("stopped_events", count=first)
    for one in await real_cuts(bench):
        count = sum(event.kind == EventKind.STOPPED for event in one.events)
        # homing began while a stop stood, which it has not ended: then none needs to follow
        wanted = (0, 1) if one.operation is Operation.HOME else (1,)
        expect(count in wanted, "stopped_events", count=count)
    return saw("stopped_events", count=first)


@check("ATP-R63", phase=Phase.MIXED)
async def until_home(bench: Bench) -> Evidence:
    """STATUS after a stop, and a motion ordered before HOME."""
    rest = await bench.once(at_rest)
    expect(rest.status.stopped == 1, "wrong_state", field="stopped", wanted="1", said=rest.status.stopped)
    reasons = (Refusal.STOPPED, Refusal.UNSUPPORTED, Refusal.NOT_READY)
    for operation, said in rest.orders:
        expect_refused(said, operation.name, *reasons)
    for operation, end in rest.still:
        unsupported = isinstance(end, m.Refused) and end.refusal == Refusal.UNSUPPORTED
        moved_nothing = isinstance(end, m.Done) or unsupported
        expect(moved_nothing, "looked_at_stop", operation=operation.name, stage=stage_of(end).name)
    return saw("stop_stands", count=len(rest.orders))


@check("ATP-R58", phase=Phase.MOTION)
async def the_first_stop(bench: Bench) -> Evidence:
    """One STOP into a motion."""
    found = await real_cuts(bench)
    stopped = [one for one in found if one.answered and not isinstance(one.final, m.Done)]
    for operation in {one.operation for one in found}:
        obeyed = [one for one in stopped if one.operation is operation]
        expect(bool(obeyed), "stop_ignored", operation=operation.name)
    for one in found:
        result = [event for event in one.events if event.kind == EventKind.DICE_RESULT]
        expect(not result or isinstance(one.final, m.Done), "went_on", operation=one.operation.name)
    return saw("stopped", operations=" ".join(one.operation.name for one in stopped))


@check("ATP-R60", phase=Phase.MOTION)
async def stopped_when_still(bench: Bench) -> Evidence:
    """What BEAT and STATUS say right after STOPPED."""
    for one in await real_cuts(bench):
        expect(not one.beat.moving, "stopped_moving", operation=one.operation.name)
        expect(
            not one.status.running,
            "stopped_running",
            operation=one.operation.name,
            running=named(Operation, one.status.running),
        )
    return saw("still")


@check("ATP-R61", phase=Phase.MOTION)
async def stopped_orders_fail(bench: Bench) -> Evidence:
    """The end of an order that a stop cut."""
    for one in await real_cuts(bench):
        if isinstance(one.final, m.Done) and one.answered:
            raise Broken("stopped_done", operation=one.operation.name)
        expect(
            isinstance(one.final, m.Failed),
            "not_failed",
            operation=one.operation.name,
            stage=stage_of(one.final).name,
        )
        assert isinstance(one.final, m.Failed)
        right = one.final.fault == Fault.NONE and one.final.side == NO_SIDE
        expect(
            right,
            "wrong_failure",
            operation=one.operation.name,
            fault=named(Fault, one.final.fault),
            side=one.final.side,
        )
    await cut_builds_failed(bench)
    return saw("failed_by_stop")


@check("ATP-R64", phase=Phase.REVIEW)
async def what_sensors_know(bench: Bench) -> Evidence:
    """STATUS after a homing was cut, also by a lost supply, and after HOME; after builds that were cut."""
    if not bench.settings.motion:
        raise NotApplicable("no_motion")
    found = await real_cuts(bench)
    for one in found:
        if one.operation is Operation.HOME and isinstance(one.final, m.Failed):
            expect(not one.status.homed, "wrong_state", field="homed", wanted="0", said=one.status.homed)
        expect(one.status.stopped == 1, "wrong_state", field="stopped", wanted="1", said=one.status.stopped)
        after = one.homed
        expect(after.homed == 1, "wrong_state", field="homed", wanted="1", said=after.homed)
        expect(after.stopped == 0, "wrong_state", field="stopped", wanted="0", said=after.stopped)
        known = after.top in (TopState.WALLS_UP, TopState.CLEAR)
        expect(known, "wrong_state", field="top", wanted="CLEAR, WALLS_UP", said=after.top)
        known = after.store in (StoreState.READY, StoreState.EMPTY)
        expect(known, "wrong_state", field="store", wanted="EMPTY, READY", said=after.store)
    await cut_builds_sensed(bench)
    await known_after_the_dark(bench)
    return saw("sensors")
