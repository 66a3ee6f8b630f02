"""The mechanism: takes orders, moves tiles in table time, and tells its board and the people around it.

It knows what its sensors and its memory tell: counts and limits, never which tile is which. What it does:

- BUILD: the centre opens, people push a set in, it closes, the walls are stacked in the store.
- RAISE: the centre opens, the used set (the second one the first time) is pushed in, it closes, the trays
  lift the walls, and the set pushed in starts to be built by itself.
- PAUSE, RESUME, ABORT_BUILD and PURGE lead out of a build that cannot go on (``mending``).
- a stop ends every motion within 0.7 s; then only HOME moves anything.

What can be physically wrong is its ``body``; what the firmware has noticed of it are its ``alarms``.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from protocols.vocabulary import (
    NO_SIDE,
    EventKind,
    Fault,
    Lamp,
    Operation,
    Order,
    Refusal,
    Source,
    StoreState,
    TopState,
)
from sim.mechanism import ailing, mending, programmes
from sim.mechanism.body import Ailment
from sim.mechanism.jobs import EVERY_TRACK, Job, Programme, Track
from sim.mechanism.motion import BY_ITSELF
from sim.mechanism.panel import Panel
from sim.mechanism.rulings import refusal_of
from sim.mechanism.runner import Runner
from sim.mechanism.timing import Timing
from sim.timebase import TableTimer

TRACKS = {
    Operation.HOME: EVERY_TRACK,
    Operation.BUILD: frozenset({Track.TOP, Track.STORE}),
    Operation.RAISE: frozenset({Track.TOP, Track.STORE}),
    Operation.LOWER: frozenset({Track.TOP}),
    Operation.DICE: frozenset({Track.DICE}),
    Operation.PAUSE: frozenset({Track.TOP}),
    Operation.RESUME: frozenset({Track.TOP, Track.STORE}),
    Operation.PURGE: frozenset({Track.STORE}),
    Operation.ABORT_BUILD: frozenset({Track.STORE}),
}
Make = Callable[["Mechanism", Job], Programme]
PROGRAMMES: dict[Operation, Make] = {
    Operation.HOME: programmes.home,
    Operation.BUILD: programmes.build,
    Operation.RAISE: programmes.raise_walls,
    Operation.LOWER: programmes.lower_walls,
    Operation.DICE: programmes.roll_dice,
    Operation.PAUSE: mending.pause,
    Operation.RESUME: mending.resume,
    Operation.PURGE: mending.purge,
    Operation.ABORT_BUILD: mending.abort,
}
JOINED = (Operation.BUILD, Operation.RESUME)  # both end in a complete set


class Mechanism(Runner):
    """One table that takes orders and can be touched."""

    def __init__(
        self, profile: int, timer: TableTimer, *, drum: Random, dice: Random, times: Random,
        wear: Random | None = None, timing: Timing | None = None,
    ) -> None:  # fmt: skip
        super().__init__(profile, timer, drum=drum, dice=dice, times=times, wear=wear, timing=timing)
        self.panel = Panel(self)

    # orders

    def order(self, order: Order) -> Refusal:
        """Begin what a host asks for, or say why not. Motion has begun when this returns NONE."""
        refusal = refusal_of(self, order)
        if refusal is not Refusal.NONE:
            return refusal
        running = self.job_on(Track.STORE)
        if order.operation in JOINED and running is not None:
            running.waiters.append(order.id)
        elif order.operation in PROGRAMMES and not self._reached(order):
            self.start(order, [order.id])
        else:
            value = self._at_once(order)
            self.timer.call_later(0.0, lambda: self.report.done(order.id, value))
        self.notice("order", operation=order.operation, hand=order.hand)
        return Refusal.NONE

    def start(self, order: Order, waiters: list[int]) -> None:
        """Begin the programme of an order."""
        if order.operation is Operation.ABORT_BUILD:
            self._abandon_build()
        make = PROGRAMMES[order.operation]
        self.run(order, TRACKS[order.operation], lambda job: make(self, job), waiters)

    def _reached(self, order: Order) -> bool:
        """True when the state an order asks for is already there."""
        match order.operation:
            case Operation.HOME:
                return self.homed and not self.stopped and not self.needs_home()
            case Operation.BUILD:
                return self.store is StoreState.READY
            case Operation.RAISE:
                return self.top is TopState.WALLS_UP and self.hand == order.hand != 0
            case Operation.LOWER:
                return self.top is TopState.CLEAR
            case Operation.PAUSE:
                return self.store in (StoreState.PAUSED, StoreState.SHORT) and self.centre_open
            case Operation.RESUME:
                return self.store is StoreState.READY
            case Operation.ABORT_BUILD:
                return self.store is StoreState.EMPTY
        return False

    def _at_once(self, order: Order) -> int:
        """What needs no motion. Returns the value of its reply."""
        match order.operation:
            case Operation.SET_PROFILE:
                self.people_profile = order.count
                self.set_profile(order.count, Source.HOST)
                self.mended_by(Operation.SET_PROFILE)
            case Operation.HOME:
                self.forget_gone()
            case Operation.CLEAR_FAULT:
                self.mended_by(Operation.CLEAR_FAULT)
                self.alarms.forget_gone(source=Source.HOST)
            case Operation.LAMPS:
                self.show_lamp(Lamp(order.count), order.side)
            case Operation.BUILD | Operation.RESUME:
                return sum(self.goal()) * 2
        return 0

    # people

    def press_dice(self, side: int) -> None:
        """The dice key of a side."""
        self.panel.dice(side)

    def push_in(self) -> None:
        """People push the tiles through the open centre."""
        if not self.centre_open:
            return
        if not self.adding:
            self.pushes += 1
            self.notice("push", number=self.pushes)
        self.places.push_in(self.people_profile, adding=self.adding)
        self.loaded()

    def loaded(self) -> None:
        """The centre may close: people have finished, or a key says so."""
        for job in [job for job in self.jobs if job.loading]:
            job.loading = False
            self._advance(job)

    # stop and power

    def moving(self) -> bool:
        """True while anything moves, or would as soon as people are ready."""
        return bool(self.jobs) or self.halting or self.runaway is not None

    def host_silent(self) -> None:
        """Nobody supervises what a host ordered: stop it. The table's own build goes on."""
        if any(job.ordered for job in self.jobs):
            self.stop(Fault.HOST_SILENT_STOP)

    def stop(self, fault: Fault = Fault.NONE) -> bool:
        """Stop every motion. True when nothing moved; else the board is told when all has stopped."""
        was_stopped, self.stopped = self.stopped, True
        if self.halting:
            return False
        moving = bool(self.log.running())
        jobs, self.jobs = self.jobs, []
        for job in jobs:
            job.drop()
        self._fail_suspended(fault)
        if moving:
            self.halting = True
            seconds = self.timing.steps["halt"].sample(self._times)
            self.timer.call_later(seconds, lambda: self._halted(jobs, fault))
            return False
        self._settle(jobs, fault)
        if not was_stopped:
            self.emit(EventKind.STOPPED)
        return True

    def _halted(self, jobs: list[Job], fault: Fault) -> None:
        self._settle(jobs, fault)
        if self.runaway is not None:  # it does not obey: never at rest until the power is cut
            return
        self.halting = False
        self.emit(EventKind.STOPPED)
        self.report.stopped()

    def power_lost(self) -> None:
        """Every motion ends where it is and the board forgets; tiles stay where they are."""
        self.powered = False
        self.timer.cancel_all()
        for job in self.jobs:
            job.drop()
        self.jobs = []
        self.runaway = None
        for motion in self.log.running():
            motion.end_us, motion.cut = self.timer.now_us(), True
            self.between = self.between or motion.operation is not Operation.DICE
        self._forget()
        for watcher in self.watchers:
            watcher.dark()

    def power_back(self) -> None:
        """Only sensors tell what is where: walls on the felt, full rows in the store."""
        self.powered = True
        self._sense(EVERY_TRACK, StoreState.UNKNOWN)

    def booted(self) -> None:
        """The firmware looks at its sensors: an axis between its limits, and all that is wrong and seen."""
        if self.between:
            self.latch(Fault.POWER_LOST_MID_CYCLE)
        for ailment in list(self.body.ailments):
            if ailment.cause.seen and ailment.shown:
                self.latch(ailment.fault, ailment.side)

    # what goes wrong

    def befall(self, name: str, side: int = NO_SIDE, **more: Any) -> Ailment:
        """Something goes wrong with the table: a row of ``causes.toml``."""
        return ailing.befall(self, name, side, **more)

    def mend(self, ailment: Ailment) -> bool:
        """Somebody puts it right; False while it cannot be reached."""
        return ailing.mend(self, ailment)

    def become_weak(self, side: int) -> None:
        self.befall("optic_weak", side)

    def halt_for(self, fault: Fault, side: int = NO_SIDE) -> None:
        """A sensor ends every motion; people may go on loading."""
        if any(job.busy for job in self.jobs):  # in the middle of what a programme does: right after it
            self.timer.call_later(0.0, lambda: self.halt_for(fault, side))
            return
        for job in [job for job in self.jobs if not job.loading]:
            self.fail(job, fault, side)
        self.latch(fault, side)

    def run_away(self) -> None:
        """A motor turns although nobody wants it to."""
        self.runaway = self.log.begin(BY_ITSELF, Operation.PURGE, "runaway", self.timer.now_us())
