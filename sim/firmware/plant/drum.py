"""Drum and heads: tiles come to open gates while the disc turns, pass a light barrier, lie on a row."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random

from protocols.vocabulary import SIDES
from sim.firmware.plant import pins
from sim.firmware.plant.axis import Spinner
from sim.mechanism.drum import Arrival, Mix, mix_fairly, plan_build, plan_rest, stacks_a_side
from sim.mechanism.places import TILES_A_STACK, Places, tiles_of
from sim.mechanism.tiles import Tile
from sim.mechanism.timing import load_timing

PASSING_S = 0.040  # a tile covers the barrier
APART_S = 0.030  # at least, between two tiles of one head


class Head:
    """One head. ``jammed`` = the next tile stays in it."""

    def __init__(self) -> None:
        self.waiting: deque[Tile] = deque()
        self.tile: Tile | None = None  # before the barrier
        self.free_at = 0.0
        self.jammed = False
        self.stuck: Tile | None = None

    @property
    def covered(self) -> bool:
        """What its light barrier says."""
        return self.tile is not None or self.stuck is not None


class Drum:
    """Everything between the set pushed in and the rows in the store."""

    def __init__(self, places: Places, profile: Callable[[], int], rng: Random) -> None:
        self.places = places
        self.disc = Spinner()
        self.heads = [Head() for _ in SIDES]
        self.mix_for: Callable[[], Mix] = lambda: mix_fairly
        self._profile = profile
        self._rng = rng
        self._plan: deque[Arrival] = deque()
        self._unlaid: list[Arrival] = []
        self._turned = 0.0  # seconds at full speed since the plan began
        self._planned = False

    # what sensors see

    @property
    def holds(self) -> bool:
        """A tile lies in the drum, or is on its way to a head."""
        return len(self.places.drum) > sum([head.tile is not None for head in self.heads])

    def rows(self) -> list[int]:
        """Tiles of each row in the store."""
        return [2 * len(row) - (len(row[-1]) & 1) if row else 0 for row in self.places.store]

    def full(self, rows: list[int]) -> list[bool]:
        """The end switches of such rows."""
        goal = stacks_a_side(self._profile())
        return [laid >= stacks * TILES_A_STACK for laid, stacks in zip(rows, goal, strict=True)]

    # what happens

    def run(self, outputs: int, seconds: float, now: float) -> None:
        """Let time pass."""
        drive = bool(outputs & pins.Out.DRUM) - bool(outputs & pins.Out.DRUM_BACK)
        self.disc.run(drive, seconds)
        if drive > 0 and not self._planned:
            self._begin()
        elif not drive and not self.disc.moving:
            self._rest()
        if self.disc.speed > 0:
            self._turned += self.disc.speed * seconds
            while self._plan and self._plan[0].at <= self._turned:
                arrival = self._plan.popleft()
                self.heads[arrival.side].waiting.append(arrival.tile)
        for side in SIDES:
            gate = bool(outputs & pins.of(pins.FIRST_GATE, side))
            self._pass(side, gate and self.disc.speed > 0, now)

    def due(self, outputs: int) -> bool:
        """True while something changes with time alone."""
        return bool(outputs & (pins.Out.DRUM | pins.Out.DRUM_BACK)) or self.disc.moving or self._passing

    @property
    def _passing(self) -> bool:
        return any(head.tile is not None for head in self.heads)

    def _begin(self) -> None:
        """The disc turns anew: what comes when."""
        places, profile = self.places, self._profile()
        time = load_timing().build
        own = [tile for tile in places.drum if tile not in places.strays]
        laid = self.rows()
        if any(laid):
            plan = plan_rest(self._unlaid, own, laid, profile, time, self._rng)
        else:
            plan = plan_build(own, profile, time, self._rng, self.mix_for())
        self._plan, self._unlaid = deque(plan), list(plan)
        self._turned, self._planned = 0.0, True

    def _rest(self) -> None:
        """The disc stands: what waited at a gate lies in the drum again."""
        if self._planned and not self._passing:
            self._planned = False
            for head in self.heads:
                head.waiting.clear()

    def _pass(self, side: int, open_: bool, now: float) -> None:
        head = self.heads[side]
        if head.stuck is not None:
            return
        if head.tile is not None and now >= head.free_at - APART_S:
            self.places.stack(side, head.tile)
            self._unlaid = [one for one in self._unlaid if one.tile is not head.tile]
            head.tile = None
        if head.tile is None and head.waiting and open_ and now >= head.free_at:
            tile = head.waiting.popleft()
            if head.jammed:
                head.stuck = tile
                self.places.jam(tile)
            else:
                head.tile = tile
                head.free_at = now + PASSING_S + APART_S

    def free(self, side: int) -> None:
        """Somebody takes the tile out of the head and lets it fall into the drum."""
        head = self.heads[side]
        head.jammed = False
        if head.stuck is not None:
            self.places.free(head.stuck)
            head.stuck = None

    def drop_rows(self) -> None:
        """The rows fall back."""
        if any(tiles_of(self.places.store)):
            self.places.drop_store()
        self._unlaid = []
