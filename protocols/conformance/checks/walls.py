"""One build with its walls: what is said of them, and what is reached already."""

from __future__ import annotations

from dataclasses import dataclass

from protocols.atp import messages as m
from protocols.conformance.bench import Bench
from protocols.conformance.checks.building import HAND, SIDE, Again, Beside, build, built, once_more
from protocols.conformance.evidence import Evidence, NotApplicable, expect, saw
from protocols.conformance.register import Phase, check
from protocols.conformance.stages import FinalMessage, stage_of
from protocols.vocabulary import Capability, EventKind, Operation, TopState


@dataclass(slots=True)
class Raised:
    """Walls brought up, and orders for what is there already."""

    final: FinalMessage
    status: m.Status
    events: list[m.Event]
    again: dict[Operation, Again]
    kept: m.Status  # after a stop and HOME, a set in store
    beside: list[Beside]
    lowering: list[m.Event] | None = None  # of LOWER; None: it was not done


async def raised(bench: Bench) -> Raised:
    """Bring the walls up for a hand, order what is there already, and lower them."""
    await built(bench)
    await bench.ready()
    again: dict[Operation, Again] = {}
    again[Operation.BUILD] = await once_more(bench, Operation.BUILD)
    await bench.stop()
    await bench.carry_out(Operation.HOME)
    kept = await bench.status()
    if Capability.PAUSE_INSERT in bench.capabilities:
        again[Operation.RESUME] = await once_more(bench, Operation.RESUME)
    newest = await bench.caught_up()
    async with bench.watching():
        id = bench.next_id()
        await bench.give(Operation.RAISE, id=id, side=SIDE, hand=HAND)
        beside = await _beside_a_raise(bench, id)
        final = await bench.ended(id)
    await bench.caught_up()
    if not isinstance(final, m.Done):
        return Raised(final, await bench.status(), [], again, kept, beside)
    events, status = bench.events(newest), await bench.status()
    again[Operation.RAISE] = await once_more(bench, Operation.RAISE, side=SIDE, hand=HAND)
    upto = await bench.caught_up()
    async with bench.watching():
        end = await bench.carry_out(Operation.LOWER)
    await bench.caught_up()
    lowering = bench.events(upto) if isinstance(end, m.Done) else None
    if isinstance(end, m.Done) and (await bench.status()).top == TopState.CLEAR:
        again[Operation.LOWER] = await once_more(bench, Operation.LOWER)
    return Raised(final, status, events, again, kept, beside, lowering)


async def _beside_a_raise(bench: Bench, id: int) -> list[Beside]:
    """Order what needs top or store while walls are brought up."""
    found = []
    for operation in (Operation.BUILD, Operation.LOWER, Operation.PURGE):
        said = (await bench.give(operation)).message
        kept = await bench.query(id)
        found.append(Beside(operation, said, not isinstance(kept, m.Done | m.Failed | m.Refused)))
        if not isinstance(said, m.Refused):
            await bench.ended(said.id)
    return found


async def walls_up(bench: Bench) -> Raised:
    """Walls that came up. Raises ``NotApplicable`` where they do not."""
    walls = await bench.once(raised)
    if not isinstance(walls.final, m.Done):
        raise NotApplicable("no_walls", stage=stage_of(walls.final).name, reason=_reason(walls.final))
    return walls


def _reason(final: FinalMessage) -> int:
    return int(getattr(final, "refusal", getattr(final, "fault", 0)))


