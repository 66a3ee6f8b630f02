"""A motion whose host has gone over to another journal: nobody's, and named as such."""

from __future__ import annotations

from dataclasses import dataclass

from protocols.atp import messages as m
from protocols.conformance.bench import NOBODY_KNOWS, Bench
from protocols.conformance.checks.motion import RUNNING, arguments, moves
from protocols.conformance.evidence import Evidence, NotApplicable, expect, named, saw
from protocols.conformance.register import Phase, check
from protocols.conformance.stages import FINAL, StageMessage, expect_refused, stage_of
from protocols.vocabulary import EventKind, Operation, Refusal


@check("ATP-R33", phase=Phase.MOTION)
async def an_end_of_another_journal(bench: Bench) -> Evidence:
    """A motion, another journal, a new order with the same id while it still moves, and one afterwards."""
    what = await bench.once(orphan)
    if what.too_quick:
        raise NotApplicable("too_quick", operation=what.operation.name)
    lingers = isinstance(what.late, m.Unknown)
    lingers = lingers or (isinstance(what.late, m.Refused) and what.late.refusal == Refusal.BUSY)
    expect(not lingers, "orphan_lingers", stage=stage_of(what.late).name)
    said = what.again
    if isinstance(said, m.Refused):
        expect_refused(said, what.operation.name, Refusal.BUSY, Refusal.STOPPED)
        expect(what.finals == 0, "foreign_end", count=what.finals)
        expect(not what.taken, "foreign_order_taken", operation="CLEAR_FAULT", stage="DONE")
        return saw("orphan_busy", operation=what.operation.name)
    expect(what.stopped_it, "foreign_order_taken", operation=what.operation.name, stage=stage_of(said).name)
    return saw("orphan_stopped", operation=what.operation.name)


@check("ATP-R32", phase=Phase.MOTION)
async def orders_of_another_journal(bench: Bench) -> Evidence:
    """What is said of a motion of another journal until it ends."""
    what = await bench.once(orphan)
    if what.too_quick:
        raise NotApplicable("too_quick", operation=what.operation.name)
    expect(what.finals == 0, "foreign_end", count=what.finals)
    moving = what.status.running == what.operation or not what.beat.moving
    expect(moving, "orphan_unnamed", running=named(Operation, what.status.running))
    return saw("orphan_silent", operation=what.operation.name)


@dataclass(slots=True)
class Orphan:
    """A motion whose journal was left. ``finals`` counts what was said of its end."""

    operation: Operation
    too_quick: bool
    again: StageMessage
    status: m.Status
    beat: m.Beat
    finals: int
    stopped_it: bool
    taken: bool  # its id was taken for another order while it moved
    late: StageMessage  # to the id of another such motion, ordered anew when that one had ended


async def orphan(bench: Bench) -> Orphan:
    """Order a motion, greet for another journal, order the same id again, wait until all is still.

    Then all of it once more, with an id that is ordered again only when its motion has ended.
    """
    operation = moves(bench)
    old = bench.journal
    id, newest = await _left(bench, operation)
    status = await bench.status()
    beat = await bench.asked_beat()
    since = len(bench.wire.heard)
    again = (await bench.give(operation, id=id, **arguments(operation))).message
    other = (await bench.give(Operation.CLEAR_FAULT, id=id)).message  # which needs no track
    taken = isinstance(other, m.Done | m.Accepted) and (await bench.status()).running == operation
    await _still(bench, operation)
    ends = [
        heard for heard in bench.wire.heard[since:]
        if isinstance(heard.message, FINAL)
        and heard.message.id == id
        and not isinstance(heard.message, m.Refused)
        and not heard.message.queried
    ]  # fmt: skip
    bench.journal = old
    await bench.say_hello()
    accepted = isinstance(again, RUNNING)
    quick = not status.running and not beat.moving
    quick = quick or (accepted and await _thrown_twice(bench, newest))
    id, _ = await _left(bench, operation)
    await _still(bench, operation)
    late = (await bench.give(NOBODY_KNOWS, id=id)).message
    bench.journal = old
    await bench.say_hello()
    finals = 0 if accepted else len(ends)
    stopped = accepted and not status.running
    return Orphan(operation, quick, again, status, beat, finals, stopped, taken and not accepted, late)


async def _left(bench: Bench, operation: Operation) -> tuple[int, int]:
    """Begin a motion and leave its journal; its id, and the newest event before it."""
    await bench.ready()
    if operation is Operation.HOME:
        await bench.stop()
    newest = await bench.caught_up()
    id = bench.next_id()
    bench.reused.add(id)
    await bench.give(operation, id=id, **arguments(operation))
    bench.journal = bench.settings.rng.randbytes(16)
    await bench.say_hello()
    return id, newest


async def _still(bench: Bench, operation: Operation) -> None:
    deadline = bench.now() + bench.limit(operation)
    while (await bench.status()).running and bench.now() < deadline:
        await bench.wire.listen(bench.repeat)


async def _thrown_twice(bench: Bench, newest: int) -> bool:
    """True when the second throw began after the first one had ended: it was no longer under way."""
    await bench.caught_up()
    throw = (EventKind.DICE_STARTED, EventKind.DICE_RESULT)
    kinds = [event.kind for event in bench.events(newest) if event.kind in throw]
    return kinds[:3] == [*throw, EventKind.DICE_STARTED]
