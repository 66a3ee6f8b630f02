"""The programmes that lead out of a fault: pause, resume, purge, abort."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocols.vocabulary import Operation
from sim.mechanism.jobs import Job, Programme, Step, Track
from sim.mechanism.programmes import centre_opened, closed, homed
from sim.mechanism.stacking import PERCENT_STEP, stack_on

if TYPE_CHECKING:
    from sim.mechanism.machine import Mechanism


def pause(machine: Mechanism, job: Job) -> Programme:
    """Heads, ring and chain stop, the centre opens; tiles can be put in or taken out by hand."""
    running = machine.job_on(Track.STORE)
    if running is not None:
        yield Step("pause")
        machine.suspend(running)
    if not machine.centre_open:
        yield Step("centre_up")
        machine.adding = True
        centre_opened(machine)
    for watcher in machine.watchers:
        watcher.centre_opened()
    return 0


def resume(machine: Mechanism, job: Job) -> Programme:
    """The centre closes and building goes on where it was."""
    machine.forget_gone()
    job.percent = machine.base + machine.told * PERCENT_STEP  # where it was
    job.waiters += machine.take_suspended()
    yield from homed(machine)
    yield from closed(machine)
    job.tracks = frozenset({Track.STORE})
    return (yield from stack_on(machine, job))


def purge(machine: Mechanism, job: Job) -> Programme:
    """The disc turns without building: what clings to the drum comes loose."""
    yield Step("purge")
    machine.mended_by(Operation.PURGE)
    return 0


def abort(machine: Mechanism, job: Job) -> Programme:
    """What was stacked falls back into the drum."""
    yield Step("abort")
    machine.drop_store()
    return 0
