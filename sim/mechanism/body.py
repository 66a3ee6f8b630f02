"""What is physically wrong with the table now, and how worn it is.

An *ailment* is one thing in one place: a tile that stays in a head, a coin under a tray, a plug that came
off. It befalls the table, shows itself at the moment its cause says, and stays until it is mended. The
firmware knows nothing of it but what its sensors tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING

from protocols.vocabulary import NO_SIDE, SIDES, Fault, Operation
from sim.mechanism.causes import Cause, Limits, Moment, load_causes, side_name
from sim.mechanism.drum import Arrival
from sim.mechanism.motion import Trouble
from sim.mechanism.places import Places
from sim.mechanism.tiles import Tile
from sim.mechanism.timing import BuildTime, Timing

if TYPE_CHECKING:
    from sim.mechanism.wear import Wear

AXES = {  # the motions a motor drives, where it is not one of the drum and the heads
    "lift": ("centre_up", "centre_down"),
    "trays": ("trays_up", "trays_down"),
    "dice": ("dice",),
}
EARLY = 0.25  # of its time after which a motion without current or under load is given up
SHORT_SPIN = 0.5


@dataclass(eq=False, slots=True)
class Ailment:
    """One thing wrong. ``clears`` = it frees itself when the firmware tries again."""

    cause: Cause
    side: int = NO_SIDE
    clears: bool = False
    axis: str = ""
    tile: Tile | None = None
    shown: bool = False
    helps: float | None = None  # seconds until somebody mends it; None = as long as it takes, < 0 = nobody

    @property
    def fault(self) -> Fault:
        return self.cause.fault

    def __str__(self) -> str:
        where = f" {side_name(self.side)}" if self.side != NO_SIDE else ""
        what = f" ({self.tile})" if self.tile is not None else ""
        axis = f", {self.axis} motor" if self.axis else ""
        return f"{self.cause.name}{where}{axis}: {self.cause.cause}{what}"


@dataclass(slots=True)
class Body:
    """The ailments of one table. Asked before every motion (``StepFaults``) and at every tile."""

    places: Places
    timing: Timing
    wear: Wear
    ailments: list[Ailment] = field(default_factory=list)

    @property
    def limits(self) -> Limits:
        return load_causes().limits

    def befall(self, ailment: Ailment) -> None:
        """From now on it is so."""
        self.ailments.append(ailment)

    def gone(self, ailment: Ailment) -> None:
        """It is so no more; a tile that was stuck falls back into the drum."""
        if ailment in self.ailments:
            self.ailments.remove(ailment)
            if ailment.tile is not None and ailment.tile in self.places.jammed:
                self.places.free(ailment.tile)

    # what the firmware can tell

    def of(self, fault: Fault, side: int = NO_SIDE) -> Iterator[Ailment]:
        """The ailments behind a fault; without a side, on any. Some have none themselves."""
        return (
            one
            for one in self.ailments
            if one.fault is fault and (side == NO_SIDE or one.side in (NO_SIDE, side))
        )

    def has(self, *faults: Fault) -> bool:
        """True while one of them has its cause in the table."""
        return any(one.fault in faults for one in self.ailments)

    def seen(self, fault: Fault, side: int) -> bool:
        """True when a sensor still sees the cause of a latched fault."""
        return any(one.cause.seen and one.shown for one in self.of(fault, side))

    def show(self, fault: Fault) -> None:
        """What was hidden so far is now to be seen."""
        for ailment in self.of(fault):
            ailment.shown = True

    # moments

    def before(self, step: str, operation: Operation) -> Trouble | None:
        """The trouble a motion runs into."""
        for ailment in self.ailments:
            if step in ailment.cause.steps or step in AXES.get(ailment.axis, ()):
                if ailment.clears:
                    self.gone(ailment)
                    continue
                ailment.shown = True
                if ailment.cause.mended == "retry":
                    self.gone(ailment)
                return Trouble(ailment.fault, ailment.side, self._after(ailment, step))
        return None

    def _after(self, ailment: Ailment, step: str) -> float:
        """When it is noticed, as a share of the motion's time: most at its time-out, some at once."""
        if ailment.axis or ailment.fault is Fault.CENTRE_OBSTRUCTED:
            return EARLY
        if ailment.fault is Fault.DICE_SPIN_SHORT:
            return SHORT_SPIN
        time = self.timing.steps[step]
        return time.timeout / time.mean

    def at_head(self, side: int, tile: Tile) -> Ailment | None:
        """What stops this tile on its way to the head of ``side``: it stays there, if tiles stay."""
        ailment = next((one for one in self.ailments if _stops_tiles(one, side)), None)
        if ailment is not None and not ailment.shown:
            ailment.shown = True
            if ailment.cause.holds:
                ailment.tile = tile
                self.places.jam(tile)
        return ailment

    def at_end(self) -> list[Ailment]:
        """What shows itself when a build has ended."""
        found = [one for one in self.ailments if one.cause.moment is Moment.END and not one.shown]
        for ailment in found:
            ailment.shown = True
        return found

    # a whole build

    def course(self, plan: Sequence[Arrival]) -> list[Arrival]:
        """How a planned build really goes: strays come to heads, weak tiles late, clinging ones never."""
        arrivals = list(plan)
        for ailment in self.ailments:
            tile = ailment.tile
            if ailment.fault is Fault.MIXED_SETS and tile in self.places.drum and arrivals:
                middle = len(arrivals) // 2
                assert tile is not None
                arrivals[middle] = replace(arrivals[middle], tile=tile)
            elif ailment.fault is Fault.BUILD_TIMEOUT and arrivals:
                ailment.tile = arrivals.pop().tile
            elif ailment.fault is Fault.LAST_TILES_SLOW:
                slow = self.limits.slow_last
                first = max(0, len(arrivals) - slow)
                for number, arrival in enumerate(arrivals[first:], 1):
                    arrivals[first + number - 1] = replace(
                        arrival, at=arrival.at + number * self.limits.slow_each
                    )
        return arrivals

    def clinging(self) -> list[Tile]:
        """What the ring cannot pick up."""
        return [one.tile for one in self.of(Fault.BUILD_TIMEOUT) if one.tile is not None]

    def missed(self, side: int, rng: Random) -> bool:
        """True when the optic of this head does not see a tile pass."""
        for ailment in self.of(Fault.COUNT_MISMATCH, side):
            if not ailment.shown:
                ailment.shown = True
                return True
        dirt = self.wear.dirt[side]
        return bool(dirt) and rng.random() < dirt * load_causes().wear.miss

    def pace(self, time: BuildTime) -> BuildTime:
        """The drum as worn as it is: weak magnets and low voltage slow it, weak magnets lengthen its tail."""
        wear = self.wear
        speed = wear.magnet * wear.voltage * wear.supply
        if speed == 1.0 and wear.magnet == 1.0:
            return time
        return replace(time, tau=time.tau / speed, knee=round(time.knee / wear.magnet))

    def clean(self, side: int) -> None:
        """Somebody wipes the optics of one side, or of all."""
        for one in SIDES if side == NO_SIDE else (side,):
            self.wear.dirt[one] = 0.0


def _stops_tiles(ailment: Ailment, side: int) -> bool:
    on_the_way = ailment.cause.moment is Moment.STACKING and ailment.axis not in AXES
    return on_the_way and ailment.side in (NO_SIDE, side)
