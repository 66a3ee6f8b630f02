"""When the mechanism refuses an order, as a real controller would: pure questions about its state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocols.vocabulary import SIDES, Fault, Lamp, Operation, Order, Refusal, StoreState
from sim.mechanism.dice import MOST_DICE
from sim.mechanism.jobs import EVERY_TRACK, Track
from sim.mechanism.tiles import FULL, PLAIN

if TYPE_CHECKING:
    from sim.mechanism.machine import Mechanism

PROFILES = (PLAIN, FULL)
AFTER_A_STOP = (Operation.HOME, Operation.LAMPS)  # lamps move nothing
NEEDS_NO_FAULT = (Operation.BUILD, Operation.RAISE, Operation.LOWER, Operation.DICE)
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
    if order.operation in NEEDS_NO_FAULT and _faulty(machine):
        return Refusal.FAULT_LATCHED
    return _not_now(machine, order)


def _bad_argument(order: Order) -> bool:
    match order.operation:
        case Operation.RAISE:
            return order.side not in SIDES
        case Operation.DICE:
            return order.side not in SIDES or not 1 <= order.count <= MOST_DICE
        case Operation.SET_PROFILE:
            return order.count not in PROFILES
        case Operation.LAMPS:
            return order.count not in tuple(Lamp)
    return False


def _faulty(machine: Mechanism) -> bool:
    return any(fault is not Fault.NONE for fault, _ in machine.latched)


def _not_now(machine: Mechanism, order: Order) -> Refusal:
    operation = order.operation
    if operation is Operation.RAISE:
        same = machine.hand == order.hand != 0
        if machine.store is not StoreState.READY and not same:
            return Refusal.NOT_READY
        if same:
            return Refusal.NONE
    if operation is Operation.HOME and machine.homed and not machine.stopped:
        return Refusal.NONE
    if operation is Operation.BUILD:
        return _build_now(machine)
    needed = TRACKS_NEEDED.get(operation, frozenset())
    if any(machine.job_on(track) is not None for track in sorted(needed, key=lambda track: track.value)):
        return Refusal.BUSY
    return Refusal.NONE


def _build_now(machine: Mechanism) -> Refusal:
    """A build may join one under way; it needs the top only while tiles are pushed in."""
    running = machine.job_on(Track.STORE)
    if running is not None:
        return Refusal.NONE if running.operation is Operation.BUILD else Refusal.BUSY
    if machine.store is not StoreState.READY and machine.job_on(Track.TOP) is not None:
        return Refusal.BUSY
    return Refusal.NONE
