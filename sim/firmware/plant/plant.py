"""A table at the firmware's pins: what moves when a motor has current, and what the sensors then say.

It knows where every tile is (``Places``) and nothing of orders; the firmware knows pins only. People see
it as they see the simulated mechanism: the same watchers are told, the same tiles lie on the felt.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from protocols.vocabulary import NO_SIDE, SIDES, Lamp, SeatKey
from sim.firmware.lockstep import Inputs
from sim.firmware.plant import pins
from sim.firmware.plant.axis import Axis, Spinner
from sim.firmware.plant.drum import Drum
from sim.firmware.plant.keys import PRESS_US, Keys
from sim.mechanism.dice import FACES, MOST_DICE, Dice, Faces, pack_faces
from sim.mechanism.drum import Mix, mix_fairly
from sim.mechanism.places import Places, tiles_of
from sim.mechanism.ports import Watcher
from sim.mechanism.timing import load_timing

US = 1_000_000
TICK_US = 2000  # the motions are reckoned in steps no longer than this...
DRUM_TICK_US = 8000  # ...and the drum alone in these: a tile covers its barrier five times as long
FLAP_US = 100_000  # the flap swings so long when the last tile has fallen in
CHAIN_S = 2.5  # a whole turn
DROP_S = 0.8
TRAY_S = 1.1
TRAYS = 0xF << pins.FIRST_TRAY_RAISE | 0xF << pins.FIRST_TRAY_LOWER
FINE = pins.MOTORS & ~(pins.Out.DRUM | pins.Out.DRUM_BACK | 0xF << pins.FIRST_GATE)  # all but the drum's
READ_S = 0.15  # from dice at rest to faces read
TURNING = 0.3  # share of the full speed from which the dice count as turning


class Plant:
    """One table. Time is µs on any clock that does not go back; ``step`` lets it pass."""

    def __init__(self, profile: int, *, drum: Random, dice: Random, times: Random) -> None:
        timing = load_timing()
        self.timing = timing
        self.profile = profile  # the tiles people play with
        self.places = Places(profile)
        self.dice = Dice(dice)
        self._spare_dice = times  # those a press of the key does not throw
        self.centre = Axis(timing.steps["centre_up"].sample(times))
        self.trays = [Axis(TRAY_S * times.uniform(0.95, 1.05)) for _ in SIDES]
        self.chain = Axis(CHAIN_S)
        self.dropper = Axis(DROP_S)
        self.dice_motor = Spinner()
        self._axes = (self.centre, self.chain, self.dropper, self.dice_motor, *self.trays)
        self.drum = Drum(self.places, lambda: self.profile, drum)
        self.keys = Keys()
        self.watchers: list[Watcher] = []
        self.on_new_hand: Callable[[int], None] = lambda hand: None
        self.mix_for: Callable[[int], Mix] = lambda hand: mix_fairly
        self.drum.mix_for = lambda: self.mix_for(self.raised)
        self.raised = 0
        self.cover = False
        self.lamp = Lamp.OFF
        self.by_panel = False  # a key opened the centre
        self.faces: Faces = ()
        self.about_to_touch: Callable[[], None] = lambda: None  # told before people do something...
        self.touched: Callable[[], None] = lambda: None  # ...and after it
        self.driven: Callable[[int, int], None] = lambda before, outputs: None  # told when outputs change
        self.now_us = 0
        self.outputs = 0
        self._flap_until = 0
        self._still_since: int | None = None
        self._thrown = True
        self._lifted = False  # the trays came up with walls; nobody has been told yet

    # pins

    def inputs(self) -> Inputs:
        """What the pins read now."""
        walls = [any(row) for row in self.places.top]
        rows = self.drum.rows()
        sensors = (
            pins.In.CENTRE_UP * self.centre.up
            | pins.In.CENTRE_DOWN * self.centre.down
            | pins.row(pins.FIRST_TRAY_UP, [tray.up for tray in self.trays])
            | pins.row(pins.FIRST_TRAY_DOWN, [tray.down for tray in self.trays])
            | pins.row(pins.FIRST_HEAD, [head.covered for head in self.drum.heads])
            | pins.row(pins.FIRST_ROW_FULL, self.drum.full(rows))
            | pins.row(pins.FIRST_ROW_ANY, [laid > 0 for laid in rows])
            | pins.row(pins.FIRST_WALL, walls)
            | pins.In.DRUM * self.drum.holds
            | pins.In.LOADED * (self.now_us < self._flap_until)
            | pins.In.COVER * self.cover
            | pins.In.DICE_TURN * (self.dice_motor.speed > TURNING)
            | pins.In.DICE_READ * self._read
            | pins.In.CHAIN_ZERO * self.chain.down
        )
        return Inputs(sensors, self.keys.seats, pack_faces(self.faces), self.keys.panel)

    @property
    def _read(self) -> bool:
        still = self._still_since
        return self._thrown and still is not None and self.now_us - still >= READ_S * US

    def step(self, now_us: int, outputs: int) -> None:
        """Time passes up to ``now_us`` with these outputs."""
        while self.now_us < now_us:
            tick = self._tick(outputs)
            span = min(tick, now_us - self.now_us) if tick else now_us - self.now_us
            self.now_us += span
            if tick == DRUM_TICK_US:
                self._run_drum(outputs, span / US)
            elif tick:
                self._run(outputs, span / US)
            self.keys.pass_time(self.now_us)
        before, self.outputs = self.outputs, outputs
        self._notice(before, outputs)
        if outputs != before:
            self.driven(before, outputs)

    def _tick(self, outputs: int) -> int:
        """How finely time is to be cut while things move so; 0 = nothing does."""
        if outputs & FINE or any(axis.speed for axis in self._axes):
            return TICK_US
        return DRUM_TICK_US if self.drum.due(outputs) else 0

    @property
    def at_rest(self) -> bool:
        """True when nothing has speed, whatever the motors want."""
        return not self.drum.disc.moving and not any(axis.moving for axis in self._axes)

    def due_us(self) -> int | None:
        """When the pins may change if the outputs do not; None = never."""
        tick = self._tick(self.outputs)
        if self._still_since is not None and not self._read:
            tick = TICK_US
        if tick:
            return self.now_us + tick
        found = [self._flap_until] if self.now_us < self._flap_until else []
        found += [due for due in (self.keys.due_us(),) if due is not None]
        return min(found, default=None)

    # motion

    def _run(self, outputs: int, seconds: float) -> None:
        Out = pins.Out
        self.centre.run(_drive(outputs, Out.CENTRE_RAISE, Out.CENTRE_LOWER), seconds)
        if outputs & Out.CHAIN and self.chain.down:
            self.chain.at = 1.0  # it is endless: its reference goes by once a turn
        self.chain.run(-bool(outputs & Out.CHAIN), seconds)
        if outputs & TRAYS or any(tray.speed for tray in self.trays):
            self._run_trays(outputs, seconds)
        self._run_dropper(outputs, seconds)
        self._run_dice(outputs, seconds)
        if self.drum.due(outputs):
            self._run_drum(outputs, seconds)

    def _run_drum(self, outputs: int, seconds: float) -> None:
        self.drum.run(outputs, seconds, self.now_us / US)
        if self.drum.disc.speed > 0:
            self.chain.at = 1.0  # wherever the chain is now, it is not at its reference

    def _run_trays(self, outputs: int, seconds: float) -> None:
        were_up, were_down = all(tray.up for tray in self.trays), all(tray.down for tray in self.trays)
        for side, tray in enumerate(self.trays):
            drive = _drive(
                outputs, pins.of(pins.FIRST_TRAY_RAISE, side), pins.of(pins.FIRST_TRAY_LOWER, side)
            )
            tray.run(drive, seconds)
        standing = any(tiles_of(self.places.top))
        if not were_up and all(tray.up for tray in self.trays) and not standing and any(self.drum.rows()):
            self.places.raise_walls()
            self.raised += 1
            self._lifted = True
        elif not were_down and all(tray.down for tray in self.trays) and standing:
            self.places.lower_walls()
            for watcher in self.watchers:
                watcher.walls_down()

    def _run_dropper(self, outputs: int, seconds: float) -> None:
        drops = bool(outputs & pins.Out.DROP)
        if drops or self.dropper.at:
            self.dropper.run(1 if drops else -1, seconds)
        if drops and self.dropper.up:
            self.drum.drop_rows()

    def _run_dice(self, outputs: int, seconds: float) -> None:
        on = bool(outputs & pins.Out.DICE)
        if on and self._thrown:
            self._thrown, self._still_since = False, None
            for watcher in self.watchers:
                watcher.dice_rolling(outputs >> pins.DICE_SIDE_SHIFT & 3)
        self.dice_motor.run(int(on), seconds)
        if not on and not self._thrown and not self.dice_motor.moving:
            self._thrown, self._still_since = True, self.now_us
            shown = self.dice.throw(self.dice.count)
            rest = MOST_DICE - self.dice.count
            self.faces = (*shown, *(self._spare_dice.randint(1, FACES) for _ in range(rest)))
            for watcher in self.watchers:
                watcher.dice_shown(outputs >> pins.DICE_SIDE_SHIFT & 3, shown)

    # what people see

    def _notice(self, before: int, outputs: int) -> None:
        if self.centre.down:
            self.by_panel = False
        lifting = outputs & (0xF << pins.FIRST_TRAY_RAISE)
        if self._lifted and not lifting:
            self._lifted = False
            dealer = pins.field(outputs, pins.DEALER_SHIFT)
            for watcher in self.watchers:
                watcher.walls_up(dealer if dealer in SIDES else NO_SIDE)
        if outputs & pins.Out.LOAD and not before & pins.Out.LOAD:
            for watcher in self.watchers:
                watcher.centre_opened()
        lamps = 0o77 << pins.LAMP_SHIFT
        if outputs & lamps != before & lamps:
            self.lamp = Lamp(pins.field(outputs, pins.LAMP_SHIFT))
            side = pins.field(outputs, pins.LAMP_SIDE_SHIFT)
            for watcher in self.watchers:
                watcher.lamp(self.lamp, side if side in SIDES else NO_SIDE)

    # what people do

    @property
    def centre_open(self) -> bool:
        """True when tiles can be pushed in."""
        return self.centre.up

    @property
    def adding(self) -> bool:
        """The centre is open, but not for a set."""
        return self.centre.up and not self.outputs & pins.Out.LOAD

    @property
    def hand(self) -> int:
        """The number of the hand as people count it."""
        return self.raised

    def push_in(self) -> None:
        """People push tiles through the open centre; the flap tells when they have finished."""
        self.about_to_touch()
        if self.centre_open:
            self.places.push_in(self.profile, adding=self.adding)
            self._flap_until = self.now_us + FLAP_US
            self.touched()

    def press_seat(self, side: int, key: SeatKey, seconds: float = PRESS_US / US) -> None:
        """A key at a seat, held for so long."""
        self.about_to_touch()
        self.keys.press_seat(side, key, self.now_us, round(seconds * US))
        self.touched()

    def press_dice(self, side: int) -> None:
        """The dice key of a side."""
        self.about_to_touch()
        self.keys.press_panel(pins.PANEL_DICE + side, self.now_us)
        self.touched()

    def press_lift(self, side: int) -> None:
        """A lift key: sides 0 and 2 have one."""
        self.about_to_touch()
        self.by_panel = self.by_panel or self.centre.down
        self.keys.press_panel(side // pins.PANEL_LIFTS, self.now_us)
        self.touched()

    def free(self, side: int) -> None:
        """Somebody takes a stuck tile out of a head."""
        self.about_to_touch()
        self.drum.free(side)
        self.touched()

    def open_cover(self, open_: bool = True) -> None:
        """Somebody opens a cover, or shuts it."""
        self.about_to_touch()
        self.cover = open_
        self.touched()

    def notice(self, kind: str, **facts: int) -> None:
        """Nobody waits here for a moment a fault plan could name."""

    def cut_power(self) -> None:
        """No motor has current; what has speed comes to rest where it is."""
        for axis in (*self._axes, self.drum.disc):
            axis.speed = 0.0
        self.outputs = 0
        for watcher in self.watchers:
            watcher.dark()


def _drive(outputs: int, up: int, down: int) -> int:
    return bool(outputs & up) - bool(outputs & down)
