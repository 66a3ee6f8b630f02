"""A build: what runs beside it, what is refused beside it, paused and resumed.

People have to push the tiles in; a build that does not come out right says so and is no fault of the board.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from protocols.atp import messages as m
from protocols.conformance.bench import Bench
from protocols.conformance.evidence import NotApplicable, named
from protocols.conformance.stages import FinalMessage, StageMessage, stage_of
from protocols.conformance.talk import Answer
from protocols.vocabulary import Capability, EventKind, Operation, Refusal, StoreState, TopState

HAND, SIDE = 7, 1
STANDS = 2.0  # table seconds after which a few tiles stand
THROW = {"side": 3, "count": 1}


@dataclass(slots=True)
class Beside:
    """An order for a track that a build uses, and whether it was still used when it was answered."""

    operation: Operation
    said: StageMessage
    used: bool


@dataclass(slots=True)
class Again:
    """An order for what is reached already. ``ran``: STATUS named it as under way."""

    final: FinalMessage
    events: list[m.Event]
    ran: bool


@dataclass(slots=True)
class Build:
    """A build and what was tried while it ran. ``ready``: a set stood in the store before."""

    id: int
    ready: bool
    answer: Answer[StageMessage]
    final: FinalMessage | None
    events: list[m.Event]
    throw: StageMessage | None = None  # another order beside it
    throw_id: int = 0
    both: m.Status | None = None  # while both ran
    queried: list[StageMessage] = field(default_factory=list)
    pause: FinalMessage | None = None
    beside: list[Beside] = field(default_factory=list)  # orders for tracks in use
    paused: StageMessage | None = None  # what QUERY said of the build meanwhile
    pause_again: Again | None = None
    resume: FinalMessage | None = None


async def build(bench: Bench) -> Build:
    """Build a set; throw dice beside it, pause and resume it where the board can."""
    ready = (await bench.ready()).store == StoreState.READY
    newest = await bench.caught_up()
    id = bench.next_id()
    answer = await bench.give(Operation.BUILD, id=id)
    if isinstance(answer.message, m.Refused):
        raise NotApplicable("no_build", refusal=named(Refusal, answer.message.refusal))
    bench.builds = True
    what = Build(id, ready, answer, None, [])
    async with bench.watching():
        if not isinstance(answer.message, m.Done):
            if Capability.DICE in bench.capabilities:
                await _throw_beside(bench, what)
            await _order_beside(bench, what)
        if Capability.PAUSE_INSERT in bench.capabilities:
            await _pause(bench, what, newest)
        what.final = await bench.ended(id)
    await bench.caught_up()
    what.events = bench.events(newest)
    return what


async def _throw_beside(bench: Bench, what: Build) -> None:
    what.throw_id = bench.next_id()
    what.throw = (await bench.give(Operation.DICE, id=what.throw_id, **THROW)).message
    if isinstance(what.throw, m.Refused):
        return
    what.both = await bench.status()
    what.queried = [await bench.query(what.id), await bench.query(what.throw_id)]
    await bench.ended(what.throw_id)


async def _order_beside(bench: Bench, what: Build) -> None:
    """Order what needs the tracks of the build: the store always, the top while people push tiles in."""
    for operation in (Operation.LOWER, Operation.RAISE, Operation.PURGE):
        before = await bench.status()
        loading = before.top == TopState.LOADING
        if operation is not Operation.PURGE and not loading:
            continue
        said = (await bench.give(operation, hand=HAND)).message
        after, kept = await bench.status(), await bench.query(what.id)
        used = not isinstance(kept, m.Done | m.Failed) and (after.top == before.top or not loading)
        what.beside.append(Beside(operation, said, used))
        if not isinstance(said, m.Refused):
            await bench.ended(said.id)


async def _pause(bench: Bench, what: Build, newest: int) -> None:
    """Pause the build as soon as tiles are being stacked, ask after it, pause it again, go on."""
    await stacking(bench, what.id, newest)
    if any(isinstance(one.message, m.Failed | m.Done) for one in bench.stages[what.id]):
        return
    what.pause = await bench.carry_out(Operation.PAUSE)
    if isinstance(what.pause, m.Done):
        what.paused = await bench.query(what.id)
        what.pause_again = await once_more(bench, Operation.PAUSE)
        what.resume = await bench.carry_out(Operation.RESUME)


async def stacking(bench: Bench, id: int, newest: int) -> None:
    """Wait until tiles are stacked for a build, or it has ended."""
    deadline = bench.now() + bench.limit(Operation.BUILD)

    def begun() -> bool:
        return any(event.kind == EventKind.BUILD_STARTED for event in bench.events(newest))

    def over() -> bool:
        return any(isinstance(one.message, m.Failed | m.Done) for one in bench.stages[id])

    while not begun() and not over() and bench.now() < deadline:
        await bench.wire.news(min(deadline, bench.now() + bench.repeat))


async def build_and_wait(bench: Bench) -> int:
    """Order a build and wait until tiles are stacked; its id. Raises ``NotApplicable`` when it is refused."""
    newest, id = await bench.caught_up(), bench.next_id()
    said = (await bench.give(Operation.BUILD, id=id)).message
    if isinstance(said, m.Refused):
        raise NotApplicable("no_build", refusal=named(Refusal, said.refusal))
    await stacking(bench, id, newest)
    await bench.wire.listen(max(bench.repeat, STANDS / bench.scale))
    return id


async def built(bench: Bench) -> Build:
    """A build that came out right. Raises ``NotApplicable`` for any other."""
    what = await bench.once(build)
    assert what.final is not None
    if not isinstance(what.final, m.Done):
        code = getattr(what.final, "fault", getattr(what.final, "refusal", 0))
        raise NotApplicable("build_failed", stage=stage_of(what.final).name, fault=code)
    return what


async def once_more(bench: Bench, operation: Operation, **arguments: int) -> Again:
    """Order what is reached already, and see whether anything moves for it."""
    newest = await bench.caught_up()
    said = (await bench.give(operation, **arguments)).message
    await bench.wire.listen(bench.repeat)  # it may be named until it is looked at
    status = await bench.status()
    final = await bench.ended(said.id)
    await bench.caught_up()
    return Again(final, bench.events(newest), status.running_id == said.id)
