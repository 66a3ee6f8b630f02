"""Builds that are cut: stopped, stopped in a pause, aborted."""

from __future__ import annotations

from dataclasses import dataclass, field

from protocols.atp import messages as m
from protocols.conformance.bench import Bench
from protocols.conformance.checks.building import build_and_wait
from protocols.conformance.checks.course import joined
from protocols.conformance.checks.walls import raised
from protocols.conformance.evidence import NotApplicable, expect, named
from protocols.conformance.stages import FinalMessage, stage_of
from protocols.vocabulary import (
    NO_SIDE,
    Capability,
    Fault,
    Operation,
    StoreState,
)

ABORTED = (StoreState.EMPTY, StoreState.UNKNOWN)
CUT = (StoreState.EMPTY, StoreState.PAUSED, StoreState.UNKNOWN)


@dataclass(slots=True)
class Cut:
    """A build that was cut. ``end``: what cut it; ``after``: STATUS then, and after HOME."""

    end: Operation
    final: FinalMessage
    answer: FinalMessage | None
    after: m.Status
    homed: m.Status
    paused: m.Status | None = None
    events: list[m.Event] = field(default_factory=list)


async def cut_builds(bench: Bench) -> list[Cut]:
    """A paused build that is stopped, one that is stopped, one that is aborted."""
    await bench.once(joined)
    found = [await _cut(bench, Operation.HOME), await _cut(bench, Operation.ABORT_BUILD)]
    if Capability.PAUSE_INSERT in bench.capabilities:
        found.insert(0, await _cut(bench, Operation.PAUSE))
    return found


async def _cut(bench: Bench, how: Operation) -> Cut:
    """Build until tiles are stacked, then cut it: stopped at once, stopped in a pause, or aborted."""
    await bench.ready()
    newest = await bench.caught_up()
    async with bench.watching():
        id = await build_and_wait(bench)
        answer = paused = None
        if how is not Operation.HOME:
            answer = await bench.carry_out(how)
            paused = await bench.status()
        if how is not Operation.ABORT_BUILD:
            await bench.stop()
        after = await bench.status()
        final = await bench.ended(id)
        await bench.caught_up()
        await bench.carry_out(Operation.HOME)
    await bench.caught_up()
    return Cut(how, final, answer, after, await bench.status(), paused, bench.events(newest))


async def cut_builds_agree(bench: Bench) -> None:
    """Raise ``Broken`` unless the store is empty or ready after HOME, and paused in a pause."""
    for one in await bench.once(cut_builds):
        homed = one.homed.store
        right = homed in (StoreState.EMPTY, StoreState.READY)
        expect(right, "wrong_state", field="store", wanted="EMPTY, READY", said=named(StoreState, homed))
        right = one.paused is None or one.end is not Operation.PAUSE or one.paused.store == StoreState.PAUSED
        expect(
            right, "wrong_state", field="store", wanted="PAUSED", said=one.paused.store if one.paused else 0
        )


async def cut_builds_failed(bench: Bench) -> None:
    """Raise ``Broken`` unless builds that were stopped or aborted failed without a fault."""
    try:
        found = await bench.once(cut_builds)
    except NotApplicable:
        return
    for one in found:
        name = one.end.name
        if one.end is Operation.ABORT_BUILD:
            assert one.answer is not None
            done = isinstance(one.answer, m.Done | m.Refused)
            expect(done, "not_reached", operation=name, stage=stage_of(one.answer).name)
        if isinstance(one.answer, m.Refused):
            continue
        expect(
            isinstance(one.final, m.Failed), "not_failed", operation="BUILD", stage=stage_of(one.final).name
        )
        assert isinstance(one.final, m.Failed)
        right = one.final.fault == Fault.NONE and one.final.side == NO_SIDE
        fault = named(Fault, one.final.fault)
        expect(right, "wrong_failure", operation=f"BUILD ({name})", fault=fault, side=one.final.side)


async def cut_builds_sensed(bench: Bench) -> None:
    """Raise ``Broken`` unless STATUS says after such a cut what sensors know."""
    try:
        _store((await bench.once(raised)).kept, (StoreState.READY,))
        found, what = await bench.once(cut_builds), await bench.once(joined)
    except NotApplicable:
        return
    if isinstance(what.aborted, m.Done) and what.after_abort is not None:
        _store(what.after_abort, ABORTED)
    for one in found:
        if isinstance(one.answer, m.Refused):
            continue
        _store(one.after, ABORTED if one.end is Operation.ABORT_BUILD else CUT)
        if any(one.after.store_stacks) and one.end is not Operation.ABORT_BUILD:
            _store(one.after, (StoreState.PAUSED, StoreState.READY))


def _store(status: m.Status, wanted: tuple[StoreState, ...]) -> None:
    names = ", ".join(state.name for state in wanted)
    right = status.store in wanted
    expect(right, "wrong_state", field="store", wanted=names, said=named(StoreState, status.store))
