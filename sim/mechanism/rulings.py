"""When the mechanism refuses an order, as a real controller would: pure questions about its state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocols.vocabulary import NO_SIDE, SIDES, Fault, Lamp, Operation, Order, Refusal, StoreState
from sim.mechanism.dice import MOST_DICE
from sim.mechanism.jobs import EVERY_TRACK, Track
from sim.mechanism.tiles import FULL, PLAIN

if TYPE_CHECKING:
    from sim.mechanism.machine import Mechanism

PROFILES = (PLAIN, FULL)
BUILDS = (Operation.BUILD, Operation.RESUME)
LAMPS = tuple(Lamp)
NO_MOTION = (Operation.LAMPS, Operation.SET_PROFILE, Operation.CLEAR_FAULT)
AFTER_A_STOP = (Operation.HOME, *NO_MOTION)
WAYS_OUT = (Operation.HOME, Operation.PAUSE, Operation.RESUME, Operation.ABORT_BUILD)
TRACKS_NEEDED = {
    Operation.HOME: EVERY_TRACK,
    Operation.RAISE: frozenset({Track.TOP, Track.STORE}),
    Operation.LOWER: frozenset({Track.TOP}),
    Operation.DICE: frozenset({Track.DICE}),
}


def refusal_of(machine: Mechanism, order: Order) -> Refusal:
    """Why an order cannot be taken now; NONE when it can."""
    if _bad_argument(order):
        return Refusal.BAD_ARGUMENT
    if machine.stopped and order.operation not in AFTER_A_STOP:
        return Refusal.STOPPED
    if machine.halting and order.operation is Operation.HOME:
        return Refusal.BUSY
    if order.operation not in NO_MOTION:
        if machine.body.has(Fault.COVER_OPEN):
            return Refusal.LOCKED
        barred = machine.alarms.bars if order.operation in WAYS_OUT else machine.alarms.blocks
        if barred(order.operation):
            return Refusal.FAULT_LATCHED
    return _not_now(machine, order)


def _bad_argument(order: Order) -> bool:
    match order.operation:
        case Operation.RAISE:
            return order.side not in (*SIDES, NO_SIDE)
        case Operation.DICE:
            return order.side not in SIDES or not 1 <= order.count <= MOST_DICE
        case Operation.SET_PROFILE:
            return order.count not in PROFILES
        case Operation.LAMPS:
            return order.count not in LAMPS
    return False


def _not_now(machine: Mechanism, order: Order) -> Refusal:
    operation = order.operation
    if operation is Operation.RAISE:
        same = machine.hand == order.hand != 0
        if machine.store is not StoreState.READY and not same:
            return Refusal.NOT_READY
        if same:
            return Refusal.NONE
    if operation is Operation.HOME and machine.homed and not machine.stopped and not machine.needs_home():
        return Refusal.NONE
    if operation is Operation.BUILD:
        return _build_now(machine)
    if operation in STANDING:
        return STANDING[operation](machine)
    needed = TRACKS_NEEDED.get(operation, frozenset())
    return Refusal.BUSY if any(machine.job_on(track) is not None for track in needed) else Refusal.NONE


def _build_now(machine: Mechanism) -> Refusal:
    """A build may join one under way; it needs the top only while tiles are pushed in."""
    running = machine.job_on(Track.STORE)
    if running is not None:
        return Refusal.NONE if running.operation in BUILDS else Refusal.BUSY
    if machine.store is not StoreState.READY and machine.job_on(Track.TOP) is not None:
        return Refusal.BUSY
    return Refusal.NONE


def _pause_now(machine: Mechanism) -> Refusal:
    """A build under way, or one that stands still."""
    if machine.job_on(Track.TOP) is not None:
        return Refusal.BUSY
    standing = machine.store in (StoreState.BUILDING, StoreState.SHORT, StoreState.PAUSED)
    return Refusal.NONE if standing else Refusal.NOT_READY


def _resume_now(machine: Mechanism) -> Refusal:
    running = machine.job_on(Track.STORE)
    if running is not None:
        return Refusal.NONE if running.operation in BUILDS else Refusal.BUSY
    if machine.store is StoreState.READY:
        return Refusal.NONE
    if machine.job_on(Track.TOP) is not None:
        return Refusal.BUSY
    return Refusal.NONE if machine.resumable else Refusal.NOT_READY


def _abort_now(machine: Mechanism) -> Refusal:
    running = machine.job_on(Track.STORE)
    return Refusal.NONE if running is None or running.operation in BUILDS else Refusal.BUSY


def _purge_now(machine: Mechanism) -> Refusal:
    return Refusal.NONE if machine.job_on(Track.STORE) is None else Refusal.BUSY


STANDING = {
    Operation.PAUSE: _pause_now,
    Operation.RESUME: _resume_now,
    Operation.ABORT_BUILD: _abort_now,
    Operation.PURGE: _purge_now,
}
