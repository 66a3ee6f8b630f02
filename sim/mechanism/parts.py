"""The parts of a table and what its board remembers of them: no motion, no order, only state.

It knows what its sensors and its memory tell: counts and limits, never which tile is which.
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
    Source,
    StoreState,
    TopState,
)
from sim.mechanism.alarms import Alarms
from sim.mechanism.body import Body
from sim.mechanism.dice import Dice
from sim.mechanism.drum import Arrival, Mix, mix_fairly, stacks_a_side
from sim.mechanism.jobs import Job, Track
from sim.mechanism.motion import Motion, MotionLog, StepFaults
from sim.mechanism.places import TILES_A_STACK, Places, stacks_of
from sim.mechanism.ports import Reporter, Watcher
from sim.mechanism.timing import Timing, load_timing
from sim.mechanism.wear import Wear
from sim.timebase import TableTimer


def nothing(kind: str, **facts: int) -> None:
    """Nobody waits for this moment."""


class Parts:
    """Everything a table has. ``timer`` gives table time, the generators the chance in each part."""

    def __init__(
        self, profile: int, timer: TableTimer, *, drum: Random, dice: Random, times: Random,
        wear: Random | None = None, timing: Timing | None = None,
    ) -> None:  # fmt: skip
        self.timer = timer
        self.timing = timing or load_timing()
        self.places = Places(profile)
        self.log = MotionLog()
        self.dice = Dice(dice)
        self.wear = Wear()
        self.body = Body(self.places, self.timing, self.wear)
        self.alarms = Alarms(self.body, self.emit)
        self.faults: StepFaults = self.body
        self.notice: Callable[..., None] = nothing  # told of the moments a fault script can name
        self.wear_rng = wear or Random(0)
        self.mix_for: Callable[[int], Mix] = lambda hand: mix_fairly
        self.drum_rng = drum
        self._times = times
        self._report: Reporter | None = None
        self.watchers: list[Watcher] = []
        self.raised = 0  # how often walls came up since the table was made
        self.builds = 0  # how often stacking began from empty rows
        self.pushes = 0
        self.profile = profile
        self.people_profile = profile  # the tiles the people here play with, whatever the gear says
        self.between = False  # an axis stands between its limits because its motion was cut
        self.runaway: Motion | None = None
        self.powered = True
        self.centre_open = False
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
        self.adding = False  # the centre is open for single tiles, not for a set
        self.by_panel = False  # a key opened it
        self.alarms.latched.clear()
        self.built = 0  # profile of the rows in the store
        self.doubtful = False  # the rows are full, but counters or drum say otherwise
        self.counted = [0, 0, 0, 0]
        self.base = 0  # percent at which stacking began
        self.told = 0  # steps of progress told since
        self.unlaid: list[Arrival] = []
        self.suspended: list[int] = []  # orders that wait for a paused build

    # what is there

    def goal(self) -> tuple[int, int, int, int]:
        """Stacks a side of the set in the store or, where nobody knows of one, of the next."""
        return stacks_a_side(self.built or self.profile)

    def rows_full(self) -> bool:
        """What the end switches in the store say; half a stack does not reach its switch."""
        rows = [sum(map(len, row)) for row in self.places.store]
        return rows == [stacks * TILES_A_STACK for stacks in self.goal()]

    def top_sensed(self) -> TopState:
        """What the tray sensors say."""
        return TopState.WALLS_UP if any(stacks_of(self.places.top)) else TopState.CLEAR

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

    def set_profile(self, tiles: int, source: Source) -> None:
        """Another gear, for the next build."""
        self.profile = tiles
        self.emit(EventKind.PROFILE_CHANGED, value=tiles, source=source)

    def show_lamp(self, lamp: Lamp, side: int = NO_SIDE) -> None:
        """Light a lamp at the seats."""
        self.lamp = lamp
        for watcher in self.watchers:
            watcher.lamp(lamp, side)

    def _sense(self, tracks: frozenset[Track], partial: StoreState) -> None:
        if Track.TOP in tracks:
            self.top = TopState.WALLS_UP if any(stacks_of(self.places.top)) else TopState.UNKNOWN
        if Track.STORE in tracks:
            stacks = stacks_of(self.places.store)
            if self.rows_full() and not self.doubtful:
                self.store = StoreState.READY
            else:
                self.store = partial if any(stacks) else StoreState.EMPTY

    # what is wrong

    @property
    def latched(self) -> list[tuple[Fault, int]]:
        """The faults that stand."""
        return self.alarms.latched

    def latch(self, fault: Fault, side: int = NO_SIDE) -> None:
        """A fault stands from now on."""
        self.alarms.latch(fault, side)

    def mended_by(self, operation: Operation) -> None:
        """An operation that puts things right has been carried out."""
        for ailment in list(self.body.ailments):
            if ailment.cause.mended == operation.name:
                self.body.gone(ailment)
                self.alarms.mended(ailment)

    def needs_home(self) -> bool:
        """True when HOME would put something right."""
        return self.between or any(one.cause.mended == "HOME" for one in self.body.ailments)

    def forget_gone(self, *only: Fault) -> None:
        """Forget faults whose cause is gone."""
        self.alarms.forget_gone(*only)
