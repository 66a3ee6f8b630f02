"""Stacking: the heads lay what lies in the drum on the rows, and what can go wrong on the way.

The counters count what the optics see pass, the end switches know when a row is full; the two together tell a
tile that was missed from one that is not there.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from protocols.vocabulary import NO_SIDE, SIDES, EventKind, Fault, StoreState
from sim.mechanism.drum import Arrival, plan_build, plan_rest
from sim.mechanism.jobs import Job, JobFailed, Lapse, Programme, Wait
from sim.mechanism.places import TILES_A_STACK, stacks_of, tiles_of

if TYPE_CHECKING:
    from sim.mechanism.machine import Mechanism

AT_ONCE = 4  # tiles between two looks at the rows while they are stacked
PERCENT_STEP = 10
US = 1_000_000


def stack(machine: Mechanism, job: Job) -> Programme:
    """Stack what lies in the drum, from empty rows."""
    if not any(tiles_of(machine.places.store)):
        machine.builds += 1
        machine.notice("build", number=machine.builds)
    places, profile = machine.places, machine.profile
    machine.built = profile
    machine.counted = [0 for _ in SIDES]
    own = [tile for tile in places.drum if tile not in places.strays]
    pace = machine.body.pace(machine.timing.build)
    plan = plan_build(own, profile, pace, machine.drum_rng, machine.mix_for(machine.raised))
    machine.store = StoreState.BUILDING
    machine.base, machine.told = job.percent, 0
    machine.emit(EventKind.BUILD_STARTED)
    return (yield from _run(machine, job, machine.body.course(plan)))


def stack_on(machine: Mechanism, job: Job) -> Programme:
    """Go on with rows that stand already: first what was on its way, then what was added."""
    places = machine.places
    pace = machine.body.pace(machine.timing.build)
    laid = [sum(map(len, row)) for row in places.store]
    held = (*places.strays, *machine.body.clinging())
    own = [tile for tile in places.drum if tile not in held]
    plan = plan_rest(machine.unlaid, own, laid, machine.built, pace, machine.drum_rng)
    machine.store = StoreState.BUILDING
    machine.emit(EventKind.BUILD_STARTED)
    return (yield from _run(machine, job, plan))


def _run(machine: Mechanism, job: Job, plan: list[Arrival]) -> Programme:
    places, goal = machine.places, machine.goal()
    began = machine.timer.now_us()
    machine.unlaid = plan
    slow = False
    done: set[int] = set()
    chunks = [plan[start : start + AT_ONCE] for start in range(0, len(plan), AT_ONCE)]
    ends = [0.0, *(chunk[-1].at for chunk in chunks)]
    for (start, end), chunk in zip(pairwise(ends), chunks, strict=True):
        yield Lapse(end - start, "" if start else "build")
        for arrival in chunk:
            yield from _lay(machine, arrival, goal, done)
        machine.unlaid = machine.unlaid[len(chunk) :]
        _tell(machine, job, sum(stacks_of(places.store)) / sum(goal))
        if not slow and machine.timer.now_us() - began > machine.body.limits.slow_build * US:
            slow = True
            machine.latch(Fault.LAST_TILES_SLOW)
    yield from _wait_for_rest(machine, began, bool(plan))
    return _count(machine)


def _lay(machine: Mechanism, arrival: Arrival, goal: tuple[int, ...], done: set[int]) -> Iterator[Wait]:
    """One tile comes to its head, or does not."""
    places, side, tile = machine.places, arrival.side, arrival.tile
    row = places.store[side]
    full = sum(map(len, row))
    if full % TILES_A_STACK == 0:
        machine.notice("stack", number=full // TILES_A_STACK + 1, side=side)
    ailment = machine.body.at_head(side, tile) if machine.body.ailments else None
    if ailment is not None:
        if not ailment.clears:
            raise JobFailed(ailment.fault, ailment.side, StoreState.PAUSED)
        yield Lapse(machine.body.limits.head_retry)
        machine.body.gone(ailment)
    if tile in places.strays:
        _refuse_stray(machine, arrival)
    places.stack(side, tile)
    machine.counted[side] += not machine.body.missed(side, machine.wear_rng)
    row = places.store[side]
    if len(row) == goal[side] and len(row[-1]) == TILES_A_STACK and side not in done:
        done.add(side)
        machine.emit(EventKind.SIDE_DONE, side, len(row))


def _refuse_stray(machine: Mechanism, arrival: Arrival) -> None:
    """The head optic sees a back of the other colour and stops."""
    machine.places.jam(arrival.tile)
    machine.body.show(Fault.MIXED_SETS)
    raise JobFailed(Fault.MIXED_SETS, arrival.side, StoreState.PAUSED)


def _tell(machine: Mechanism, job: Job, share: float) -> None:
    """Report progress in steps, each once, also when the build was paused."""
    step = int(share * (100 - machine.base)) // PERCENT_STEP
    if step > machine.told and share < 1:
        machine.told = step
        machine.progress(job, machine.base + step * PERCENT_STEP)


def _wait_for_rest(machine: Mechanism, began: int, moving: bool) -> Iterator[Wait]:
    """The rows are short and the drum is not empty: turn it until the time is up."""
    places = machine.places
    short = sum(1 for _ in tiles_of(places.store)) < machine.built
    if short and any(tile not in places.strays for tile in places.drum):
        passed = (machine.timer.now_us() - began) / US
        yield Lapse(max(0.0, machine.body.limits.build_timeout - passed), "" if moving else "build")
        raise JobFailed(Fault.BUILD_TIMEOUT, NO_SIDE, StoreState.PAUSED)


def _count(machine: Mechanism) -> int:
    """A full set is ready; otherwise say what counters and end switches found."""
    places, goal = machine.places, machine.goal()
    rows = [sum(map(len, row)) for row in places.store]
    stacked, wanted = sum(rows), sum(goal) * TILES_A_STACK
    machine.build_ended()
    if stacked < wanted:
        short = [side for side in SIDES if rows[side] < goal[side] * TILES_A_STACK]
        side = short[0] if len(short) == 1 else NO_SIDE
        machine.emit(EventKind.MISSING_TILES, side, wanted - stacked)
        machine.body.show(Fault.MISSING_TILES)
        raise JobFailed(Fault.MISSING_TILES, side, StoreState.SHORT)
    if places.drum:
        machine.emit(EventKind.EXTRA_TILES, value=len(places.drum))
        machine.body.show(Fault.EXTRA_TILES)
        raise JobFailed(Fault.EXTRA_TILES, NO_SIDE, StoreState.PAUSED)
    missed = next((side for side in SIDES if machine.counted[side] != rows[side]), None)
    if missed is not None:
        raise JobFailed(Fault.COUNT_MISMATCH, missed, StoreState.PAUSED)
    machine.store, machine.doubtful = StoreState.READY, False
    machine.emit(EventKind.BUILD_DONE, value=stacked)
    machine.forget_gone(Fault.LAST_TILES_SLOW, Fault.POWER_LOST_MID_CYCLE)
    for ailment in machine.body.at_end():
        machine.homed = False
        machine.latch(ailment.fault, ailment.side)
    return stacked
