"""What may happen to a build and its walls after a first hand: joined, raised anew, aborted, stopped at rest.

Each state on the way is asked for again and again; what it says is held against the events afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass

from protocols.atp import messages as m
from protocols.conformance.bench import Bench
from protocols.conformance.checks.building import THROW, Beside, build_and_wait, built
from protocols.conformance.checks.walls import walls_up
from protocols.conformance.evidence import Evidence, NotApplicable, expect, named, saw
from protocols.conformance.register import Phase, check
from protocols.conformance.stages import FinalMessage, StageMessage, stage_of
from protocols.vocabulary import (
    NO_SIDE,
    Capability,
    EventKind,
    Operation,
    Refusal,
    StoreState,
    TopState,
)

HAND = 9
UNWATCHED = 8.0  # table seconds a table builds by itself, while no order waits for it
JOINERS = 10  # orders for a set in store while one is being built: more than a board must keep results


@dataclass(slots=True)
class Join:
    """Orders to build while the table builds by itself, and another hand raised from it."""

    by_itself: bool
    said: list[StageMessage]
    kept: list[StageMessage]  # what QUERY said of those that were taken, while it built
    finals: list[FinalMessage]
    events: list[m.Event]
    profile: int
    walls: FinalMessage | None = None
    raised: m.Status | None = None
    homed: m.Status | None = None  # after a stop and HOME with these walls on top
    aborted: FinalMessage | None = None  # the end of ABORT_BUILD beside them
    after_abort: m.Status | None = None
    lowered: m.Status | None = None
    beside_lower: Beside | None = None  # a build, which needs the top while tiles are pushed in


async def joined(bench: Bench) -> Join:
    """Order a build that goes on already, many times over; raise another hand from it, abort the next."""
    await walls_up(bench)
    await bench.wire.listen(UNWATCHED / bench.scale)
    newest = await bench.caught_up()
    status = await bench.status()
    ids = [bench.next_id() for _ in range(JOINERS)]
    said = [(await bench.give(Operation.BUILD, id=id)).message for id in ids]
    taken = [id for id, one in zip(ids, said, strict=True) if not isinstance(one, m.Refused)]
    kept = [await bench.query(id) for id in taken]
    finals = [await bench.ended(id) for id in taken]
    await bench.caught_up()
    by_itself = status.store == StoreState.BUILDING
    what = Join(by_itself, said, kept, finals, bench.events(newest), (await bench.status()).profile)
    if not finals or not isinstance(finals[-1], m.Done):
        return what
    async with bench.watching():
        what.walls = await bench.carry_out(Operation.RAISE, side=NO_SIDE, hand=HAND)
    await bench.caught_up()
    what.raised = await bench.status()
    await bench.stop()
    await bench.carry_out(Operation.HOME)
    what.homed = await bench.status()
    if what.homed.store == StoreState.EMPTY:
        async with bench.watching():
            await build_and_wait(bench)
        what.aborted = await bench.carry_out(Operation.ABORT_BUILD)
        what.after_abort = await bench.status()
    async with bench.watching():
        id = bench.next_id()
        await bench.give(Operation.LOWER, id=id)
        beside = (await bench.give(Operation.BUILD)).message
        used = not isinstance(await bench.query(id), m.Done | m.Failed | m.Refused)
        empty = what.after_abort is not None and what.after_abort.store == StoreState.EMPTY
        what.beside_lower = Beside(Operation.BUILD, beside, used and empty)
        await bench.ended(id)
    await bench.caught_up()
    what.lowered = await bench.status()
    return what


@dataclass(slots=True)
class Throw:
    """A throw, and a build ordered while the dice turned. ``both``: STATUS while both were under way."""

    id: int
    both: m.Status
    thrown: bool  # the throw had ended when STATUS was answered
    build: StageMessage
    early: bool  # the build had ended with the throw


async def throw_first(bench: Bench) -> Throw:
    """Throw, and order a build while the dice turn; stop it when they lie still."""
    await bench.ready()
    id, build = bench.next_id(), bench.next_id()
    await bench.give(Operation.DICE, id=id, **THROW)
    said = (await bench.give(Operation.BUILD, id=build)).message
    both = await bench.status()
    thrown = isinstance(await bench.query(id), m.Done | m.Failed)
    end = await bench.ended(id)
    early = isinstance(await bench.query(build), m.Done) and isinstance(end, m.Done)
    await bench.stop()
    return Throw(id, both, thrown, said, early)


async def whole_course(bench: Bench) -> None:
    """Raise ``Broken`` unless what was said of these builds agrees with the orders."""
    what = await bench.once(joined)
    for end in what.finals:
        right = isinstance(end, m.Done) and end.value == what.profile
        said = end.value if isinstance(end, m.Done) else stage_of(end).name
        expect(right, "wrong_value", operation="BUILD", wanted=what.profile, said=said)
    if what.by_itself:
        again = sum(event.kind == EventKind.BUILD_STARTED for event in what.events)
        expect(again == 0, "began_again", operation="BUILD", count=again)
    if isinstance(what.walls, m.Done) and what.raised is not None:
        _another_hand(what)


def _another_hand(what: Join) -> None:
    """Raise ``Broken`` unless the walls of the other hand are up, and down again."""
    raised, lowered = what.raised, what.lowered
    assert raised is not None
    expect(raised.hand == HAND, "wrong_hand", where="STATUS", wanted=HAND, said=raised.hand)
    expect(raised.top == TopState.WALLS_UP, "wrong_state", field="top", wanted="WALLS_UP", said=raised.top)
    if what.homed is not None:
        said = what.homed.top
        right = said == TopState.WALLS_UP and not what.homed.stopped
        expect(right, "wrong_state", field="top", wanted="WALLS_UP", said=named(TopState, said))
    if lowered is not None and lowered.top == TopState.CLEAR:
        right = lowered.hand == 0 and not any(lowered.top_stacks)
        expect(right, "wrong_hand", where="STATUS", wanted=0, said=lowered.hand)


@check("ATP-R83", phase=Phase.MOTION, needs=Capability.DICE)
async def two_orders_under_way(bench: Bench) -> Evidence:
    """A throw while a build is under way."""
    what = await built(bench)
    if what.both is None or what.throw is None or isinstance(what.throw, m.Refused):
        refused = isinstance(what.throw, m.Refused) and what.throw.refusal == Refusal.BUSY
        raise NotApplicable("one_at_a_time" if refused else "too_quick", operation="BUILD")
    if isinstance(what.queried[0], m.Done):
        raise NotApplicable("too_quick", operation="BUILD")
    said = what.both.running_id
    expect(
        said == what.id,
        "wrong_running",
        wanted=what.id,
        said=said,
        operation=named(Operation, what.both.running),
    )
    right = what.both.running == Operation.BUILD
    expect(
        right,
        "wrong_operation",
        wanted=named(Operation, Operation.BUILD),
        said=named(Operation, what.both.running),
    )
    for message in what.queried:
        expect(not isinstance(message, m.Unknown), "forgot_running", number=2)
    await kept_while_many_wait(bench)
    await a_build_behind_a_throw(bench)
    return saw("two_running", operation="BUILD")


async def a_build_behind_a_throw(bench: Bench) -> None:
    """Raise ``Broken`` unless the throw is named first, and the build goes on after it."""
    what = await bench.once(throw_first)
    if isinstance(what.build, m.Refused | m.Done):
        return
    said = what.both.running_id
    running = named(Operation, what.both.running)
    right = said == what.id or what.thrown
    expect(right, "wrong_running", wanted=what.id, said=said, operation=running)
    expect(not what.early, "not_reached", operation="BUILD", stage="DONE")


async def kept_while_many_wait(bench: Bench) -> None:
    """Raise ``Broken`` when one of many orders under way was forgotten."""
    try:
        what = await bench.once(joined)
    except NotApplicable:
        return
    for one in what.kept:
        expect(not isinstance(one, m.Unknown), "forgot_running", number=len(what.said))
    refused = [one for one in what.said if isinstance(one, m.Refused)]
    if what.by_itself and isinstance(what.said[0], m.Refused):
        reason = named(Refusal, what.said[0].refusal)
        expect(False, "wrong_refusal", operation="BUILD", refusal=reason, wanted="-")
    for one in refused:
        right = one.refusal == Refusal.BUSY
        expect(right, "wrong_refusal", operation="BUILD", refusal=named(Refusal, one.refusal), wanted="BUSY")