async def hand_agrees(bench: Bench) -> Evidence:
    """Tiles and stacks of the build, hand and walls of the raise."""
    what = await built(bench)
    assert isinstance(what.final, m.Done)
    profile = (await bench.status()).profile
    expect(
        what.final.value == profile, "wrong_value", operation="BUILD", wanted=profile, said=what.final.value
    )
    counted = [event.value for event in what.events if event.kind == EventKind.BUILD_DONE][-1:]
    for said in counted:
        expect(said == profile, "wrong_value", operation="BUILD_DONE", wanted=profile, said=said)
    stacks = sum(event.value for event in what.events if event.kind == EventKind.SIDE_DONE)
    right = not stacks or stacks * 2 == profile
    expect(right, "wrong_value", operation="SIDE_DONE", wanted=profile // 2, said=stacks)
    walls = await walls_up(bench)
    up = [event.value for event in walls.events if event.kind == EventKind.WALLS_UP]
    expect(not up or up[0] == HAND, "wrong_hand", where="WALLS_UP", wanted=HAND, said=up[0] if up else 0)
    expect(walls.status.hand == HAND, "wrong_hand", where="STATUS", wanted=HAND, said=walls.status.hand)
    right = walls.status.top == TopState.WALLS_UP
    expect(right, "wrong_state", field="top", wanted="WALLS_UP", said=walls.status.top)
    top = sum(walls.status.top_stacks)
    right = Capability.PER_SIDE_COUNTS not in bench.capabilities or top * 2 == profile
    expect(right, "wrong_value", operation="top_stacks", wanted=profile // 2, said=top)
    return saw("agrees", operation="DICE, BUILD, RAISE")


@check("ATP-R53", phase=Phase.MOTION)
async def what_is_reached_already(bench: Bench) -> Evidence:
    """BUILD with a set in store, RAISE of the same hand, LOWER with nothing on top."""
    found = (await bench.once(raised)).again
    pause = (await bench.once(build)).pause_again
    if pause is not None:
        found = {**found, Operation.PAUSE: pause}
    for operation, again in found.items():
        _reached(operation, again)
    return saw("reached", operations=" ".join(operation.name for operation in found))


def _reached(operation: Operation, again: Again) -> None:
    """Raise ``Broken`` if anything moved."""
    done = isinstance(again.final, m.Done)
    expect(done, "not_reached", operation=operation.name, stage=stage_of(again.final).name)
    own = {
        Operation.RAISE: {EventKind.CENTRE_OPENED, EventKind.WALLS_UP},
        Operation.LOWER: {EventKind.WALLS_DOWN},
        Operation.BUILD: {EventKind.CENTRE_OPENED, EventKind.BUILD_STARTED},
        Operation.RESUME: {EventKind.CENTRE_CLOSED, EventKind.BUILD_STARTED},
        Operation.PAUSE: {EventKind.CENTRE_OPENED},
    }[operation]
    moved = " ".join(EventKind(event.kind).name for event in again.events if event.kind in own)
    expect(not moved and not again.ran, "moved_although_reached", operation=operation.name, events=moved)


@check("ATP-R56", phase=Phase.MOTION)
async def a_table_that_plays(bench: Bench) -> Evidence:
    """A board that builds and raises walls also sets each of its profiles."""
    await built(bench)
    await walls_up(bench)
    if len(bench.profiles) > 1:
        for size in bench.profiles:
            end = await bench.carry_out(Operation.SET_PROFILE, count=size)
            expect(isinstance(end, m.Done), "unsupported", operation="SET_PROFILE")
            status = await bench.status()
            expect(
                status.profile == size, "wrong_state", field="profile", wanted=str(size), said=status.profile
            )
        await bench.restore()
    return saw("plays", count=len(bench.profiles))


@check("ATP-R54", phase=Phase.MOTION, needs=Capability.PAUSE_INSERT)
async def a_paused_build(bench: Bench) -> Evidence:
    """A build paused while tiles are stacked, asked after, resumed to its end."""
    what = await bench.once(build)
    if what.pause is None or not isinstance(what.pause, m.Done):
        raise NotApplicable("too_quick", operation="BUILD")
    assert what.paused is not None
    under_way = isinstance(what.paused, m.Accepted | m.Progress)
    expect(under_way, "pause_ended_it", stage=stage_of(what.paused).name)
    resumed = isinstance(what.resume, m.Done)
    expect(resumed, "not_resumed", stage=stage_of(what.resume).name if what.resume else "-")
    return saw("paused", stage=stage_of(what.paused).name)
