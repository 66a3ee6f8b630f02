"""Runs the programmes of a table: waits out their motions, lets them fail, ends them.

A programme says what it waits for; here the waiting is done, each motion is written into the log, and what
comes of it goes to the board.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from protocols.vocabulary import NO_SIDE, Fault, Operation, Order, StoreState
from sim.mechanism.jobs import Job, JobFailed, Lapse, Loading, Programme, Step, Track
from sim.mechanism.parts import Parts

Make = Callable[[Job], Programme]
DICE_ONLY = frozenset({Track.DICE})


class Runner(Parts, ABC):
    """A table whose jobs run."""

    def run(
        self,
        order: Order,
        tracks: frozenset[Track],
        make: Callable[[Job], Programme],
        waiters: Sequence[int] = (),
    ) -> None:
        """Begin a programme on these tracks."""
        job = Job(order, tracks, waiters=list(waiters))
        job.programme = make(job)
        self.jobs.append(job)
        self._advance(job)

    def job_on(self, track: Track) -> Job | None:
        """The job that holds a track."""
        return next((job for job in self.jobs if track in job.tracks), None)

    def progress(self, job: Job, percent: int) -> None:
        job.percent = percent
        for waiter in job.waiters:
            self.report.progress(waiter, percent)

    def _advance(self, job: Job) -> None:
        """Let a programme do what follows its wait, and begin the next wait."""
        assert job.programme is not None
        try:
            wait = next(job.programme)
        except StopIteration as end:
            self._finish(job, end.value)
            return
        except JobFailed as failure:
            self.doubtful = failure.store is StoreState.PAUSED
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
        self.notice("step", step=name)
        time = self.timing.steps[name]
        seconds = time.sample(self._times)
        trouble = self.faults.before(name, job.operation)
        self._begin_motion(job, name)
        if trouble is not None:
            fault, side = trouble.fault, trouble.side
            job.timer = self.timer.call_later(seconds * trouble.after, lambda: self.fail(job, fault, side))
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

    def _settle(self, jobs: list[Job], fault: Fault, side: int = NO_SIDE) -> None:
        """End jobs that did not reach their end: log, states, fault, replies."""
        for job in jobs:
            self._end_motion(job, cut=True)
            self._sense(job.tracks, StoreState.PAUSED)
            self.homed = self.homed and job.tracks == DICE_ONLY
        self.latch(fault, side)
        for job in jobs:
            for waiter in job.waiters:
                self.report.failed(waiter, fault, side)

    # a build that stands still

    @property
    def resumable(self) -> bool:
        """True when rows stand of which the board knows what they lack."""
        return bool(self.built) and self.job_on(Track.STORE) is None

    def suspend(self, job: Job) -> None:
        """Stop stacking; the orders that wait for it go on waiting."""
        if job in self.jobs:
            job.drop()
            self.jobs.remove(job)
            self._end_motion(job)
            self.suspended += job.waiters
            self.store = StoreState.PAUSED

    def take_suspended(self) -> list[int]:
        """The orders that waited for the paused build."""
        waiters, self.suspended = self.suspended, []
        return waiters

    def _fail_suspended(self, fault: Fault) -> None:
        for waiter in self.take_suspended():
            self.report.failed(waiter, fault)

    def _abandon_build(self) -> None:
        running = self.job_on(Track.STORE)
        if running is not None:
            self.fail(running, Fault.NONE)
        self._fail_suspended(Fault.NONE)

    def drop_store(self) -> None:
        """The rows fall back into the drum, and whatever clung to its wall with them."""
        self.places.drop_store()
        self.store, self.built, self.unlaid, self.doubtful = StoreState.EMPTY, 0, [], False
        self.mended_by(Operation.PURGE)

    def build_ended(self) -> None:
        """One build more has worn the table."""
        for ailment in [*self.body.of(Fault.LAST_TILES_SLOW)]:
            self.body.gone(ailment)
        for side in self.wear.one_build():
            self.become_weak(side)

    @abstractmethod
    def become_weak(self, side: int) -> None:
        """An optic has become too dirty."""
