"""The programmes of the mechanism: what moves, in which order, and which tiles it carries.

Each yields its waits to the runner; the lines after a yield happen when that wait is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from protocols.vocabulary import EventKind, Fault, Lamp, Operation, Source, StoreState, TopState
from sim.mechanism.dice import pack_faces
from sim.mechanism.jobs import Job, JobFailed, Loading, Programme, Step, Track, Wait, own_order
from sim.mechanism.places import tiles_of
from sim.mechanism.stacking import stack

if TYPE_CHECKING:
    from sim.mechanism.machine import Mechanism

STORE_ALONE = frozenset({Track.STORE})
DICE_FAULTS = (Fault.DICE_NO_SPIN, Fault.DICE_NO_READ, Fault.DICE_SPIN_SHORT)
HAND_BITS = 0xFFFF  # of the hand's number that WALLS_UP carries


def home(machine: Mechanism, job: Job) -> Programme:
    """Every axis to its reference. Walls that stand on the felt stay; part-built rows fall back."""
    yield Step("home")
    if machine.centre_open:
        centre_closed(machine)
    if machine.doubtful or not machine.rows_full():
        machine.drop_store()
    else:
        machine.store = StoreState.READY
    machine.top = machine.top_sensed()
    machine.homed = True
    machine.stopped = False
    machine.between = False
    machine.mended_by(Operation.HOME)
    machine.forget_gone()
    return 0


def build(machine: Mechanism, job: Job) -> Programme:
    """A complete set of walls in the store."""
    places = machine.places
    if any(tiles_of(places.store)):
        machine.drop_store()
    strays = any(tile in places.strays for tile in places.drum)  # one makes up the number of one left out
    if strays or len(places.drum) != machine.profile:
        yield from _load(machine, job)
    else:
        yield from homed(machine)
        yield from closed(machine)
    job.tracks = frozenset({Track.STORE})
    return (yield from stack(machine, job))


def raise_walls(machine: Mechanism, job: Job) -> Programme:
    """The walls in the store come up; the set pushed in meanwhile starts to be built by itself."""
    yield from _load(machine, job)
    occupied = next((side for side, row in enumerate(machine.places.top) if any(row)), None)
    if occupied is not None:  # nobody pushed the old walls in: what stands on a tray keeps it up
        raise JobFailed(Fault.TRAY_NOT_DOWN, occupied, StoreState.READY)
    machine.top = TopState.RAISING
    yield Step("trays_up")
    machine.places.raise_walls()
    machine.raised += 1
    machine.hand, machine.dealer = job.order.hand, job.order.side
    machine.top, machine.store, machine.built = TopState.WALLS_UP, StoreState.EMPTY, 0
    if machine.lamp in (Lamp.CLOSED, Lamp.WIN):  # of the hand before
        machine.show_lamp(Lamp.OFF)
    machine.emit(EventKind.WALLS_UP, value=machine.hand & HAND_BITS, source=Source.HOST)
    machine.notice("hand", number=machine.raised)
    for watcher in machine.watchers:
        watcher.walls_up(machine.dealer)
    job.tracks = frozenset()
    if machine.places.drum:
        machine.run(own_order(Operation.BUILD), STORE_ALONE, lambda job: stack(machine, job))
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
    machine.forget_gone(*DICE_FAULTS)
    faces = machine.dice.throw(job.order.count)
    machine.emit(EventKind.DICE_RESULT, side, pack_faces(faces), source)
    job.tracks = frozenset()  # the dice are free for the next throw
    for watcher in machine.watchers:
        watcher.dice_shown(side, faces)
    return pack_faces(faces)


def _load(machine: Mechanism, job: Job) -> Iterator[Wait]:
    """The centre opens, people push a set in, it closes. One lift key closes it as well."""
    machine.top = TopState.LOADING
    yield from homed(machine)
    if not machine.centre_open:
        yield Step("centre_up")
        centre_opened(machine)
    machine.adding = machine.by_panel = False
    machine.progress(job, 10)
    for watcher in machine.watchers:
        watcher.centre_opened()
    yield Loading()
    machine.progress(job, 20)
    yield from closed(machine)
    machine.progress(job, 30)


def homed(machine: Mechanism) -> Iterator[Wait]:
    """The axes find their references, if they have lost them."""
    if not machine.homed:
        yield Step("home")
        machine.homed = True


def closed(machine: Mechanism) -> Iterator[Wait]:
    """The centre goes down, if it is up."""
    if machine.centre_open:
        yield Step("centre_down")
        centre_closed(machine)


def centre_opened(machine: Mechanism, source: Source = Source.SENSOR) -> None:
    machine.centre_open = True
    machine.emit(EventKind.CENTRE_OPENED, source=source)


def centre_closed(machine: Mechanism) -> None:
    machine.centre_open = machine.adding = machine.by_panel = False
    machine.top = machine.top_sensed()
    machine.emit(EventKind.CENTRE_CLOSED)
