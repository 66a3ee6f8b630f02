"""The programmes of the mechanism: what moves, in which order, and which tiles it carries.

Each yields its waits to the runner; the lines after a yield happen when that wait is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from protocols.vocabulary import NO_SIDE, EventKind, Fault, Lamp, Operation, Source, StoreState, TopState
from sim.mechanism.dice import pack_faces
from sim.mechanism.drum import Arrival, plan_build, stacks_a_side
from sim.mechanism.jobs import Job, JobFailed, Lapse, Loading, Programme, Step, Track, Wait, own_order
from sim.mechanism.places import TILES_A_STACK, stacks_of, tiles_of

if TYPE_CHECKING:
    from sim.mechanism.machine import Mechanism

AT_ONCE = 4  # tiles between two looks at the rows while they are stacked
PERCENT_STEP = 10
HAND_BITS = 0xFFFF  # of the hand's number that WALLS_UP carries


def home(machine: Mechanism, job: Job) -> Programme:
    """Every axis to its reference. Walls that stand on the felt stay; part-built rows fall back."""
    yield Step("home")
    if machine.centre_open:
        _centre_closed(machine)
    if stacks_of(machine.places.store) != stacks_a_side(machine.profile):
        machine.places.drop_store()
        machine.store = StoreState.EMPTY
    else:
        machine.store = StoreState.READY
    walls = any(stacks_of(machine.places.top))
    machine.top = TopState.WALLS_UP if walls else TopState.CLEAR
    machine.homed = True
    machine.stopped = False
    gone = [entry for entry in machine.latched if entry[0] is Fault.HOST_SILENT_STOP]
    for fault, side in gone:  # the host speaks again, or HOME had not come
        machine.latched.remove((fault, side))
        machine.emit(EventKind.FAULT_CLEARED, side, fault)
    return 0


def build(machine: Mechanism, job: Job) -> Programme:
    """A complete set of walls in the store."""
    places = machine.places
    if any(tiles_of(places.store)):
        places.drop_store()
        machine.store = StoreState.EMPTY
    if len(places.drum) != machine.profile:
        yield from _load(machine, job)
    job.tracks = frozenset({Track.STORE})
    return (yield from _stack(machine, job))


def raise_walls(machine: Mechanism, job: Job) -> Programme:
    """The walls in the store come up; the set pushed in meanwhile starts to be built by itself."""
    yield from _load(machine, job)
    machine.top = TopState.RAISING
    yield Step("trays_up")
    machine.places.raise_walls()
    machine.raised += 1
    machine.hand, machine.dealer = job.order.hand, job.order.side
    machine.top, machine.store = TopState.WALLS_UP, StoreState.EMPTY
    if machine.lamp in (Lamp.CLOSED, Lamp.WIN):  # of the hand before
        machine.show_lamp(Lamp.OFF)
    machine.emit(EventKind.WALLS_UP, value=machine.hand & HAND_BITS, source=Source.HOST)
    for watcher in machine.watchers:
        watcher.walls_up(machine.dealer)
    job.tracks = frozenset()
    if machine.places.drum:
        machine.start(own_order(Operation.BUILD), [])
    return 0


def lower_walls(machine: Mechanism, job: Job) -> Programme:
    """No walls on top: what still stands is pushed onto the felt."""
    machine.top = TopState.LOWERING
    yield Step("trays_down")
    machine.places.lower_walls()
    machine.top, machine.hand = TopState.CLEAR, 0
    machine.emit(EventKind.WALLS_DOWN, source=Source.HOST)
    for watcher in machine.watchers:
        watcher.walls_down()
    return 0


def roll_dice(machine: Mechanism, job: Job) -> Programme:
    """Throw the dice for a side and show the faces."""
    side = job.order.side
    source = Source.HOST if job.ordered else Source.PANEL
    machine.emit(EventKind.DICE_STARTED, side, source=source)
    for watcher in machine.watchers:
        watcher.dice_rolling(side)
    yield Step("dice")
    faces = machine.dice.throw(job.order.count)
    machine.emit(EventKind.DICE_RESULT, side, pack_faces(faces), source)
    job.tracks = frozenset()  # the dice are free for the next throw
    for watcher in machine.watchers:
        watcher.dice_shown(side, faces)
    return pack_faces(faces)


def _load(machine: Mechanism, job: Job) -> Iterator[Wait]:
    """The centre opens, people push a set in, it closes."""
    machine.top = TopState.LOADING
    if not machine.homed:
        yield Step("home")
        machine.homed = True
    yield Step("centre_up")
    machine.centre_open = True
    machine.emit(EventKind.CENTRE_OPENED)
    machine.progress(job, 10)
    for watcher in machine.watchers:
        watcher.centre_opened()
    yield Loading()
    machine.progress(job, 20)
    yield Step("centre_down")
    _centre_closed(machine)
    machine.progress(job, 30)


def _centre_closed(machine: Mechanism) -> None:
    machine.centre_open = False
    machine.top = TopState.CLEAR
    machine.emit(EventKind.CENTRE_CLOSED)


def _stack(machine: Mechanism, job: Job) -> Programme:
    """Stack what lies in the drum; short when tiles are missing."""
    places, profile = machine.places, machine.profile
    plan = plan_build(
        places.drum, profile, machine.timing.build, machine.drum_rng, machine.mix_for(machine.raised)
    )
    goal = stacks_a_side(profile)
    machine.store = StoreState.BUILDING
    machine.emit(EventKind.BUILD_STARTED)
    base, told = job.percent, 0
    done: set[int] = set()
    chunks = [plan[start : start + AT_ONCE] for start in range(0, len(plan), AT_ONCE)]
    ends = [0.0, *(chunk[-1].at for chunk in chunks)]
    for (start, end), chunk in zip(pairwise(ends), chunks, strict=True):
        yield Lapse(end - start, "" if start else "build")
        _lay(machine, chunk, goal, done)
        told = _tell(machine, job, base, told, sum(stacks_of(places.store)) / sum(goal))
    return _count(machine, profile)


def _lay(machine: Mechanism, chunk: list[Arrival], goal: tuple[int, ...], done: set[int]) -> None:
    for arrival in chunk:
        machine.places.stack(arrival.side, arrival.tile)
        row = machine.places.store[arrival.side]
        if len(row) == goal[arrival.side] and len(row[-1]) == TILES_A_STACK and arrival.side not in done:
            done.add(arrival.side)
            machine.emit(EventKind.SIDE_DONE, arrival.side, len(row))


def _tell(machine: Mechanism, job: Job, base: int, told: int, share: float) -> int:
    """Report progress in steps; returns the last step told."""
    step = int(share * (100 - base)) // PERCENT_STEP
    if step > told and share < 1:
        machine.progress(job, base + step * PERCENT_STEP)
    return max(step, told)


def _count(machine: Mechanism, profile: int) -> int:
    """A full set is ready; otherwise say what the counters found."""
    places = machine.places
    stacked = sum(1 for _ in tiles_of(places.store))
    if stacked < profile:
        machine.emit(EventKind.MISSING_TILES, value=profile - stacked)
        raise JobFailed(Fault.MISSING_TILES, NO_SIDE, StoreState.SHORT)
    if places.drum:
        machine.emit(EventKind.EXTRA_TILES, value=len(places.drum))
        raise JobFailed(Fault.EXTRA_TILES, NO_SIDE, StoreState.PAUSED)
    machine.store = StoreState.READY
    machine.emit(EventKind.BUILD_DONE, value=stacked)
    return stacked
