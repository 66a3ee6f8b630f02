"""The mechanism: takes orders, moves tiles in table time, and tells its board and the people around it.

It knows what its sensors and its memory tell: counts and limits, never which tile is which. What it does:

- BUILD: the centre opens, people push a set in, it closes, the walls are stacked in the store.
- RAISE: the centre opens, the used set (the second one the first time) is pushed in, it closes, the trays
  lift the walls, and the set pushed in starts to be built by itself.
- a stop ends every motion within 0.7 s; then only HOME moves anything.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from protocols.vocabulary import (
    NO_SIDE,
    EventKind,
    Fault,
    Lamp,
    Operation,
    Order,
    PanelKey,
    Refusal,
    Source,
    StoreState,
    TopState,
)
from sim.mechanism import programmes
from sim.mechanism.dice import DICE_A_THROW, Dice
from sim.mechanism.drum import Mix, mix_fairly, stacks_a_side
from sim.mechanism.jobs import EVERY_TRACK, Job, JobFailed, Lapse, Loading, Programme, Step, Track, own_order
from sim.mechanism.motion import MotionLog, NoFaults, StepFaults
from sim.mechanism.places import Places, stacks_of
from sim.mechanism.ports import Reporter, Watcher
from sim.mechanism.rulings import refusal_of
from sim.mechanism.timing import Timing, load_timing
from sim.timebase import TableTimer

TRACKS = {
    Operation.HOME: EVERY_TRACK,
    Operation.BUILD: frozenset({Track.TOP, Track.STORE}),
    Operation.RAISE: frozenset({Track.TOP, Track.STORE}),
    Operation.LOWER: frozenset({Track.TOP}),
    Operation.DICE: frozenset({Track.DICE}),
}
PROGRAMMES: dict[Operation, Callable[[Mechanism, Job], Programme]] = {
    Operation.HOME: programmes.home,
    Operation.BUILD: programmes.build,
    Operation.RAISE: programmes.raise_walls,
    Operation.LOWER: programmes.lower_walls,
    Operation.DICE: programmes.roll_dice,
}


class Mechanism:
    """One table. ``timer`` gives table time, ``rng`` the chance in drum, dice and durations."""

    def __init__(
        self, profile: int, timer: TableTimer, *, drum: Random, dice: Random, times: Random,
        timing: Timing | None = None,
    ) -> None:  # fmt: skip
        self.timer = timer
        self.timing = timing or load_timing()
        self.places = Places(profile)
        self.log = MotionLog()
        self.dice = Dice(dice)
        self.faults: StepFaults = NoFaults()
        self.mix_for: Callable[[int], Mix] = lambda hand: mix_fairly
        self.drum_rng = drum
        self._times = times
        self._report: Reporter | None = None
        self.watchers: list[Watcher] = []
        self.raised = 0  # how often walls came up since the table was made
        self.profile = profile
        self.powered = True
        self.jobs: list[Job] = []
        self._forget()
        self.homed = True
        self.top = TopState.CLEAR
        self.store = StoreState.EMPTY

    def _forget(self) -> None:
        """What a power cut takes from the board's memory."""
        self.hand = 0
        self.dealer = NO_SIDE
        self.lamp = Lamp.OFF
        self.homed = False
        self.stopped = False
        self.halting = False
        self.centre_open = False
        self.latched: list[tuple[Fault, int]] = []

    # orders

    def order(self, order: Order) -> Refusal:
        """Begin what a host asks for, or say why not. Motion has begun when this returns NONE."""
        refusal = refusal_of(self, order)
        if refusal is not Refusal.NONE:
            return refusal
        running = self.job_on(Track.STORE)
        if order.operation is Operation.BUILD and running is not None:
            running.waiters.append(order.id)
        elif order.operation in PROGRAMMES and not self._reached(order):
            self.start(order, [order.id])
        else:
            value = self._at_once(order)
            self.timer.call_later(0.0, lambda: self.report.done(order.id, value))
        return Refusal.NONE

    def start(self, order: Order, waiters: list[int]) -> None:
        """Begin the programme of an order."""
        job = Job(order, TRACKS[order.operation], waiters=waiters)
        job.programme = PROGRAMMES[order.operation](self, job)
        self.jobs.append(job)
        self._advance(job)

    def _reached(self, order: Order) -> bool:
        """True when the state an order asks for is already there."""
        match order.operation:
            case Operation.HOME:
                return self.homed and not self.stopped
            case Operation.BUILD:
                return self.store is StoreState.READY
            case Operation.RAISE:
                return self.top is TopState.WALLS_UP and self.hand == order.hand != 0
            case Operation.LOWER:
                return self.top is TopState.CLEAR
        return False

    def _at_once(self, order: Order) -> int:
        """What needs no motion. Returns the value of its reply."""
        match order.operation:
            case Operation.SET_PROFILE:
                self.profile = order.count
                self.emit(EventKind.PROFILE_CHANGED, value=order.count, source=Source.HOST)
            case Operation.CLEAR_FAULT:
                latched, self.latched = self.latched, []
                for fault, side in latched:
                    self.emit(EventKind.FAULT_CLEARED, side, fault, Source.HOST)
            case Operation.LAMPS:
                self.show_lamp(Lamp(order.count), order.side)
            case Operation.BUILD:
                return sum(stacks_a_side(self.profile)) * 2
        return 0

    # people

    def press_dice(self, side: int) -> None:
        """The dice key of a side: recorded, and thrown if nothing stands against it."""
        if not self.powered:
            return
        self.emit(EventKind.KEY_PRESSED, side, PanelKey.DICE, Source.PANEL)
        order = own_order(Operation.DICE, side=side, count=DICE_A_THROW)
        if refusal_of(self, order) is Refusal.NONE:
            self.start(order, [])

    def push_in(self) -> None:
        """People push the tiles through the open centre."""
        if self.centre_open:
            self.places.push_in(self.profile)
            for job in self.jobs:
                if job.loading:
                    job.loading = False
                    self._advance(job)

    def show_lamp(self, lamp: Lamp, side: int = NO_SIDE) -> None:
        """Light a lamp at the seats."""
        self.lamp = lamp
        for watcher in self.watchers:
            watcher.lamp(lamp, side)

    # stop and power

    def moving(self) -> bool:
        """True while anything moves, or would as soon as people are ready."""
        return bool(self.jobs) or self.halting

    def host_silent(self) -> None:
        """Nobody supervises what a host ordered: stop it. The table's own build goes on."""
        if any(job.ordered for job in self.jobs):
            self.stop(Fault.HOST_SILENT_STOP)

    def stop(self, fault: Fault = Fault.NONE) -> bool:
        """Stop every motion. True when nothing moved; else the board is told when all has stopped."""
        was_stopped, self.stopped = self.stopped, True
        if self.halting:
            return False
        moving = self.log.running()
        jobs, self.jobs = self.jobs, []
        for job in jobs:
            job.drop()
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
        self.halting = False
        self._settle(jobs, fault)
        self.emit(EventKind.STOPPED)
        self.report.stopped()

    def _settle(self, jobs: list[Job], fault: Fault, side: int = NO_SIDE) -> None:
        """End jobs that did not reach their end: log, states, fault, replies."""
        for job in jobs:
            self._end_motion(job, cut=True)
            self._sense(job.tracks, StoreState.PAUSED)
            self.homed = self.homed and job.tracks == TRACKS[Operation.DICE]
        if fault is not Fault.NONE and (fault, side) not in self.latched:
            self.latched.append((fault, side))
            self.emit(EventKind.FAULT_SET, side, fault)
        for job in jobs:
            for waiter in job.waiters:
                self.report.failed(waiter, fault, side)

    def power_lost(self) -> None:
        """Every motion ends where it is and the board forgets; tiles stay where they are."""
        self.powered = False
        self.timer.cancel_all()
        for job in self.jobs:
            job.drop()
        self.jobs = []
        for motion in self.log.running():
            motion.end_us, motion.cut = self.timer.now_us(), True
        self._forget()
        for watcher in self.watchers:
            watcher.dark()

    def power_back(self) -> None:
        """Only sensors tell what is where: walls on the felt, full rows in the store."""
        self.powered = True
        self._sense(EVERY_TRACK, StoreState.UNKNOWN)

    def _sense(self, tracks: frozenset[Track], partial: StoreState) -> None:
        if Track.TOP in tracks:
            self.top = TopState.WALLS_UP if any(stacks_of(self.places.top)) else TopState.UNKNOWN
        if Track.STORE in tracks:
            stacks = stacks_of(self.places.store)
            if stacks == stacks_a_side(self.profile):
                self.store = StoreState.READY
            else:
                self.store = partial if any(stacks) else StoreState.EMPTY

    # the runner

    def _advance(self, job: Job) -> None:
        """Let a programme do what follows its wait, and begin the next wait."""
        assert job.programme is not None
        try:
            wait = next(job.programme)
        except StopIteration as end:
            self._finish(job, end.value)
            return
        except JobFailed as failure:
            self.fail(job, failure.fault, failure.side)
            self.store = failure.store
            return
        match wait:
            case Step(name):
                self._begin_step(job, name)
            case Lapse(seconds, step):
                if step:
                    self._begin_motion(job, step)
                job.timer = self.timer.call_later(seconds, lambda: self._advance(job))
            case Loading():
                job.loading = True

    def _begin_step(self, job: Job, name: str) -> None:
        time = self.timing.steps[name]
        seconds = time.sample(self._times)
        trouble = self.faults.before(name, job.operation)
        self._begin_motion(job, name)
        if trouble is not None:
            fault, side = trouble.fault, trouble.side
            job.timer = self.timer.call_later(
                seconds * trouble.after, lambda: self.fail(job, fault, side)
            )
        else:
            job.timer = self.timer.call_later(seconds, lambda: self._step_done(job))

    def _step_done(self, job: Job) -> None:
        self._end_motion(job)
        self._advance(job)

    def _begin_motion(self, job: Job, step: str) -> None:
        order = job.waiters[0] if job.waiters else job.order.id
        job.motion = self.log.begin(order, job.operation, step, self.timer.now_us())

    def _end_motion(self, job: Job, cut: bool = False) -> None:
        if job.motion is not None:
            job.motion.end_us, job.motion.cut = self.timer.now_us(), cut
            job.motion = None

    def _finish(self, job: Job, value: int) -> None:
        self._end_motion(job)
        if job in self.jobs:
            self.jobs.remove(job)
        for waiter in job.waiters:
            self.report.done(waiter, value)

    def fail(self, job: Job, fault: Fault, side: int = NO_SIDE) -> None:
        """A job ends with a fault, which stays latched."""
        job.drop()
        self.jobs.remove(job)
        self._settle([job], fault, side)

    # small things programmes and rulings ask

    def job_on(self, track: Track) -> Job | None:
        """The job that holds a track."""
        return next((job for job in self.jobs if track in job.tracks), None)

    def progress(self, job: Job, percent: int) -> None:
        job.percent = percent
        for waiter in job.waiters:
            self.report.progress(waiter, percent)

    def emit(
        self, kind: EventKind, side: int = NO_SIDE, value: int = 0, source: Source = Source.SENSOR
    ) -> None:
        """Tell the board of something sensed."""
        self.report.emit(kind, side, value, source)

    def connect(self, report: Reporter) -> None:
        """Give the mechanism the board it reports to."""
        self._report = report

    @property
    def report(self) -> Reporter:
        assert self._report is not None
        return self._report
